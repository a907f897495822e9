//===- Scalars.cpp - arithmetic on the elements of tensors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
namespace modelc::scalar {

// Chains of float operations may be contracted to fused multiply-adds.
static constexpr auto contract = arith::FastMathFlags::contract;
// Of zeros of both signs either is the larger one, as in NumPy: to order them takes as many
// instructions again on x86.
static constexpr auto anyZero = arith::FastMathFlags::nsz;

static unsigned widthOf(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
}

/// `element` as a scalar or as a vector with the lanes of `shape`.
static Type withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape)) {
    return VectorType::get(vector.getShape(), element);
  }
  return element;
}

static TypedAttr splat(Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    return DenseElementsAttr::get(vector, element);
  }
  return llvm::cast<TypedAttr>(element);
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

Value constant(Builder &b, Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  Attribute attr;
  if (isa<FloatType>(element)) {
    attr = b.getFloatAttr(element, value);
  } else {
    attr = b.getIntegerAttr(element, static_cast<int64_t>(value));
  }
  return b.create<arith::ConstantOp>(splat(type, attr));
}

Value integer(Builder &b, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  Attribute attr = element.isIndex()
                       ? b.getIndexAttr(value)
                       : b.getIntegerAttr(element, APInt(widthOf(element), value, true));
  return b.create<arith::ConstantOp>(splat(type, attr));
}

Value allOnes(Builder &b, Type type) {
  return integer(b, type, -1);
}

static Value extreme(Builder &b, Type type, bool isUnsigned, bool low) {
  Type element = getElementTypeOrSelf(type);
  if (auto floatType = dyn_cast<FloatType>(element)) {
    APFloat value = APFloat::getInf(floatType.getFloatSemantics(), low);
    return b.create<arith::ConstantOp>(splat(type, b.getFloatAttr(element, value)));
  }
  unsigned width = widthOf(element);
  // Booleans order as 0 < 1.
  bool asUnsigned = isUnsigned || width == 1;
  APInt value = low ? (asUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width))
                    : (asUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  return b.create<arith::ConstantOp>(splat(type, b.getIntegerAttr(element, value)));
}

Value lowest(Builder &b, Type type, bool isUnsigned) {
  return extreme(b, type, isUnsigned, true);
}
Value highest(Builder &b, Type type, bool isUnsigned) {
  return extreme(b, type, isUnsigned, false);
}

Value add(Builder &b, Value x, Value y) {
  if (isFloat(x)) {
    return b.create<arith::AddFOp>(x, y, contract);
  }
  return b.create<arith::AddIOp>(x, y);
}

Value sub(Builder &b, Value x, Value y) {
  if (isFloat(x)) {
    return b.create<arith::SubFOp>(x, y, contract);
  }
  return b.create<arith::SubIOp>(x, y);
}

Value mul(Builder &b, Value x, Value y) {
  if (isFloat(x)) {
    return b.create<arith::MulFOp>(x, y, contract);
  }
  return b.create<arith::MulIOp>(x, y);
}

Value mulAdd(Builder &b, Value x, Value y, Value z) {
  return add(b, mul(b, x, y), z);
}

/// Divisor that a machine can divide `x` by: 1 where `y` is 0, and where the
/// quotient would overflow (lowest / -1, whose wrapped result is x itself).
static Value safeDivisor(Builder &b, Value x, Value y, bool isUnsigned) {
  Type type = y.getType();
  Value bad = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, y, integer(b, type, 0));
  if (!isUnsigned) {
    Value low = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, x, lowest(b, type, false));
    Value minusOne = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, y, integer(b, type, -1));
    Value overflow = b.create<arith::AndIOp>(low, minusOne);
    bad = b.create<arith::OrIOp>(bad, overflow);
  }
  return b.create<arith::SelectOp>(bad, integer(b, type, 1), y);
}

/// 0 where `y` is 0, else `value`.
static Value zeroIfZero(Builder &b, Value y, Value value) {
  Value zero = integer(b, y.getType(), 0);
  Value isZero = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, y, zero);
  return b.create<arith::SelectOp>(isZero, zero, value);
}

