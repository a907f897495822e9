// modelc-expand-arith: one meaning and one cost for fused multiply-add, reductions and maxima.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace modelc {

#define GEN_PASS_DEF_EXPANDARITHPASS
#include "codegen/Passes.h.inc"

namespace {

/// vector.fma -> math.fma: LLVM's fmuladd, which the former means, may or may not be fused.
struct FuseVectorFma : OpRewritePattern<vector::FMAOp> {
  using OpRewritePattern<vector::FMAOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::FMAOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, op.getLhs(), op.getRhs(), op.getAcc());
    return success();
  }
};

/// fma(a, b, c) -> a * b + c for targets without the instruction, where LLVM would call fmaf.
template <typename FmaOp> struct SplitFma : OpRewritePattern<FmaOp> {
  using OpRewritePattern<FmaOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(FmaOp op, PatternRewriter &rewriter) const override {
    Value product =
        rewriter.create<arith::MulFOp>(op.getLoc(), op->getOperand(0), op->getOperand(1));
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op->getOperand(2));
    return success();
  }
};

/// Sums and products of float lanes in a fixed order.
struct ReduceByHalves : OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern<vector::ReductionOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ReductionOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    vector::CombiningKind kind = op.getKind();
    if (!isa<FloatType>(type.getElementType()) || type.isScalable() || type.getRank() != 1) {
      return rewriter.notifyMatchFailure(op, "not a fixed vector of floats");
    }
    if (kind != vector::CombiningKind::ADD && kind != vector::CombiningKind::MUL) {
      return rewriter.notifyMatchFailure(op, "the order does not matter");
    }
    if (isa<vector::MaskOp>(op->getParentOp())) {
      return rewriter.notifyMatchFailure(op, "masked");
    }
    Location loc = op.getLoc();
    auto combine = [&](Value a, Value b) -> Value {
      if (kind == vector::CombiningKind::ADD) {
        return rewriter.create<arith::AddFOp>(loc, a, b, op.getFastmathAttr());
      }
      return rewriter.create<arith::MulFOp>(loc, a, b, op.getFastmathAttr());
    };
    auto slice = [&](Value v, int64_t offset, int64_t size) -> Value {
      return rewriter.create<vector::ExtractStridedSliceOp>(loc, v, offset, size, /*strides=*/1);
    };
    Value lanes = op.getVector();
    Value odd; // the last lane of each odd length, combined when the tree is done
    int64_t size = type.getDimSize(0);
    while (size > 1) {
      if (size % 2 != 0) {
        Value last = rewriter.create<vector::ExtractOp>(loc, lanes, size - 1);
        odd = odd ? combine(last, odd) : last;
        --size;
      }
      lanes = combine(slice(lanes, 0, size / 2), slice(lanes, size / 2, size / 2));
      size /= 2;
    }
    Value result = rewriter.create<vector::ExtractOp>(loc, lanes, 0);
    if (odd) {
      result = combine(result, odd);
    }
    if (Value accumulator = op.getAcc()) {
      result = combine(result, accumulator);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// max(a, b) -> a > b ? a : b, and a choice for NaN: `returnsNaN` gives NaN when either is NaN
/// (maximumf), else the other operand (maxnumf). A constant `b`, as in ReLU, leaves one comparison.
template <typename Op, arith::CmpFPredicate predicate, bool returnsNaN>
struct SelectExtremum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = op.getLhs(), b = op.getRhs();
    auto first = rewriter.create<arith::CmpFOp>(loc, predicate, a, b);
    first.setFastmathAttr(op.getFastmathAttr());
    Value result = rewriter.create<arith::SelectOp>(loc, first, a, b);
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::nnan)) {
      Value isNaN = rewriter.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, b, b);
      result = rewriter.create<arith::SelectOp>(loc, isNaN, returnsNaN ? b : a, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandArithPass : impl::ExpandArithPassBase<ExpandArithPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReduceByHalves>(&getContext());
    if (hasFma) {
      patterns.add<FuseVectorFma>(&getContext());
    } else {
      patterns.add<SplitFma<vector::FMAOp>, SplitFma<math::FmaOp>>(&getContext());
    }
    if (!hasMinMax) {
      using Predicate = arith::CmpFPredicate;
      patterns.add<SelectExtremum<arith::MaximumFOp, Predicate::UGE, true>,
                   SelectExtremum<arith::MinimumFOp, Predicate::ULE, true>,
                   SelectExtremum<arith::MaxNumFOp, Predicate::OGE, false>,
                   SelectExtremum<arith::MinNumFOp, Predicate::OLE, false>>(&getContext());
    }
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace

} // namespace modelc
