// What the model says about the types of its values, against what they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/GraphImporter.h"
#include "frontend/onnx/TensorData.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace modelc {

/// A negative extent, as exporters write it, is open like a missing one.
static bool isFixed(const onnx::TensorShapeProto::Dimension &dim) {
  return dim.has_dim_value() && dim.dim_value() >= 0;
}

/// "float[2,seq,?]"; "float" without a shape.
static std::string typeText(const onnx::TypeProto::Tensor &type) {
  std::string text = type.elem_type() == 0 ? "a tensor" : onnxTypeName(type.elem_type());
  if (!type.has_shape()) {
    return text;
  }
  llvm::SmallVector<std::string> dims;
  for (const auto &dim : type.shape().dim()) {
    dims.push_back(isFixed(dim)              ? std::to_string(dim.dim_value())
                   : dim.dim_param().empty() ? "?"
                                             : flagText(dim.dim_param()));
  }
  return text + "[" + llvm::join(dims, ",") + "]";
}

static std::string typeText(RankedTensorType type) {
  std::string text = onnxTypeName(elementTypeToOnnx(type.getElementType())) + "[";
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    text += (i == 0 ? "" : ",") + std::to_string(extent);
  }
  return text + "]";
}

/// Whether a value of `type` may be declared as `declared`. What a declaration
/// leaves open fits everything.
static bool fits(const onnx::TypeProto::Tensor &declared, bool isEmptyShapeOpen,
                 RankedTensorType type) {
  if (declared.elem_type() != 0 &&
      declared.elem_type() != elementTypeToOnnx(type.getElementType())) {
    return false;
  }
  const auto &dims = declared.shape().dim();
  if (!declared.has_shape() || (dims.empty() && isEmptyShapeOpen)) {
    return true;
  }
  return dims.size() == type.getRank() &&
         llvm::all_of(llvm::zip(dims, type.getShape()), [](const auto &pair) {
           const auto &[dim, extent] = pair;
           return !isFixed(dim) || dim.dim_value() == extent;
         });
}

static std::string contradiction(const Scope::Declaration &declaration, Type type) {
  const onnx::TypeProto &declared = *declaration.type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (declared.has_tensor_type() && tensor &&
      !fits(declared.tensor_type(), declaration.isEmptyShapeOpen, tensor)) {
    return "declares it as " + typeText(declared.tensor_type()) + ", expected " + typeText(tensor);
  }
  if (declared.has_tensor_type() && !tensor) {
    return "declares it as a tensor, expected a sequence";
  }
  if (declared.has_sequence_type() && tensor) {
    return "declares it as a sequence, expected " + typeText(tensor);
  }
  return "";
}

LogicalResult GraphImporter::checkDeclared(llvm::StringRef name, Type type, const Scope &scope,
                                           llvm::StringRef what) {
  for (const Scope::Declaration &declaration : scope.declarationsOf(name)) {
    std::string problem = contradiction(declaration, type);
    if (!problem.empty()) {
      return emitError(fileLocation)
             << what << ": value " << quoted(name) << ": the model " << problem;
    }
  }
  return success();
}

LogicalResult GraphImporter::define(llvm::StringRef name, Value value, Scope &scope,
                                    llvm::StringRef what) {
  scope.define(name, value);
  return checkDeclared(name, value.getType(), scope, what);
}

} // namespace modelc
