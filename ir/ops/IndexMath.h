//===- IndexMath.h - arithmetic on index values ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_INDEXMATH_H
#define MODELC_IR_OPS_INDEXMATH_H

#include "ir/KernelIO.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace modelc {
namespace indexing {

using Builder = mlir::ImplicitLocOpBuilder;
using mlir::Value;

/// All functions fold constants, so that static shapes leave no trace.
Value constant(Builder &b, int64_t value);
Value add(Builder &b, Value x, Value y);
Value add(Builder &b, Value x, int64_t y);
Value sub(Builder &b, Value x, Value y);
Value mul(Builder &b, Value x, int64_t y);
/// Quotient and remainder of values that are not negative.
Value div(Builder &b, Value x, int64_t y);
Value rem(Builder &b, Value x, int64_t y);
/// Signed comparison; the result is `i1`.
Value less(Builder &b, Value x, Value y);
Value select(Builder &b, Value condition, Value x, Value y);

/// Row-major position of `indices` in `shape`.
Value linearize(Builder &b, mlir::ValueRange indices, llvm::ArrayRef<int64_t> shape);
/// The inverse of linearize.
llvm::SmallVector<Value> delinearize(Builder &b, Value position, llvm::ArrayRef<int64_t> shape);

/// An index that the model computes (`i32` or `i64`): counted from the end if
/// negative, and clamped into 0 .. extent-1, in which case the kernel returns
/// the bad-index status.
Value fromModel(Builder &b, KernelIO &io, Value value, int64_t extent);

/// The same, but negative and other values out of range are only clamped.
Value clamped(Builder &b, Value value, int64_t extent);

} // namespace indexing
} // namespace modelc

#endif // MODELC_IR_OPS_INDEXMATH_H
