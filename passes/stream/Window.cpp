//===- Window.cpp - windows that slide along streams ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

/// The spatial dimension that is time, or none: batch (-1) or channels (-2).
static int64_t spatialOf(Operation *op, const StreamFact &fact) {
  int64_t rank = shapeOf(fact.value).size();
  bool channelsLast = op->hasAttr("channels_last");
  if (fact.axis == 0) {
    return -1;
  }
  if (fact.axis == (channelsLast ? rank - 1 : 1)) {
    return -2;
  }
  return fact.axis - (channelsLast ? 1 : 2);
}

/// For the other dimensions than the spatial ones.
static LogicalResult windowElsewhere(Streamer &s, Operation *op, StreamFact fact, int64_t spatial) {
  if (spatial == -2) {
    return s.refuse(op, "it combines all of time, which are its channels");
  }
  fact = s.fromStart(op, fact);
  SmallVector<Value> operands{fact.value};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    operands.push_back(s.fixed(operand));
  }
  FailureOr<Operation *> made = s.rebuild(op, operands);
  return failed(made) ? failure() : stream::defineResults(s, op, *made, fact, 0);
}

static LogicalResult refuseStreamedWeights(Streamer &s, Operation *op) {
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    if (s.isStreamed(operand)) {
      return s.refuse(op, "its weights change in time");
    }
  }
  return success();
}

/// Window q reads the samples from q * stride on. With the result's delay e, that
/// is the smallest with which the last window of a call ends in it, windows start
/// e * stride - delay samples before the call. A window at the end of time that
/// reads an extension needs what that repeats, up to `margin` samples before it.
FailureOr<StreamFact> stream::slide(Streamer &s, Operation *op, StreamFact fact,
                                    const Window &window) {
  if (fact.extension && (window.before != 0 || window.after != 0)) {
    fact = extended(s, op, fact);
  }
  fact = s.padded(op, fact, window.before, window.after, window.fill);
  StreamRate rate = fact.rate.times(1, window.stride);
  FailureOr<int64_t> hop = s.hopOf(op, rate);
  if (failed(hop)) {
    return failure();
  }
  int64_t delay =
      std::max<int64_t>(llvm::divideFloorSigned(fact.delay + window.reach, window.stride), 0);
  int64_t margin = 0;
  if (fact.extension) {
    int64_t after = fact.extension->after;
    delay = std::max(delay, firstComplete(fact, window.skipped) * *hop);
    margin = std::max<int64_t>(after + fact.extension->mirrored(after) - window.reach, 0);
  }
  int64_t history = delay * window.stride - fact.delay;
  int64_t needed = (*hop - 1) * window.stride + window.reach + 1;
  int64_t count = std::max<int64_t>(history, 0) + margin;
  Value samples =
      fact.extension ? withExtendedHistory(s, op, fact, count) : s.withHistory(op, fact, count);
  fact.extension.reset();
  fact.value = s.slice(op->getLoc(), samples, fact.axis, count - history, needed);
  fact.rate = rate;
  fact.delay = delay;
  fact.fill = {};
  fact.length = llvm::divideFloorSigned(fact.length - window.reach - 1, window.stride) + 1;
  return fact;
}

LogicalResult stream::conv(Streamer &s, ConvOp op) {
  if (failed(refuseStreamedWeights(s, op))) {
    return failure();
  }
  StreamFact fact = *s.fact(op.getX());
  int64_t time = spatialOf(op, fact);
  if (time < 0) {
    return windowElsewhere(s, op, fact, time);
  }
  int64_t kernel = shapeOf(op.getFilter())[2 + time];
  Type element = cast<RankedTensorType>(op.getX().getType()).getElementType();
  Window window{(kernel - 1) * op.getDilations()[time], op.getStrides()[time],
                op.getPadsBegin()[time], op.getPadsEnd()[time], s.builder().getZeroAttr(element)};
  FailureOr<StreamFact> samples = slide(s, op, fact, window);
  if (failed(samples)) {
    return failure();
  }
  SmallVector<Value> operands{samples->value};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    operands.push_back(s.fixed(operand));
  }
  FailureOr<Operation *> made =
      s.rebuild(op, operands,
                {changedArray(s, "pads_begin", op.getPadsBegin(), time, 0),
                 changedArray(s, "pads_end", op.getPadsEnd(), time, 0)});
  return failed(made) ? failure() : defineResults(s, op, *made, *samples, fact.axis);
}

