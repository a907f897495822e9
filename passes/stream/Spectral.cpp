//===- Spectral.cpp - transforms of the frames of a stream ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult stream::dft(Streamer &s, DftOp op) {
  StreamFact fact = *s.fact(op.getX());
  if (fact.axis >= typeOf(op.getX()).getRank() - 2) {
    return s.refuse(op, "it transforms all of time");
  }
  fact = s.fromStart(op, fact);
  FailureOr<Operation *> made = s.rebuild(op, fact.value);
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}

LogicalResult stream::stft(Streamer &s, StftOp op) {
  if (s.isStreamed(op.getWindow())) {
    return s.refuse(op, "its window changes in time");
  }
  StreamFact fact = *s.fact(op.getSignal());
  if (fact.axis == 0) { // signals of a batch
    fact = s.fromStart(op, fact);
  } else {
    int64_t size = typeOf(op.getWindow()).getDimSize(0);
    FailureOr<StreamFact> samples =
        slide(s, op, fact, {size - 1, static_cast<int64_t>(op.getFrameStep()), 0, 0, {}});
    if (failed(samples)) {
      return failure();
    }
    fact = *samples;
  }
  FailureOr<Operation *> made = s.rebuild(op, {fact.value, s.fixed(op.getWindow())});
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}

/// The squares of a window as the filter of a convolution over frames: channel c of its result is
/// sample c of a frame's step, which the frame itself covers (last tap) and those before it do.
static ElementsAttr squares(Type element, ArrayRef<double> window, int64_t step, int64_t taps) {
  auto type = RankedTensorType::get({step, 1, taps}, element);
  std::vector<double> values(step * taps, 0.0);
  for (auto [i, w] : llvm::enumerate(window)) {
    int64_t sample = static_cast<int64_t>(i);
    values[sample % step * taps + (taps - 1 - sample / step)] = w * w;
  }
  if (element.isF64()) {
    return DenseElementsAttr::get(type, ArrayRef<double>(values));
  }
  std::vector<float> narrow(values.begin(), values.end());
  return makeConstant(
      type, {reinterpret_cast<const char *>(narrow.data()), narrow.size() * sizeof(float)});
}

static std::optional<std::vector<double>> constantWindow(Streamer &s, Value window) {
  auto value = dyn_cast_or_null<ElementsAttr>(constantValue(s.fixed(window)));
  if (!value) {
    return std::nullopt;
  }
  std::vector<char> bytes(storageBytes(typeOf(window)));
  copyConstant(value, bytes);
  std::vector<double> result(typeOf(window).getNumElements());
  for (auto [i, w] : llvm::enumerate(result)) {
    if (typeOf(window).getElementType().isF64()) {
      memcpy(&w, &bytes[8 * i], 8);
    } else {
      float narrow;
      memcpy(&narrow, &bytes[4 * i], 4);
      w = narrow;
    }
  }
  return result;
}

/// What the squared windows of frames add to the samples of the last of them; `exists` has a one
/// per frame that counts. As a convolution over the few frames: a transposed one visits every tap
/// of the window for every sample.
static Value envelope(OpBuilder &b, Value exists, Value filter) {
  Location loc = exists.getLoc();
  Type element = typeOf(exists).getElementType();
  int64_t frames = typeOf(exists).getDimSize(1), step = typeOf(filter).getDimSize(0);
  int64_t hop = frames + 1 - typeOf(filter).getDimSize(2);
  auto reshaped = [&](Value x, ArrayRef<int64_t> shape) -> Value {
    return b.create<ReshapeOp>(loc, RankedTensorType::get(shape, element), x, shape);
  };
  Value sums = b.create<ConvOp>(loc, RankedTensorType::get({1, hop, step}, element),
                                reshaped(exists, {1, frames, 1}), filter, Value(),
                                ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1}, ArrayRef<int64_t>{0},
                                ArrayRef<int64_t>{0}, 1, /*channels_last=*/true);
  return reshaped(sums, {1, hop * step});
}

/// The samples of this call come from its frames and from the last ones before
/// it that reach so far. With `normalize` they are divided by the windows of the
/// frames that exist: the first samples of the offline signal have fewer.
LogicalResult stream::istft(Streamer &s, IstftOp op) {
  if (s.isStreamed(op.getWindow())) {
    return s.refuse(op, "its window changes in time");
  }
  StreamFact fact = s.fromStart(op, *s.fact(op.getSpectrum()));
  if (fact.axis == 0) { // spectra of a batch
    FailureOr<Operation *> made = s.rebuild(op, {fact.value, s.fixed(op.getWindow())});
    return failed(made) ? failure() : defineResults(s, op, *made, fact, 0);
  }
  if (fact.axis != 1) {
    return s.refuse(op, "it transforms all of time");
  }
  RankedTensorType type = typeOf(op.getResult());
  Type element = type.getElementType();
  std::optional<std::vector<double>> window = constantWindow(s, op.getWindow());
  if (!window || !(element.isF32() || element.isF64())) {
    return s.refuse(op, "its window is no constant of f32 or f64");
  }
  OpBuilder &b = s.builder();
  Location loc = op.getLoc();
  int64_t step = op.getFrameStep(), size = window->size(), hop = fact.hop();
  if (step > size) {
    return s.refuse(op, "its frames leave gaps");
  }
  StreamRate rate = fact.rate.times(step, 1);
  if (failed(s.hopOf(op, rate))) {
    return failure();
  }
  int64_t history = llvm::divideCeilSigned(size - step, step);
  int64_t frames = history + hop, samples = (frames - 1) * step + size;
  Attribute zero = b.getZeroAttr(element);
  auto filled = [&](StreamFact stream) {
    return s.filledBefore(op, s.filledAfter(op, stream, zero), zero);
  };
  StreamFact exists = fact;
  fact = filled(fact);
  StreamFact result = fact;
  result.rate = rate;
  result.delay = fact.delay * step;
  result.length = (fact.length - 1) * step + size;
  int64_t batch = typeOf(fact.value).getDimSize(0);
  auto whole = RankedTensorType::get({batch, samples}, element);
  auto part = [&](Value x) { return s.slice(loc, x, 1, history * step, hop * step); };
  Value y = part(b.create<IstftOp>(loc, whole, s.withHistory(op, fact, history),
                                   s.fixed(op.getWindow()), b.getI64IntegerAttr(step), UnitAttr()));
  if (op.getNormalize()) {
    auto ones = RankedTensorType::get({1, hop}, element);
    exists.value = s.constant(
        loc, cast<ElementsAttr>(DenseElementsAttr::get(ones, b.getFloatAttr(element, 1))));
    exists.fill = {};
    Value filter = s.constant(loc, squares(element, *window, step, history + 1));
    Value sums = envelope(b, s.withHistory(op, filled(exists), history), filter);
    // Where no window reaches, the offline op does not divide either.
    Value isCovered =
        b.create<GreaterEqualOp>(loc, RankedTensorType::get(typeOf(sums).getShape(), b.getI1Type()),
                                 sums, s.scalar(loc, b.getFloatAttr(element, 1e-20)));
    Value divided = b.create<DivOp>(loc, y.getType(), y, sums);
    y = b.create<SelectOp>(loc, y.getType(), isCovered, divided, y);
  }
  result.value = y;
  result.fill = {};
  s.define(op.getResult(), result);
  return success();
}
