//===- ChangeLayout.cpp - channels last inside models ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"
#include "passes/Transposes.h"

namespace modelc {
#define GEN_PASS_DEF_CHANGELAYOUTPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Where the dimensions of a channels-first tensor are in a channels-last one.
static SmallVector<int64_t> firstFromLast(int64_t rank) {
  SmallVector<int64_t> order{0, rank - 1};
  llvm::append_range(order, llvm::seq<int64_t>(1, rank - 1));
  return order;
}

/// The inverse of firstFromLast.
static SmallVector<int64_t> lastFromFirst(int64_t rank) {
  SmallVector<int64_t> order{0};
  llvm::append_range(order, llvm::seq<int64_t>(2, rank));
  order.push_back(1);
  return order;
}

/// The channels-last tensor that `value` is the channels-first order of, if it
/// comes from one.
static Value channelsLastSource(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  if (!op || shapeOf(value).size() < 3 ||
      op.getPermutation() != ArrayRef<int64_t>(firstFromLast(shapeOf(value).size()))) {
    return {};
  }
  return op.getX();
}

static Value toChannelsLast(PatternRewriter &rewriter, Location loc, Value value) {
  if (Value source = channelsLastSource(value)) {
    return source;
  }
  return makeTranspose(rewriter, loc, value, lastFromFirst(shapeOf(value).size()));
}

/// `op` with other operands and attributes; its result types follow from them.
static FailureOr<Operation *> rebuild(PatternRewriter &rewriter, Operation *op, ValueRange operands,
                                      ArrayRef<NamedAttribute> changed = {}) {
  NamedAttrList attributes(op->getAttrs());
  for (NamedAttribute attribute : changed) {
    attributes.set(attribute.getName(), attribute.getValue());
  }
  OperationState state(op->getLoc(), op->getName(), operands, {}, attributes);
  SmallVector<Type> types;
  auto infer = op->getName().getInterface<InferTypeOpInterface>();
  if (!infer || failed(infer->inferReturnTypes(op->getContext(), std::nullopt, state.operands,
                                               attributes.getDictionary(op->getContext()),
                                               OpaqueProperties(nullptr), RegionRange(), types))) {
    return failure();
  }
  state.addTypes(types);
  return rewriter.create(state);
}

/// Replaces the first result of `op`, which has channels first, by that of
/// `made`, which has them last; nobody uses other results.
static void replaceByLast(PatternRewriter &rewriter, Operation *op, Operation *made) {
  Value result = made->getResult(0);
  Value first =
      makeTranspose(rewriter, op->getLoc(), result, firstFromLast(shapeOf(result).size()));
  SmallVector<Value> replacements{first};
  for (Value other : llvm::drop_begin(made->getResults())) {
    replacements.push_back(other);
  }
  rewriter.replaceOp(op, replacements);
}

/// The elements of an array attribute in channels-last order.
template <typename T> static SmallVector<T> reordered(ArrayRef<T> values) {
  SmallVector<T> result;
  for (int64_t dim : lastFromFirst(values.size())) {
    result.push_back(values[dim]);
  }
  return result;
}

namespace {

/// Convolutions for which there is vector code.
template <typename OpTy> struct ConvToChannelsLast : OpRewritePattern<OpTy> {
  ConvToChannelsLast(MLIRContext *context, int64_t vectorBytes)
      : OpRewritePattern<OpTy>(context), vectorBytes(vectorBytes) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    int64_t rank = shapeOf(op.getX()).size();
    Type element = typeOf(op.getX()).getElementType();
    if (op.getChannelsLast() || rank < 3 || rank > 4 || !(element.isF32() || element.isF64()) ||
        !fillsVectors(op)) {
      return rewriter.notifyMatchFailure(op, "no vector code for it");
    }
    SmallVector<Value> operands(op->getOperands());
    operands[0] = toChannelsLast(rewriter, op.getLoc(), op.getX());
    FailureOr<Operation *> made =
        rebuild(rewriter, op, operands,
                {{rewriter.getStringAttr("channels_last"), rewriter.getUnitAttr()}});
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    replaceByLast(rewriter, op, *made);
    return success();
  }

private:
  /// Lanes lie along the outputs of a group, or along groups of one channel. A
  /// quarter of a vector is still more than plain loops use.
  bool fillsVectors(OpTy op) const {
    int64_t groups = op.getGroups(), inputs = shapeOf(op.getX())[1];
    int64_t outputs = shapeOf(op.getResult())[1];
    int64_t lanes = vectorBytes * 8 / typeOf(op.getX()).getElementTypeBitWidth();
    return groups == 1 || (groups == inputs && inputs == outputs) || outputs / groups * 4 >= lanes;
  }

