// Convolutions and transposed convolutions by their definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_HARNESS_CONVOLUTION_H
#define MODELC_TEST_UNIT_HARNESS_CONVOLUTION_H

#include "test/unit/harness/Tensors.h"

namespace modelc::test {

/// What a convolution is, but for its numbers. A transposed one slides over its result.
struct Convolution {
  Shape spatial, kernel, strides, dilations, begin, end;
  int64_t batch = 1, channels = 2, outputs = 2, groups = 1;
  bool channelsLast = false, bias = false;
  Shape outputPadding = {};
  bool transposed = false;
  std::string element = "f32", resultElement = "f32";

  Shape inputShape() const;
  Shape filterShape() const;
  Shape resultShape() const;
  /// "modelc.conv %0, %1, %2 {...} : (...) -> ...": x, filter and, if there is one, bias.
  std::string op() const;
  std::vector<std::string> operandTypes() const;
  Tensor operator()(const Tensor &x, const Tensor &filter, const Tensor &bias) const;

private:
  Shape arrange(int64_t n, int64_t channel, const Shape &at) const;
  Shape windows() const;
};

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_HARNESS_CONVOLUTION_H
