// Convolutions and transposed convolutions by their definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Convolution.h"

namespace modelc::test {

static Shape join(Shape a, const Shape &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Shape Convolution::arrange(int64_t n, int64_t channel, const Shape &at) const {
  return channelsLast ? join(join({n}, at), {channel}) : join({n, channel}, at);
}

/// The spatial extents of the result.
Shape Convolution::windows() const {
  Shape to;
  for (size_t d = 0; d < spatial.size(); ++d) {
    int64_t reach = (kernel[d] - 1) * dilations[d] + 1;
    to.push_back(transposed
                     ? (spatial[d] - 1) * strides[d] + reach + outputPadding[d] - begin[d] - end[d]
                     : (spatial[d] + begin[d] + end[d] - reach) / strides[d] + 1);
  }
  return to;
}

Shape Convolution::inputShape() const {
  return arrange(batch, channels, spatial);
}

Shape Convolution::filterShape() const {
  return join(transposed ? Shape{channels, outputs / groups} : Shape{outputs, channels / groups},
              kernel);
}

Shape Convolution::resultShape() const {
  return arrange(batch, outputs, windows());
}

std::vector<std::string> Convolution::operandTypes() const {
  // An unsigned input has a signed filter.
  std::vector<std::string> types{
      tensorType(inputShape(), element),
      tensorType(filterShape(), element[0] == 'u' ? element.substr(1) : element)};
  if (bias) {
    types.push_back(tensorType({outputs}, resultElement));
  }
  return types;
}

std::string Convolution::op() const {
  std::string text = std::string("modelc.") + (transposed ? "conv_transpose" : "conv") +
                     (bias ? " %0, %1, %2 " : " %0, %1 ") + "{strides = " + arrayOf(strides) +
                     ", dilations = " + arrayOf(dilations) + ", pads_begin = " + arrayOf(begin) +
                     ", pads_end = " + arrayOf(end) + ", groups = " + std::to_string(groups) +
                     " : i64";
  if (transposed) {
    text += ", output_padding = " + arrayOf(outputPadding);
  }
  if (channelsLast) {
    text += ", channels_last";
  }
  const char *separator = "} : (";
  for (const std::string &type : operandTypes()) {
    text += separator + type;
    separator = ", ";
  }
  return text + ") -> " + tensorType(resultShape(), resultElement);
}

Tensor Convolution::operator()(const Tensor &x, const Tensor &filter, const Tensor &biases) const {
  Tensor result{resultShape(), {}};
  result.values.resize(sizeOf(result.shape));
  auto element = [&](const Shape &indices) -> double & {
    int64_t position = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      position = position * result.shape[d] + indices[d];
    }
    return result.values[position];
  };
  Shape to = windows();
  const Shape &sliding = transposed ? to : spatial;
  int64_t inputs = channels / groups, perGroup = outputs / groups;
  // Every link of an element that the kernel slides over with a kernel's and a window's element.
  auto forLinks = [&](llvm::function_ref<void(const Shape &, const Shape &, const Shape &)> body) {
    forIndices(transposed ? spatial : to, [&](const Shape &window) {
      forIndices(kernel, [&](const Shape &k) {
        Shape position;
        for (size_t d = 0; d < window.size(); ++d) {
          position.push_back(window[d] * strides[d] + k[d] * dilations[d] - begin[d]);
          if (position[d] < 0 || position[d] >= sliding[d]) {
            return;
          }
        }
        body(position, k, window);
      });
    });
  };
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < outputs; ++c) {
      forIndices(
          to, [&](const Shape &at) { element(arrange(n, c, at)) = bias ? biases.values[c] : 0; });
      for (int64_t i = 0; i < inputs; ++i) {
        int64_t channel = c / perGroup * inputs + i;
        Shape head = transposed ? Shape{channel, c % perGroup} : Shape{c, i};
        forLinks([&](const Shape &position, const Shape &k, const Shape &window) {
          const Shape &from = transposed ? window : position;
          const Shape &target = transposed ? position : window;
          element(arrange(n, c, target)) += x(arrange(n, channel, from)) * filter(join(head, k));
        });
      }
    }
  }
  return result;
}

} // namespace modelc::test
