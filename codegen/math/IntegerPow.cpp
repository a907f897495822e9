//===- IntegerPow.cpp - Integer powers of integers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulo 2^width. A negative exponent gives 1 / x^-n rounded to zero, and 0 for
// x = 0, where no result is defined.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace modelc::math {

namespace {
/// Squares and multiplies once for each bit of the exponent.
class ExpandIPowI : public OpRewritePattern<mlir::math::IPowIOp> {
public:
  using OpRewritePattern<mlir::math::IPowIOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(mlir::math::IPowIOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() > 64 || !isa<IntegerType, VectorType>(type)) {
      return rewriter.notifyMatchFailure(op, "not an integer of up to 64 bits");
    }
    // The emitter needs a float type only for its shape.
    Type shape = rewriter.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type)) {
      shape = vector.clone(shape);
    }
    Emitter e(rewriter, op.getLoc(), shape, MathOptions());
    Int x = {{&e, op.getLhs()}}, n = {{&e, op.getRhs()}};
    Int one = constant(x, 1), zero = constant(x, 0);
    Int power = one, square = x;
    for (unsigned bit = 0, width = element.getWidth(); bit + 1 < width; ++bit) {
      Bool isSet = (n & (uint64_t(1) << bit)) != 0;
      power = select(isSet, power * square, power);
      square = square * square;
    }
    Int sign = select((n & 1) != 0, x, one);
    Bool isUnit = (x == 1) | (x == ~uint64_t(0));
    power = select(n < 0, select(isUnit, sign, zero), power);
    rewriter.replaceOp(op, power.value);
    return success();
  }
};
} // namespace

void populateIntegerPowPatterns(RewritePatternSet &patterns, const MathOptions &) {
  patterns.add<ExpandIPowI>(patterns.getContext());
}

} // namespace modelc::math
