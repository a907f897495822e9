//===- Emitter.cpp - Formulas that write MLIR ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/math/Emitter.h"

#include "codegen/math/Functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;

namespace modelc::math {

Emitter::Emitter(OpBuilder &builder, Location loc, Type floatType, const MathOptions &options)
    : builder(builder), loc(loc), floatType(floatType), options(options),
      isF32(getElementTypeOrSelf(floatType).isF32()) {
  intType = integerType(isF32 ? 32 : 64);
}

Type Emitter::integerType(unsigned width) const {
  Type element = builder.getIntegerType(width);
  if (auto vector = dyn_cast<VectorType>(floatType)) {
    return vector.clone(element);
  }
  return element;
}

static Value splat(Emitter &e, Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    return e.builder.create<arith::ConstantOp>(
        e.loc, DenseElementsAttr::get(vector, ArrayRef<Attribute>(element)));
  }
  return e.builder.create<arith::ConstantOp>(e.loc, element);
}

Value Emitter::constant(Type type, double value) {
  return splat(*this, type, FloatAttr::get(getElementTypeOrSelf(type), value));
}

Value Emitter::constantInt(Type type, uint64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  return splat(*this, type,
               IntegerAttr::get(element, APInt(64, value).zextOrTrunc(element.getWidth())));
}

template <typename Op, typename T> static T binary(T a, T b) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<Op>(e.loc, a.value, b.value)}};
}

static Bool compare(arith::CmpFPredicate predicate, Float a, Float b) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<arith::CmpFOp>(e.loc, predicate, a.value, b.value)}};
}

static Bool compare(arith::CmpIPredicate predicate, Int a, Int b) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<arith::CmpIOp>(e.loc, predicate, a.value, b.value)}};
}

Float constant(const Term &like, double value) {
  Emitter &e = *like.emitter;
  return {{&e, e.constant(e.floatType, value)}};
}

Float infinity(const Term &like) {
  return constant(like, std::numeric_limits<double>::infinity());
}

Float nan(const Term &like) {
  return constant(like, std::numeric_limits<double>::quiet_NaN());
}

Int constant(const Int &like, uint64_t value) {
  Emitter &e = *like.emitter;
  return {{&e, e.constantInt(like.value.getType(), value)}};
}

Float Float::operator-() const {
  return {{emitter, emitter->builder.create<arith::NegFOp>(emitter->loc, value)}};
}

Float operator+(Float a, Float b) {
  return binary<arith::AddFOp>(a, b);
}
Float operator-(Float a, Float b) {
  return binary<arith::SubFOp>(a, b);
}
Float operator*(Float a, Float b) {
  return binary<arith::MulFOp>(a, b);
}
Float operator/(Float a, Float b) {
  return binary<arith::DivFOp>(a, b);
}
Float operator+(Float a, double b) {
  return a + constant(a, b);
}
Float operator-(Float a, double b) {
  return a - constant(a, b);
}
Float operator-(double a, Float b) {
  return constant(b, a) - b;
}
Float operator*(Float a, double b) {
  return a * constant(a, b);
}
Float operator/(double a, Float b) {
  return constant(b, a) / b;
}

Float fma(Float a, Float b, Float c) {
  Emitter &e = *a.emitter;
  if (!e.hasFma()) {
    return a * b + c;
  }
  return {{&e, e.builder.create<mlir::math::FmaOp>(e.loc, a.value, b.value, c.value)}};
}
Float fma(Float a, double b, Float c) {
  return fma(a, constant(a, b), c);
}
Float fma(Float a, Float b, double c) {
  return fma(a, b, constant(a, c));
}
Float fma(Float a, double b, double c) {
  return fma(a, constant(a, b), constant(a, c));
}

Bool operator<(Float a, Float b) {
  return compare(arith::CmpFPredicate::OLT, a, b);
}
Bool operator<(Float a, double b) {
  return a < constant(a, b);
}
Bool operator<=(Float a, double b) {
  return compare(arith::CmpFPredicate::OLE, a, constant(a, b));
}
Bool operator>(Float a, double b) {
  return compare(arith::CmpFPredicate::OGT, a, constant(a, b));
}
Bool operator>=(Float a, double b) {
  return compare(arith::CmpFPredicate::OGE, a, constant(a, b));
}
Bool operator==(Float a, Float b) {
  return compare(arith::CmpFPredicate::OEQ, a, b);
}
Bool operator==(Float a, double b) {
  return a == constant(a, b);
}
Bool isNan(Float a) {
  return compare(arith::CmpFPredicate::UNO, a, a);
}

Bool operator&(Bool a, Bool b) {
  return binary<arith::AndIOp>(a, b);
}
Bool operator|(Bool a, Bool b) {
  return binary<arith::OrIOp>(a, b);
}
Bool operator^(Bool a, Bool b) {
  return binary<arith::XOrIOp>(a, b);
}
Bool operator!(Bool a) {
  Emitter &e = *a.emitter;
  return a ^ Bool {
    {
      &e, e.constantInt(a.value.getType(), 1)
    }
  };
}

