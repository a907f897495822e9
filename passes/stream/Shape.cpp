//===- Shape.cpp - elements of streams move -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

static int64_t product(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
}

/// Where time is in the result of a reshape: the dimension with as many
/// elements before it. Several have, if extents of 1 follow; then the one whose
/// extent is that of time, or else the longest.
static std::optional<int64_t> timeAfterReshape(ArrayRef<int64_t> from, int64_t axis,
                                               ArrayRef<int64_t> to) {
  int64_t outer = product(from.take_front(axis)), before = 1;
  std::optional<int64_t> best;
  for (int64_t d = 0; d < static_cast<int64_t>(to.size()); before *= to[d++]) {
    if (before == outer &&
        (!best || (to[*best] != from[axis] && (to[d] == from[axis] || to[d] > to[*best])))) {
      best = d;
    }
  }
  return best;
}

/// Time stays whole, or whole groups of its samples become elements of a
/// following dimension, or the other way around.
LogicalResult stream::reshape(Streamer &s, ReshapeOp op) {
  StreamFact fact = *s.fact(op.getX());
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = op.getShape();
  std::optional<int64_t> axis = timeAfterReshape(from, fact.axis, to);
  if (!axis) {
    return s.refuse(op, "it mixes time with the dimensions before it");
  }
  int64_t innerFrom = product(from.drop_front(fact.axis + 1));
  int64_t innerTo = product(to.drop_front(*axis + 1));
  if (innerFrom == 0 || innerTo == 0 || (innerFrom % innerTo != 0 && innerTo % innerFrom != 0)) {
    return s.refuse(op, "it mixes time with the dimensions behind it");
  }
  int64_t up = std::max<int64_t>(innerFrom / innerTo, 1);
  int64_t down = std::max<int64_t>(innerTo / innerFrom, 1);
  if (fact.extension && (up > 1 || down > 1)) {
    fact = extended(s, op, fact);
  }
  fact = s.delayed(op, fact, llvm::divideCeilSigned(fact.delay, down) * down);
  StreamRate rate = fact.rate.times(up, down);
  FailureOr<int64_t> hop = s.hopOf(op, rate);
  if (failed(hop)) {
    return failure();
  }
  SmallVector<int64_t> shape(to);
  shape[*axis] = *hop;
  FailureOr<Operation *> made = s.rebuild(op, fact.value, changedArray(s, "shape", shape));
  if (failed(made)) {
    return failure();
  }
  fact.value = (*made)->getResult(0);
  fact.axis = *axis;
  fact.rate = rate;
  fact.delay = fact.delay * up / down;
  fact.length = llvm::divideFloorSigned(fact.length * up, down);
  s.define(op.getResult(), fact);
  return success();
}

LogicalResult stream::transpose(Streamer &s, TransposeOp op) {
  StreamFact fact = *s.fact(op.getX());
  FailureOr<Operation *> made = s.rebuild(op, fact.value);
  if (failed(made)) {
    return failure();
  }
  fact.value = (*made)->getResult(0);
  fact.axis = llvm::find(op.getPermutation(), fact.axis) - op.getPermutation().begin();
  s.define(op.getResult(), fact);
  return success();
}

LogicalResult stream::broadcast(Streamer &s, BroadcastOp op) {
  StreamFact fact = *s.fact(op.getX());
  SmallVector<int64_t> shape(op.getShape());
  int64_t axis = fact.axis + shape.size() - shapeOf(op.getX()).size();
  if (shape[axis] != shapeOf(op.getX())[fact.axis]) {
    return s.refuse(op, "it repeats one sample for all of time");
  }
  shape[axis] = fact.hop();
  FailureOr<Operation *> made = s.rebuild(op, fact.value, changedArray(s, "shape", shape));
  if (failed(made)) {
    return failure();
  }
  fact.value = (*made)->getResult(0);
  fact.axis = axis;
  s.define(op.getResult(), fact);
  return success();
}

/// Along time a slice crops, or takes every n-th sample.
LogicalResult stream::slice(Streamer &s, SliceOp op) {
  StreamFact fact = *s.fact(op.getX());
  int64_t axis = fact.axis, extent = shapeOf(op.getX())[axis];
  int64_t start = op.getStarts()[axis], size = op.getSizes()[axis], step = op.getSteps()[axis];
  int64_t last = start + (size - 1) * step;
  if (step < 0) {
    return s.refuse(op, "it reverses time");
  }
  // A fixed part of a stream, not all of it but its edges, has no end.
  if (size == 0 || 2 * (last + 1 - start) < extent) {
    return s.refuse(op, "it takes a fixed part of time (" + Twine(size) + " of " + Twine(extent) +
                            " samples)");
  }
  fact = s.padded(op, fact, -start, -(extent - 1 - last) / step * step, {});
  SmallVector<int64_t> starts(op.getStarts()), sizes(op.getSizes()), steps(op.getSteps());
  starts[axis] = 0;
  steps[axis] = step;
  if (step > 1) {
    fact = s.fromStart(op, fact);
    fact = s.delayed(op, fact, llvm::divideCeilSigned(fact.delay, step) * step);
    fact.rate = fact.rate.times(1, step);
    FailureOr<int64_t> hop = s.hopOf(op, fact.rate);
    if (failed(hop)) {
      return failure();
    }
    fact.delay /= step;
    fact.length = llvm::divideFloorSigned(fact.length - 1, step) + 1;
    sizes[axis] = *hop;
  } else {
    sizes[axis] = fact.hop();
  }
  FailureOr<Operation *> made =
      s.rebuild(op, fact.value,
                {changedArray(s, "starts", starts), changedArray(s, "sizes", sizes),
                 changedArray(s, "steps", steps)});
  if (failed(made)) {
    return failure();
  }
  fact.value = (*made)->getResult(0);
  s.define(op.getResult(), fact);
  return success();
}

