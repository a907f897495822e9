//===- Trig.cpp - Sine, cosine and tangent ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials on |r| <= pi / 4 after an exact reduction; own minimax fits
// (fpminimax of Sollya). The low part of r counts to first order.
#include "codegen/math/AngleReduction.h"
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// (sin(r) / r - 1) / r^2 in r^2; the sine is then off by 2^-27.9 and 2^-57.9.
static constexpr double kSinF32[] = {-0x1.555546p-3, 0x1.110778p-7, -0x1.9953f2p-13};
static constexpr double kSinF64[] = {-0x1.5555555555548p-3,  0x1.111111110f75ap-7,
                                     -0x1.a01a019bf1897p-13, 0x1.71de355e5d953p-19,
                                     -0x1.ae5e53d9db5bap-26, 0x1.5d8e041a1bb54p-33};
// (cos(r) - 1 + r^2 / 2) / r^4 in r^2; the cosine is off by 2^-33.0 and 2^-63.9.
static constexpr double kCosF32[] = {0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e90ap-16};
static constexpr double kCosF64[] = {0x1.555555555554bp-5,  -0x1.6c16c16c15014p-10,
                                     0x1.a01a019c8ee77p-16, -0x1.27e4f7f148a48p-22,
                                     0x1.1ee9db8b38bap-29,  -0x1.8fa658804f0f7p-37};

namespace {
/// Sine and cosine of a reduced angle, each as a large and a small summand.
struct SinCos {
  Pair sin;
  Pair cos;
};
} // namespace

static SinCos sinCosReduced(Pair r) {
  Float z = r.high * r.high;
  Float sinTail = fma(r.high * z, polynomial(z, kSinF32, kSinF64), r.low);
  Float half = z * 0.5;
  Float main = 1.0 - half;
  Float rounding = (1.0 - main) - half;
  Float cosTail = fma(z * z, polynomial(z, kCosF32, kCosF64), rounding - r.high * r.low);
  return {{r.high, sinTail}, {main, cosTail}};
}

/// `value` with its sign flipped by the bit 1 of `quadrant`, and by the sign
/// of `x` if the function is odd.
static Float applySigns(Float value, Int quadrant, const Float *x) {
  unsigned width = value.emitter->isF32 ? 32 : 64;
  Int flips = resize(quadrant & 2, width) << (width - 2);
  if (x) {
    flips = flips ^ (bits(*x) & (uint64_t(1) << (width - 1)));
  }
  return fromBits(bits(value) ^ flips);
}

/// The sine of quadrant pi / 2 + r, for a sign of `x` if it is not null.
static Float sinOfQuadrant(const ReducedAngle &angle, Int quadrant, const Float *x) {
  SinCos parts = sinCosReduced(angle.r);
  Float value =
      select((quadrant & 1) != 0, parts.cos.high + parts.cos.low, parts.sin.high + parts.sin.low);
  return applySigns(value, quadrant, x);
}

// ULP with and without fused multiply-add: 0.85, 0.89 (f32); 0.82, 0.86 (f64).
static Float sin(Float x) {
  ReducedAngle angle = reduceAngle(abs(x));
  return sinOfQuadrant(angle, angle.quadrant, &x);
}

// ULP with and without fused multiply-add: 0.84, 0.90 (f32); 0.82, 0.88 (f64).
static Float cos(Float x) {
  ReducedAngle angle = reduceAngle(abs(x));
  return sinOfQuadrant(angle, angle.quadrant + int64_t(1), nullptr);
}

// Sine by cosine, or minus cosine by sine, with the remainder of the division.
// ULP with and without fused multiply-add: 1.20, 1.18 (f32); 1.08, 1.15 (f64).
static Float tan(Float x) {
  Float a = abs(x);
  ReducedAngle angle = reduceAngle(a);
  SinCos parts = sinCosReduced(angle.r);
  Pair sin = fastTwoSum(parts.sin.high, parts.sin.low);
  Pair cos = fastTwoSum(parts.cos.high, parts.cos.low);
  Bool isOdd = (angle.quadrant & 1) != 0;
  Float high = select(isOdd, -cos.high, sin.high), low = select(isOdd, -cos.low, sin.low);
  Float divisor = select(isOdd, sin.high, cos.high);
  Float divisorLow = select(isOdd, sin.low, cos.low);
  Float quotient = high / divisor;
  Pair product = twoProduct(quotient, divisor);
  Float rest = ((high - product.high) - product.low) + (low - quotient * divisorLow);
  Float result = quotient + rest / divisor;
  // Near zero, where the remainder of a denormal would be lost.
  result = select(a < (x.emitter->isF32 ? 0x1p-13 : 0x1p-28), a, result);
  Int zero = constant(angle.quadrant, 0); // the period is pi: no further sign
  return applySigns(result, zero, &x);
}

void populateTrigPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::SinOp>(patterns, options, sin);
  addPattern<mlir::math::CosOp>(patterns, options, cos);
  addPattern<mlir::math::TanOp>(patterns, options, tan);
}

} // namespace modelc::math