Value div(Builder &b, Value x, Value y, bool isUnsigned) {
  if (isFloat(x)) {
    return b.create<arith::DivFOp>(x, y);
  }
  Value divisor = safeDivisor(b, x, y, isUnsigned);
  Value quotient = isUnsigned ? b.create<arith::DivUIOp>(x, divisor).getResult()
                              : b.create<arith::DivSIOp>(x, divisor).getResult();
  return zeroIfZero(b, y, quotient);
}

/// Float remainder with the sign of `x`; exact while the quotient is below
/// 2^24 (f32) or 2^53 (f64).
static Value floatRemainder(Builder &b, Value x, Value y) {
  Type type = x.getType();
  Value quotient = b.create<math::TruncOp>(b.create<arith::DivFOp>(x, y));
  // The rounded quotient may be one too large or too small: one step mends it.
  Value rest = b.create<math::FmaOp>(b.create<arith::NegFOp>(quotient), y, x);
  Value magnitude = b.create<math::AbsFOp>(y);
  Value step = b.create<math::CopySignOp>(magnitude, x);
  Value zero = constant(b, type, 0);
  Value wrongSign =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, b.create<arith::MulFOp>(rest, step), zero);
  Value tooLarge =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, b.create<math::AbsFOp>(rest), magnitude);
  Value fixedLow = b.create<arith::SelectOp>(wrongSign, b.create<arith::AddFOp>(rest, step), rest);
  Value fixed = b.create<arith::SelectOp>(tooLarge, b.create<arith::SubFOp>(rest, step), fixedLow);
  // x itself where y is infinite; the sign of x where the rest is zero.
  Value yInfinite =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, magnitude, extreme(b, type, false, false));
  Value xFinite = b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, b.create<math::AbsFOp>(x),
                                          extreme(b, type, false, false));
  Value keep = b.create<arith::AndIOp>(yInfinite, xFinite);
  Value signedRest = b.create<math::CopySignOp>(fixed, x);
  return b.create<arith::SelectOp>(keep, x, signedRest);
}

Value fmod(Builder &b, Value x, Value y, bool isUnsigned) {
  if (isFloat(x)) {
    return floatRemainder(b, x, y);
  }
  Value divisor = safeDivisor(b, x, y, isUnsigned);
  Value rest = isUnsigned ? b.create<arith::RemUIOp>(x, divisor).getResult()
                          : b.create<arith::RemSIOp>(x, divisor).getResult();
  return zeroIfZero(b, y, rest);
}

Value mod(Builder &b, Value x, Value y, bool isUnsigned) {
  Value rest = fmod(b, x, y, isUnsigned);
  if (isUnsigned) {
    return rest;
  }
  // A remainder other than zero takes the sign of y.
  Value zero = constant(b, x.getType(), 0);
  Value nonZero, signsDiffer;
  if (isFloat(x)) {
    nonZero = b.create<arith::CmpFOp>(arith::CmpFPredicate::UNE, rest, zero);
    Value restNegative = b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, rest, zero);
    Value yNegative = b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, y, zero);
    signsDiffer = b.create<arith::XOrIOp>(restNegative, yNegative);
  } else {
    nonZero = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, rest, zero);
    Value mixed = b.create<arith::XOrIOp>(rest, y);
    signsDiffer = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, mixed, zero);
  }
  Value adjust = b.create<arith::AndIOp>(nonZero, signsDiffer);
  return b.create<arith::SelectOp>(adjust, add(b, rest, y), rest);
}

Value max(Builder &b, Value x, Value y, bool isUnsigned) {
  if (isFloat(x)) {
    return b.create<arith::MaximumFOp>(x, y, anyZero);
  }
  if (isUnsigned || widthOf(x.getType()) == 1) {
    return b.create<arith::MaxUIOp>(x, y);
  }
  return b.create<arith::MaxSIOp>(x, y);
}

Value min(Builder &b, Value x, Value y, bool isUnsigned) {
  if (isFloat(x)) {
    return b.create<arith::MinimumFOp>(x, y, anyZero);
  }
  if (isUnsigned || widthOf(x.getType()) == 1) {
    return b.create<arith::MinUIOp>(x, y);
  }
  return b.create<arith::MinSIOp>(x, y);
}

