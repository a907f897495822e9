//===- FoldBatchNorm.cpp - scales and offsets become weights --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_FOLDBATCHNORMPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

static std::vector<float> floatsOf(ElementsAttr value) {
  std::vector<float> result(value.getNumElements());
  copyConstant(value, MutableArrayRef<char>(reinterpret_cast<char *>(result.data()),
                                            result.size() * sizeof(float)));
  return result;
}

static Value makeFloats(PatternRewriter &rewriter, Location loc, RankedTensorType type,
                        const std::vector<float> &values) {
  ArrayRef<char> bytes(reinterpret_cast<const char *>(values.data()),
                       values.size() * sizeof(float));
  return rewriter.create<ConstantOp>(loc, type, makeConstant(type, bytes));
}

/// The constant elements that `value` has along the channels of a tensor of
/// `rank` dimensions, channels second; nothing if it is anything else.
static std::optional<std::vector<float>> perChannel(Value value, int64_t rank, int64_t channels) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  ElementsAttr constant = constantValue(reshape ? reshape.getX() : value);
  if (!constant || !typeOf(value).getElementType().isF32()) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  int64_t leading = rank - static_cast<int64_t>(shape.size());
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (extent != 1 && static_cast<int64_t>(d) + leading != 1) {
      return std::nullopt;
    }
  }
  std::vector<float> values = floatsOf(constant);
  if (values.size() == 1) {
    values.resize(channels, values.front());
  }
  return values;
}

/// A convolution with constant weights and channels first, whose result only
/// `user` reads.
static ConvOp foldableConv(Value value) {
  auto conv = value.getDefiningOp<ConvOp>();
  bool fits = conv && conv->hasOneUse() && !conv.getChannelsLast() &&
              typeOf(conv.getResult()).getElementType().isF32() &&
              typeOf(conv.getX()).getElementType().isF32() && constantValue(conv.getFilter()) &&
              (!conv.getBias() || constantValue(conv.getBias()));
  return fits ? conv : ConvOp();
}

namespace {
/// conv(x) * c and conv(x) + c, with c constant per channel.
template <typename OpTy> struct FoldIntoConv : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Value other = op->getOperand(1);
    ConvOp conv = foldableConv(op->getOperand(0));
    if (!conv && !isa<SubOp, DivOp>(op.getOperation())) {
      conv = foldableConv(op->getOperand(1));
      other = op->getOperand(0);
    }
    if (!conv || conv.getType() != op->getResult(0).getType()) {
      return rewriter.notifyMatchFailure(op, "no convolution with constant weights");
    }
    RankedTensorType type = conv.getType();
    int64_t channels = type.getDimSize(1);
    if (channels == 0) {
      return rewriter.notifyMatchFailure(op, "no channels");
    }
    std::optional<std::vector<float>> factor = perChannel(other, type.getRank(), channels);
    if (!factor) {
      return rewriter.notifyMatchFailure(op, "not constant per channel");
    }
    std::vector<float> bias(channels, 0.0f);
    if (conv.getBias()) {
      bias = floatsOf(constantValue(conv.getBias()));
    }
    Value filter = conv.getFilter();
    Location loc = conv.getLoc();
    if (isa<MulOp, DivOp>(op.getOperation())) {
      std::vector<float> weights = floatsOf(constantValue(filter));
      size_t each = weights.size() / channels;
      for (int64_t c = 0; c < channels; ++c) {
        auto scale = [&](float &value) {
          value = isa<MulOp>(op.getOperation()) ? value * (*factor)[c] : value / (*factor)[c];
        };
        for (size_t i = 0; i < each; ++i) {
          scale(weights[c * each + i]);
        }
        scale(bias[c]);
      }
      filter = makeFloats(rewriter, loc, typeOf(filter), weights);
    } else {
      for (int64_t c = 0; c < channels; ++c) {
        bias[c] += isa<AddOp>(op.getOperation()) ? (*factor)[c] : -(*factor)[c];
      }
    }
    auto biasType = RankedTensorType::get({channels}, type.getElementType());
    SmallVector<Value> operands{conv.getX(), filter, makeFloats(rewriter, loc, biasType, bias)};
    rewriter.replaceOpWithNewOp<ConvOp>(op, TypeRange{type}, operands, conv->getAttrs());
    return success();
  }
};

struct FoldBatchNormPass : modelc::impl::FoldBatchNormPassBase<FoldBatchNormPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<FoldIntoConv<AddOp>, FoldIntoConv<SubOp>, FoldIntoConv<MulOp>, FoldIntoConv<DivOp>>(
            &getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
