//===- Patterns.cpp - From an emitting function to a rewrite pattern -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/math/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace modelc::math {

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    return vector.clone(element);
  }
  return element;
}

Value expandFloats(PatternRewriter &rewriter, Operation *op, const MathOptions &options,
                   llvm::function_ref<Float(ArrayRef<Float>)> emit, bool (Emitter::*keep)() const) {
  Type type = op->getResult(0).getType();
  if (!isa<FloatType, VectorType>(type)) {
    return nullptr;
  }
  Type element = getElementTypeOrSelf(type);
  bool isHalf = element.isF16() || element.isBF16();
  if (!isHalf && !element.isF32() && !element.isF64()) {
    return nullptr;
  }
  Type computeType = isHalf ? withElement(type, rewriter.getF32Type()) : type;
  Emitter emitter(rewriter, op->getLoc(), computeType, options);
  if (!isHalf && keep && (emitter.*keep)()) {
    return nullptr;
  }
  SmallVector<Float, 3> operands;
  for (Value operand : op->getOperands()) {
    if (isHalf) {
      operand = rewriter.create<arith::ExtFOp>(op->getLoc(), computeType, operand);
    }
    operands.push_back({{&emitter, operand}});
  }
  Value result = emit(operands).value;
  if (isHalf) {
    result = rewriter.create<arith::TruncFOp>(op->getLoc(), type, result);
  }
  return result;
}

} // namespace modelc::math
