// Operators on signals: DFT and STFT of ONNX, and their relatives in the domains of ONNX Runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"
#include "frontend/onnx/ops/Spectral.h"

using namespace mlir;

namespace modelc {

Value transformAxis(NodeBinder &b, Value x, const AxisTransform &t) {
  if (!x) {
    return {};
  }
  llvm::SmallVector<NamedAttribute> attributes = {b.named("length", t.length)};
  if (t.isInverse) {
    attributes.push_back(b.unit("inverse"));
  }
  if (t.isOnesided) {
    attributes.push_back(b.unit("onesided"));
  }
  // The axis changes place with the last but one; twice is not at all.
  int64_t rank = b.typeOf(x).getRank();
  llvm::SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i) {
    order.push_back(i == t.axis ? rank - 2 : i == rank - 2 ? t.axis : i);
  }
  if (t.axis == rank - 2) {
    return b.create<DftOp>(x, attributes);
  }
  return b.transpose(b.create<DftOp>(b.transpose(x, order), attributes), order);
}

Value transformFrames(NodeBinder &b, Value signal, Value window, int64_t length, int64_t step,
                      bool isOnesided) {
  if (!signal) {
    return {};
  }
  llvm::SmallVector<int64_t> shape(b.shapeOf(signal));
  if (shape.size() == 2) {
    shape.push_back(1);
    signal = b.reshape(signal, shape);
  }
  Type element = b.typeOf(signal).getElementType();
  if (!window) {
    window = b.splat(element, 1.0, {length});
  }
  llvm::SmallVector<NamedAttribute> attributes = {b.named("frame_step", step)};
  if (isOnesided) {
    attributes.push_back(b.unit("onesided"));
  }
  return b.create<StftOp>({signal, window}, attributes);
}

static LogicalResult importDft(NodeBinder &b) {
  int64_t rank = b.rank(0);
  if (rank < 2) {
    return b.error("expected rank 2 or more, got " + llvm::Twine(rank));
  }
  AxisTransform t;
  int64_t axis = b.version() < 20 ? b.intAttr("axis", 1) : -2;
  if (b.version() >= 20 && b.hasInput(2)) {
    FailureOr<int64_t> given = b.constantInt(2);
    if (failed(given)) {
      return failure();
    }
    axis = *given;
  }
  FailureOr<int64_t> normal = b.normalizeAxis(axis, rank);
  if (failed(normal)) {
    return failure();
  }
  t.axis = *normal;
  int64_t parts = b.shape(0).back();
  if (t.axis == rank - 1 || (parts != 1 && parts != 2)) {
    return b.error("expected real and imaginary parts in the last dimension");
  }
  t.isInverse = b.flagAttr("inverse");
  t.isOnesided = b.flagAttr("onesided");
  if (t.isOnesided && parts != (t.isInverse ? 2 : 1)) {
    return b.error(t.isInverse ? "the one-sided inverse needs complex input"
                               : "the one-sided transform needs real input");
  }
  int64_t samples = b.shape(0)[t.axis];
  t.length = t.isOnesided && t.isInverse ? 2 * (samples - 1) : samples;
  if (b.hasInput(1)) {
    FailureOr<int64_t> given = b.constantInt(1);
    if (failed(given)) {
      return failure();
    }
    t.length = *given;
  }
  return b.setResult(0, transformAxis(b, b.input(0), t));
}

/// An operand that says how long something is; nothing if it is left out.
static FailureOr<std::optional<int64_t>> optionalInt(NodeBinder &b, unsigned operand) {
  if (!b.hasInput(operand)) {
    return std::optional<int64_t>();
  }
  FailureOr<int64_t> given = b.constantInt(operand);
  if (failed(given)) {
    return failure();
  }
  return std::optional<int64_t>(*given);
}

