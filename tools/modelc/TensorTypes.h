//===- TensorTypes.h - element types of the dialect and of libraries ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_TENSORTYPES_H
#define MODELC_TOOLS_MODELC_TENSORTYPES_H

#include "codegen/emit/CompiledModel.h"
#include "mlir/IR/Types.h"
#include <optional>

namespace modelc {

mlir::Type elementTypeIn(mlir::MLIRContext &context, ElementType type);

/// The inverse; nothing for types that no input or output has.
std::optional<ElementType> elementTypeOf(mlir::Type type);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_TENSORTYPES_H
