// Convolutions and transposed convolutions against their definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

struct Geometry {
  Shape spatial, kernel, strides, dilations, begin, end;
  int64_t batch = 1, channels = 2, outputs = 2, groups = 1;
  bool channelsLast = false, bias = false;
  Shape outputPadding = {};
  std::string element = "f32", resultElement = "f32";
};

std::string list(const Shape &values) {
  std::string text = "array<i64";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? ": " : ", ") + std::to_string(values[i]);
  }
  return text + ">";
}

std::string tensor(const Shape &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape) {
    text += std::to_string(extent) + "x";
  }
  return text + element + ">";
}

Shape arrange(int64_t batch, int64_t channels, const Shape &spatial, bool channelsLast) {
  Shape shape{batch};
  if (!channelsLast) {
    shape.push_back(channels);
  }
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  if (channelsLast) {
    shape.push_back(channels);
  }
  return shape;
}

Shape join(Shape a, const Shape &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Calls `body` with input position, kernel position and output position for each triple that the
/// convolution links; `input` slides, so for the transposed convolution it is the result.
void forLinks(const Geometry &g, const Shape &sliding, const Shape &windows,
              llvm::function_ref<void(const Shape &, const Shape &, const Shape &)> body) {
  forIndices(windows, [&](const Shape &o) {
    forIndices(g.kernel, [&](const Shape &k) {
      Shape position;
      for (size_t d = 0; d < o.size(); ++d) {
        position.push_back(o[d] * g.strides[d] + k[d] * g.dilations[d] - g.begin[d]);
        if (position[d] < 0 || position[d] >= sliding[d]) {
          return;
        }
      }
      body(position, k, o);
    });
  });
}

void check(const Geometry &g, bool transposed = false) {
  Shape to;
  for (size_t d = 0; d < g.spatial.size(); ++d) {
    int64_t reach = (g.kernel[d] - 1) * g.dilations[d] + 1;
    to.push_back(transposed ? (g.spatial[d] - 1) * g.strides[d] + reach + g.outputPadding[d] -
                                  g.begin[d] - g.end[d]
                            : (g.spatial[d] + g.begin[d] + g.end[d] - reach) / g.strides[d] + 1);
  }
  int64_t inputs = g.channels / g.groups, outputs = g.outputs / g.groups;
  Shape filterShape =
      join(transposed ? Shape{g.channels, outputs} : Shape{g.outputs, inputs}, g.kernel);
  Tensor x{arrange(g.batch, g.channels, g.spatial, g.channelsLast), {}};
  Tensor filter{filterShape, {}}, bias{{g.outputs}, {}};
  x.values = integers(sizeOf(x.shape), -3, 3, 1);
  filter.values = integers(sizeOf(filterShape), -3, 3, 2);
  bias.values = integers(g.outputs, -9, 9, 3);
  if (g.element[0] == 'u') {
    x.values = integers(sizeOf(x.shape), 100, 255, 1);
  }

  Tensor expected{arrange(g.batch, g.outputs, to, g.channelsLast), {}};
  expected.values.resize(sizeOf(expected.shape));
  auto at = [&](const Tensor &t, const Shape &indices) {
    int64_t position = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      position = position * t.shape[d] + indices[d];
    }
    return position;
  };
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t c = 0; c < g.outputs; ++c) {
      forIndices(to, [&](const Shape &o) {
        expected.values[at(expected, arrange(n, c, o, g.channelsLast))] =
            g.bias ? bias.values[c] : 0;
      });
      for (int64_t i = 0; i < inputs; ++i) {
        int64_t channel = c / outputs * inputs + i;
        forLinks(g, transposed ? to : g.spatial, transposed ? g.spatial : to,
                 [&](const Shape &position, const Shape &k, const Shape &o) {
                   const Shape &from = transposed ? o : position,
                               &target = transposed ? position : o;
                   Shape head = transposed ? Shape{channel, c % outputs} : Shape{c, i};
                   expected.values[at(expected, arrange(n, c, target, g.channelsLast))] +=
                       x(arrange(n, channel, from, g.channelsLast)) * filter(join(head, k));
                 });
      }
    }
  }

  std::string attributes = "{strides = " + list(g.strides) + ", dilations = " + list(g.dilations) +
                           ", pads_begin = " + list(g.begin) + ", pads_end = " + list(g.end) +
                           ", groups = " + std::to_string(g.groups) + " : i64";
  if (transposed) {
    attributes += ", output_padding = " + list(g.outputPadding);
  }
  if (g.channelsLast) {
    attributes += ", channels_last";
  }
  std::string types = tensor(x.shape, g.element) + ", " +
                      tensor(filterShape, g.element[0] == 'u' ? "i8" : g.element);
  std::vector<Values> operands{x.values, filter.values};
  if (g.bias) {
    types += ", " + tensor(bias.shape, g.resultElement);
    operands.push_back(bias.values);
  }
  auto results = run(std::string("modelc.") + (transposed ? "conv_transpose" : "conv") +
                         (g.bias ? " %0, %1, %2 " : " %0, %1 ") + attributes + "} : (" + types +
                         ") -> " + tensor(expected.shape, g.resultElement),
                     operands);
  ASSERT_EQ(results.size(), 1u);
  expectEqual(results[0], expected);
}

