//===- Hyperbolic.cpp - Hyperbolic functions and their inverses ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From e^|x| and its difference from one, without cancellation; the inverses
// from log1p. Odd functions are computed for |x| and take the sign of x, so
// that they are odd to the last bit.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// (e^2|x| - 1) / (e^2|x| + 1): one polynomial and one division for all x.
// ULP with and without fused multiply-add: 1.73, 1.82 (f32); 1.84, 2.10 (f64).
static Float tanh(Float x) {
  double bound = x.emitter->isF32 ? 20.0 : 40.0; // rounds to 1 from here on
  Float a = abs(x);
  a = a + a;
  ReducedExp reduced = reduceExp(select(a > bound, bound, a));
  Float factor = pow2(reduced.n);
  // The correction below reaches what the last sum of the polynomial lost.
  Float tail = expm1Tail(reduced.r);
  Float polynomial = reduced.r + tail;
  Float difference = fma(factor, polynomial, factor - 1.0);
  Float divisor = difference + 2.0;
  Float quotient = difference / divisor;
  Float inverse = fma(quotient, -0.5, 0.5); // of the divisor
  // What the divisor's sum lost. Only below 8 are the differences exact; above,
  // the loss counts less.
  Float lost = select(difference < 8.0, difference - (divisor - 2.0), 0.0);
  Float rest = (factor * (tail - (polynomial - reduced.r))) * (inverse + inverse);
  if (x.emitter->hasFma()) {
    rest = fma(-quotient, divisor, difference);
  }
  rest = fma(-quotient, lost, rest);
  return copysign(fma(rest, inverse, quotient), x);
}

/// e^|x| / 4 for use in sinh and cosh: it does not overflow before they do.
struct QuarterExp {
  Float factor;
  Float difference;
};
static QuarterExp quarterExp(Float a) {
  double bound = a.emitter->isF32 ? 89.5 : 710.5;
  ReducedExp reduced = reduceExp(select(a > bound, bound, a));
  return {pow2(reduced.n - 2), expm1Reduced(reduced.r)};
}

// With d = e^|x| - 1: sinh |x| = (d + d / (d + 1)) / 2.
// ULP with and without fused multiply-add: 2.30, 2.30 (f32); 2.34, 2.32 (f64).
static Float sinh(Float x) {
  Float a = abs(x);
  QuarterExp exp = quarterExp(a);
  Float quarter = fma(exp.factor, exp.difference, exp.factor - 0.25);
  Float half = quarter + quarter / fma(quarter, 4.0, 1.0);
  // Where the cubic term does not count; a quarter of a denormal would round.
  double linear = x.emitter->isF32 ? 0x1p-12 : 0x1p-27;
  return select(a < linear, x, copysign(half + half, x));
}

// ULP with and without fused multiply-add: 1.44, 1.41 (f32); 1.45, 1.42 (f64).
static Float cosh(Float x) {
  QuarterExp exp = quarterExp(abs(x));
  Float quarter = fma(exp.factor, exp.difference, exp.factor);
  Float half = quarter + 0.0625 / quarter;
  return half + half;
}

/// From here on 1 is less than half an ULP of x^2.
static double largeArgument(const Emitter &e) {
  return e.isF32 ? 0x1p13 : 0x1p28;
}
static constexpr double kLn2 = 0x1.62e42fefa39efp-1;

// log1p(x + x^2 / (1 + sqrt(x^2 + 1))).
// ULP with and without fused multiply-add: 1.79, 1.79 (f32); 1.62, 1.62 (f64).
static Float asinh(Float x) {
  Float a = abs(x);
  Bool large = a >= largeArgument(*x.emitter);
  Float bounded = select(large, 1.0, a);
  Float square = bounded * bounded;
  Float argument = bounded + square / (sqrt(square + 1.0) + 1.0);
  // One logarithm for both: log(1 + a - 1) for large a.
  Float result = log1p(select(large, a, argument), select(large, -1.0, 0.0));
  return copysign(result + select(large, kLn2, 0.0), x);
}

// With t = x - 1, which is exact up to x = 2: log1p(t + sqrt(2 t + t^2)).
// ULP with and without fused multiply-add: 1.85, 1.85 (f32); 1.85, 1.85 (f64).
static Float acosh(Float x) {
  Bool large = x >= largeArgument(*x.emitter);
  Float t = select(large, 1.0, x - 1.0);
  Float argument = t + sqrt(fma(t, t, t + t));
  Float result = log1p(select(large, x, argument), select(large, -1.0, 0.0));
  result = result + select(large, kLn2, 0.0);
  return select(x < 1.0, nan(x), result);
}

// log1p(2 a / (1 - a)) / 2.
// ULP with and without fused multiply-add: 2.02, 2.02 (f32); 1.98, 1.98 (f64).
static Float atanh(Float x) {
  Float a = abs(x);
  Float result = log1p((a + a) / (1.0 - a), constant(x, 0.0)) * 0.5;
  // Here the product by 2 would lose nothing, but the half of a denormal would.
  double linear = x.emitter->isF32 ? 0x1p-13 : 0x1p-28;
  result = select(a < linear, a, result);
  return copysign(select(a > 1.0, nan(x), result), x);
}

void populateHyperbolicPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::TanhOp>(patterns, options, tanh);
  addPattern<mlir::math::SinhOp>(patterns, options, sinh);
  addPattern<mlir::math::CoshOp>(patterns, options, cosh);
  addPattern<mlir::math::AsinhOp>(patterns, options, asinh);
  addPattern<mlir::math::AcoshOp>(patterns, options, acosh);
  addPattern<mlir::math::AtanhOp>(patterns, options, atanh);
}

} // namespace modelc::math
