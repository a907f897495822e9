//===- Spectral.cpp - transforms of the frames of a stream ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

LogicalResult stream::dft(Streamer &s, DftOp op) {
  StreamFact fact = *s.fact(op.getX());
  if (fact.axis >= typeOf(op.getX()).getRank() - 2) {
    return s.refuse(op, "it transforms all of time");
  }
  fact = s.fromStart(op, fact);
  FailureOr<Operation *> made = s.rebuild(op, fact.value);
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

LogicalResult stream::stft(Streamer &s, StftOp op) {
  if (s.isStreamed(op.getWindow())) {
    return s.refuse(op, "its window changes in time");
  }
  StreamFact fact = *s.fact(op.getSignal());
  if (fact.axis == 0) { // signals of a batch
    fact = s.fromStart(op, fact);
  } else {
    Window window{shapeOf(op.getWindow())[0] - 1, static_cast<int64_t>(op.getFrameStep())};
    if (std::optional<std::vector<double>> weights = constantWindow(s, op.getWindow())) {
      window.skipped = llvm::find_if(*weights, [](double w) { return w != 0; }) - weights->begin();
    }
    FailureOr<StreamFact> samples = slide(s, op, fact, window);
    if (failed(samples)) {
      return failure();
    }
    fact = *samples;
  }
  FailureOr<Operation *> made = s.rebuild(op, {fact.value, s.fixed(op.getWindow())});
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}

/// What the squared windows of frames add to the samples of the last of them; `exists` has a one
/// per frame that counts. As a convolution over the few frames: a transposed one visits every tap
/// of the window for every sample.
static Value envelope(OpBuilder &b, Value exists, Value filter) {
  Location loc = exists.getLoc();
  Type element = typeOf(exists).getElementType();
  int64_t frames = shapeOf(exists)[1], step = shapeOf(filter)[0];
  int64_t hop = frames + 1 - shapeOf(filter)[2];
  auto reshaped = [&](Value x, ArrayRef<int64_t> shape) -> Value {
    return b.create<ReshapeOp>(loc, RankedTensorType::get(shape, element), x, shape);
  };
  Value sums = b.create<ConvOp>(loc, RankedTensorType::get({1, hop, step}, element),
                                reshaped(exists, {1, frames, 1}), filter, Value(),
                                ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1}, ArrayRef<int64_t>{0},
                                ArrayRef<int64_t>{0}, 1, /*channels_last=*/true);
  return reshaped(sums, {1, hop * step});
}

namespace {
/// An inverse transform of frames along time. The samples of a call come from
/// its frames and from the `history` last ones before it, which reach so far.
class InverseFrames {
public:
  InverseFrames(Streamer &s, IstftOp op, ArrayRef<double> window, int64_t hop)
      : s(s), op(op), b(s.builder()), loc(op.getLoc()), window(window),
        element(typeOf(op.getResult()).getElementType()), step(op.getFrameStep()),
        size(window.size()), hop(hop), history(llvm::divideCeilSigned(size - step, step)) {}

  /// The samples, from frames that are zero where none exist.
  Value sums(const StreamFact &frames);
  /// `y` divided by the squared windows of the frames that exist: the first and
  /// the last samples of the offline signal have fewer.
  Value normalized(Value y, StreamFact frames);
  /// The frames with zeros before the first and behind the last.
  StreamFact filled(const StreamFact &frames) {
    Attribute zero = b.getZeroAttr(element);
    return s.filledBefore(op, s.filledAfter(op, frames, zero), zero);
  }

private:
  /// Of all samples that frames reach those of this call.
  Value ofThisCall(Value x) { return s.slice(loc, x, 1, history * step, hop * step); }

  Streamer &s;
  IstftOp op;
  OpBuilder &b;
  Location loc;
  ArrayRef<double> window;
  Type element;
  int64_t step, size, hop, history;
};
} // namespace

Value InverseFrames::sums(const StreamFact &frames) {
  int64_t samples = (history + hop - 1) * step + size;
  auto type = RankedTensorType::get({shapeOf(frames.value)[0], samples}, element);
  return ofThisCall(b.create<IstftOp>(loc, type, s.withHistory(op, frames, history),
                                      s.fixed(op.getWindow()), b.getI64IntegerAttr(step),
                                      UnitAttr()));
}

Value InverseFrames::normalized(Value y, StreamFact frames) {
  auto ones = RankedTensorType::get({1, hop}, element);
  frames.value =
      s.constant(loc, cast<ElementsAttr>(DenseElementsAttr::get(ones, b.getFloatAttr(element, 1))));
  frames.fill = {};
  Value filter = s.constant(loc, squares(element, window, step, history + 1));
  Value sums = envelope(b, s.withHistory(op, filled(frames), history), filter);
  // Where no window reaches, the offline op does not divide either.
  Value isCovered =
      b.create<GreaterEqualOp>(loc, RankedTensorType::get(shapeOf(sums), b.getI1Type()), sums,
                               s.scalar(loc, b.getFloatAttr(element, 1e-20)));
  Value divided = b.create<DivOp>(loc, y.getType(), y, sums);
  return b.create<SelectOp>(loc, y.getType(), isCovered, divided, y);
}

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
  Type element = typeOf(op.getResult()).getElementType();
  std::optional<std::vector<double>> window = constantWindow(s, op.getWindow());
  if (!window || !(element.isF32() || element.isF64())) {
    return s.refuse(op, "its window is no constant of f32 or f64");
  }
  int64_t step = op.getFrameStep(), size = window->size();
  if (step > size) {
    return s.refuse(op, "its frames leave gaps");
  }
  StreamFact result = fact;
  result.rate = fact.rate.times(step, 1);
  if (failed(s.hopOf(op, result.rate))) {
    return failure();
  }
  InverseFrames frames(s, op, *window, fact.hop());
  StreamFact existing = frames.filled(fact);
  result.value = frames.sums(existing);
  if (op.getNormalize()) {
    result.value = frames.normalized(result.value, fact);
  }
  result.delay = existing.delay * step;
  result.length = (existing.length - 1) * step + size;
  result.fill = {};
  s.define(op.getResult(), result);
  return success();
}
