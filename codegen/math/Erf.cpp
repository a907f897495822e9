//===- Erf.cpp - The error function ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An odd polynomial near zero; elsewhere 1 - exp(-G(|x|)), where G approximates
// -log(erfc): a smooth function that one polynomial follows up to the point
// where the result rounds to 1. Own fits (remez and fpminimax of Sollya, the
// outer ones weighted by erfc).
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace modelc::math {

// erf(x) / x - 1 in x^2 for |x| <= 0.9375 (f32: 2^-25.6) and 0.875 (f64: 2^-56.2).
static constexpr double kInnerF32[] = {0x1.06eba6p-3,  -0x1.8126e2p-2, 0x1.ce196p-4,
                                       -0x1.b677ecp-6, 0x1.46b886p-8,  -0x1.37cd6cp-11};
static constexpr double kInnerF64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379ffp-2,  0x1.ce2f21a0437c8p-4,  -0x1.b82ce312b2a7cp-6,
    0x1.565bcd1351456p-8,  -0x1.c02db4a44d30ep-11, 0x1.f9a3320fe2751p-14, -0x1.f4d27f291d2d6p-17,
    0x1.b9dcf48c9cb59p-20, -0x1.5e9c8ce253e9fp-23, 0x1.ebf7db5968971p-27, -0x1.f4d7dc9dc819ep-31};

// -log(erfc(x)) up to 4 (f32: 2^-26.3) and up to 6 (f64: 2^-56.6).
static constexpr double kOuterF32[] = {0x1.ecfe1p-13,  0x1.20a4aap0,  0x1.4660c6p-1,  0x1.a8b6ecp-4,
                                       -0x1.6a418cp-6, 0x1.8b0b24p-9, -0x1.94a544p-13};
static constexpr double kOuterF64[] = {
    -0x1.75dcc5ee24407p-26, 0x1.20dd79ca3ed75p0,    0x1.45f2cbea6f7ep-1,    0x1.a4fc078fa23d9p-4,
    -0x1.39b4a73ab9343p-6,  -0x1.66a16182e7797p-13, 0x1.acad9acc82fb2p-10,  -0x1.0cc364af96d8p-11,
    -0x1.c42e2f89b443ap-15, 0x1.13cc766fe61adp-13,  -0x1.3d9c27d50f074p-14, 0x1.e6aae107fec26p-16,
    -0x1.1b4dc74a1c03cp-17, 0x1.048097401f3d9p-19,  -0x1.7d9a595cee501p-22, 0x1.ba0b18ec0f37fp-25,
    -0x1.8cdb5df340525p-28, 0x1.0a78011b237f2p-31,  -0x1.f793d9ab47359p-36, 0x1.2a5b3751c98acp-40,
    -0x1.4d1c663a5f9fbp-46};

// ULP with and without fused multiply-add: 1.23, 1.31 (f32); 1.10, 1.20 (f64).
static Float erf(Float x) {
  bool isF32 = x.emitter->isF32;
  Float a = abs(x);
  Float inner = fma(x, polynomial(x * x, kInnerF32, kInnerF64), x);
  Float bounded = select(a > (isF32 ? 4.0 : 6.0), isF32 ? 4.0 : 6.0, a);
  ReducedExp reduced = reduceExp(-polynomial(bounded, kOuterF32, kOuterF64));
  Float outer = fma(-expReduced(reduced.r), pow2(reduced.n), 1.0);
  return select(a < (isF32 ? 0.9375 : 0.875), inner, copysign(outer, x));
}

void populateErfPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::ErfOp>(patterns, options, erf);
}

} // namespace modelc::math