template <typename T> static T selectTerm(Bool condition, T a, T b) {
  Emitter &e = *condition.emitter;
  return {{&e, e.builder.create<arith::SelectOp>(e.loc, condition.value, a.value, b.value)}};
}
Float select(Bool condition, Float a, Float b) {
  return selectTerm(condition, a, b);
}
Float select(Bool condition, double a, Float b) {
  return selectTerm(condition, constant(b, a), b);
}
Float select(Bool condition, Float a, double b) {
  return selectTerm(condition, a, constant(a, b));
}
Float select(Bool condition, double a, double b) {
  return selectTerm(condition, constant(condition, a), constant(condition, b));
}
Int select(Bool condition, Int a, Int b) {
  return selectTerm(condition, a, b);
}

Int operator+(Int a, Int b) {
  return binary<arith::AddIOp>(a, b);
}
Int operator-(Int a, Int b) {
  return binary<arith::SubIOp>(a, b);
}
Int operator*(Int a, Int b) {
  return binary<arith::MulIOp>(a, b);
}
Int operator&(Int a, Int b) {
  return binary<arith::AndIOp>(a, b);
}
Int operator|(Int a, Int b) {
  return binary<arith::OrIOp>(a, b);
}
Int operator^(Int a, Int b) {
  return binary<arith::XOrIOp>(a, b);
}
Int operator+(Int a, int64_t b) {
  return a + constant(a, b);
}
Int operator-(Int a, int64_t b) {
  return a - constant(a, b);
}
Int operator-(int64_t a, Int b) {
  return constant(b, a) - b;
}
Int operator&(Int a, uint64_t b) {
  return a & constant(a, b);
}
Int operator<<(Int a, unsigned b) {
  return a << constant(a, b);
}
Int operator<<(Int a, Int b) {
  return binary<arith::ShLIOp>(a, b);
}
Int operator>>(Int a, unsigned b) {
  return binary<arith::ShRSIOp>(a, constant(a, b));
}
Int shiftRightLogical(Int a, unsigned b) {
  return shiftRightLogical(a, constant(a, b));
}
Int shiftRightLogical(Int a, Int b) {
  return binary<arith::ShRUIOp>(a, b);
}
Bool operator==(Int a, uint64_t b) {
  return compare(arith::CmpIPredicate::eq, a, constant(a, b));
}
Bool operator!=(Int a, uint64_t b) {
  return compare(arith::CmpIPredicate::ne, a, constant(a, b));
}
Bool operator<(Int a, int64_t b) {
  return compare(arith::CmpIPredicate::slt, a, constant(a, b));
}
Bool belowUnsigned(Int a, Int b) {
  return compare(arith::CmpIPredicate::ult, a, b);
}

Float abs(Float a) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<mlir::math::AbsFOp>(e.loc, a.value)}};
}

Float copysign(Float a, Float b) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<mlir::math::CopySignOp>(e.loc, a.value, b.value)}};
}

Float sqrt(Float a) {
  Emitter &e = *a.emitter;
  if (!e.hasSqrt()) {
    return softSqrt(a);
  }
  return {{&e, e.builder.create<mlir::math::SqrtOp>(e.loc, a.value)}};
}

Int bits(Float a) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<arith::BitcastOp>(e.loc, e.intType, a.value)}};
}

Float fromBits(Int a) {
  Emitter &e = *a.emitter;
  return {{&e, e.builder.create<arith::BitcastOp>(e.loc, e.floatType, a.value)}};
}

static uint64_t magicBits(const Emitter &e) {
  return e.isF32 ? 0x4b400000u : 0x4338000000000000u;
}

Int integerOfMagicSum(Float sum) {
  return bits(sum) - magicBits(*sum.emitter);
}

Float toFloat(Int a) {
  Emitter &e = *a.emitter;
  if (e.isF32) {
    return {{&e, e.builder.create<arith::SIToFPOp>(e.loc, e.floatType, a.value)}};
  }
  // Converting a 64-bit integer is a library call on 32-bit targets.
  return fromBits(a + magicBits(e)) - e.roundingMagic();
}

Int resize(Int a, unsigned width) {
  Emitter &e = *a.emitter;
  unsigned from = cast<IntegerType>(getElementTypeOrSelf(a.value.getType())).getWidth();
  if (from == width) {
    return a;
  }
  Type type = e.integerType(width);
  if (from > width) {
    return {{&e, e.builder.create<arith::TruncIOp>(e.loc, type, a.value)}};
  }
  return {{&e, e.builder.create<arith::ExtUIOp>(e.loc, type, a.value)}};
}

Float pow2(Int n) {
  const Emitter &e = *n.emitter;
  return fromBits((n + e.bias()) << e.mantissaBits());
}

Float scale(Float a, Int n) {
  Int half = n >> 1;
  return a * pow2(half) * pow2(n - half);
}

Float polynomial(Float x, ArrayRef<double> coefficients) {
  Float sum = constant(x, coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back())) {
    sum = fma(sum, x, c);
  }
  return sum;
}

Float polynomial(Float x, ArrayRef<double> f32, ArrayRef<double> f64) {
  return polynomial(x, x.emitter->isF32 ? f32 : f64);
}

} // namespace modelc::math