static Value toFloat(Builder &b, Value x, Type floatType, bool isUnsigned) {
  if (isFloat(x)) {
    if (widthOf(x.getType()) < widthOf(floatType)) {
      return b.create<arith::ExtFOp>(floatType, x);
    }
    if (widthOf(x.getType()) > widthOf(floatType)) {
      return b.create<arith::TruncFOp>(floatType, x);
    }
    return x;
  }
  return isUnsigned || widthOf(x.getType()) == 1
             ? b.create<arith::UIToFPOp>(floatType, x).getResult()
             : b.create<arith::SIToFPOp>(floatType, x).getResult();
}

Value pow(Builder &b, Value x, Value y, bool xUnsigned, bool yUnsigned) {
  if (isFloat(x)) {
    Value exponent = toFloat(b, y, x.getType(), yUnsigned);
    return b.create<math::PowFOp>(x, exponent);
  }
  if (!isFloat(y)) {
    // Square and multiply over the bits of the exponent, without branches.
    // A negative exponent leaves 1, -1 or 0.
    Type type = x.getType();
    Value exponent = y;
    if (widthOf(y.getType()) < widthOf(type)) {
      exponent = yUnsigned ? b.create<arith::ExtUIOp>(type, y).getResult()
                           : b.create<arith::ExtSIOp>(type, y).getResult();
    } else if (widthOf(y.getType()) > widthOf(type)) {
      exponent = b.create<arith::TruncIOp>(type, y);
    }
    Value one = integer(b, type, 1), zero = integer(b, type, 0);
    Value result = one, base = x;
    unsigned bits = widthOf(type);
    for (unsigned bit = 0; bit < bits; ++bit) {
      Value shifted = b.create<arith::ShRUIOp>(exponent, integer(b, type, bit));
      Value isSet = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                            b.create<arith::AndIOp>(shifted, one), zero);
      Value next = b.create<arith::MulIOp>(result, base);
      result = b.create<arith::SelectOp>(isSet, next, result);
      base = b.create<arith::MulIOp>(base, base);
    }
    if (yUnsigned) {
      return result;
    }
    Value negative = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, exponent, zero);
    Value isOne = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, x, one);
    Value odd = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                        b.create<arith::AndIOp>(exponent, one), zero);
    Value minusOne = integer(b, type, -1);
    Value isMinusOne = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, x, minusOne);
    Value ofMinusOne = b.create<arith::SelectOp>(odd, minusOne, one);
    Value small = b.create<arith::SelectOp>(
        isOne, one, b.create<arith::SelectOp>(isMinusOne, ofMinusOne, zero));
    return b.create<arith::SelectOp>(negative, small, result);
  }
  Type floatType = y.getType();
  Value power = b.create<math::PowFOp>(toFloat(b, x, floatType, xUnsigned), y);
  return floatToInteger(b, power, x.getType(), xUnsigned);
}

Value abs(Builder &b, Value x, bool isUnsigned) {
  if (isFloat(x)) {
    return b.create<math::AbsFOp>(x);
  }
  return isUnsigned ? x : b.create<math::AbsIOp>(x).getResult();
}

Value neg(Builder &b, Value x) {
  if (isFloat(x)) {
    return b.create<arith::NegFOp>(x);
  }
  return b.create<arith::SubIOp>(integer(b, x.getType(), 0), x);
}

Value sign(Builder &b, Value x, bool isUnsigned) {
  Value zero = constant(b, x.getType(), 0), one = constant(b, x.getType(), 1);
  Value positive = compare(b, Predicate::gt, x, zero, isUnsigned);
  Value rest = x; // zero, or not a number
  if (!isUnsigned) {
    Value negative = compare(b, Predicate::lt, x, zero, false);
    rest = b.create<arith::SelectOp>(negative, constant(b, x.getType(), -1), x);
  }
  return b.create<arith::SelectOp>(positive, one, rest);
}

