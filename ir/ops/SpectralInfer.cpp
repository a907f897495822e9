//===- SpectralInfer.cpp - result types of Fourier transforms -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

/// Tables of sines have one entry per sample.
static constexpr int64_t maxLength = int64_t(1) << 22;

static bool isParts(int64_t extent) {
  return extent == 1 || extent == 2;
}

static LogicalResult checkLength(std::optional<Location> location, int64_t length) {
  if (length < 1 || length > maxLength) {
    return emitOptionalError(location, "expected a transform of 1 to ", maxLength, " samples, got ",
                             length);
  }
  return success();
}

static LogicalResult finish(std::optional<Location> location, ArrayRef<int64_t> shape, Type element,
                            SmallVectorImpl<Type> &types) {
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

MODELC_INFER(DftOp) {
  Adaptor op(operands, attributes);
  SmallVector<int64_t> shape(shapeOf(op.getX()));
  size_t rank = shape.size();
  if (rank < 2 || !isParts(shape.back())) { // C1
    return emitOptionalError(location, "expected [..., samples, 1 or 2], got [",
                             ArrayRef<int64_t>(shape), "]");
  }
  int64_t length = op.getLength();
  if (failed(checkLength(location, length))) { // C2
    return failure();
  }
  int64_t parts = op.getInverse() ? 2 : 1;
  if (op.getOnesided() && shape.back() != parts) { // C3
    return emitOptionalError(location, "expected ", parts == 1 ? "real" : "complex",
                             " elements in a one-sided transform");
  }
  bool isHalf = op.getOnesided() && !op.getInverse();
  shape[rank - 2] = isHalf ? length / 2 + 1 : length;
  shape[rank - 1] = op.getOnesided() && op.getInverse() ? 1 : 2;
  return finish(location, shape, elementOf(op.getX()), types);
}

MODELC_INFER(StftOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> signal = shapeOf(op.getSignal()), window = shapeOf(op.getWindow());
  if (signal.size() != 3 || !isParts(signal[2]) || window.size() != 1) { // C1
    return emitOptionalError(location, "expected a signal [batch, samples, 1 or 2] and a window ",
                             "[samples], got [", signal, "] and [", window, "]");
  }
  int64_t step = op.getFrameStep();
  if (failed(checkLength(location, window[0]))) { // C2
    return failure();
  }
  if (step < 1 || window[0] > signal[1]) { // C2
    return emitOptionalError(location, "a frame of ", window[0], " samples every ", step,
                             " does not fit a signal of ", signal[1]);
  }
  if (op.getOnesided() && signal[2] != 1) { // C3
    return emitOptionalError(location, "expected a real signal in a one-sided transform");
  }
  if (elementOf(op.getSignal()) != elementOf(op.getWindow())) { // C4
    return emitOptionalError(location, "expected equal element types");
  }
  int64_t bins = op.getOnesided() ? window[0] / 2 + 1 : window[0];
  return finish(location, {signal[0], (signal[1] - window[0]) / step + 1, bins, 2},
                elementOf(op.getSignal()), types);
}

MODELC_INFER(IstftOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> spectrum = shapeOf(op.getSpectrum()), window = shapeOf(op.getWindow());
  if (spectrum.size() != 4 || spectrum[1] < 1 || spectrum[3] != 2 || window.size() != 1) { // C1
    return emitOptionalError(location, "expected a spectrum [batch, frames, bins, 2] and a window ",
                             "[samples], got [", spectrum, "] and [", window, "]");
  }
  int64_t step = op.getFrameStep();
  if (failed(checkLength(location, window[0]))) { // C2
    return failure();
  }
  if (step < 1 || step > maxElements / spectrum[1]) { // C2
    return emitOptionalError(location, "expected a positive frame step, got ", step);
  }
  if (spectrum[2] != window[0] / 2 + 1) { // C2
    return emitOptionalError(location, "expected ", window[0] / 2 + 1, " bins for a window of ",
                             window[0], " samples, got ", spectrum[2]);
  }
  if (elementOf(op.getSpectrum()) != elementOf(op.getWindow())) { // C3
    return emitOptionalError(location, "expected equal element types");
  }
  return finish(location, {spectrum[0], (spectrum[1] - 1) * step + window[0]},
                elementOf(op.getSpectrum()), types);
}
