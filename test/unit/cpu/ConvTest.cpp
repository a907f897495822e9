// Convolutions by vector code, against their definition in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"
#include "test/unit/harness/Convolution.h"

using namespace modelc::test;

namespace {

/// `g` on every target, with the filter as an argument and as a constant.
void check(Convolution g, const std::string &generator) {
  g.channelsLast = true;
  g.resultElement = g.element;
  Tensor x{g.inputShape(), numbers(sizeOf(g.inputShape()), 1)};
  Tensor filter{g.filterShape(), numbers(sizeOf(g.filterShape()), 2)};
  Tensor bias{{g.outputs}, numbers(g.outputs, 3)};
  std::vector<Values> operands{x.values, filter.values};
  if (g.bias) {
    operands.push_back(bias.values);
  }
  Tensor expected = g(x, filter, bias);
  std::string body =
      "%r = " + g.op() + "\nmodelc.yield %r : " + tensorType(expected.shape, g.element);
  for (const std::string &target : hostTargets()) {
    for (bool isConstant : {false, true}) {
      SCOPED_TRACE(target + (isConstant ? ", constant: " : ": ") + g.op());
      auto constants = isConstant ? std::vector<unsigned>{1} : std::vector<unsigned>{};
      auto results = runKernel({g.operandTypes(), body, generator, constants}, operands, target);
      ASSERT_EQ(results.size(), 1u);
      expectEqual(results[0], expected);
    }
  }
}

/// Windows that differ in what a generator does with them; the last extent of the input follows.
const Convolution windows[] = {
    {{3}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},    // pads on all sides
    {{1}, {1, 3}, {1, 1}, {1, 1}, {0, 0}, {0, 0}},    // a single row
    {{4}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1}},    // strides, pads behind
    {{2}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 2}, // pointwise, a batch
    {{5}, {3, 3}, {1, 2}, {2, 2}, {2, 2}, {2, 2}},    // dilations
    {{}, {5}, {1}, {1}, {2}, {0}, 2},                 // one dimension, pads in front
    {{3}, {1, 1}, {2, 2}, {1, 1}, {0, 0}, {0, 0}},    // pointwise with gaps
};

/// The window with a last extent that leaves at least one result.
Convolution widened(Convolution g, int64_t extent) {
  int64_t reach = (g.kernel.back() - 1) * g.dilations.back() + 1;
  g.spatial.push_back(std::max(extent, reach - g.begin.back() - g.end.back()));
  return g;
}

void sweep(int64_t largest, unsigned rounds, bool depthwise) {
  size_t number = 0;
  for (const Shape &s : oddSizes(3, largest, rounds)) {
    Convolution g = widened(windows[number % std::size(windows)], s[0]);
    g.channels = depthwise ? s[1] + 1 : s[1];
    g.outputs = depthwise ? g.channels : s[2];
    g.groups = depthwise ? g.channels : 1;
    g.bias = number++ % 2 == 0;
    check(g, depthwise ? "depthwise" : "conv");
  }
}

TEST(CpuConv, OddSizes) {
  sweep(33, 1, false);
}
TEST(CpuConv, DISABLED_MoreSizes) {
  sweep(65, 7, false);
}
TEST(CpuDepthwise, OddSizes) {
  sweep(33, 1, true);
}
TEST(CpuDepthwise, DISABLED_MoreSizes) {
  sweep(100, 7, true);
}

TEST(CpuConv, Doubles) {
  for (Convolution g : windows) {
    g = widened(g, 11);
    g.channels = 3;
    g.outputs = 5;
    g.element = "f64";
    check(g, "conv");
  }
}
TEST(CpuDepthwise, Doubles) {
  for (Convolution g : windows) {
    g = widened(g, 11);
    g.channels = g.outputs = g.groups = 5;
    g.element = "f64";
    check(g, "depthwise");
  }
}

// Weights beyond the second-level cache are read block by block.
TEST(CpuConv, LargeWeights) {
  Convolution g{{2, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 65, 257};
  check(g, "conv");
}

// A column of the image is a row in memory.
TEST(CpuConv, SingleColumn) {
  check({{9, 1}, {3, 1}, {1, 1}, {1, 1}, {1, 0}, {1, 0}, 1, 7, 9}, "conv");
  check({{9, 1}, {3, 1}, {2, 1}, {1, 1}, {1, 0}, {1, 0}, 1, 7, 7, 7}, "depthwise");
}

// Windows that lie in the padding hold the bias alone.
TEST(CpuConv, WindowsOutside) {
  Convolution g{{2, 3}, {2, 2}, {1, 1}, {1, 1}, {3, 3}, {3, 2}, 1, 3, 9};
  g.bias = true;
  check(g, "conv");
  g.channels = g.outputs = g.groups = 9;
  check(g, "depthwise");
}

} // namespace
