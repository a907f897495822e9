//===- ModelcOps.cpp - generated code of the ops --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcOps.h"
#include "ir/Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/ModelcInterfaces.cpp.inc"

using namespace modelc;

mlir::Type modelc::computeType(mlir::Type type) {
  if (type.isF16() || type.isBF16() ||
      (llvm::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() < 16)) {
    return mlir::Float32Type::get(type.getContext());
  }
  if (type.isUnsignedInteger()) {
    return mlir::IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  }
  return type;
}

#define GET_OP_CLASSES
#include "ir/ModelcOps.cpp.inc"
