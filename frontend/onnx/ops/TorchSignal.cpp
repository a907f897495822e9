// The domain `modelc`: STFT and ISTFT with the meaning of torch.stft and torch.istft, which ONNX
// lacks. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// modelc::STFT (signal, window?) -> [batch..., bins, frames, 2]
// modelc::ISTFT (spectrum [batch..., bins, frames, 2], window?) -> [batch..., samples]
//
// Attributes have the names, the meaning and the defaults of torch's parameters: n_fft (required),
// hop_length (n_fft / 4), win_length (n_fft), center (1), normalized (0), onesided (1), of STFT
// also pad_mode ("reflect", "constant", "replicate", "circular"), of ISTFT length. The window has
// win_length samples; without one all are 1. Complex numbers are pairs in the last dimension.
//
#include "frontend/onnx/ops/Build.h"
#include "frontend/onnx/ops/Spectral.h"

#include <cmath>

using namespace mlir;

namespace modelc {

namespace {

struct Frames {
  int64_t length = 0, step = 0;
  bool isCentred = true, isOnesided = true;
  Value window; ///< of `length` samples
};

} // namespace

/// `value` with elements added at both ends of the last dimension.
static Value padLast(NodeBinder &b, Value value, int64_t before, int64_t after, PadMode mode) {
  if (!value || (before == 0 && after == 0)) {
    return value;
  }
  llvm::SmallVector<int64_t> low(b.typeOf(value).getRank(), 0), high(low);
  low.back() = before;
  high.back() = after;
  return b.create<PadOp>({value, b.splat(b.typeOf(value).getElementType(), 0.0)},
                         {b.named("before", low), b.named("after", high),
                          b.named("mode", PadModeAttr::get(b.context(), mode))});
}

/// The attributes that both operators have, and the window in operand 1.
static FailureOr<Frames> readFrames(NodeBinder &b) {
  if (!b.hasInput(0) || !isa<FloatType>(b.elementType(0))) {
    return b.error("expected a tensor of floats");
  }
  Frames f;
  f.length = b.intAttr("n_fft", 0);
  if (f.length < 1 || f.length > (1 << 22)) {
    return b.attrError("n_fft", "1 to 4194304", llvm::Twine(f.length));
  }
  f.step = b.intAttr("hop_length", std::max<int64_t>(f.length / 4, 1));
  int64_t width = b.intAttr("win_length", f.length);
  if (f.step < 1) {
    return b.attrError("hop_length", "a positive number", llvm::Twine(f.step));
  }
  if (width < 1 || width > f.length) {
    return b.attrError("win_length", "1 to n_fft", llvm::Twine(width));
  }
  f.isCentred = b.flagAttr("center", true);
  f.isOnesided = b.flagAttr("onesided", true);
  Type element = b.elementType(0);
  if (b.hasInput(1) && (b.rank(1) != 1 || b.shape(1)[0] != width || b.elementType(1) != element)) {
    return b.error("expected a window of " + llvm::Twine(width) + " samples in the signal's type");
  }
  f.window = b.hasInput(1) ? b.input(1) : b.splat(element, 1.0, {width});
  int64_t before = (f.length - width) / 2;
  f.window = padLast(b, f.window, before, f.length - width - before, PadMode::Constant);
  // A window divided by the root of n makes both transforms orthonormal: its square is in what
  // the inverse divides by.
  if (b.flagAttr("normalized")) {
    double scale = 1.0 / std::sqrt(static_cast<double>(f.length));
    f.window = b.create<MulOp>({f.window, b.splat(element, scale)});
  }
  return f;
}

/// Leading dimensions as one, and what they were.
static int64_t countOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

static LogicalResult importTorchStft(NodeBinder &b) {
  FailureOr<Frames> f = readFrames(b);
  FailureOr<unsigned> mode =
      b.choiceAttr("pad_mode", {"constant", "reflect", "replicate", "circular"}, "reflect");
  if (failed(f) || failed(mode)) {
    return failure();
  }
  if (b.rank(0) < 1) {
    return b.error("expected a signal of rank 1 or more");
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  llvm::SmallVector<int64_t> result(shape.drop_back());
  Value signal = b.reshape(b.input(0), {countOf(shape.drop_back()), shape.back()});
  int64_t border = f->isCentred ? f->length / 2 : 0;
  if (*mode == 1 && border >= shape.back() && border > 0) {
    return b.error("a signal of " + llvm::Twine(shape.back()) + " samples cannot be reflected at " +
                   llvm::Twine(border));
  }
  // The enumeration has the order of the choices.
  signal = padLast(b, signal, border, border, static_cast<PadMode>(*mode));
  Value frames = transformFrames(b, signal, f->window, f->length, f->step, f->isOnesided);
  if (!frames) {
    return failure();
  }
  llvm::ArrayRef<int64_t> sizes = b.shapeOf(frames);
  result.append({sizes[2], sizes[1], 2});
  return b.setResult(0, b.reshape(b.transpose(frames, {0, 2, 1, 3}), result));
}

static LogicalResult importTorchIstft(NodeBinder &b) {
  FailureOr<Frames> f = readFrames(b);
  if (failed(f)) {
    return failure();
  }
  int64_t rank = b.rank(0);
  int64_t bins = f->isOnesided ? f->length / 2 + 1 : f->length;
  if (rank < 3 || b.shape(0).back() != 2 || b.shape(0)[rank - 3] != bins) {
    return b.error("expected a spectrum [..., " + llvm::Twine(bins) + ", frames, 2]");
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  llvm::SmallVector<int64_t> result(shape.drop_back(3));
  int64_t count = countOf(result);
  Value spectrum = b.reshape(b.input(0), {count, bins, shape[rank - 2], 2});
  // The upper half of a real signal's spectrum mirrors the lower one.
  spectrum = b.transpose(sliceAxis(b, spectrum, 1, 0, f->length / 2 + 1), {0, 2, 1, 3});
  Value signal = b.create<IstftOp>({spectrum, f->window},
                                   {b.named("frame_step", f->step), b.unit("normalize")});
  if (!signal) {
    return failure();
  }
  int64_t border = f->isCentred ? f->length / 2 : 0;
  int64_t left = b.shapeOf(signal)[1] - border;
  // Without a length both borders go; a longer one is filled with zeros.
  int64_t length = b.intAttr("length", left - border);
  if (length < 1 || length > (int64_t(1) << 31)) {
    return b.attrError("length", "a positive number", llvm::Twine(length));
  }
  signal = sliceAxis(b, signal, 1, border, std::min(left, length));
  signal = padLast(b, signal, 0, length - std::min(left, length), PadMode::Constant);
  result.push_back(length);
  return b.setResult(0, b.reshape(signal, result));
}

void registerTorchSignalOps(OpRegistry &ops) {
  ops.add("modelc", "ISTFT", 1, importTorchIstft);
  ops.add("modelc", "STFT", 1, importTorchStft);
}

} // namespace modelc