Value compare(Builder &b, Predicate predicate, Value x, Value y, bool isUnsigned) {
  if (isFloat(x)) {
    static constexpr arith::CmpFPredicate floats[] = {
        arith::CmpFPredicate::OEQ, arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
        arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return b.create<arith::CmpFOp>(floats[static_cast<int>(predicate)], x, y);
  }
  static constexpr arith::CmpIPredicate signedOnes[] = {
      arith::CmpIPredicate::eq, arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
      arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  static constexpr arith::CmpIPredicate unsignedOnes[] = {
      arith::CmpIPredicate::eq, arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
      arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  bool asUnsigned = isUnsigned || widthOf(x.getType()) == 1;
  return b.create<arith::CmpIOp>(
      (asUnsigned ? unsignedOnes : signedOnes)[static_cast<int>(predicate)], x, y);
}

Value shift(Builder &b, Value x, Value bits, bool left) {
  Type type = x.getType();
  Value width = integer(b, type, widthOf(type));
  Value inRange = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, bits, width);
  Value zero = integer(b, type, 0);
  Value amount = b.create<arith::SelectOp>(inRange, bits, zero);
  Value shifted = left ? b.create<arith::ShLIOp>(x, amount).getResult()
                       : b.create<arith::ShRUIOp>(x, amount).getResult();
  return b.create<arith::SelectOp>(inRange, shifted, zero);
}

Value isInf(Builder &b, Value x, bool positive, bool negative) {
  auto equals = [&](bool low) -> Value {
    return b.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, x,
                                   extreme(b, x.getType(), false, low));
  };
  if (positive && negative) {
    return b.create<arith::OrIOp>(equals(false), equals(true));
  }
  if (positive || negative) {
    return equals(negative);
  }
  return integer(b, withElement(x.getType(), b.getI1Type()), 0);
}

Value relu(Builder &b, Value x) {
  return max(b, x, constant(b, x.getType(), 0), false);
}

Value sigmoid(Builder &b, Value x) {
  Value one = constant(b, x.getType(), 1);
  Value e = b.create<math::ExpOp>(neg(b, x));
  return b.create<arith::DivFOp>(one, add(b, one, e));
}

Value tanh(Builder &b, Value x) {
  return b.create<math::TanhOp>(x);
}

Value softplus(Builder &b, Value x) {
  // max(x, 0) + log1p(exp(-|x|)) neither overflows nor cancels.
  Value e = b.create<math::ExpOp>(neg(b, abs(b, x, false)));
  return add(b, relu(b, x), b.create<math::Log1pOp>(e));
}

Value softsign(Builder &b, Value x) {
  Value one = constant(b, x.getType(), 1);
  return b.create<arith::DivFOp>(x, add(b, one, abs(b, x, false)));
}

Value prelu(Builder &b, Value x, Value slope, bool isUnsigned) {
  Value negative = compare(b, Predicate::lt, x, constant(b, x.getType(), 0), isUnsigned);
  return b.create<arith::SelectOp>(negative, mul(b, x, slope), x);
}

Value leakyRelu(Builder &b, Value x, double alpha) {
  return prelu(b, x, constant(b, x.getType(), alpha), false);
}

Value elu(Builder &b, Value x, double alpha) {
  Value zero = constant(b, x.getType(), 0);
  Value positive = compare(b, Predicate::gt, x, zero, false);
  // expm1 keeps the slope near 0; its argument is limited so that the branch
  // not taken cannot overflow.
  Value e = b.create<math::ExpM1Op>(b.create<arith::SelectOp>(positive, zero, x));
  Value scaled = mul(b, constant(b, x.getType(), alpha), e);
  return b.create<arith::SelectOp>(positive, x, scaled);
}

Value hardSigmoid(Builder &b, Value x, double alpha, double beta) {
  Type type = x.getType();
  Value line = mulAdd(b, x, constant(b, type, alpha), constant(b, type, beta));
  return max(b, constant(b, type, 0), min(b, constant(b, type, 1), line, false), false);
}

Value gelu(Builder &b, Value x, bool approximate) {
  Type type = x.getType();
  Value half = constant(b, type, 0.5), one = constant(b, type, 1);
  Value inner;
  if (approximate) {
    // Hendrycks and Gimpel, arXiv:1606.08415.
    Value cube = mul(b, mul(b, x, x), x);
    Value sum = mulAdd(b, cube, constant(b, type, 0.044715), x);
    inner = b.create<math::TanhOp>(mul(b, sum, constant(b, type, 0.7978845608028654)));
  } else {
    inner = b.create<math::ErfOp>(mul(b, x, constant(b, type, 0.7071067811865476)));
  }
  return mul(b, mul(b, half, x), add(b, one, inner));
}

Value floatToInteger(Builder &b, Value x, Type to, bool isUnsigned) {
  Type element = getElementTypeOrSelf(to);
  unsigned width = element.getIntOrFloatBitWidth();
  Type type = x.getType();
  // Limits as floats: the lower one is exact, the upper one is the power of
  // two just above the range, so that "x >= upper" means "too large".
  double upper = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double lower = isUnsigned ? 0.0 : -upper;
  Value low = constant(b, type, lower), high = constant(b, type, upper);
  Value tooHigh = compare(b, Predicate::ge, x, high, false);
  Value notBelow = compare(b, Predicate::ge, x, low, false);
  Value inRange = b.create<arith::AndIOp>(
      notBelow, b.create<arith::XOrIOp>(tooHigh, allOnes(b, tooHigh.getType())));
  Value safe = b.create<arith::SelectOp>(inRange, x, constant(b, type, 0));
  Type result = withElement(type, element);
  Value converted = isUnsigned ? b.create<arith::FPToUIOp>(result, safe).getResult()
                               : b.create<arith::FPToSIOp>(result, safe).getResult();
  Value isNan = b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  Value saturated = b.create<arith::SelectOp>(tooHigh, highest(b, result, isUnsigned),
                                              lowest(b, result, isUnsigned));
  saturated = b.create<arith::SelectOp>(isNan, integer(b, result, 0), saturated);
  return b.create<arith::SelectOp>(inRange, converted, saturated);
}

Value cast(Builder &b, Value x, Type from, Type to) {
  Type shape = x.getType();
  if (isa<FloatType>(to)) {
    Value result = toFloat(b, x, withElement(shape, computeType(to)), from.isUnsignedInteger());
    if (computeType(to) != to) {
      // Round to the narrow type here: a fused reader must not see more bits
      // than memory would hold.
      Value narrow = b.create<arith::TruncFOp>(withElement(shape, to), result);
      result = b.create<arith::ExtFOp>(withElement(shape, computeType(to)), narrow);
    }
    return result;
  }
  Type target = withElement(shape, computeType(to));
  unsigned width = to.getIntOrFloatBitWidth();
  if (width == 1) {
    Value zero = constant(b, shape, 0);
    if (isFloat(x)) {
      return b.create<arith::CmpFOp>(arith::CmpFPredicate::UNE, x, zero);
    }
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, x, zero);
  }
  if (isFloat(x)) {
    return floatToInteger(b, x, computeType(to), to.isUnsignedInteger());
  }
  unsigned fromWidth = widthOf(shape);
  if (fromWidth > width) {
    return b.create<arith::TruncIOp>(target, x);
  }
  if (fromWidth < width) {
    return from.isUnsignedInteger() || fromWidth == 1
               ? b.create<arith::ExtUIOp>(target, x).getResult()
               : b.create<arith::ExtSIOp>(target, x).getResult();
  }
  return x;
}

Value quantize(Builder &b, Value x, Value scale, Value zeroPoint, Type to) {
  Type floatType = scale.getType();
  Value value = toFloat(b, x, floatType, false);
  Value rounded = b.create<math::RoundEvenOp>(b.create<arith::DivFOp>(value, scale));
  Value offset = toFloat(b, zeroPoint, floatType, to.isUnsignedInteger());
  Value sum = b.create<arith::AddFOp>(rounded, offset);
  return floatToInteger(b, sum, computeType(to), to.isUnsignedInteger());
}

Value dequantize(Builder &b, Value x, Value scale, Value zeroPoint, bool isUnsigned) {
  Type wide = withElement(x.getType(), b.getI32Type());
  auto widen = [&](Value v) -> Value {
    if (widthOf(v.getType()) >= 32) {
      return v;
    }
    return isUnsigned ? b.create<arith::ExtUIOp>(wide, v).getResult()
                      : b.create<arith::ExtSIOp>(wide, v).getResult();
  };
  Value difference = b.create<arith::SubIOp>(widen(x), widen(zeroPoint));
  Value value = b.create<arith::SIToFPOp>(scale.getType(), difference);
  return b.create<arith::MulFOp>(value, scale);
}

} // namespace modelc::scalar
