//===- ConstantEvaluator.h - computes ops whose operands are known --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_CONSTANTEVALUATOR_H
#define MODELC_IR_CONSTANTEVALUATOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace modelc {

/// Computes the results of ops at compile time, with the semantics of the code
/// that would be emitted, for one portable profile: the same bytes on every
/// build machine.
class ConstantEvaluator {
public:
  virtual ~ConstantEvaluator() = default;

  /// The results of `op`, whose operands have the given values. Fails without
  /// a diagnostic if the op cannot be computed at compile time, or only at
  /// more than the budget that is left.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  evaluate(mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands) = 0;
};

} // namespace modelc

#endif // MODELC_IR_CONSTANTEVALUATOR_H