/// STFT with its operands at the given places.
static LogicalResult importFrames(NodeBinder &b, unsigned step, unsigned window, unsigned length) {
  FailureOr<int64_t> frameStep = b.constantInt(step);
  FailureOr<std::optional<int64_t>> given = optionalInt(b, length);
  if (failed(frameStep) || failed(given)) {
    return failure();
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  int64_t parts = shape.size() == 3 ? shape[2] : 1;
  if (shape.size() < 2 || shape.size() > 3 || (parts != 1 && parts != 2)) {
    return b.error("expected a signal [batch, length, 1 or 2]");
  }
  int64_t frame = given->value_or(0);
  if (b.hasInput(window)) {
    if (b.rank(window) != 1) {
      return b.error("expected a window of rank 1");
    }
    int64_t samples = b.shape(window)[0];
    if (given->value_or(samples) != samples) {
      return b.error("the window has " + llvm::Twine(samples) + " samples, a frame " +
                     llvm::Twine(**given));
    }
    frame = samples;
  }
  if (*frameStep < 1 || frame < 1 || frame > shape[1]) {
    return b.error("a frame of " + llvm::Twine(frame) + " samples every " +
                   llvm::Twine(*frameStep) + " does not fit a signal of " + llvm::Twine(shape[1]));
  }
  bool isOnesided = b.flagAttr("onesided", true) && parts == 1;
  return b.setResult(
      0, transformFrames(b, b.input(0), b.input(window), frame, *frameStep, isOnesided));
}

static LogicalResult importStft(NodeBinder &b) {
  return importFrames(b, /*step=*/1, /*window=*/2, /*length=*/3);
}

// The domain com.microsoft.experimental: the drafts of ONNX's operators.

static LogicalResult importDraftStft(NodeBinder &b) {
  if (!b.hasInput(0) || !b.hasInput(3)) {
    return b.error("expected a signal and a frame step");
  }
  return importFrames(b, /*step=*/3, /*window=*/1, /*length=*/2);
}

/// [batch, samples] or [batch, samples, ..., parts]; `axis` counts from after the batch.
static LogicalResult importDraftDft(NodeBinder &b, bool isInverse) {
  if (!b.hasInput(0) || b.rank(0) < 2) {
    return b.error("expected an input of rank 2 or more");
  }
  Value x = b.input(0);
  llvm::SmallVector<int64_t> shape(b.shape(0));
  if (shape.size() == 2) {
    shape.push_back(1);
    x = b.reshape(x, shape);
  }
  FailureOr<int64_t> axis =
      b.normalizeAxis(b.intAttr("axis", 0), static_cast<int64_t>(shape.size()) - 2);
  if (failed(axis)) {
    return failure();
  }
  AxisTransform t;
  t.axis = *axis + 1;
  t.length = shape[t.axis];
  t.isInverse = isInverse;
  t.isOnesided = !isInverse && b.flagAttr("onesided");
  return b.setResult(0, transformAxis(b, x, t));
}

static LogicalResult importDraftForward(NodeBinder &b) {
  return importDraftDft(b, /*isInverse=*/false);
}

static LogicalResult importDraftInverse(NodeBinder &b) {
  return importDraftDft(b, /*isInverse=*/true);
}

// com.microsoft: Rfft and Irfft over the last `signal_ndim` dimensions.

/// Checks attributes and rank; returns the number of dimensions to transform.
static FailureOr<int64_t> readRealTransform(NodeBinder &b, int64_t extraDimensions) {
  int64_t count = b.intAttr("signal_ndim", 1);
  if (b.flagAttr("normalized") || !b.flagAttr("onesided", true)) {
    return b.error("unsupported: only one-sided transforms without normalization are defined");
  }
  if (count < 1 || count > 3) {
    return b.attrError("signal_ndim", "1 to 3", llvm::Twine(count));
  }
  if (!b.hasInput(0) || b.rank(0) < count + extraDimensions) {
    return b.error("expected an input of rank " + llvm::Twine(count + extraDimensions) +
                   " or more");
  }
  return count;
}

static LogicalResult importRfft(NodeBinder &b) {
  FailureOr<int64_t> count = readRealTransform(b, 0);
  if (failed(count)) {
    return failure();
  }
  llvm::SmallVector<int64_t> shape(b.shape(0));
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  shape.push_back(1);
  AxisTransform t{last, shape[last], /*isInverse=*/false, /*isOnesided=*/true};
  Value x = transformAxis(b, b.reshape(b.input(0), shape), t);
  for (int64_t axis = last - 1; axis > last - *count; --axis) {
    x = transformAxis(b, x, {axis, shape[axis], false, false});
  }
  return b.setResult(0, x);
}

static LogicalResult importIrfft(NodeBinder &b) {
  FailureOr<int64_t> count = readRealTransform(b, 1);
  if (failed(count)) {
    return failure();
  }
  llvm::SmallVector<int64_t> shape(b.shape(0));
  int64_t last = static_cast<int64_t>(shape.size()) - 2;
  if (shape.back() != 2) {
    return b.error("expected real and imaginary parts in the last dimension");
  }
  Value x = b.input(0);
  for (int64_t axis = last - *count + 1; axis < last; ++axis) {
    x = transformAxis(b, x, {axis, shape[axis], /*isInverse=*/true, /*isOnesided=*/false});
  }
  shape[last] = 2 * (shape[last] - 1);
  x = transformAxis(b, x, {last, shape[last], /*isInverse=*/true, /*isOnesided=*/true});
  shape.pop_back();
  return b.setResult(0, b.reshape(x, shape));
}

void registerSignalOps(OpRegistry &ops) {
  ops.add("DFT", 1, importDft);
  ops.add("STFT", 1, importStft);
  llvm::StringRef draft = "com.microsoft.experimental";
  ops.add(draft, "DFT", 1, importDraftForward);
  ops.add(draft, "IDFT", 1, importDraftInverse);
  ops.add(draft, "STFT", 1, importDraftStft);
  ops.add("com.microsoft", "Irfft", 1, importIrfft);
  ops.add("com.microsoft", "Rfft", 1, importRfft);
}

} // namespace modelc