/// The geometry in both layouts, with and without bias.
void checkAll(Geometry g, bool transposed = false) {
  for (int variant = 0; variant < 4; ++variant) {
    g.channelsLast = variant & 1;
    g.bias = variant & 2;
    SCOPED_TRACE("variant " + std::to_string(variant));
    check(g, transposed);
  }
}

TEST(Conv, OneDimension) {
  checkAll({{9}, {3}, {1}, {1}, {0}, {0}});
}
TEST(Conv, ShortRows) {
  checkAll({{5}, {3}, {1}, {1}, {0}, {0}, 2, 3, 4});
}
TEST(Conv, PadsStridesDilations) {
  checkAll({{9, 10}, {3, 2}, {2, 1}, {1, 3}, {1, 2}, {0, 3}, 2, 3, 2});
  checkAll({{7, 8}, {3, 3}, {1, 2}, {2, 2}, {2, 2}, {2, 2}, 1, 2, 3});
}
TEST(Conv, WindowsOutside) { // whole windows lie in the padding
  checkAll({{4}, {2}, {1}, {1}, {5}, {6}});
  checkAll({{2}, {3}, {3}, {4}, {9}, {9}});
}
TEST(Conv, Groups) {
  checkAll({{6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 6, 4, 2});
}
TEST(Conv, Depthwise) {
  checkAll({{6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 5, 5, 5});
  checkAll({{6, 6}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 1, 3, 6, 3});
}
TEST(Conv, Pointwise) {
  checkAll({{4, 4}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, 3, 5});
}
TEST(Conv, ThreeDimensions) {
  checkAll({{4, 3, 5}, {2, 2, 3}, {1, 2, 1}, {1, 1, 1}, {1, 0, 1}, {0, 1, 1}});
}
TEST(Conv, RowsInBlocks) {
  check({{1500}, {3}, {1}, {1}, {1}, {1}, 1, 1, 1});
}
TEST(Conv, Empty) {
  check({{5}, {3}, {1}, {1}, {0}, {0}, 0, 2, 2});
  checkAll({{8}, {3}, {1}, {1}, {0}, {0}, 1, 0, 2});
}
TEST(Conv, Integers) {
  Geometry g{{9, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 3, 4};
  g.element = "i8";
  g.resultElement = "i32";
  checkAll(g);
  g.element = "ui8"; // with a signed filter
  checkAll(g);
}

TEST(ConvTranspose, OneDimension) {
  Geometry g{{4}, {3}, {1}, {1}, {0}, {0}};
  g.outputPadding = {0};
  checkAll(g, true);
  g.strides = {3};
  g.outputPadding = {2};
  checkAll(g, true);
}
TEST(ConvTranspose, PadsDilationsGroups) {
  Geometry g{{4, 5}, {3, 3}, {2, 1}, {1, 2}, {1, 2}, {0, 1}, 2, 4, 6, 2};
  g.outputPadding = {1, 0};
  checkAll(g, true);
}
TEST(ConvTranspose, NegativePads) {
  Geometry g{{4, 5}, {2, 2}, {2, 3}, {1, 1}, {-2, 1}, {-1, -1}, 1, 2, 3, 1};
  g.outputPadding = {0, 0};
  checkAll(g, true);
}
TEST(ConvTranspose, ThreeDimensions) {
  Geometry g{{2, 3, 2}, {2, 1, 3}, {1, 2, 2}, {1, 1, 1}, {0, 0, 1}, {1, 0, 1}};
  g.outputPadding = {0, 1, 0};
  checkAll(g, true);
}
TEST(ConvTranspose, RowsInBlocks) {
  Geometry g{{700}, {4}, {2}, {1}, {1}, {1}, 1, 1, 1};
  g.outputPadding = {0};
  check(g, true);
}

} // namespace
