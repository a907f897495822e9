//===- Pow.cpp - Powers with floating-point and integer exponents ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// |x|^y = e^(y log |x|). The exponent reaches 104 (745 in f64), so that its
// absolute error, and with it the logarithm, needs about 10 (13) bits more
// than the format: the logarithm is a pair of floats, log(1 + f) = 2 artanh(s)
// with s = f / (2 + f), where the first terms of the series are pairs too and
// only the tail is a polynomial in floats (own minimax fits).
#include "codegen/math/DoubleFloat.h"
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace modelc::math {

// In z = s^2: (2 artanh(s) / s - 2 - 2 z / 3) / z^2, off by 2^-33.8 of the sum.
static constexpr double kTailF32[] = {0x1.9999a6p-2, 0x1.2478e4p-2, 0x1.d8518ep-3};
// (2 artanh(s) / s - 2 - 2 z / 3 - 2 z^2 / 5) / z^3, off by 2^-76.5 of the sum.
static constexpr double kTailF64[] = {
    0x1.2492492492492p-2, 0x1.c71c71c71cabep-3, 0x1.745d1745673f3p-3, 0x1.3b13b191fe49cp-3,
    0x1.1110eb626d5c5p-3, 0x1.e1f464814fbe2p-4, 0x1.ac93e2e4d949p-4,  0x1.b6719849af95ap-4};

static Pair divide(Float a, Pair b) {
  Float quotient = a / b.high;
  Pair product = twoProduct(quotient, b.high);
  Float rest = ((a - product.high) - product.low) - quotient * b.low;
  return {quotient, rest / b.high};
}

/// log(a) for positive finite a.
static Pair logPair(Float a) {
  const Emitter &e = *a.emitter;
  ReducedLog reduced = reduceLog(a);
  Pair s = divide(reduced.f, fastTwoSum(constant(a, 2.0), reduced.f));
  Pair z = s * s;
  Float zero = constant(a, 0.0);
  Pair series = {z.high * polynomial(z.high, kTailF32, kTailF64), zero};
  if (!e.isF32) {
    series = z * addToConstant(0x1.999999999999ap-2, -0x1.999999999999ap-56, series);
    series = addToConstant(0x1.5555555555555p-1, 0x1.5555555555555p-55, series);
  } else {
    series = addToConstant(0x1.555556p-1, -0x1.555556p-26, series);
  }
  Pair log = s * addToConstant(2.0, 0.0, z * series);
  Float high = reduced.k * (e.isF32 ? 0x1.62e4p-1 : 0x1.62e42feep-1);
  Float low = reduced.k * (e.isF32 ? 0x1.7f7d1cf79abcap-20 : 0x1.a39ef35793c76p-33);
  Pair sum = twoSum(high, log.high);
  return fastTwoSum(sum.high, sum.low + (log.low + low));
}

/// e^x, also where x.high overflows.
static Float expPair(Pair x) {
  bool isF32 = x.high.emitter->isF32;
  double low = isF32 ? -104.0 : -746.0, high = isF32 ? 89.0 : 710.0;
  Bool inRange = (x.high >= low) & (x.high <= high);
  ReducedExp reduced = reduceExp(clamp(x.high, low, high));
  Float r = reduced.r + select(inRange, x.low, 0.0);
  return scale(expReduced(r), reduced.n);
}

/// a^y for a >= 0 and no NaN, except that 1^inf may be anything.
static Float powMagnitude(Float a, Pair y) {
  Pair log = logPair(a);
  Pair product = twoProduct(log.high, y.high);
  Float low = fma(log.high, y.low, fma(log.low, y.high, product.low));
  Float result = expPair({product.high, low});
  Bool negative = y.high < 0.0;
  result = select(a == 0.0, select(negative, infinity(a), constant(a, 0.0)), result);
  return select(a == infinity(a), select(negative, constant(a, 0.0), infinity(a)), result);
}

static Bool isIntegral(Float a) {
  double magic = a.emitter->isF32 ? 0x1p23 : 0x1p52;
  return (a >= magic) | (((a + magic) - magic) == a);
}

// ULP with and without fused multiply-add: 1.15, 1.13 (f32); 1.14, 1.11 (f64).
static Float pow(Float x, Float y) {
  Float a = abs(x), yMagnitude = abs(y);
  Float result = powMagnitude(a, {y, constant(y, 0.0)});
  Bool isInteger = isIntegral(yMagnitude);
  Bool isOdd = isInteger & !isIntegral(yMagnitude * 0.5);
  result = select((a == 1.0), 1.0, result); // also to an infinite power
  result = select(isOdd, copysign(result, x), result);
  result = select((x < 0.0) & (a < infinity(a)) & !isInteger, nan(x), result);
  result = select(isNan(x) | isNan(y), x + y, result);
  return select((x == 1.0) | (y == 0.0), 1.0, result);
}

/// The integer `n` of the emitter's shape as a sum of two floats.
static Pair integerPair(Emitter &e, Value n) {
  unsigned width = getElementTypeOrSelf(n.getType()).getIntOrFloatBitWidth();
  auto convert = [&](Int part) -> Float {
    return {{&e, e.builder.create<arith::SIToFPOp>(e.loc, e.floatType, part.value)}};
  };
  auto extended = [&](unsigned to) -> Int {
    if (width == to) {
      return {{&e, n}};
    }
    return {{&e, e.builder.create<arith::ExtSIOp>(e.loc, e.integerType(to), n)}};
  };
  if (width <= 32) {
    Int i = extended(32);
    // Two parts that f32 holds exactly.
    return fastTwoSum(convert(i & ~uint64_t(0xff)), convert(i & 0xff));
  }
  Int i = extended(64);
  // 16 bits each: exact in any order, no 64-bit conversion.
  Float sum = convert(resize(i >> 48, 32)) * 0x1p48;
  Pair total = {sum, constant(sum, 0.0)};
  for (int shift = 32; shift >= 0; shift -= 16) {
    Int digit = resize(shiftRightLogical(i, shift) & 0xffff, 32);
    Pair next = twoSum(total.high, convert(digit) * double(uint64_t(1) << shift));
    total = fastTwoSum(next.high, total.low + next.low);
  }
  return total;
}

namespace {
/// x^n with an integer n: as pow, with the exponent in full precision, and with
/// the same bounds.
class ExpandFPowI : public OpRewritePattern<mlir::math::FPowIOp> {
public:
  ExpandFPowI(MLIRContext *context, const MathOptions &options)
      : OpRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(mlir::math::FPowIOp op, PatternRewriter &rewriter) const override {
    auto intType = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getRhs().getType()));
    if (!intType || intType.getWidth() > 64) {
      return rewriter.notifyMatchFailure(op, "exponent wider than 64 bits");
    }
    Value result = expandFloats(rewriter, op, options, [&](ArrayRef<Float> operands) {
      Float x = operands[0];
      Emitter &e = *x.emitter;
      Float a = abs(x);
      Float magnitude = powMagnitude(a, integerPair(e, op.getRhs()));
      magnitude = select(isNan(x), x, magnitude);
      Int n = {{&e, op.getRhs()}};
      magnitude = select((n & 1) != 0, copysign(magnitude, x), magnitude);
      return select(n == 0, 1.0, magnitude);
    });
    if (!result) {
      return rewriter.notifyMatchFailure(op, "not a float type to expand");
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  MathOptions options;
};
} // namespace

void populatePowPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::PowFOp>(patterns, options, pow);
  patterns.add<ExpandFPowI>(patterns.getContext(), options);
}

} // namespace modelc::math
