//===- InverseTrig.cpp - Arcus functions -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Odd polynomials for atan on [0, 1] and asin on [0, 1/2], own minimax fits
// (fpminimax of Sollya); identities elsewhere, with pi in two parts.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// (atan(t) / t - 1) / t^2 in t^2; atan is then off by 2^-28.5 and 2^-60.2.
static constexpr double kAtanF32[] = {-0x1.55553ep-2, 0x1.9991ecp-3,  -0x1.24211ap-3,
                                      0x1.c0946cp-4,  -0x1.5825f2p-4, 0x1.da9c2ep-5,
                                      -0x1.fe7d24p-6, 0x1.6551e2p-7,  -0x1.d5a1aap-10};
static constexpr double kAtanF64[] = {
    -0x1.555555555554dp-2, 0x1.9999999998c67p-3, -0x1.2492492457733p-3,  0x1.c71c71b6533adp-4,
    -0x1.745d15d2f7618p-4, 0x1.3b139bee44a26p-4, -0x1.1110336b060e2p-4,  0x1.e1d49351343b5p-5,
    -0x1.aeda8a48cbf92p-5, 0x1.84b518db6ba48p-5, -0x1.5f2654b006dd6p-5,  0x1.39092cf70a629p-5,
    -0x1.0c9c8c2d5567fp-5, 0x1.ac8fa3643df56p-6, -0x1.311346dd740f8p-6,  0x1.7306a3b24d438p-7,
    -0x1.7007b4bd1c256p-8, 0x1.1a376aaa0abd8p-9, -0x1.371c6e9f9a8dep-11, 0x1.b41809ff37a4p-14,
    -0x1.22b3e5b09e147p-17};

// (asin(s) / s - 1) / s^2 in s^2; asin is then off by 2^-27.6 and 2^-59.9.
static constexpr double kAsinF32[] = {0x1.5555c8p-3, 0x1.330206p-4, 0x1.747b72p-5, 0x1.8c415ap-6,
                                      0x1.5959aap-5};
static constexpr double kAsinF64[] = {
    0x1.5555555555577p-3, 0x1.333333332e133p-4, 0x1.6db6db721247bp-5, 0x1.f1c71a95002fbp-6,
    0x1.6e8bdedebf9dfp-6, 0x1.1c49f077d5bc7p-6, 0x1.ca1f8af1f0a39p-7, 0x1.75859dad05d9ap-7,
    0x1.613c1e6ed7236p-7, 0x1.e5fbe88dfeb2cp-9, 0x1.639a894e21126p-6, -0x1.57fad0dea93ccp-6,
    0x1.0b45e9f72d94bp-5};

/// factor pi / 2 - x, for a power of two `factor`.
static Float halfPiMinus(double factor, Float x) {
  bool isF32 = x.emitter->isF32;
  double high = isF32 ? 0x1.921fb6p0 : 0x1.921fb54442d18p0;
  double low = isF32 ? -0x1.777a5cp-25 : 0x1.1a62633145c07p-54;
  return factor * high - (x - factor * low);
}

/// atan(t) for 0 <= t <= 1.
static Float atanReduced(Float t) {
  Float z = t * t;
  return fma(t * z, polynomial(z, kAtanF32, kAtanF64), t);
}

// ULP with and without fused multiply-add: 1.32, 1.46 (f32); 1.45, 1.60 (f64).
static Float atan(Float x) {
  Float a = abs(x);
  Bool inverts = a > 1.0;
  Float result = atanReduced(select(inverts, 1.0 / a, a));
  return copysign(select(inverts, halfPiMinus(1.0, result), result), x);
}

// ULP with and without fused multiply-add: 1.51, 1.51 (f32); 1.45, 1.57 (f64).
static Float atan2(Float y, Float x) {
  Float height = abs(y), width = abs(x);
  Bool swaps = width < height;
  Float numerator = select(swaps, width, height);
  Float t = numerator / select(swaps, height, width);
  t = select(numerator == 0.0, 0.0, t);
  t = select(numerator == infinity(x), 1.0, t);
  Float result = atanReduced(t);
  result = select(swaps, halfPiMinus(1.0, result), result);
  result = select(bits(x) < 0, halfPiMinus(2.0, result), result);
  return select(isNan(x) | isNan(y), nan(x), copysign(result, y));
}

namespace {
/// What asin and acos share: asin(|x|), or for |x| > 1/2 asin(sqrt((1-|x|)/2)),
/// a half of acos(|x|). NaN if |x| > 1.
struct ReducedAsin {
  Bool isLarge;
  Float value;
};
} // namespace

static ReducedAsin reduceAsin(Float a) {
  Bool isLarge = a > 0.5;
  Float z = select(isLarge, (1.0 - a) * 0.5, a * a);
  Float s = select(isLarge, sqrt(z), a);
  return {isLarge, fma(s * z, polynomial(z, kAsinF32, kAsinF64), s)};
}

// ULP with and without fused multiply-add: 2.32, 2.34 (f32); 2.06, 2.10 (f64).
static Float asin(Float x) {
  ReducedAsin reduced = reduceAsin(abs(x));
  Float value = reduced.value;
  return copysign(select(reduced.isLarge, halfPiMinus(1.0, value + value), value), x);
}

// ULP with and without fused multiply-add: 1.11, 1.13 (f32); 1.09, 1.11 (f64).
static Float acos(Float x) {
  ReducedAsin reduced = reduceAsin(abs(x));
  Float value = reduced.value, twice = value + value;
  Float large = select(x < 0.0, halfPiMinus(2.0, twice), twice);
  return select(reduced.isLarge, large, halfPiMinus(1.0, copysign(value, x)));
}

void populateInverseTrigPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::AtanOp>(patterns, options, atan);
  addPattern<mlir::math::Atan2Op>(patterns, options, atan2);
  addPattern<mlir::math::AsinOp>(patterns, options, asin);
  addPattern<mlir::math::AcosOp>(patterns, options, acos);
}

} // namespace modelc::math
