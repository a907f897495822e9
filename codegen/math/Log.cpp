//===- Log.cpp - Logarithms ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = 2^k (1 + f) with 1 + f around 1, so that log x = k ln 2 + log(1 + f) has
// no cancellation. In f32 log(1 + f) = f + f^2 P(f). In f64, where that would
// be a polynomial of degree 20, log(1 + f) = 2 artanh(s) with s = f / (2 + f)
// in the arrangement f - s (f - R(s^2)) of K. C. Ng (FDLIBM, 1993). Own
// minimax fits (fpminimax of Sollya).
#include "codegen/math/DoubleFloat.h"
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// (log(1 + f) - f) / f^2; the logarithm is then off by 2^-27.8.
static constexpr double kLogF32[] = {-0x1.fffff8p-2, 0x1.55555p-2,   -0x1.000432p-2,
                                     0x1.99a41ap-3,  -0x1.5425c4p-3, 0x1.226dfcp-3,
                                     -0x1.0f3fa6p-3, 0x1.0860cep-3,  -0x1.38472ap-4};
// (2 artanh(s) - 2 s) / s^3 in s^2; the logarithm is then off by 2^-57.6.
static constexpr double kLogF64[] = {
    0x1.5555555555558p-1, 0x1.9999999995284p-2, 0x1.2492492e03d5p-2, 0x1.c71c62c9cb7e8p-3,
    0x1.7462bd218b49fp-3, 0x1.39fd3c2df66d2p-3, 0x1.2b66b9bfcde1ep-3};

ReducedLog reduceLog(Float x) {
  const Emitter &e = *x.emitter;
  double minNormal = e.isF32 ? 0x1p-126 : 0x1p-1022;
  int shift = e.mantissaBits() + 1;
  Bool isDenormal = x < minNormal;
  Int ix = bits(select(isDenormal, x * (e.isF32 ? 0x1p24 : 0x1p53), x));
  // The bits of sqrt(1/2): the difference has k in its exponent field.
  uint64_t base = e.isF32 ? 0x3f3504f3u : 0x3fe6a09e667f3bcdu;
  Int k = (ix - base) >> e.mantissaBits();
  Float f = fromBits(ix - (k << e.mantissaBits())) - 1.0;
  return {toFloat(k) - select(isDenormal, constant(x, shift), constant(x, 0.0)), f};
}

/// log(1 + f) - f.
static Float logTail(Float f) {
  if (f.emitter->isF32) {
    return f * f * polynomial(f, kLogF32);
  }
  Float s = f / (f + 2.0);
  Float z = s * s;
  Float halfSquare = f * f * 0.5;
  return s * fma(z, polynomial(z, kLogF64), halfSquare) - halfSquare;
}

/// The values of a logarithm where `x` is no positive finite number.
static Float logEdges(Float x, Float result) {
  Float edge = select(x < 0.0, nan(x), x);
  edge = select(x == 0.0, -infinity(x), edge);
  return select((x > 0.0) & (x < infinity(x)), result, edge);
}

static double ln2High(const Emitter &e) {
  return e.isF32 ? 0x1.62e4p-1 : 0x1.62e42feep-1;
}
static double ln2Low(const Emitter &e) {
  return e.isF32 ? 0x1.7f7d1cf79abcap-20 : 0x1.a39ef35793c76p-33;
}

// ULP with and without fused multiply-add: 0.86, 0.88 (f32); 0.80, 0.80 (f64).
Float log(Float x) {
  const Emitter &e = *x.emitter;
  ReducedLog reduced = reduceLog(x);
  Float low = fma(reduced.k, ln2Low(e), logTail(reduced.f));
  return logEdges(x, fma(reduced.k, ln2High(e), reduced.f + low));
}

Float log1p(Float x, Float low) {
  const Emitter &e = *x.emitter;
  // 1 + x = u + error exactly; log(u + error) = log u + error / u.
  Pair u = twoSum(constant(x, 1.0), x);
  ReducedLog reduced = reduceLog(u.high);
  Float correction = fma(reduced.k, ln2Low(e), (u.low + low) / u.high);
  Float result = fma(reduced.k, ln2High(e), reduced.f + (logTail(reduced.f) + correction));
  return select(x == 0.0, x, logEdges(u.high, result));
}

// ULP with and without fused multiply-add: 0.93, 0.93 (f32); 0.86, 0.86 (f64).
static Float log1pFunction(Float x) {
  return log1p(x, constant(x, 0.0));
}

/// k * (scaleHigh + scaleLow) + log(1 + f) * (factorHigh + factorLow).
static Float scaledLog(Float x, double scaleHigh, double scaleLow, double factorHigh,
                       double factorLow) {
  ReducedLog reduced = reduceLog(x);
  Pair log = fastTwoSum(reduced.f, logTail(reduced.f));
  Pair product = twoProduct(log.high, constant(x, factorHigh));
  Float low = fma(log.high, factorLow, fma(log.low, factorHigh, product.low));
  low = fma(reduced.k, scaleLow, low);
  Pair sum = twoSum(reduced.k * scaleHigh, product.high);
  return logEdges(x, sum.high + (sum.low + low));
}

// ULP with and without fused multiply-add: 0.94, 0.94 (f32); 0.85, 0.85 (f64).
static Float log2(Float x) {
  return x.emitter->isF32 ? scaledLog(x, 1.0, 0.0, 0x1.715476p0, 0x1.4ae0bf85ddf44p-26)
                          : scaledLog(x, 1.0, 0.0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56);
}

// log10(2) in two parts whose first has an exact product with k.
// ULP with and without fused multiply-add: 0.78, 0.79 (f32); 0.75, 0.75 (f64).
static Float log10(Float x) {
  return x.emitter->isF32 ? scaledLog(x, 0x1.344p-2, 0x1.3509f79fef312p-18, 0x1.bcb7b2p-2,
                                      -0x1.5b235e39ab2a9p-27)
                          : scaledLog(x, 0x1.34413509f78p-2, 0x1.fef311f12b358p-46,
                                      0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}

void populateLogPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::LogOp>(patterns, options, log);
  addPattern<mlir::math::Log2Op>(patterns, options, log2);
  addPattern<mlir::math::Log10Op>(patterns, options, log10);
  addPattern<mlir::math::Log1pOp>(patterns, options, log1pFunction);
}

} // namespace modelc::math
