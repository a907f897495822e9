// modelc-expand-half: f16 and bf16 computed in f32, and conversions that need no library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace modelc {

#define GEN_PASS_DEF_EXPANDHALFPASS
#include "codegen/Passes.h.inc"

/// `like` (a scalar or a vector) with another element type.
static Type withElement(Type like, Type element) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? Type(vector.clone(element)) : element;
}

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

namespace {

/// Short names for the bit arithmetic below, on scalars and vectors alike.
class Bits {
public:
  Bits(PatternRewriter &rewriter, Location loc, Type like) : b(loc, rewriter), like(like) {}

  Value constant(unsigned width, uint64_t value) {
    return splat(b.getIntegerAttr(b.getIntegerType(width), APInt(width, value)));
  }
  Value real(double value) { return splat(b.getF32FloatAttr(value)); }
  Value toBits(Value v, unsigned width) {
    return b.create<arith::BitcastOp>(shaped(b.getIntegerType(width)), v);
  }
  Value toFloat(Value v, FloatType type) { return b.create<arith::BitcastOp>(shaped(type), v); }
  Value widen(Value v, unsigned width) {
    return b.create<arith::ExtUIOp>(shaped(b.getIntegerType(width)), v);
  }
  Value narrow(Value v, unsigned width) {
    return b.create<arith::TruncIOp>(shaped(b.getIntegerType(width)), v);
  }
  Value extend(Value v, FloatType type) { return b.create<arith::ExtFOp>(shaped(type), v); }
  Value truncate(Value v, FloatType type) { return b.create<arith::TruncFOp>(shaped(type), v); }
  Value shl(Value v, unsigned n) { return b.create<arith::ShLIOp>(v, constant(width(v), n)); }
  Value shr(Value v, unsigned n) { return b.create<arith::ShRUIOp>(v, constant(width(v), n)); }
  Value bitAnd(Value v, uint64_t mask) {
    return b.create<arith::AndIOp>(v, constant(width(v), mask));
  }
  Value bitOr(Value v, Value w) { return b.create<arith::OrIOp>(v, w); }
  Value add(Value v, uint64_t n) { return b.create<arith::AddIOp>(v, constant(width(v), n)); }
  Value add(Value v, Value w) { return b.create<arith::AddIOp>(v, w); }
  Value less(Value v, uint64_t n) {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, v, constant(width(v), n));
  }
  Value select(Value c, Value v, Value w) { return b.create<arith::SelectOp>(c, v, w); }
  ImplicitLocOpBuilder &builder() { return b; }

private:
  static unsigned width(Value v) {
    return getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth();
  }
  Type shaped(Type element) const { return withElement(like, element); }
  Value splat(TypedAttr element) {
    if (auto vector = dyn_cast<VectorType>(like)) {
      auto type = vector.clone(element.getType());
      return b.create<arith::ConstantOp>(DenseElementsAttr::get(type, Attribute(element)));
    }
    return b.create<arith::ConstantOp>(element);
  }

  ImplicitLocOpBuilder b;
  Type like;
};

} // namespace

static Value extendBF16(Bits &e, Value x) {
  return e.toFloat(e.shl(e.widen(e.toBits(x, 16), 32), 16), e.builder().getF32Type());
}

static Value extendF16(Bits &e, Value x) {
  FloatType f32 = e.builder().getF32Type();
  Value bits = e.widen(e.toBits(x, 16), 32);
  Value magnitude = e.shl(e.bitAnd(bits, 0x7fff), 13);
  // The exponents' biases differ by 112; infinity and NaN go from exponent 31 to 255, which is 112
  // more.
  Value normal = e.add(magnitude, 112u << 23);
  Value special = e.add(magnitude, 224u << 23);
  // A subnormal is 1.m * 2^-14 minus 2^-14. Both are normal in f32, so that flush-to-zero modes do
  // no harm.
  Value subnormal = e.builder().create<arith::SubFOp>(e.toFloat(e.add(magnitude, 113u << 23), f32),
                                                      e.real(0x1p-14));
  Value result = e.select(e.less(magnitude, 31u << 23), normal, special);
  result = e.select(e.less(magnitude, 1u << 23), e.toBits(subnormal, 32), result);
  return e.toFloat(e.bitOr(result, e.shl(e.bitAnd(bits, 0x8000), 16)), f32);
}

static Value truncateToBF16(Bits &e, Value x) {
  Value bits = e.toBits(x, 32);
  // Round to nearest even: half of the last place, less one unless the kept part is odd.
  Value rounded = e.shr(e.add(e.add(bits, 0x7fff), e.bitAnd(e.shr(bits, 16), 1)), 16);
  Value quietNaN = e.bitOr(e.shr(bits, 16), e.constant(32, 0x40));
  Value isNumber = e.less(e.bitAnd(bits, 0x7fffffff), 0x7f800001);
  return e.toFloat(e.narrow(e.select(isNumber, rounded, quietNaN), 16), e.builder().getBF16Type());
}

