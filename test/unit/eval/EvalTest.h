// What the tests of the interpreter share: functions from text, buffers from bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_EVAL_EVALTEST_H
#define MODELC_TEST_UNIT_EVAL_EVALTEST_H

#include "codegen/eval/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <limits>
#include <string>
#include <vector>

namespace modelc::test {

/// A module in a context that knows the dialects of kernels. Fails the test on bad text.
class Parsed {
public:
  explicit Parsed(llvm::StringRef text);
  /// The function named "f".
  mlir::func::FuncOp function();

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

using Buffer = std::vector<char>;

/// Elements of `type` ("i8", "f32", ...) from their bits, and back.
Buffer pack(llvm::StringRef type, llvm::ArrayRef<uint64_t> elements);
std::vector<uint64_t> unpack(llvm::StringRef type, const Buffer &buffer);

/// Runs the function "f" of a module on the buffers.
llvm::Expected<int32_t> runText(llvm::StringRef text, std::vector<Buffer> &buffers,
                                uint64_t steps = 1000000);

/// The message of a failed run, "no error" of a good one; checks the reason.
std::string failure(llvm::StringRef text, EvaluationError::Reason reason,
                    std::vector<Buffer> buffers = {}, uint64_t steps = 1000000);

/// Scalar operations on %a, %b, %c of type `in` that compute %r of type `out`.
struct ScalarCase {
  const char *operations, *in, *out;
  std::vector<uint64_t> inputs;
  uint64_t expected;
};
void check(const ScalarCase &test);
std::string scalarText(const ScalarCase &test);

inline uint64_t bits(float x) {
  return llvm::bit_cast<uint32_t>(x);
}
inline uint64_t bits(double x) {
  return llvm::bit_cast<uint64_t>(x);
}

constexpr uint64_t nan32 = 0x7fc00000, nan64 = 0x7ff8000000000000;
constexpr float inf32 = std::numeric_limits<float>::infinity();
constexpr double inf64 = std::numeric_limits<double>::infinity();

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_EVAL_EVALTEST_H
