// Conversion of floats to integers that saturates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/FloatToInt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace modelc {

/// A constant of a float or integer type, or a vector of it with all lanes equal.
static Value splat(ImplicitLocOpBuilder &b, Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    return b.create<arith::ConstantOp>(DenseElementsAttr::get(vector, element));
  }
  return b.create<arith::ConstantOp>(cast<TypedAttr>(element));
}

Value createFloatToInt(OpBuilder &builder, Location loc, Value value, Type type, bool isUnsigned) {
  ImplicitLocOpBuilder b(loc, builder);
  auto element = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  if (element.getWidth() < 32) {
    // The range of f16 ends below that of i32; f32 has room for every bound.
    auto vector = dyn_cast<VectorType>(value.getType());
    element = b.getF32Type();
    value = b.create<arith::ExtFOp>(vector ? Type(vector.clone(element)) : element, value);
  }
  Type floatType = value.getType();
  auto intElement = cast<IntegerType>(getElementTypeOrSelf(type));
  unsigned width = intElement.getWidth();
  APInt highest = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  APInt lowest = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);

  // The largest float that converts: the highest integer, rounded toward zero.
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  APFloat upper(semantics), lower(semantics);
  upper.convertFromAPInt(highest, !isUnsigned, APFloat::rmTowardZero);
  lower.convertFromAPInt(lowest, !isUnsigned, APFloat::rmTowardZero);
  Value upperValue = splat(b, floatType, b.getFloatAttr(element, upper));
  Value lowerValue = splat(b, floatType, b.getFloatAttr(element, lower));
  Value zero = splat(b, floatType, b.getFloatAttr(element, APFloat::getZero(semantics)));

  Value isNumber = b.create<arith::CmpFOp>(arith::CmpFPredicate::ORD, value, value);
  Value isAbove = b.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, value, upperValue);
  Value isBelow = b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, value, lowerValue);
  Value clamped = b.create<arith::SelectOp>(isNumber, value, zero);
  clamped = b.create<arith::SelectOp>(isBelow, lowerValue, clamped);
  clamped = b.create<arith::SelectOp>(isAbove, upperValue, clamped);
  Value result = isUnsigned ? b.create<arith::FPToUIOp>(type, clamped).getResult()
                            : b.create<arith::FPToSIOp>(type, clamped).getResult();

  // Where the highest integer is no float (2^31 - 1 in f32), what lies above the last float is the
  // highest integer.
  bool exact = false;
  APSInt back(width, isUnsigned);
  upper.convertToInteger(back, APFloat::rmTowardZero, &exact);
  if (static_cast<const APInt &>(back) != highest) {
    Value highestValue = splat(b, type, b.getIntegerAttr(intElement, highest));
    result = b.create<arith::SelectOp>(isAbove, highestValue, result);
  }
  return result;
}

} // namespace modelc