  int64_t vectorBytes;
};

/// Pools whose input has channels last.
struct SinkThroughPool : RewritePattern {
  explicit SinkThroughPool(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<MaxPoolOp, AveragePoolOp, LpPoolOp>(op) || op->hasAttr("channels_last")) {
      return rewriter.notifyMatchFailure(op, "not a pool with channels first");
    }
    Value source = channelsLastSource(op->getOperand(0));
    if (!source ||
        llvm::any_of(op->getResults().drop_front(), [](Value v) { return !v.use_empty(); })) {
      return rewriter.notifyMatchFailure(op, "positions would change, or channels are first");
    }
    FailureOr<Operation *> made = rebuild(
        rewriter, op, source, {{rewriter.getStringAttr("channels_last"), rewriter.getUnitAttr()}});
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    // The positions, which nobody uses, have another type now.
    rewriter.replaceAllUsesWith(
        op->getResult(0), makeTranspose(rewriter, op->getLoc(), (*made)->getResult(0),
                                        firstFromLast(shapeOf((*made)->getResult(0)).size())));
    rewriter.eraseOp(op);
    return success();
  }
};

struct SinkThroughElementwise : OpInterfaceRewritePattern<ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOpInterface op,
                                PatternRewriter &rewriter) const override {
    int64_t rank = shapeOf(op->getResult(0)).size();
    SmallVector<Value> operands;
    bool any = false;
    for (Value operand : op->getOperands()) {
      Value source = shapeOf(operand).size() == static_cast<size_t>(rank)
                         ? channelsLastSource(operand)
                         : Value();
      any |= static_cast<bool>(source);
      operands.push_back(source);
    }
    if (!any) {
      return rewriter.notifyMatchFailure(op, "no operand has channels last");
    }
    for (auto [operand, last] : llvm::zip(op->getOperands(), operands)) {
      if (!last && !canReorder(operand, rank)) {
        return rewriter.notifyMatchFailure(op, "an operand would have to be moved");
      }
    }
    for (auto [operand, last] : llvm::zip(op->getOperands(), operands)) {
      if (!last) {
        last = reorder(rewriter, operand, rank);
      }
    }
    FailureOr<Operation *> made = rebuild(rewriter, op, operands);
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    replaceByLast(rewriter, op, *made);
    return success();
  }

private:
  /// At most one dimension besides the batch is longer than 1, so that a reshape
  /// reorders it.
  static bool canReorder(Value value, int64_t rank) {
    ArrayRef<int64_t> shape = shapeOf(value);
    auto isLong = [](int64_t extent) { return extent != 1; };
    int64_t outer = static_cast<int64_t>(shape.size()) == rank ? 1 : 0;
    return llvm::count_if(shape.drop_front(outer), isLong) <= 1;
  }
  /// A reshape, not a transpose: that of three dimensions would look like a
  /// tensor with channels last, and move on for ever.
  static Value reorder(PatternRewriter &rewriter, Value value, int64_t rank) {
    ArrayRef<int64_t> shape = shapeOf(value);
    if (shape.empty()) {
      return value;
    }
    SmallVector<int64_t> full(rank - shape.size(), 1), last;
    llvm::append_range(full, shape);
    for (int64_t dim : lastFromFirst(rank)) {
      last.push_back(full[dim]);
    }
    auto type = RankedTensorType::get(last, typeOf(value).getElementType());
    return rewriter.create<ReshapeOp>(value.getLoc(), type, value, last);
  }
};

struct SinkThroughConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern<ConcatOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> sources;
    for (Value input : op.getInputs()) {
      sources.push_back(channelsLastSource(input));
      if (!sources.back()) {
        return rewriter.notifyMatchFailure(op, "an operand has channels first");
      }
    }
    int64_t rank = shapeOf(op.getResult()).size();
    int64_t axis = firstFromLast(rank)[op.getAxis()];
    FailureOr<Operation *> made =
        rebuild(rewriter, op, sources,
                {{rewriter.getStringAttr("axis"), rewriter.getI64IntegerAttr(axis)}});
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    replaceByLast(rewriter, op, *made);
    return success();
  }
};

