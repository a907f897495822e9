//===- Round.cpp - Rounding to integral values -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact. Where the target does not round in hardware, adding and subtracting
// 2^23 (2^52 in f64) rounds a magnitude below it to an integer, half to even;
// the rest is a correction by one. No conversion to an integer, which would be
// a library call for 64 bits. Larger magnitudes, infinities and NaN stay.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

static double firstIntegral(const Emitter &e) {
  return e.isF32 ? 0x1p23 : 0x1p52;
}

static Float roundMagnitude(Float a) {
  double magic = firstIntegral(*a.emitter);
  return (a + magic) - magic;
}

/// `rounded` with the sign of `x`, where `x` has a fraction at all.
static Float finish(Float x, Float rounded) {
  return select(abs(x) < firstIntegral(*x.emitter), copysign(rounded, x), x);
}

static Float roundeven(Float x) {
  return finish(x, roundMagnitude(abs(x)));
}

static Float truncMagnitude(Float a) {
  Float rounded = roundMagnitude(a);
  return rounded - select(a < rounded, 1.0, 0.0);
}

static Float trunc(Float x) {
  return finish(x, truncMagnitude(abs(x)));
}

static Float floor(Float x) {
  Float rounded = copysign(roundMagnitude(abs(x)), x);
  return finish(x, rounded - select(x < rounded, 1.0, 0.0));
}

static Float ceil(Float x) {
  Float rounded = copysign(roundMagnitude(abs(x)), x);
  return finish(x, rounded + select(rounded < x, 1.0, 0.0));
}

// Half away from zero. Expanded on every target: few have an instruction.
static Float round(Float x) {
  Emitter &e = *x.emitter;
  Float a = abs(x);
  Float whole = e.hasRound() ? Float{{&e, e.builder.create<mlir::math::TruncOp>(e.loc, a.value)}}
                             : truncMagnitude(a);
  return finish(x, whole + select(a - whole >= 0.5, 1.0, 0.0));
}

void populateRoundPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::FloorOp>(patterns, options, floor, &Emitter::hasRound);
  addPattern<mlir::math::CeilOp>(patterns, options, ceil, &Emitter::hasRound);
  addPattern<mlir::math::TruncOp>(patterns, options, trunc, &Emitter::hasRound);
  addPattern<mlir::math::RoundEvenOp>(patterns, options, roundeven, &Emitter::hasRoundEven);
  addPattern<mlir::math::RoundOp>(patterns, options, round);
}

} // namespace modelc::math
