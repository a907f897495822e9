// Runs a kernel function inside the compiler: the evaluator behind constant folding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_INTERPRETER_H
#define MODELC_CODEGEN_EVAL_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace modelc {

namespace eval {
struct Program;
}

/// What one or more evaluations may still spend, in executed instructions (about one per scalar
/// operation, access and loop round). The count is the same on every machine.
struct Budget {
  uint64_t steps;
};

/// Why an evaluation stopped. Whatever the reason, a caller that folds constants can leave the
/// operations in place: the emitted code then does what it does on the target.
class EvaluationError : public llvm::ErrorInfo<EvaluationError> {
public:
  enum class Reason {
    Unsupported,    ///< an operation, type or layout outside the scalar subset
    OutOfBudget,    ///< more steps than the budget holds
    OutOfMemory,    ///< local buffers beyond the limit or the host's memory
    OutOfBounds,    ///< an access outside its memref
    DivisionByZero, ///< an integer division or remainder by 0
    BadStep,        ///< an scf.for whose step is not positive
    BadBuffers      ///< buffers that do not match the function's arguments
  };

  EvaluationError(Reason why, std::string text) : why(why), text(std::move(text)) {}
  Reason reason() const { return why; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  static char ID;

private:
  Reason why;
  std::string text;
};

/// A decoded function. It stays valid as long as the function's MLIR context and the blobs of
/// the dense resources it reads; `run` changes nothing in it and may be called by many threads.
///
/// Accepted: memref arguments of static shape and identity layout over i1 (a byte), i8, i16, i32,
/// i64, index (8 bytes), f16, bf16, f32, f64; no result or one i32; scf.for, if and while;
/// scalar arith and math; memref load, store, alloca, dim, cast, reshapes, view at a constant
/// offset, constant globals. Math operations that the machine lacks are first expanded by
/// codegen/math for the portable profile (no fused multiply-add); the function is not changed.
///
/// Every operation has one defined result on every host:
///  - no contraction, no reassociation, round to nearest even; fast-math flags are ignored;
///  - a NaN made by arithmetic is the positive quiet one;
///  - f16 and bf16 are computed as f32 and rounded to the type after every operation;
///  - integers wrap (also the smallest one divided by -1, whose remainder is 0); shifts by the
///    width or more give 0, or the sign for shrsi; overflow flags are ignored;
///  - float to integer goes toward zero and saturates, NaN gives 0;
///  - -0 is below +0 in all four min/max operations;
///  - local memory is zeros when the run begins;
///  - an access out of bounds and an integer division by zero end the run with an error.
class Interpreter {
public:
  static llvm::Expected<Interpreter> create(mlir::func::FuncOp fn);

  Interpreter(Interpreter &&);
  Interpreter &operator=(Interpreter &&);
  ~Interpreter();

  /// Runs on one buffer per argument, in native byte order and of any alignment; they may overlap.
  /// Returns the function's result, or 0 if it has none. Takes the steps from `budget`, all of
  /// them when they do not suffice. After an error the buffers hold what was stored so far.
  llvm::Expected<int32_t> run(llvm::ArrayRef<llvm::MutableArrayRef<char>> buffers,
                              Budget &budget) const;

private:
  explicit Interpreter(std::unique_ptr<eval::Program> program);
  std::unique_ptr<eval::Program> program;
};

/// Decodes and runs a function once.
llvm::Expected<int32_t> interpret(mlir::func::FuncOp fn,
                                  llvm::ArrayRef<llvm::MutableArrayRef<char>> buffers,
                                  Budget &budget);

} // namespace modelc

#endif // MODELC_CODEGEN_EVAL_INTERPRETER_H
