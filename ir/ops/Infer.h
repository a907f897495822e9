//===- Infer.h - shared by the inference of all op groups -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_INFER_H
#define MODELC_IR_OPS_INFER_H

#include "ir/ModelcOps.h"
#include "ir/Shapes.h"

/// Head of an op's inference, as ODS declares it.
#define MODELC_INFER(OpTy)                                                                         \
  mlir::LogicalResult OpTy::inferReturnTypes(                                                      \
      mlir::MLIRContext *context, std::optional<mlir::Location> location,                          \
      mlir::ValueRange operands, mlir::DictionaryAttr attributes,                                  \
      mlir::OpaqueProperties properties, mlir::RegionRange regions,                                \
      llvm::SmallVectorImpl<mlir::Type> &types)

namespace modelc {

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
inline mlir::Type elementOf(mlir::Value value) {
  return tensorOf(value).getElementType();
}

/// No tensor of a model may have more elements than this; it keeps products of
/// extents and byte counts far from overflow.
constexpr int64_t maxElements = int64_t(1) << 40;

/// Fails with a message if a shape has a negative extent or too many elements.
mlir::LogicalResult checkShape(std::optional<mlir::Location> location,
                               llvm::ArrayRef<int64_t> shape);

} // namespace modelc

#endif // MODELC_IR_OPS_INFER_H
