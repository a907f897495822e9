//===- Simplify.cpp - remove what moves nothing ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {

/// An op whose result has its operand's shape and changes nothing.
template <typename OpTy> struct DropIdentity : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (op->getOperand(0).getType() != op->getResult(0).getType()) {
      return rewriter.notifyMatchFailure(op, "the type changes");
    }
    if (auto transpose = dyn_cast<TransposeOp>(op.getOperation())) {
      if (!llvm::equal(transpose.getPermutation(),
                       llvm::seq<int64_t>(0, transpose.getPermutation().size()))) {
        return rewriter.notifyMatchFailure(op, "the order changes");
      }
    }
    if (auto slice = dyn_cast<SliceOp>(op.getOperation())) {
      if (llvm::any_of(slice.getSteps(), [](int64_t step) { return step != 1; })) {
        return rewriter.notifyMatchFailure(op, "the order changes");
      }
    }
    if (auto pad = dyn_cast<PadOp>(op.getOperation())) {
      if (llvm::any_of(pad.getBefore(), [](int64_t count) { return count != 0; })) {
        return rewriter.notifyMatchFailure(op, "elements move");
      }
    }
    rewriter.replaceOp(op, op->getOperand(0));
    return success();
  }
};

struct JoinReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<ReshapeOp>();
    if (!before) {
      return rewriter.notifyMatchFailure(op, "not a reshape of a reshape");
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), before.getX(), op.getShape());
    return success();
  }
};

struct JoinTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern<TransposeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<TransposeOp>();
    if (!before) {
      return rewriter.notifyMatchFailure(op, "not a transpose of a transpose");
    }
    SmallVector<int64_t> order;
    for (int64_t dim : op.getPermutation()) {
      order.push_back(before.getPermutation()[dim]);
    }
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before.getX(),
                                             rewriter.getDenseI64ArrayAttr(order));
    return success();
  }
};

/// A transpose that keeps the order of all dimensions longer than 1 moves no
/// element.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern<TransposeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    int64_t last = -1;
    for (int64_t dim : op.getPermutation()) {
      if (shapeOf(op.getX())[dim] == 1) {
        continue;
      }
      if (dim < last) {
        return rewriter.notifyMatchFailure(op, "elements move");
      }
      last = dim;
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(), shapeOf(op.getResult()));
    return success();
  }
};

struct BroadcastToReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern<BroadcastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    if (type.getNumElements() != op.getType().getNumElements()) {
      return rewriter.notifyMatchFailure(op, "elements are repeated");
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(), op.getShape());
    return success();
  }
};

/// Elementwise ops broadcast their operands themselves.
template <typename OpTy> struct DropBroadcast : OpInterfaceRewritePattern<OpTy> {
  using OpInterfaceRewritePattern<OpTy>::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    for (OpOperand &operand : op->getOpOperands()) {
      auto broadcast = operand.get().template getDefiningOp<BroadcastOp>();
      if (!broadcast) {
        continue;
      }
      SmallVector<int64_t> shape;
      for (OpOperand &other : op->getOpOperands()) {
        Value value = &other == &operand ? broadcast.getX() : other.get();
        auto joined = broadcastShapes(shape, shapeOf(value));
        if (failed(joined)) {
          return rewriter.notifyMatchFailure(op, "shapes do not fit");
        }
        shape = *joined;
      }
      if (ArrayRef<int64_t>(shape) == result.getShape()) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(broadcast.getX()); });
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no operand is a needless broadcast");
  }
};

struct JoinSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern<SliceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<SliceOp>();
    if (!before) {
      return rewriter.notifyMatchFailure(op, "not a slice of a slice");
    }
    SmallVector<int64_t> starts, steps;
    for (size_t d = 0; d < op.getStarts().size(); ++d) {
      // Starts and steps that no element depends on may be anything.
      if (op.getSizes()[d] == 0) {
        starts.push_back(0);
        steps.push_back(1);
        continue;
      }
      starts.push_back(before.getStarts()[d] + op.getStarts()[d] * before.getSteps()[d]);
      steps.push_back(op.getSizes()[d] == 1 ? 1 : op.getSteps()[d] * before.getSteps()[d]);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), before.getX(),
                                         rewriter.getDenseI64ArrayAttr(starts), op.getSizesAttr(),
                                         rewriter.getDenseI64ArrayAttr(steps));
    return success();
  }
};