static Value truncateToF16(Bits &e, Value x) {
  FloatType f32 = e.builder().getF32Type();
  Value bits = e.toBits(x, 32);
  Value magnitude = e.bitAnd(bits, 0x7fffffff);
  // Rounding may carry into the exponent, up to infinity: that is the wanted result.
  Value rebiased = e.add(magnitude, uint32_t(0) - (112u << 23));
  Value normal = e.shr(e.add(e.add(rebiased, 0xfff), e.bitAnd(e.shr(rebiased, 13), 1)), 13);
  // The last place of 0.5 is f16's smallest subnormal: the addition rounds to it.
  Value shifted = e.builder().create<arith::AddFOp>(e.toFloat(magnitude, f32), e.real(0.5));
  Value subnormal = e.add(e.toBits(shifted, 32), uint32_t(0) - 0x3f000000u);
  Value quietNaN = e.bitOr(e.bitAnd(e.shr(magnitude, 13), 0x1ff), e.constant(32, 0x7e00));
  Value result = e.select(e.less(magnitude, 0x38800000), subnormal, normal); // below 2^-14
  result = e.select(e.less(magnitude, 0x47800000), result,
                    e.constant(32, 0x7c00)); // 2^16 and above: infinity
  result = e.select(e.less(magnitude, 0x7f800001), result, quietNaN);
  result = e.bitOr(result, e.bitAnd(e.shr(bits, 16), 0x8000));
  return e.toFloat(e.narrow(result, 16), e.builder().getF16Type());
}

/// f64 to f32 by rounding to odd: what is inexact keeps an odd last place, so that a second
/// rounding to fewer digits sees on which side of a tie it was (Boldo and Melquiond, "When double
/// rounding is odd", 2005).
static Value truncateToOdd(Bits &e, Value x) {
  ImplicitLocOpBuilder &b = e.builder();
  FloatType f32 = b.getF32Type(), f64 = b.getF64Type();
  Value nearest = e.truncate(x, f32);
  Value back = e.extend(nearest, f64);
  Value bits = e.toBits(nearest, 32);
  Value tooFar =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, b.create<math::AbsFOp>(back).getResult(),
                              b.create<math::AbsFOp>(x).getResult());
  Value towardZero = e.select(tooFar, e.add(bits, uint32_t(-1)), bits);
  Value odd = e.bitOr(towardZero, e.constant(32, 1));
  Value inexact = b.create<arith::CmpFOp>(arith::CmpFPredicate::ONE, back,
                                          x); // false for NaN: it passes through
  return e.toFloat(e.select(inexact, odd, bits), f32);
}

namespace {

struct ExpandExtension : OpRewritePattern<arith::ExtFOp> {
  ExpandExtension(MLIRContext *context, bool nativeF16)
      : OpRewritePattern(context), nativeF16(nativeF16) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    bool toF64 = getElementTypeOrSelf(op.getType()).isF64();
    bool native = nativeF16 && getElementTypeOrSelf(x.getType()).isF16();
    if (!isHalf(x.getType()) || (native && !toF64)) {
      return rewriter.notifyMatchFailure(op, "the target has an instruction");
    }
    Bits e(rewriter, op.getLoc(), x.getType());
    FloatType f32 = rewriter.getF32Type();
    bool isBF16 = getElementTypeOrSelf(x.getType()).isBF16();
    Value result = native ? e.extend(x, f32) : isBF16 ? extendBF16(e, x) : extendF16(e, x);
    rewriter.replaceOp(op, toF64 ? e.extend(result, rewriter.getF64Type()) : result);
    return success();
  }

  bool nativeF16;
};

struct ExpandTruncation : OpRewritePattern<arith::TruncFOp> {
  ExpandTruncation(MLIRContext *context, bool nativeF16)
      : OpRewritePattern(context), nativeF16(nativeF16) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    bool fromF64 = getElementTypeOrSelf(x.getType()).isF64();
    bool native = nativeF16 && getElementTypeOrSelf(op.getType()).isF16();
    if (!isHalf(op.getType()) || (native && !fromF64)) {
      return rewriter.notifyMatchFailure(op, "the target has an instruction");
    }
    Bits e(rewriter, op.getLoc(), x.getType());
    Value single = fromF64 ? truncateToOdd(e, x) : x;
    bool isBF16 = getElementTypeOrSelf(op.getType()).isBF16();
    Value result = native   ? e.truncate(single, rewriter.getF16Type())
                   : isBF16 ? truncateToBF16(e, single)
                            : truncateToF16(e, single);
    rewriter.replaceOp(op, result);
    return success();
  }

  bool nativeF16;
};

/// op(f16...) -> truncf(op(extf ...)).
struct ComputeInF32 : RewritePattern {
  explicit ComputeInF32(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    // Moving and comparing bits needs no arithmetic.
    bool computes = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
                    isa<vector::FMAOp, vector::ReductionOp>(op);
    if (!computes || op->getNumRegions() != 0 ||
        isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::SelectOp>(
            op)) {
      return rewriter.notifyMatchFailure(op, "no computation");
    }
    if (llvm::none_of(op->getOperandTypes(), isHalf) &&
        llvm::none_of(op->getResultTypes(), isHalf)) {
      return rewriter.notifyMatchFailure(op, "no f16 or bf16");
    }
    auto widened = [&](Type type) {
      return isHalf(type) ? withElement(type, rewriter.getF32Type()) : type;
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Type type = widened(operand.getType());
      bool same = type == operand.getType();
      operands.push_back(
          same ? operand : rewriter.create<arith::ExtFOp>(op->getLoc(), type, operand).getResult());
    }
    SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), widened);
    Operation *wide = rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands, types,
                                      op->getAttrs());
    SmallVector<Value> results;
    for (auto [value, type] : llvm::zip_equal(wide->getResults(), op->getResultTypes())) {
      bool same = type == value.getType();
      results.push_back(
          same ? value : rewriter.create<arith::TruncFOp>(op->getLoc(), type, value).getResult());
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ExpandHalfPass : impl::ExpandHalfPassBase<ExpandHalfPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeInF32>(&getContext());
    patterns.add<ExpandExtension, ExpandTruncation>(&getContext(), hasF16Convert);
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace

} // namespace modelc
