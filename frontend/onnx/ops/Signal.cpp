// ONNX operators on signals: DFT, STFT.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "frontend/TensorBytes.h"

#include <cmath>

using namespace mlir;

namespace modelc {

namespace {

/// A transform of `length` samples to `bins` results, as a matrix product.
struct Transform {
  int64_t length = 0, bins = 0;
  bool isInverse = false;
  /// Real and imaginary parts per sample and per result.
  int64_t partsIn = 1, partsOut = 2;
  /// The input lacks the bins above the middle, which mirror those below.
  bool isHalfInput = false;
};

/// Samples that the matrix reads.
int64_t rowsOf(const Transform &t) {
  return t.isHalfInput ? t.length / 2 + 1 : t.length;
}

template <typename Real>
std::string matrixBytes(const Transform &t, llvm::ArrayRef<double> weights) {
  int64_t rows = rowsOf(t);
  std::vector<Real> matrix(rows * t.partsIn * t.bins * t.partsOut);
  // One period of the circle: exact symmetry, and no growing angles.
  std::vector<double> cosine(t.length), sine(t.length);
  const double pi = 3.14159265358979323846;
  for (int64_t i = 0; i < t.length; ++i) {
    double angle = 2 * pi * i / t.length;
    cosine[i] = std::cos(angle);
    sine[i] = (t.isInverse ? 1 : -1) * std::sin(angle);
  }
  double factor = t.isInverse ? 1.0 / t.length : 1.0;
  size_t at = 0;
  for (int64_t n = 0; n < rows; ++n) {
    // Bins with a mirror image count twice.
    bool isMirrored = t.isHalfInput && n != 0 && 2 * n != t.length;
    double weight = factor * (isMirrored ? 2 : 1) * (weights.empty() ? 1.0 : weights[n]);
    for (int64_t part = 0; part < t.partsIn; ++part) {
      for (int64_t k = 0; k < t.bins; ++k) {
        double c = weight * cosine[n * k % t.length];
        double s = weight * sine[n * k % t.length];
        // (re + i im)(c + i s): what this part adds to each result part.
        matrix[at++] = static_cast<Real>(part == 0 ? c : -s);
        if (t.partsOut == 2) {
          matrix[at++] = static_cast<Real>(part == 0 ? s : c);
        }
      }
    }
  }
  return {reinterpret_cast<const char *>(matrix.data()), matrix.size() * sizeof(Real)};
}

/// Matrices above this size are refused: the transform wants another method.
constexpr int64_t maxMatrixElements = int64_t(1) << 27;

/// The matrix of `t` with rows multiplied by `weights` (none: 1).
Value transformMatrix(NodeBinder &b, const Transform &t, Type element,
                      llvm::ArrayRef<double> weights = {}) {
  int64_t rows = rowsOf(t) * t.partsIn, columns = t.bins * t.partsOut;
  if (t.length < 1 || t.length > (1 << 24) || t.bins < 1 || rows > maxMatrixElements / columns) {
    (void)b.error("unsupported length of a transform: " + llvm::Twine(t.length));
    return {};
  }
  auto type = RankedTensorType::get({rows, columns}, element);
  if (element.isF64()) {
    return b.constant(elementsFromBytes(type, matrixBytes<double>(t, weights), "dft"));
  }
  auto wide = RankedTensorType::get({rows, columns}, Float32Type::get(b.context()));
  Value matrix = b.constant(elementsFromBytes(wide, matrixBytes<float>(t, weights), "dft"));
  return b.cast(matrix, element);
}

/// `value` with its last dimension cut or filled with zeros to `length`.
Value resizeLast(NodeBinder &b, Value value, int64_t length) {
  if (!value || b.shapeOf(value).back() == length) {
    return value;
  }
  llvm::ArrayRef<int64_t> shape = b.shapeOf(value);
  llvm::SmallVector<int64_t> before(shape.size(), 0), after(shape.size(), 0);
  after.back() = length - shape.back();
  return b.create<PadOp>({value, b.splat(b.typeOf(value).getElementType(), 0.0)},
                         {b.named("before", before), b.named("after", after),
                          b.named("mode", PadModeAttr::get(b.context(), PadMode::Constant))});
}

} // namespace

static LogicalResult importDft(NodeBinder &b) {
  int64_t rank = b.rank(0);
  if (rank < 2) {
    return b.error("expected rank 2 or more, got " + llvm::Twine(rank));
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
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
  axis = *normal;
  Transform t;
  t.partsIn = shape.back();
  if (axis == rank - 1 || (t.partsIn != 1 && t.partsIn != 2)) {
    return b.error("expected real and imaginary parts in the last dimension");
  }
  t.isInverse = b.flagAttr("inverse");
  bool isHalf = b.flagAttr("onesided");
  t.isHalfInput = isHalf && t.isInverse;
  if (isHalf && t.partsIn != (t.isInverse ? 2 : 1)) {
    return b.error(t.isInverse ? "the one-sided inverse needs complex input"
                               : "the one-sided transform needs real input");
  }
  t.length = t.isHalfInput ? 2 * (shape[axis] - 1) : shape[axis];
  if (b.hasInput(1)) {
    FailureOr<int64_t> given = b.constantInt(1);
    if (failed(given)) {
      return failure();
    }
    t.length = *given;
  }
  t.partsOut = t.isHalfInput ? 1 : 2;
  t.bins = isHalf && !t.isInverse ? t.length / 2 + 1 : t.length;
  Value matrix = transformMatrix(b, t, b.elementType(0));
  if (!matrix) {
    return failure();
  }
  // The axis goes to the end, samples and their parts become one dimension.
  llvm::SmallVector<int64_t> order, back(rank);
  for (int64_t i = 0; i < rank; ++i) {
    if (i != axis && i != rank - 1) {
      order.push_back(i);
    }
  }
  llvm::SmallVector<int64_t> outer;
  for (int64_t i : order) {
    outer.push_back(shape[i]);
  }
  order.push_back(rank - 1);
  order.push_back(axis);
  Value x = b.transpose(b.input(0), order);
  x = resizeLast(b, x, rowsOf(t));
  llvm::SmallVector<int64_t> swap(rank);
  for (int64_t i = 0; i < rank; ++i) {
    swap[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
  }
  llvm::SmallVector<int64_t> rows(outer), result(outer);
  rows.push_back(rowsOf(t) * t.partsIn);
  result.append({t.bins, t.partsOut});
  Value product = b.create<MatmulOp>({b.reshape(b.transpose(x, swap), rows), matrix});
  // Undo: dimension `axis` is second to last now.
  int64_t next = 0;
  for (int64_t i = 0; i < rank; ++i) {
    back[i] = i == axis ? rank - 2 : i == rank - 1 ? rank - 1 : next++;
  }
  return b.setResult(0, b.transpose(b.reshape(product, result), back));
}

static LogicalResult importStft(NodeBinder &b) {
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  FailureOr<int64_t> step = b.constantInt(1);
  if (failed(step)) {
    return failure();
  }
  if (shape.size() == 2) {
    shape = llvm::ArrayRef<int64_t>(shape);
  }
  int64_t parts = shape.size() == 3 ? shape[2] : 1;
  if (shape.size() < 2 || shape.size() > 3 || (parts != 1 && parts != 2)) {
    return b.error("expected a signal [batch, length, 1 or 2]");
  }
  Transform t;
  t.partsIn = parts;
  if (b.hasInput(2)) {
    if (b.rank(2) != 1) {
      return b.error("expected a window of rank 1");
    }
    t.length = b.shape(2)[0];
  }
  if (b.hasInput(3)) {
    FailureOr<int64_t> given = b.constantInt(3);
    if (failed(given)) {
      return failure();
    }
    if (b.hasInput(2) && *given != t.length) {
      return b.error("the window has " + llvm::Twine(t.length) + " samples, a frame " +
                     llvm::Twine(*given));
    }
    t.length = *given;
  }
  bool isHalf = b.flagAttr("onesided", true) && parts == 1;
  if (*step < 1 || t.length < 1 || t.length > shape[1]) {
    return b.error("a frame of " + llvm::Twine(t.length) + " samples every " + llvm::Twine(*step) +
                   " does not fit a signal of " + llvm::Twine(shape[1]));
  }
  t.bins = isHalf ? t.length / 2 + 1 : t.length;
  int64_t frames = (shape[1] - t.length) / *step + 1;
  Value matrix = transformMatrix(b, t, b.elementType(0));
  // Sample numbers of all frames: a column of starts plus a row.
  Type i64 = IntegerType::get(b.context(), 64);
  auto iota = [&](llvm::ArrayRef<int64_t> of, int64_t axis) {
    return b.create<IotaOp>({}, {b.named("shape", of), b.named("axis", axis), b.named("to", i64)});
  };
  if (frames > maxMatrixElements / t.length) {
    return b.error("too many frames");
  }
  Value starts = b.create<MulOp>({iota({frames, 1}, 0), b.splat(i64, static_cast<double>(*step))});
  Value positions = b.create<AddOp>({starts, iota({1, t.length}, 1)});
  Value signal = b.reshape(b.input(0), {shape[0], shape[1], parts});
  Value cut = b.create<GatherOp>({signal, positions}, b.named("axis", 1));
  if (b.hasInput(2)) {
    cut = b.create<MulOp>({cut, b.reshape(b.input(2), {t.length, 1})});
  }
  Value rows = b.reshape(cut, {shape[0], frames, t.length * parts});
  return b.setResult(0,
                     b.reshape(b.create<MatmulOp>({rows, matrix}), {shape[0], frames, t.bins, 2}));
}

void registerSignalOps(OpRegistry &ops) {
  ops.add("DFT", 1, importDft);
  ops.add("STFT", 1, importStft);
}

} // namespace modelc
