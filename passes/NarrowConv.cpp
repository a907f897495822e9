//===- NarrowConv.cpp - convolutions compute only what is read ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_NARROWCONVPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {

/// A causal convolution is often written with padding on both sides and a slice
/// that drops what the padding behind adds.
struct NarrowConv : OpRewritePattern<SliceOp> {
  using OpRewritePattern<SliceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto conv = op.getX().getDefiningOp<ConvOp>();
    if (!conv || !conv->hasOneUse() || conv.getChannelsLast()) {
      return rewriter.notifyMatchFailure(op, "not the only reader of a convolution");
    }
    auto input = cast<RankedTensorType>(conv.getX().getType());
    ArrayRef<int64_t> kernel = cast<RankedTensorType>(conv.getFilter().getType()).getShape();
    ArrayRef<int64_t> sizes = op.getSizes(), whole = conv.getType().getShape();
    if (op.getType().getNumElements() == 0 || op.getType() == conv.getType() ||
        sizes.take_front(2) != whole.take_front(2) ||
        llvm::any_of(op.getSteps(), [](int64_t step) { return step != 1; })) {
      return rewriter.notifyMatchFailure(op, "not a part of the positions");
    }
    SmallVector<int64_t> starts(input.getRank(), 0), extents(input.getShape());
    SmallVector<int64_t> begin, end;
    for (int64_t d = 2; d < input.getRank(); ++d) {
      int64_t s = d - 2, stride = conv.getStrides()[s], extent = extents[d];
      // The positions of the input that the slice depends on.
      int64_t first = op.getStarts()[d] * stride - conv.getPadsBegin()[s];
      int64_t last = first + (sizes[d] - 1) * stride + (kernel[d] - 1) * conv.getDilations()[s];
      begin.push_back(std::max<int64_t>(-first, 0));
      end.push_back(std::max<int64_t>(last - (extent - 1), 0));
      starts[d] = std::max<int64_t>(first, 0);
      extents[d] = std::min(last + 1, extent) - starts[d];
      if (extents[d] <= 0) {
        return rewriter.notifyMatchFailure(op, "reads padding only");
      }
    }
    Value x = conv.getX();
    if (ArrayRef<int64_t>(extents) != input.getShape()) {
      x = rewriter.create<SliceOp>(op.getLoc(),
                                   RankedTensorType::get(extents, input.getElementType()), x,
                                   starts, extents, SmallVector<int64_t>(op.getSteps()));
    }
    auto narrow = cast<ConvOp>(rewriter.clone(*conv));
    narrow.getXMutable().assign(x);
    narrow.setPadsBegin(begin);
    narrow.setPadsEnd(end);
    narrow.getResult().setType(op.getType());
    rewriter.replaceOp(op, narrow);
    return success();
  }
};

struct NarrowConvPass : modelc::impl::NarrowConvPassBase<NarrowConvPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<NarrowConv>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
