//===- Reducer.h - how the elements of a slice are joined -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_REDUCER_H
#define MODELC_IR_OPS_REDUCER_H

#include "ir/ModelcOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace modelc {

/// Joins the `count` elements of one slice of a reduction: scalars, or vectors
/// of `lanes` elements of as many slices. All kinds but `log_sum_exp`.
class Reducer {
public:
  Reducer(mlir::ImplicitLocOpBuilder &b, ReduceOp op, int64_t count, int64_t lanes = 0);

  /// The type of the total: wide enough for the sum behind a mean of integers.
  mlir::Type totalType() const;
  mlir::Value initial() const;
  mlir::Value combine(mlir::Value total, mlir::Value x) const;
  /// Joins the totals of two parts of a slice.
  mlir::Value join(mlir::Value total, mlir::Value other) const;
  mlir::Value finish(mlir::Value total) const;

private:
  mlir::Type inLanes(mlir::Type type) const;

  mlir::ImplicitLocOpBuilder &b;
  ReduceKind kind;
  mlir::Type element;
  bool isUnsigned;
  int64_t count, lanes;
};

} // namespace modelc

#endif // MODELC_IR_OPS_REDUCER_H
