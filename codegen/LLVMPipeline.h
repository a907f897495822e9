// LLVM's half of a kernel's way to an object: attributes, optimization, emission and the check of
// what came out. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_LLVMPIPELINE_H
#define MODELC_CODEGEN_LLVMPIPELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace modelc {

struct Target;
enum class KernelOutput;

/// What a kernel function says about one argument.
struct ArgumentFacts {
  unsigned align = 0; ///< bytes, 0: the element's alignment only
  bool mayAlias =
      false; ///< memory written through another argument may be read or written through this one
};

/// Sets the triple, the data layout, linkage (only `symbol` leaves the object, hidden) and the
/// attributes of every function. Fails when the module declares something that nothing defines.
llvm::Error prepareModule(llvm::Module &module, const Target &target, llvm::TargetMachine &machine,
                          llvm::StringRef symbol, llvm::ArrayRef<ArgumentFacts> arguments);

/// The short pipeline for kernels that a generator has unrolled and vectorized; O2 for scalar
/// loops.
llvm::Error optimizeModule(llvm::Module &module, llvm::TargetMachine &machine, bool scalarLoops);

/// Generates code; for an object, checks that it refers to no symbol of anyone else.
llvm::Expected<llvm::SmallVector<char, 0>>
emitModule(llvm::Module &module, llvm::TargetMachine &machine, KernelOutput output);

} // namespace modelc

#endif // MODELC_CODEGEN_LLVMPIPELINE_H
