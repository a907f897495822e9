//===- Harness.h - Runs expanded math functions on arrays ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/math/ExpandMath.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <memory>
#include <string>
#include <vector>

namespace modelc::test {

/// An operation under test, as in the text of MLIR: "math.exp".
struct MathFunction {
  std::string op;
  unsigned operands = 1;
  /// The type of the last operand, if it is an integer converted from the
  /// float in memory: "i32".
  std::string exponentType = "";
};

/// Functions of one element type, written as a loop over scalars or over
/// vectors of eight, expanded for one kind of target and compiled for this
/// machine.
class CompiledMath {
public:
  /// Elements that one call computes.
  static constexpr size_t kBlock = 4096;

  CompiledMath(llvm::ArrayRef<MathFunction> functions, llvm::StringRef elementType, bool useVectors,
               const MathOptions &options);

  /// Each array holds kBlock elements; unused operands may be null.
  using Function = void (*)(const void *, const void *, const void *, void *);
  Function function(size_t index) const;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<Function> compiled;
};

/// Compiles `functions` for `triple` and returns the names that its object
/// leaves undefined.
std::vector<std::string> undefinedSymbols(llvm::ArrayRef<MathFunction> functions,
                                          llvm::StringRef elementType, const MathOptions &options,
                                          llvm::StringRef triple, llvm::StringRef cpu,
                                          llvm::StringRef features);

} // namespace modelc::test
