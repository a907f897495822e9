// ONNX operators that normalize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

using namespace mlir;

namespace modelc {

/// `x * factor + shift` with the statistics of training. Factor and shift are
/// built from the operands, so that they fold to constants.
static LogicalResult importBatchNorm(NodeBinder &b) {
  if (b.version() >= 14 ? b.flagAttr("training_mode") : b.numOutputs() > 1 && b.hasOutput(1)) {
    return b.error("unsupported training mode");
  }
  if (b.rank(0) < 1) {
    return b.error("expected a batch");
  }
  // Old versions can have one factor per element of a batch entry.
  bool isSpatial = b.version() >= 9 || b.flagAttr("spatial", true);
  llvm::SmallVector<int64_t> shape;
  if (isSpatial) {
    shape.assign(std::max<int64_t>(b.rank(0) - 1, 1), 1);
    shape[0] = b.rank(0) > 1 ? b.shape(0)[1] : 1;
  } else {
    shape.assign(b.shape(0).begin() + 1, b.shape(0).end());
  }
  Value scale = b.input(1), shift = b.input(2), mean = b.input(3), variance = b.input(4);
  Type element = b.typeOf(variance).getElementType();
  Value spread =
      b.create<SqrtOp>(b.create<AddOp>({variance, b.splat(element, b.floatAttr("epsilon", 1e-5))}));
  // Statistics may be more precise than the data.
  Value factor = b.create<DivOp>({b.cast(scale, element), spread});
  Value offset =
      b.create<SubOp>({b.cast(shift, element), b.create<MulOp>({b.cast(mean, element), factor})});
  Type own = b.elementType(0);
  Value scaled = b.create<MulOp>({b.input(0), b.reshape(b.cast(factor, own), shape)});
  return b.setResult(0, b.create<AddOp>({scaled, b.reshape(b.cast(offset, own), shape)}));
}

static LogicalResult importInstanceNorm(NodeBinder &b) {
  if (b.rank(0) < 2) {
    return b.error("expected rank 2 or more, got " + llvm::Twine(b.rank(0)));
  }
  return b.setResult(0, b.create<GroupNormOp>({b.input(0), b.input(1), b.input(2)},
                                              {b.named("groups", b.shape(0)[1]),
                                               b.named("epsilon", b.floatAttr("epsilon", 1e-5))}));
}

static LogicalResult importGroupNorm(NodeBinder &b) {
  int64_t groups = b.intAttr("num_groups");
  if (b.rank(0) < 2 || groups < 1 || b.shape(0)[1] % groups != 0) {
    return b.attrError("num_groups", "a divisor of the number of channels", llvm::Twine(groups));
  }
  int64_t channels = b.shape(0)[1];
  // Version 18 has one factor per group, version 21 one per channel.
  auto perChannel = [&](Value value) {
    if (b.version() >= 21) {
      return value;
    }
    llvm::SmallVector<int64_t> wide = {groups, channels / groups};
    return b.reshape(b.create<BroadcastOp>(b.reshape(value, {groups, 1}), b.named("shape", wide)),
                     {channels});
  };
  return b.setResult(
      0, b.create<GroupNormOp>(
             {b.input(0), perChannel(b.input(1)), perChannel(b.input(2))},
             {b.named("groups", groups), b.named("epsilon", b.floatAttr("epsilon", 1e-5))}));
}

/// Layer normalization; `isRms` leaves the mean out.
static LogicalResult importLayerNorm(NodeBinder &b, bool isRms) {
  if (b.numInputs() < 2 || !b.hasInput(0) || !b.hasInput(1)) {
    return b.error("expected data and scale");
  }
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", -1), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  Type element = b.elementType(0);
  Value shift = !isRms && b.hasInput(2) ? b.input(2) : b.splat(element, 0.0);
  llvm::SmallVector<NamedAttribute> attributes = {b.named("axis", *axis),
                                                  b.named("epsilon", b.floatAttr("epsilon", 1e-5))};
  if (isRms) {
    attributes.push_back(b.unit("rms"));
  }
  llvm::SmallVector<Value> results = b.createAll<LayerNormOp>(
      {b.input(0), b.cast(b.input(1), element), b.cast(shift, element)}, attributes);
  if (isRms && b.hasOutput(1)) {
    results[1] = results[2]; // no mean: the reciprocal of the root is second
  }
  return b.setResults(results);
}

static LogicalResult importLayerNormalization(NodeBinder &b) {
  return importLayerNorm(b, /*isRms=*/false);
}

static LogicalResult importRmsNormalization(NodeBinder &b) {
  return importLayerNorm(b, /*isRms=*/true);
}

static LogicalResult importLrn(NodeBinder &b) {
  return b.setResult(
      0, b.create<LocalResponseNormOp>(b.input(0), {b.named("size", b.intAttr("size")),
                                                    b.named("alpha", b.floatAttr("alpha", 1e-4)),
                                                    b.named("beta", b.floatAttr("beta", 0.75)),
                                                    b.named("bias", b.floatAttr("bias", 1.0))}));
}

static LogicalResult importLpNormalization(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", -1), b.rank(0));
  int64_t p = b.intAttr("p", 2);
  if (failed(axis)) {
    return failure();
  }
  if (p != 1 && p != 2) {
    return b.attrError("p", "1 or 2", llvm::Twine(p));
  }
  llvm::SmallVector<int64_t> axes = {*axis};
  Value norm = b.create<ReduceOp>(
      b.input(0),
      {b.named("kind", ReduceKindAttr::get(b.context(), p == 1 ? ReduceKind::L1 : ReduceKind::L2)),
       b.named("axes", axes), b.named("keep_dims", true)});
  // Version 22: where the norm is 0 the result is 0.
  Value zero = b.splat(b.elementType(0), 0.0);
  Value quotient = b.create<DivOp>({b.input(0), norm});
  return b.setResult(0, b.create<SelectOp>({b.create<EqualOp>({norm, zero}), zero, quotient}));
}

void registerNormOps(OpRegistry &ops) {
  ops.add("BatchNormalization", 1, importBatchNorm);
  ops.add("GroupNormalization", 1, importGroupNorm);
  ops.add("InstanceNormalization", 1, importInstanceNorm);
  ops.add("LRN", 1, importLrn);
  // Older opsets do not have the operator, but ONNX Runtime takes it there.
  ops.add("LayerNormalization", 1, importLayerNormalization);
  ops.add("LpNormalization", 1, importLpNormalization);
  ops.add("RMSNormalization", 1, importRmsNormalization);
  ops.add("SimplifiedLayerNormalization", 1, importRmsNormalization);
}

} // namespace modelc