/// The value with padding in time.
static FailureOr<StreamFact> paddedInTime(Streamer &s, PadOp op, const StreamFact &fact) {
  int64_t before = op.getBefore()[fact.axis], after = op.getAfter()[fact.axis];
  if (before <= 0 && after <= 0) {
    return s.padded(op, fact, before, after, {});
  }
  if (op.getMode() != PadMode::Constant) {
    return stream::repeated(s, op, fact, before, after);
  }
  ElementsAttr value = constantValue(s.fixed(op.getValue()));
  if (!value) {
    return s.refuse(op, "it continues time by a value that is computed");
  }
  return s.padded(op, fact, before, after, value.getValues<Attribute>()[0]);
}

LogicalResult stream::pad(Streamer &s, PadOp op) {
  FailureOr<StreamFact> padded = paddedInTime(s, op, *s.fact(op.getX()));
  if (failed(padded)) {
    return failure();
  }
  StreamFact fact = *padded;
  SmallVector<int64_t> before(op.getBefore()), after(op.getAfter());
  before[fact.axis] = after[fact.axis] = 0;
  auto isZero = [](int64_t n) { return n == 0; };
  if (!llvm::all_of(before, isZero) || !llvm::all_of(after, isZero)) {
    // What other dimensions gain is the fill too only if the values agree.
    ElementsAttr value = constantValue(s.fixed(op.getValue()));
    Attribute added = value ? value.getValues<Attribute>()[0] : Attribute();
    if (op.getMode() == PadMode::Constant && fact.fill != added) {
      fact = s.fromStart(op, fact);
      fact.fill = {};
    }
    FailureOr<Operation *> made =
        s.rebuild(op, {fact.value, s.fixed(op.getValue())},
                  {changedArray(s, "before", before), changedArray(s, "after", after)});
    if (failed(made)) {
      return failure();
    }
    fact.value = (*made)->getResult(0);
  }
  s.define(op.getResult(), fact);
  return success();
}

LogicalResult stream::gather(Streamer &s, GatherOp op) {
  const StreamFact *data = s.fact(op.getX()), *indices = s.fact(op.getIndices());
  int64_t axis = op.getAxis();
  if (data && indices) {
    return s.refuse(op, "its data and its indices both change in time");
  }
  if (data && data->axis == axis) {
    return s.refuse(op, "it picks points in time");
  }
  StreamFact fact = s.fromStart(op, data ? *data : *indices);
  int64_t added = shapeOf(op.getIndices()).size();
  int64_t time = !data ? axis + fact.axis : fact.axis < axis ? fact.axis : fact.axis + added - 1;
  Value x = data ? fact.value : s.fixed(op.getX());
  Value chosen = data ? s.fixed(op.getIndices()) : fact.value;
  FailureOr<Operation *> made = s.rebuild(op, {x, chosen});
  return failed(made) ? failure() : defineResults(s, op, *made, fact, time);
}

/// Repetition of samples; what interpolates is refused.
LogicalResult stream::resize(Streamer &s, ResizeOp op) {
  StreamFact fact = s.fromStart(op, *s.fact(op.getX()));
  int64_t from = shapeOf(op.getX())[fact.axis], to = op.getSizes()[fact.axis];
  int64_t factor = from ? to / from : 0;
  bool isRepetition = op.getMode() == ResizeMode::Nearest && factor * from == to && factor > 0 &&
                      op.getScales()[fact.axis] == static_cast<double>(factor) &&
                      op.getCoordinateMode() == CoordinateMode::Asymmetric &&
                      op.getNearestMode() == NearestMode::Floor;
  bool isKept = to == from && op.getScales()[fact.axis] == 1.0 &&
                op.getCoordinateMode() != CoordinateMode::TfCropAndResize;
  if (!isKept && !isRepetition) {
    return s.refuse(op, "it interpolates in time; expected repetition by a whole factor "
                        "(nearest, asymmetric, floor)");
  }
  SmallVector<int64_t> sizes(op.getSizes());
  fact.rate = fact.rate.times(factor, 1);
  FailureOr<int64_t> hop = s.hopOf(op, fact.rate);
  if (failed(hop)) {
    return failure();
  }
  sizes[fact.axis] = *hop;
  fact.delay *= factor;
  fact.length *= factor;
  FailureOr<Operation *> made = s.rebuild(op, fact.value, changedArray(s, "sizes", sizes));
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}
