//===- Exp.cpp - Exponentials ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// e^x = 2^n e^r with n = round(x / ln 2) and r = x - n ln 2 (Cody and Waite,
// "Software Manual for the Elementary Functions", 1980: ln 2 in two parts, the
// first short enough for an exact product). The factor 2^n is applied in two
// halves, so that overflow and gradual underflow come out right. Polynomials:
// own minimax fits (fpminimax of Sollya) with coefficients of the format.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// (e^r - 1 - r) / r^2 on |r| <= 0.347; e^r is then off by 2^-28.2 and 2^-57.8.
static constexpr double kExpF32[] = {0x1.fffffcp-2, 0x1.55549p-3, 0x1.5558a2p-5, 0x1.123adp-7,
                                     0x1.6a5e34p-10};
static constexpr double kExpF64[] = {
    0x1.000000000000ap-1,  0x1.55555555554fcp-3,  0x1.555555555067bp-5,  0x1.1111111127257p-7,
    0x1.6c16c1848d831p-10, 0x1.a01a012dd5481p-13, 0x1.a01999128ca8fp-16, 0x1.71df1ce6681ccp-19,
    0x1.28ae4e475fcb6p-22, 0x1.ad8dcc540e8c5p-26};

// (2^r - 1) / r on |r| <= 0.5; 2^r is then off by 2^-28.0 and 2^-59.3.
static constexpr double kExp2F32[] = {0x1.62e43p-1, 0x1.ebfbd8p-3,  0x1.c6af76p-5,
                                      0x1.3b30ap-7, 0x1.5f0b82p-10, 0x1.3fa206p-13};
static constexpr double kExp2F64[] = {
    0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58dp-3,  0x1.c6b08d704a182p-5,  0x1.3b2ab6fba53b8p-7,
    0x1.5d87fe7888dffp-10, 0x1.430912f7013a2p-13, 0x1.ffcbfcdb1c5bep-17, 0x1.62c027b683cf7p-20,
    0x1.b524232262315p-24, 0x1.e4bbc00d2bdaap-28, 0x1.eafdc2f7f8aa1p-32, 0x1.de49d623857dp-36};

Float clamp(Float x, double low, double high) {
  x = select(x > high, high, x);
  return select(x < low, low, x);
}

ReducedExp reduceExp(Float x) {
  const Emitter &e = *x.emitter;
  Float sum = fma(x, 0x1.71547652b82fep0, e.roundingMagic());
  Float n = sum - e.roundingMagic();
  Float r = fma(n, e.isF32 ? -0x1.62e4p-1 : -0x1.62e42feep-1, x);
  r = fma(n, e.isF32 ? -0x1.7f7d1cf79abcap-20 : -0x1.a39ef35793c76p-33, r);
  return {r, integerOfMagicSum(sum)};
}

Float expm1Tail(Float r) {
  return r * r * polynomial(r, kExpF32, kExpF64);
}

Float expm1Reduced(Float r) {
  return fma(r * r, polynomial(r, kExpF32, kExpF64), r);
}

Float expReduced(Float r) {
  return expm1Reduced(r) + 1.0;
}

// ULP with and without fused multiply-add: 0.99, 0.96 (f32); 0.98, 0.95 (f64).
static Float exp(Float x) {
  bool isF32 = x.emitter->isF32;
  // Beyond the bounds the result is infinite, or less than half a denormal.
  x = isF32 ? clamp(x, -104.0, 89.0) : clamp(x, -746.0, 710.0);
  ReducedExp reduced = reduceExp(x);
  return scale(expReduced(reduced.r), reduced.n);
}

// ULP with and without fused multiply-add: 0.86, 1.07 (f32); 0.82, 1.03 (f64).
static Float exp2(Float x) {
  const Emitter &e = *x.emitter;
  x = e.isF32 ? clamp(x, -151.0, 129.0) : clamp(x, -1076.0, 1025.0);
  Float sum = x + e.roundingMagic();
  Float r = x - (sum - e.roundingMagic());
  Float mantissa = fma(r, polynomial(r, kExp2F32, kExp2F64), 1.0);
  return scale(mantissa, integerOfMagicSum(sum));
}

// 2^n e^r - 1 = 2^n (e^r - 1) + (2^n - 1), halved so that 2^n does not overflow
// before the result does.
// ULP with and without fused multiply-add: 1.44, 1.56 (f32); 1.90, 1.94 (f64).
Float expm1(Float x) {
  bool isF32 = x.emitter->isF32;
  Float clamped = isF32 ? clamp(x, -18.5, 89.0) : clamp(x, -39.0, 710.0);
  ReducedExp reduced = reduceExp(clamped);
  Float factor = pow2(reduced.n - 1);
  Float half = fma(factor, expm1Reduced(reduced.r), factor - 0.5);
  // Keeps the sign of zero.
  return select(abs(x) < (isF32 ? 0x1p-25 : 0x1p-54), x, half + half);
}

void populateExpPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::ExpOp>(patterns, options, exp);
  addPattern<mlir::math::Exp2Op>(patterns, options, exp2);
  addPattern<mlir::math::ExpM1Op>(patterns, options, expm1);
}

} // namespace modelc::math