/// A gather at constant indices that follow each other evenly is a slice.
struct GatherToSlice : OpRewritePattern<GatherOp> {
  using OpRewritePattern<GatherOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    ElementsAttr constant = constantValue(op.getIndices());
    if (!constant || constant.getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "the indices are not known");
    }
    int64_t axis = op.getAxis(), extent = shapeOf(op.getX())[axis];
    SmallVector<int64_t> indices = *constantIntegers(constant);
    for (int64_t &i : indices) {
      i = i < 0 && !op.getClamped() ? i + extent : i;
      if (i < 0 || i >= extent) {
        return rewriter.notifyMatchFailure(op, "an index is out of range");
      }
    }
    int64_t step = indices.size() > 1 ? indices[1] - indices[0] : 1;
    for (size_t i = 1; i < indices.size(); ++i) {
      if (indices[i] - indices[i - 1] != step || step == 0) {
        return rewriter.notifyMatchFailure(op, "the indices are uneven");
      }
    }
    ArrayRef<int64_t> shape = shapeOf(op.getX());
    SmallVector<int64_t> starts(shape.size(), 0), sizes(shape), steps(shape.size(), 1);
    starts[axis] = indices[0];
    sizes[axis] = indices.size();
    steps[axis] = step;
    auto type = RankedTensorType::get(sizes, op.getType().getElementType());
    Value slice = rewriter.create<SliceOp>(op.getLoc(), type, op.getX(), starts, sizes, steps);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), slice, shapeOf(op.getResult()));
    return success();
  }
};

/// Empty parts of a concatenation disappear; one part alone needs none.
struct SimplifyConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern<ConcatOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    llvm::copy_if(op.getInputs(), std::back_inserter(parts), [](Value input) {
      return cast<RankedTensorType>(input.getType()).getNumElements() != 0;
    });
    if (parts.size() == 1) {
      rewriter.replaceOp(op, parts.front());
      return success();
    }
    if (parts.empty() || parts.size() == op.getInputs().size()) {
      return rewriter.notifyMatchFailure(op, "no part is empty");
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, op.getAxisAttr());
    return success();
  }
};

/// The only element of a constant of equal elements.
static std::optional<double> splatValue(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  if (!dense) {
    return std::nullopt;
  }
  auto element = dense.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element)) {
    return number.getValueAsDouble();
  }
  APInt integer = cast<IntegerAttr>(element).getValue();
  if (!integer.isSingleWord()) {
    return std::nullopt;
  }
  bool isUnsigned = dense.getElementType().isUnsignedInteger();
  return isUnsigned ? static_cast<double>(integer.getZExtValue())
                    : static_cast<double>(integer.getSExtValue());
}

/// Squares, cubes and reciprocals: the general power takes fifty times as long.
struct PowToProduct : OpRewritePattern<PowOp> {
  using OpRewritePattern<PowOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    Value x = op.getX();
    std::optional<double> exponent = splatValue(op.getY());
    if (!exponent || x.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "the exponent is not one number");
    }
    bool isFloat = isa<FloatType>(op.getType().getElementType());
    if (!isFloat && isa<FloatType>(getElementTypeOrSelf(op.getY().getType()))) {
      return rewriter.notifyMatchFailure(op, "a power in floats saturates");
    }
    if (*exponent == 1) {
      rewriter.replaceOp(op, x);
      return success();
    }
    if (*exponent == 2) {
      rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), x, x);
      return success();
    }
    if (*exponent == 3) {
      Value square = rewriter.create<MulOp>(op.getLoc(), op.getType(), x, x);
      rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), square, x);
      return success();
    }
    if (*exponent == -1 && isFloat) {
      rewriter.replaceOpWithNewOp<ReciprocalOp>(op, op.getType(), x);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no short product");
  }
};

struct SimplifyPass : modelc::impl::SimplifyPassBase<SimplifyPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DropIdentity<ReshapeOp>, DropIdentity<TransposeOp>, DropIdentity<BroadcastOp>,
                 DropIdentity<SliceOp>, DropIdentity<PadOp>, DropIdentity<CastOp>, JoinReshapes,
                 JoinTransposes, TransposeToReshape, BroadcastToReshape,
                 DropBroadcast<ElementwiseOpInterface>, JoinSlices, GatherToSlice, SimplifyConcat,
                 PowToProduct>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
