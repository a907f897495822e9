// ONNX operators whose result is as large as the data say: only with data
// that are known at compile time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"
#include "ir/ConstantData.h"

#include <cmath>

using namespace mlir;

namespace modelc {

/// Which elements of operand `i` are not zero.
static FailureOr<llvm::SmallVector<int64_t>> nonzeroFlags(NodeBinder &b, unsigned i) {
  Value flags = b.cast(b.input(i), IntegerType::get(b.context(), 1));
  ElementsAttr known = flags ? b.getImporter().requireConstant(flags) : ElementsAttr();
  auto values = known ? constantIntegers(known) : std::nullopt;
  if (!values) {
    return b.error(b.describeInput(i) + " must be known at compile time" +
                   b.getImporter().describeSources(b.input(i)));
  }
  return *values;
}

static LogicalResult importCompress(NodeBinder &b) {
  auto flags = nonzeroFlags(b, 1);
  if (failed(flags)) {
    return failure();
  }
  Value x = b.input(0);
  int64_t axis = 0;
  if (b.hasAttr("axis")) {
    FailureOr<int64_t> given = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
    if (failed(given)) {
      return failure();
    }
    axis = *given;
  } else {
    x = b.reshape(x, {b.type(0).getNumElements()});
  }
  llvm::SmallVector<int64_t> kept;
  for (auto [i, flag] : llvm::enumerate(*flags)) {
    if (flag) {
      kept.push_back(i);
    }
  }
  if (x && !kept.empty() && kept.back() >= b.shapeOf(x)[axis]) {
    return b.error("the condition is longer than the axis");
  }
  return b.setResult(0, b.create<GatherOp>({x, b.constantVector(kept)}, b.named("axis", axis)));
}

static LogicalResult importNonZero(NodeBinder &b) {
  auto flags = nonzeroFlags(b, 0);
  if (failed(flags)) {
    return failure();
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  int64_t rank = shape.size(), count = llvm::count_if(*flags, [](int64_t f) { return f != 0; });
  // A row of positions per dimension.
  llvm::SmallVector<int64_t> table(rank * count);
  int64_t column = 0;
  for (auto [i, flag] : llvm::enumerate(*flags)) {
    if (!flag) {
      continue;
    }
    int64_t rest = i;
    for (int64_t d = rank - 1; d >= 0; --d) {
      table[d * count + column] = rest % shape[d];
      rest /= shape[d];
    }
    ++column;
  }
  auto type = RankedTensorType::get({rank, count}, IntegerType::get(b.context(), 64));
  return b.setResult(0, b.constant(DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(table))));
}

/// Triangular filters on the mel scale: bins of a spectrum to bands.
static LogicalResult importMelWeightMatrix(NodeBinder &b) {
  FailureOr<int64_t> bands = b.constantInt(0), length = b.constantInt(1), rate = b.constantInt(2);
  FailureOr<llvm::SmallVector<double>> low = b.constantFloats(3), high = b.constantFloats(4);
  if (failed(bands) || failed(length) || failed(rate) || failed(low) || failed(high)) {
    return failure();
  }
  if (*bands < 1 || *bands > (1 << 16) || *length < 1 || *length > (1 << 20) || *rate < 1 ||
      low->size() != 1 || high->size() != 1 || (*length / 2 + 1) * *bands > (1 << 26)) {
    return b.error("unsupported number of bands, length or rate");
  }
  int64_t bins = *length / 2 + 1;
  auto mel = [](double hertz) { return 2595.0 * std::log10(1.0 + hertz / 700.0); };
  double first = mel((*low)[0]), step = (mel((*high)[0]) - first) / (*bands + 2);
  llvm::SmallVector<int64_t> edges;
  for (int64_t i = 0; i < *bands + 2; ++i) {
    double hertz = 700.0 * (std::pow(10.0, (first + i * step) / 2595.0) - 1.0);
    double bin = std::floor((*length + 1) * hertz / *rate);
    if (!(bin >= 0) || bin > bins || (bin == bins && i <= *bands)) {
      return b.error("the edges leave the spectrum");
    }
    edges.push_back(static_cast<int64_t>(bin));
  }
  llvm::SmallVector<float> matrix(bins * *bands, 0.0f);
  for (int64_t i = 0; i < *bands; ++i) {
    int64_t left = edges[i], center = edges[i + 1], right = edges[i + 2];
    for (int64_t bin = left; bin <= center; ++bin) {
      matrix[bin * *bands + i] =
          left == center ? 1.0f : static_cast<float>(bin - left) / (center - left);
    }
    for (int64_t bin = center; bin < right; ++bin) {
      matrix[bin * *bands + i] = static_cast<float>(right - bin) / (right - center);
    }
  }
  auto type = RankedTensorType::get({bins, *bands}, Float32Type::get(b.context()));
  Value value = b.constant(DenseElementsAttr::get(type, llvm::ArrayRef<float>(matrix)));
  switch (b.intAttr("output_datatype", onnx::TensorProto::FLOAT)) {
  case onnx::TensorProto::FLOAT:
    return b.setResult(0, value);
  case onnx::TensorProto::DOUBLE:
    return b.setResult(0, b.cast(value, Float64Type::get(b.context())));
  default:
    return b.error("unsupported attribute 'output_datatype'");
  }
}

void registerNonzeroOps(OpRegistry &ops) {
  ops.add("Compress", 1, importCompress);
  ops.add("MelWeightMatrix", 1, importMelWeightMatrix);
  ops.add("NonZero", 1, importNonZero);
}

} // namespace modelc
