//===- TensorTypes.cpp - element types of the dialect and of libraries ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/TensorTypes.h"
#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace modelc;

mlir::Type modelc::elementTypeIn(mlir::MLIRContext &context, ElementType type) {
  mlir::Builder b(&context);
  switch (type) {
  case ElementType::F32:
    return b.getF32Type();
  case ElementType::F64:
    return b.getF64Type();
  case ElementType::F16:
    return b.getF16Type();
  case ElementType::BF16:
    return b.getBF16Type();
  case ElementType::Bool:
    return b.getI1Type();
  case ElementType::U8:
  case ElementType::U16:
  case ElementType::U32:
  case ElementType::U64:
    return b.getIntegerType(elementBytes(type) * 8, /*isSigned=*/false);
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
    break;
  }
  // Signed integers are signless in the dialect.
  return b.getIntegerType(elementBytes(type) * 8);
}

std::optional<ElementType> modelc::elementTypeOf(mlir::Type type) {
  for (unsigned i = 0; i <= static_cast<unsigned>(ElementType::Bool); ++i) {
    auto candidate = static_cast<ElementType>(i);
    if (elementTypeIn(*type.getContext(), candidate) == type) {
      return candidate;
    }
  }
  return std::nullopt;
}
