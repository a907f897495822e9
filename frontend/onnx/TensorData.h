// ONNX tensors as MLIR constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_TENSORDATA_H
#define MODELC_FRONTEND_ONNX_TENSORDATA_H

#include "frontend/onnx/ExternalData.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/Error.h"

namespace modelc {

/// The element type for an ONNX data type, or null if modelc has none (strings,
/// complex numbers, formats that MLIR does not know, invalid numbers).
mlir::Type elementTypeFromOnnx(int dataType, mlir::MLIRContext &context);

/// Whether values of this element type can be computed with: the types of less
/// than 8 bits and the 8-bit floats can be read from a file only.
bool isComputable(mlir::Type element);

/// The inverse; UNDEFINED for a type that ONNX does not have.
onnx::TensorProto::DataType elementTypeToOnnx(mlir::Type type);

/// "float16": the name that ONNX's text syntax uses, or the number.
std::string onnxTypeName(int dataType);

/// The tensor as a constant. Takes its bytes away from `tensor`: of large
/// weights only one copy exists.
llvm::Expected<mlir::ElementsAttr> takeTensor(onnx::TensorProto &tensor, ExternalData &external,
                                              mlir::MLIRContext &context);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_TENSORDATA_H