/// Sample q of the uncropped result sums over the inputs i with q = i * stride
/// + k * dilation, so those of the last (reach - stride) / stride earlier inputs
/// are needed beside this call's; what pads_begin crops is delay.
LogicalResult stream::convTranspose(Streamer &s, ConvTransposeOp op) {
  if (failed(refuseStreamedWeights(s, op))) {
    return failure();
  }
  StreamFact fact = *s.fact(op.getX());
  int64_t time = spatialOf(op, fact);
  if (time < 0) {
    return windowElsewhere(s, op, fact, time);
  }
  int64_t stride = op.getStrides()[time];
  int64_t reach = (shapeOf(op.getFilter())[2 + time] - 1) * op.getDilations()[time] + 1;
  Type element = cast<RankedTensorType>(op.getX().getType()).getElementType();
  // Before its start the input counts as zero. Zeros that the stream leaves out
  // add nothing, if all of what they would spread to is cropped.
  Attribute zero = s.builder().getZeroAttr(element);
  int64_t cropped = op.getPadsBegin()[time] / stride;
  fact = s.delayed(op, fact, std::max(fact.delay, fact.fill == zero ? -cropped : 0));
  int64_t hop = fact.hop();
  int64_t history = std::max<int64_t>(llvm::divideCeilSigned(reach - stride, stride), 0);
  if (op.getPadsBegin()[time] + op.getPadsEnd()[time] + history > 0) {
    fact = s.filledAfter(op, fact, zero);
  }
  fact = s.filledBefore(op, fact, zero);
  StreamRate rate = fact.rate.times(stride, 1);
  if (failed(s.hopOf(op, rate))) {
    return failure();
  }
  SmallVector<Value> operands{s.withHistory(op, fact, history)};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    operands.push_back(s.fixed(operand));
  }
  // All of the uncropped result but the samples of this call.
  int64_t length = (history + hop - 1) * stride + reach;
  int64_t before = history * stride, after = length - before - hop * stride;
  FailureOr<Operation *> made =
      s.rebuild(op, operands,
                {changedArray(s, "pads_begin", op.getPadsBegin(), time, before),
                 changedArray(s, "pads_end", op.getPadsEnd(), time, std::max<int64_t>(after, 0)),
                 changedArray(s, "output_padding", op.getOutputPadding(), time,
                              std::max<int64_t>(-after, 0))});
  if (failed(made)) {
    return failure();
  }
  fact.rate = rate;
  fact.delay = fact.delay * stride + op.getPadsBegin()[time];
  fact.length = (fact.length - 1) * stride + reach + op.getOutputPadding()[time] -
                op.getPadsBegin()[time] - op.getPadsEnd()[time];
  return defineResults(s, op, *made, fact, fact.axis);
}

/// What no maximum is less than.
static Attribute smallest(Type element) {
  if (auto type = dyn_cast<FloatType>(element)) {
    return FloatAttr::get(type, llvm::APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = width == 1 || element.isUnsignedInteger();
  return IntegerAttr::get(element,
                          isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width));
}

LogicalResult stream::pool(Streamer &s, Operation *op) {
  StreamFact fact = *s.fact(op->getOperand(0));
  int64_t time = spatialOf(op, fact);
  if (time == -1) {
    return windowElsewhere(s, op, fact, time);
  }
  auto array = [&](StringRef name) {
    auto attr = op->getAttrOfType<DenseI64ArrayAttr>(name);
    return attr ? attr.asArrayRef() : ArrayRef<int64_t>();
  };
  ArrayRef<int64_t> kernel = array("kernel"), sizes = array("sizes"), begin = array("pads_begin");
  if (op->getNumResults() > 1 && !op->getResult(1).use_empty()) {
    return s.refuse(op, "its positions count from the start of time");
  }
  if (time == -2) { // pools do not combine channels
    fact = s.fromStart(op, fact);
    FailureOr<Operation *> made = s.rebuild(op, fact.value);
    return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
  }
  int64_t stride = array("strides")[time], reach = (kernel[time] - 1) * array("dilations")[time];
  int64_t extent = shapeOf(op->getOperand(0))[fact.axis];
  int64_t after =
      std::max<int64_t>((sizes[time] - 1) * stride + reach + 1 - begin[time] - extent, 0);
  Type element = cast<RankedTensorType>(fact.value.getType()).getElementType();
  Attribute fill =
      isa<MaxPoolOp>(op) ? smallest(element) : Attribute(s.builder().getZeroAttr(element));
  if (isa<AveragePoolOp>(op)) {
    if (!op->hasAttr("count_pads") && begin[time] + after > 0) {
      return s.refuse(op, "it averages over fewer samples at the start and the end of time");
    }
    if (after > array("pads_end")[time]) {
      return s.refuse(op, "its last average is over fewer samples than the others");
    }
  }
  FailureOr<StreamFact> samples = slide(s, op, fact, {reach, stride, begin[time], after, fill});
  if (failed(samples)) {
    return failure();
  }
  int64_t hop = (shapeOf(samples->value)[fact.axis] - reach - 1) / stride + 1;
  SmallVector<NamedAttribute> changed{changedArray(s, "pads_begin", begin, time, 0),
                                      changedArray(s, "sizes", sizes, time, hop)};
  if (!array("pads_end").empty()) {
    changed.push_back(changedArray(s, "pads_end", array("pads_end"), time, 0));
  }
  FailureOr<Operation *> made = s.rebuild(op, samples->value, changed);
  return failed(made) ? failure() : defineResults(s, op, *made, *samples, fact.axis);
}
