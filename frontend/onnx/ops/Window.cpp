// Windows of convolutions and pools: attributes of ONNX as explicit numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Window.h"

using namespace mlir;

namespace modelc {

FailureOr<AutoPad> readAutoPad(NodeBinder &b) {
  FailureOr<unsigned> choice =
      b.choiceAttr("auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}, "NOTSET");
  if (failed(choice)) {
    return failure();
  }
  return static_cast<AutoPad>(*choice);
}

/// Attribute `name` with `count` entries between `least` and 2^31.
static LogicalResult readEntries(NodeBinder &b, llvm::StringRef name, size_t count, int64_t least,
                                 int64_t otherwise, llvm::SmallVector<int64_t> &values) {
  values = b.intsAttr(name);
  if (values.empty()) {
    values.assign(count, otherwise);
  }
  if (values.size() != count) {
    return b.attrError(name, llvm::Twine(count) + " entries", llvm::Twine(values.size()));
  }
  for (int64_t value : values) {
    if (value < least || value > INT32_MAX) {
      return b.attrError(name, "entries of at least " + llvm::Twine(least), llvm::Twine(value));
    }
  }
  return success();
}

FailureOr<Window> readWindow(NodeBinder &b, unsigned spatialRank, llvm::ArrayRef<int64_t> kernel) {
  Window window;
  if (!b.hasAttr("kernel_shape") && !kernel.empty()) {
    window.kernel.assign(kernel.begin(), kernel.end());
  } else if (failed(readEntries(b, "kernel_shape", spatialRank, 1, 1, window.kernel))) {
    return failure();
  }
  if (!kernel.empty() && llvm::ArrayRef(window.kernel) != kernel) {
    return b.error("attribute 'kernel_shape' differs from the shape of the "
                   "weights");
  }
  if (failed(readEntries(b, "strides", spatialRank, 1, 1, window.strides)) ||
      failed(readEntries(b, "dilations", spatialRank, 1, 1, window.dilations))) {
    return failure();
  }
  llvm::SmallVector<int64_t> pads;
  if (failed(readEntries(b, "pads", 2 * spatialRank, 0, 0, pads))) {
    return failure();
  }
  llvm::ArrayRef<int64_t> all(pads);
  window.padsBegin.assign(all.begin(), all.begin() + spatialRank);
  window.padsEnd.assign(all.begin() + spatialRank, all.end());
  for (unsigned i = 0; i < spatialRank; ++i) {
    if (window.kernel[i] < 1 || window.kernel[i] > INT32_MAX ||
        window.dilatedKernel(i) > INT32_MAX) {
      return b.error("the window is empty or too large");
    }
  }
  return window;
}

void applyAutoPad(AutoPad autoPad, llvm::ArrayRef<int64_t> input, Window &window) {
  if (autoPad == AutoPad::NotSet) {
    return;
  }
  for (size_t i = 0; i < input.size(); ++i) {
    int64_t total = 0;
    if (autoPad != AutoPad::Valid) {
      int64_t stride = window.strides[i];
      int64_t output = (input[i] + stride - 1) / stride;
      total = std::max<int64_t>((output - 1) * stride + window.dilatedKernel(i) - input[i], 0);
    }
    int64_t small = total / 2;
    bool isLower = autoPad == AutoPad::SameLower;
    window.padsBegin[i] = isLower ? total - small : small;
    window.padsEnd[i] = isLower ? small : total - small;
  }
}

} // namespace modelc
