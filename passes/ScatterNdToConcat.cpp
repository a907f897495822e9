//===- ScatterNdToConcat.cpp - scattered boxes are joined tensors ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_SCATTERNDTOCONCATPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// The elements `from` .. `to` - 1 of dimension `dim`.
static Value slice(PatternRewriter &rewriter, Location loc, Value x, int64_t dim, int64_t from,
                   int64_t to) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> sizes(type.getShape()), starts(sizes.size(), 0), steps(sizes.size(), 1);
  starts[dim] = from;
  sizes[dim] = to - from;
  return rewriter.create<SliceOp>(loc, RankedTensorType::get(sizes, type.getElementType()), x,
                                  starts, sizes, steps);
}

static Value concat(PatternRewriter &rewriter, Location loc, ArrayRef<Value> parts, int64_t axis) {
  RankedTensorType type = typeOf(parts.front());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 0;
  for (Value part : parts) {
    shape[axis] += typeOf(part).getDimSize(axis);
  }
  return rewriter.create<ConcatOp>(loc, RankedTensorType::get(shape, type.getElementType()), parts,
                                   axis);
}

namespace {

/// Positions of the leading dimensions of a tensor.
struct Box {
  SmallVector<int64_t> low, size;
};

/// Updates that fill a box in order: the result is joined of them and of what
/// surrounds the box.
struct ScatterBox : OpRewritePattern<ScatterNdOp> {
  using OpRewritePattern<ScatterNdOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterNdOp op, PatternRewriter &rewriter) const override {
    std::optional<Box> box;
    if (op.getKind() == ScatterKind::Replace) {
      box = boxOf(op);
    }
    if (!box) {
      return rewriter.notifyMatchFailure(op, "the updates fill no box in order");
    }
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    SmallVector<int64_t> shape(box->size);
    llvm::append_range(shape, type.getShape().drop_front(box->size.size()));
    auto partType = RankedTensorType::get(shape, type.getElementType());
    Value result = rewriter.create<ReshapeOp>(loc, partType, op.getUpdates(), shape);
    // From the last dimension to the first: what lies before and after the box
    // there, inside it in the dimensions before.
    for (int64_t d = box->size.size() - 1; d >= 0; --d) {
      Value around = op.getX();
      for (int64_t outer = 0; outer < d; ++outer) {
        around = slice(rewriter, loc, around, outer, box->low[outer],
                       box->low[outer] + box->size[outer]);
      }
      SmallVector<Value, 3> parts;
      int64_t end = box->low[d] + box->size[d];
      if (box->low[d] != 0) {
        parts.push_back(slice(rewriter, loc, around, d, 0, box->low[d]));
      }
      parts.push_back(result);
      if (end != type.getDimSize(d)) {
        parts.push_back(slice(rewriter, loc, around, d, end, type.getDimSize(d)));
      }
      result = parts.size() == 1 ? result : concat(rewriter, loc, parts, d);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static std::optional<Box> boxOf(ScatterNdOp op) {
    ElementsAttr constant = constantValue(op.getIndices());
    if (!constant || constant.getNumElements() == 0 || op.getType().getNumElements() == 0) {
      return std::nullopt;
    }
    int64_t rank = typeOf(op.getIndices()).getShape().back();
    SmallVector<int64_t> indices = *constantIntegers(constant);
    Box box;
    int64_t count = 1;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t extent = op.getType().getDimSize(d), low = extent, high = -1;
      for (size_t i = d; i < indices.size(); i += rank) {
        indices[i] = indices[i] < 0 ? indices[i] + extent : indices[i];
        if (indices[i] < 0 || indices[i] >= extent) {
          return std::nullopt;
        }
        low = std::min(low, indices[i]);
        high = std::max(high, indices[i]);
      }
      box.low.push_back(low);
      box.size.push_back(high - low + 1);
      count *= box.size.back();
    }
    if (count * rank != static_cast<int64_t>(indices.size())) {
      return std::nullopt;
    }
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t d = rank - 1, rest = i; d >= 0; --d) {
        if (indices[i * rank + d] != box.low[d] + rest % box.size[d]) {
          return std::nullopt;
        }
        rest /= box.size[d];
      }
    }
    return box;
  }
};

/// A slice of joined tensors is joined of slices of those that it touches.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern<SliceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto joined = op.getX().getDefiningOp<ConcatOp>();
    if (!joined || op.getType().getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "no slice of a concat");
    }
    int64_t axis = joined.getAxis();
    int64_t from = op.getStarts()[axis], to = from + op.getSizes()[axis], at = 0;
    if (op.getSteps()[axis] != 1) {
      return rewriter.notifyMatchFailure(op, "not every element of the axis");
    }
    SmallVector<std::pair<Value, int64_t>> touched; // with their positions
    for (Value part : joined.getInputs()) {
      int64_t size = typeOf(part).getDimSize(axis);
      if (at < to && at + size > from && size != 0) {
        touched.push_back({part, at});
      }
      at += size;
    }
    if (touched.size() > 1 && touched.size() == joined.getInputs().size()) {
      return rewriter.notifyMatchFailure(op, "no part is left out");
    }
    SmallVector<Value> parts;
    for (auto [part, position] : touched) {
      SmallVector<int64_t> starts(op.getStarts()), sizes(op.getSizes());
      int64_t size = typeOf(part).getDimSize(axis);
      starts[axis] = std::max<int64_t>(from - position, 0);
      sizes[axis] = std::min(to - position, size) - starts[axis];
      parts.push_back(rewriter.create<SliceOp>(
          op.getLoc(), RankedTensorType::get(sizes, op.getType().getElementType()), part, starts,
          sizes, SmallVector<int64_t>(op.getSteps())));
    }
    rewriter.replaceOp(op, parts.size() == 1 ? parts.front()
                                             : concat(rewriter, op.getLoc(), parts, axis));
    return success();
  }
};

struct JoinConcats : OpRewritePattern<ConcatOp> {
  using OpRewritePattern<ConcatOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatOp>();
      if (inner && inner.getAxis() == op.getAxis() && inner->hasOneUse()) {
        llvm::append_range(parts, inner.getInputs());
      } else {
        parts.push_back(input);
      }
    }
    if (parts.size() == op.getInputs().size()) {
      return rewriter.notifyMatchFailure(op, "no part is joined along the same axis");
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, op.getAxisAttr());
    return success();
  }
};

struct ScatterNdToConcatPass : modelc::impl::ScatterNdToConcatPassBase<ScatterNdToConcatPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ScatterBox, SliceOfConcat, JoinConcats>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
