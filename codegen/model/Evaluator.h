//===- Evaluator.h - constants by running the emitted loops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_MODEL_EVALUATOR_H
#define MODELC_CODEGEN_MODEL_EVALUATOR_H

#include "codegen/eval/Interpreter.h"
#include "ir/ConstantEvaluator.h"

namespace modelc {

/// Evaluates an op by forming a kernel of it, emitting its loops and running
/// these in the interpreter: the semantics of folding are those of the code.
class KernelEvaluator : public ConstantEvaluator {
public:
  /// `steps` bounds all evaluations together, `maxBytes` each result.
  explicit KernelEvaluator(uint64_t steps = uint64_t(1) << 32, uint64_t maxBytes = uint64_t(2)
                                                                                   << 30)
      : budget{steps}, maxBytes(maxBytes) {}

  mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  evaluate(mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands) override;

private:
  Budget budget;
  uint64_t maxBytes;
};

} // namespace modelc

#endif // MODELC_CODEGEN_MODEL_EVALUATOR_H
