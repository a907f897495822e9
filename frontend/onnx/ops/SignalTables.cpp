// Constants of signal processing: windows, the mel filter bank.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include <cmath>

using namespace mlir;

namespace modelc {

/// `value`, made of f32, in the type of attribute `output_datatype`.
static LogicalResult setTyped(NodeBinder &b, Value value) {
  switch (b.intAttr("output_datatype", onnx::TensorProto::FLOAT)) {
  case onnx::TensorProto::FLOAT:
    return b.setResult(0, value);
  case onnx::TensorProto::DOUBLE:
    return b.setResult(0, b.cast(value, Float64Type::get(b.context())));
  default:
    return b.error("unsupported attribute 'output_datatype'");
  }
}

/// Triangular filters on the mel scale: bins of a spectrum to bands.
static LogicalResult importMelWeightMatrix(NodeBinder &b) {
  FailureOr<int64_t> bands = b.constantInt(0), length = b.constantInt(1), rate = b.constantInt(2);
  FailureOr<double> low = b.constantFloat(3), high = b.constantFloat(4);
  if (failed(bands) || failed(length) || failed(rate) || failed(low) || failed(high)) {
    return failure();
  }
  if (*bands < 1 || *bands > (1 << 16) || *length < 1 || *length > (1 << 20) || *rate < 1 ||
      (*length / 2 + 1) * *bands > (1 << 26)) {
    return b.error("unsupported number of bands, length or rate");
  }
  int64_t bins = *length / 2 + 1;
  auto mel = [](double hertz) { return 2595.0 * std::log10(1.0 + hertz / 700.0); };
  double first = mel(*low), step = (mel(*high) - first) / (*bands + 2);
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
  return setTyped(b, value);
}

/// The periodic window `c0 - c1 cos(a) + c2 cos(2 a)` of the drafts, which have no other.
static LogicalResult importWindow(NodeBinder &b, std::array<double, 3> c) {
  FailureOr<int64_t> size = b.constantInt(0);
  if (failed(size)) {
    return failure();
  }
  if (*size < 1 || *size > (1 << 22)) {
    return b.error("expected a window of 1 to 4194304 samples, got " + llvm::Twine(*size));
  }
  std::vector<double> samples;
  const double pi = 3.14159265358979323846;
  for (int64_t i = 0; i < *size; ++i) {
    double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(*size);
    samples.push_back(c[0] - c[1] * std::cos(angle) + c[2] * std::cos(2 * angle));
  }
  llvm::SmallVector<float> rounded(samples.begin(), samples.end());
  auto type = RankedTensorType::get({*size}, Float32Type::get(b.context()));
  return setTyped(b, b.constant(DenseElementsAttr::get(type, llvm::ArrayRef<float>(rounded))));
}

static LogicalResult importHannWindow(NodeBinder &b) {
  return importWindow(b, {0.5, 0.5, 0});
}

static LogicalResult importHammingWindow(NodeBinder &b) {
  return importWindow(b, {25.0 / 46, 21.0 / 46, 0});
}

static LogicalResult importBlackmanWindow(NodeBinder &b) {
  return importWindow(b, {0.42, 0.5, 0.08});
}

void registerSignalTableOps(OpRegistry &ops) {
  ops.add("MelWeightMatrix", 1, importMelWeightMatrix);
  llvm::StringRef draft = "com.microsoft.experimental";
  ops.add(draft, "BlackmanWindow", 1, importBlackmanWindow);
  ops.add(draft, "HammingWindow", 1, importHammingWindow);
  ops.add(draft, "HannWindow", 1, importHannWindow);
  ops.add(draft, "MelWeightMatrix", 1, importMelWeightMatrix);
}

} // namespace modelc
