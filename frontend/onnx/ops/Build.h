// Small compositions that several groups of operators build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_OPS_BUILD_H
#define MODELC_FRONTEND_ONNX_OPS_BUILD_H

#include "frontend/onnx/NodeBinder.h"

namespace modelc {

/// Elements `start` .. `start + size - 1` of an axis.
mlir::Value sliceAxis(NodeBinder &b, mlir::Value value, int64_t axis, int64_t start, int64_t size);

/// The i64 position along `axis` in a tensor of `shape`.
mlir::Value positions(NodeBinder &b, llvm::ArrayRef<int64_t> shape, int64_t axis);

/// An i64 scalar.
mlir::Value intScalar(NodeBinder &b, int64_t value);

/// Tensors one after another along an axis.
mlir::Value concat(NodeBinder &b, llvm::ArrayRef<mlir::Value> values, int64_t axis);

/// `value` repeated to `shape` as NumPy broadcasts.
mlir::Value broadcast(NodeBinder &b, mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// A reduction that keeps the reduced dimensions.
mlir::Value reduceKeep(NodeBinder &b, ReduceKind kind, mlir::Value value,
                       llvm::ArrayRef<int64_t> axes);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_OPS_BUILD_H