/// Ops with attributes that have an entry per dimension.
struct SinkThroughArrays : RewritePattern {
  explicit SinkThroughArrays(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Value source;
    if (!isa<SliceOp, PadOp, ResizeOp>(op) || !(source = channelsLastSource(op->getOperand(0)))) {
      return rewriter.notifyMatchFailure(op, "no operand has channels last");
    }
    auto resize = dyn_cast<ResizeOp>(op);
    if (resize && !resize.getRoi().empty()) {
      return rewriter.notifyMatchFailure(op, "resizes a region");
    }
    SmallVector<NamedAttribute> changed;
    for (NamedAttribute attribute : op->getAttrs()) {
      if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute.getValue())) {
        changed.emplace_back(attribute.getName(),
                             rewriter.getDenseI64ArrayAttr(reordered(array.asArrayRef())));
      } else if (auto floats = dyn_cast<DenseF64ArrayAttr>(attribute.getValue());
                 floats && !floats.empty()) {
        changed.emplace_back(attribute.getName(),
                             rewriter.getDenseF64ArrayAttr(reordered(floats.asArrayRef())));
      }
    }
    SmallVector<Value> operands(op->getOperands());
    operands[0] = source;
    FailureOr<Operation *> made = rebuild(rewriter, op, operands, changed);
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    replaceByLast(rewriter, op, *made);
    return success();
  }
};

/// Reductions whose result keeps its dimensions or their order.
struct SinkThroughReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern<ReduceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Value source = channelsLastSource(op.getX());
    if (!source) {
      return rewriter.notifyMatchFailure(op, "no operand has channels last");
    }
    int64_t rank = shapeOf(op.getX()).size();
    SmallVector<int64_t> axes, kept;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t place = firstFromLast(rank)[d];
      (llvm::is_contained(op.getAxes(), d) ? axes : kept).push_back(place);
    }
    if (!op.getKeepDims() && !llvm::is_sorted(kept)) {
      return rewriter.notifyMatchFailure(op, "the order of the result changes");
    }
    llvm::sort(axes);
    FailureOr<Operation *> made =
        rebuild(rewriter, op, source,
                {{rewriter.getStringAttr("axes"), rewriter.getDenseI64ArrayAttr(axes)}});
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    if (op.getKeepDims()) {
      replaceByLast(rewriter, op, *made);
    } else {
      rewriter.replaceOp(op, *made);
    }
    return success();
  }
};

/// Softmax over any dimension.
struct SinkThroughSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern<SoftmaxOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    Value source = channelsLastSource(op.getX());
    if (!source) {
      return rewriter.notifyMatchFailure(op, "no operand has channels last");
    }
    int64_t axis = firstFromLast(shapeOf(op.getX()).size())[op.getAxis()];
    FailureOr<Operation *> made = rebuild(
        rewriter, op, source, {{rewriter.getStringAttr("axis"), rewriter.getI64IntegerAttr(axis)}});
    if (failed(made)) {
      return rewriter.notifyMatchFailure(op, "cannot be rebuilt");
    }
    replaceByLast(rewriter, op, *made);
    return success();
  }
};

struct ChangeLayoutPass : modelc::impl::ChangeLayoutPassBase<ChangeLayoutPass> {
  using Base::Base;

  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<TargetAttr>("modelc.target");
    if (!target || target.getVectorBytes() < 16) {
      return;
    }
    RewritePatternSet convolutions(&getContext());
    convolutions.add<ConvToChannelsLast<ConvOp>, ConvToChannelsLast<ConvTransposeOp>>(
        &getContext(), target.getVectorBytes());
    bool changed = false;
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(convolutions),
                                            GreedyRewriteConfig(), &changed))) {
      return signalPassFailure();
    }
    // Without convolutions transposes are the model's own, and stay.
    if (!changed) {
      return;
    }
    RewritePatternSet patterns(&getContext());
    populateTransposePatterns(patterns);
    patterns.add<SinkThroughPool, SinkThroughElementwise, SinkThroughConcat, SinkThroughArrays,
                 SinkThroughReduce, SinkThroughSoftmax>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
