//===- Root.cpp - Square and cube roots ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/math/DoubleFloat.h"
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

/// A power of four below 2^mantissaBits + 2, to bring denormals into the
/// normal range, and its exponent; a multiple of 2 and of 3.
static Float denormalFactor(Float x) {
  return constant(x, x.emitter->isF32 ? 0x1p24 : 0x1p54);
}
static int denormalExponent(const Emitter &e) {
  return e.isF32 ? 24 : 54;
}

static Bool isDenormal(Float a) {
  return a < (a.emitter->isF32 ? 0x1p-126 : 0x1p-1022);
}

// Newton's iteration for 1 / sqrt(m) with 1 <= m < 4, from the well-known guess
// by halving the exponent in the integer (off by 3.5 %), and one step for the
// root itself with the exact residual.
// Within 0.501 ULP in both formats.
Float softSqrt(Float x) {
  const Emitter &e = *x.emitter;
  Bool small = isDenormal(x);
  Int ix = bits(select(small, x * denormalFactor(x), x));
  Int half = ((ix >> e.mantissaBits()) - e.bias()) >> 1;
  Int im = ix - (half << (e.mantissaBits() + 1));
  Float m = fromBits(im);
  Float y = fromBits((e.isF32 ? 0x5f3759df : 0x5fe6eb50c7b537a9) - (im >> 1));
  Float halfM = m * 0.5;
  for (int i = 0, steps = e.isF32 ? 3 : 4; i < steps; ++i) {
    y = y * fma(-(halfM * y), y, 1.5);
  }
  Float root = m * y;
  Pair square = twoProduct(root, root);
  root = fma((m - square.high) - square.low, y * 0.5, root);
  Int exponent = select(small, half - denormalExponent(e) / 2, half);
  Float result = root * pow2(exponent);
  Float edge = select(x < 0.0, nan(x), x);
  return select((x > 0.0) & (x < infinity(x)), result, edge);
}

static Float sqrtFunction(Float x) {
  return sqrt(x);
}

// 1.48 ULP in both formats.
static Float rsqrt(Float x) {
  return 1.0 / sqrt(x);
}

// A cubic for the cube root on [1, 8) (own minimax fit, off by 0.53 %), then
// two steps of Halley's iteration, the last in the form of a small correction.
// ULP with and without fused multiply-add: 0.74, 0.96 (f32); 0.74, 0.95 (f64).
static Float cbrt(Float x) {
  const Emitter &e = *x.emitter;
  static constexpr double kGuess[] = {0x1.5d05aap-1, 0x1.7546e4p-2, -0x1.62cbf8p-5, 0x1.2f32e2p-9};
  Float a = abs(x);
  Bool small = isDenormal(a);
  Int ia = bits(select(small, a * denormalFactor(a), a));
  // floor(exponent / 3) by a product that is exact for sums up to 3,000.
  Int exponent = (ia >> e.mantissaBits()) - e.bias();
  Int third = (((exponent + 1536) * constant(exponent, 21846)) >> 16) - 512;
  Int threeThirds = third + third + third;
  Float m = fromBits(ia - (threeThirds << e.mantissaBits()));
  Float root = polynomial(m, kGuess);
  for (int i = 0; i < 2; ++i) {
    Float square = root * root;
    Float residual = fma(-square, root, m);
    root = root + root * (residual / fma(square + square, root, m));
  }
  third = select(small, third - denormalExponent(e) / 3, third);
  Float result = copysign(root * pow2(third), x);
  return select((a > 0.0) & (a < infinity(a)), result, x);
}

void populateRootPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::SqrtOp>(patterns, options, sqrtFunction, &Emitter::hasSqrt);
  addPattern<mlir::math::RsqrtOp>(patterns, options, rsqrt);
  addPattern<mlir::math::CbrtOp>(patterns, options, cbrt);
}

} // namespace modelc::math
