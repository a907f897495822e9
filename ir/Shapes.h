//===- Shapes.h - types and shapes of tensor values -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_SHAPES_H
#define MODELC_IR_SHAPES_H

#include "ir/ConstantData.h"
#include "mlir/IR/Value.h"

namespace modelc {

inline mlir::RankedTensorType typeOf(mlir::Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType());
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value tensor) {
  return typeOf(tensor).getShape();
}

/// In memory.
inline uint64_t bytesOf(mlir::Value tensor) {
  return storageBytes(typeOf(tensor));
}

/// `type` with another extent of one dimension.
inline mlir::RankedTensorType withExtent(mlir::RankedTensorType type, int64_t axis,
                                         int64_t extent) {
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape[axis] = extent;
  return mlir::RankedTensorType::get(shape, type.getElementType());
}

} // namespace modelc

#endif // MODELC_IR_SHAPES_H
