// 3x3 convolutions with fewer products, against sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

struct Image {
  int64_t batch, rows, columns, inputs, outputs;
  Shape padsBegin, padsEnd;
};

/// x has channels last.
Tensor convolve(const Tensor &x, const Tensor &filter, const Tensor &bias, const Image &c) {
  int64_t rows = c.rows + c.padsBegin[0] + c.padsEnd[0] - 2;
  int64_t columns = c.columns + c.padsBegin[1] + c.padsEnd[1] - 2;
  Tensor result{{c.batch, rows, columns, c.outputs}, {}};
  forIndices({c.batch, rows, columns}, [&](const Shape &at) {
    Values totals = bias.values;
    forIndices({3, 3}, [&](const Shape &k) {
      int64_t row = at[1] + k[0] - c.padsBegin[0], column = at[2] + k[1] - c.padsBegin[1];
      if (row < 0 || row >= c.rows || column < 0 || column >= c.columns) {
        return;
      }
      const double *from =
          x.values.data() + ((at[0] * c.rows + row) * c.columns + column) * c.inputs;
      const double *weights = filter.values.data() + k[0] * 3 + k[1];
      for (int64_t o = 0; o < c.outputs; ++o) {
        for (int64_t i = 0; i < c.inputs; ++i) {
          totals[static_cast<size_t>(o)] += from[i] * weights[(o * c.inputs + i) * 9];
        }
      }
    });
    result.values.insert(result.values.end(), totals.begin(), totals.end());
  });
  return result;
}

/// Without and with something after the convolution, with the filter as an argument and as a
/// constant.
void check(const Image &c, const std::string &element = "f32") {
  auto tensor = [](const Shape &shape, unsigned seed) {
    return Tensor{shape, numbers(sizeOf(shape), seed)};
  };
  Tensor x = tensor({c.batch, c.rows, c.columns, c.inputs}, 1);
  Tensor filter = tensor({c.outputs, c.inputs, 3, 3}, 2), bias = tensor({c.outputs}, 3);
  Tensor expected = convolve(x, filter, bias, c), relu = expected;
  for (double &value : relu.values) {
    value = std::max(value, 0.0);
  }
  auto type = [&](const Tensor &t) { return tensorType(t.shape, element); };
  std::string result = type(expected);
  std::string conv = "%c = modelc.conv %0, %1, %2 {channels_last, dilations = " + arrayOf({1, 1}) +
                     ", groups = 1 : i64, pads_begin = " + arrayOf(c.padsBegin) +
                     ", pads_end = " + arrayOf(c.padsEnd) + ", strides = " + arrayOf({1, 1}) +
                     "} : (" + type(x) + ", " + type(filter) + ", " + type(bias) + ") -> " +
                     result + "\n";
  std::string plain = conv + "modelc.yield %c : " + result;
  std::string fused = conv + "%r = modelc.relu %c : (" + result + ") -> " + result +
                      "\nmodelc.yield %r : " + result;
  std::vector<std::string> types{type(x), type(filter), type(bias)};
  std::vector<Values> operands{x.values, filter.values, bias.values};
  for (const std::string &target : hostTargets()) {
    SCOPED_TRACE(target + ": " + conv);
    auto results = runKernel({types, plain, "winograd"}, operands, target);
    ASSERT_EQ(results.size(), 1u);
    expectClose(results[0], expected, 1e-5);
    results = runKernel({types, fused, "winograd", {1}}, operands, target);
    ASSERT_EQ(results.size(), 1u);
    expectClose(results[0], relu, 1e-5);
  }
}

// Few channels are not worth the transforms, nor are small images.
TEST(CpuWinograd, Channels) {
  for (const Shape &s : {Shape{15, 15}, {16, 17}, {17, 31}, {33, 33}, {64, 9}}) {
    check({1, 45, 67, s[0], s[1], {1, 1}, {1, 1}});
  }
}

TEST(CpuWinograd, Pads) {
  for (const Shape &pads : {Shape{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 1, 0, 2}, {0, 2, 3, 1}}) {
    check({2, 41, 40, 16, 17, {pads[0], pads[1]}, {pads[2], pads[3]}});
    check({1, 64, 62, 24, 16, {pads[0], pads[1]}, {pads[2], pads[3]}});
  }
}

TEST(CpuWinograd, Shapes) {
  check({1, 300, 9, 32, 32, {1, 1}, {1, 1}});
  check({1, 6, 700, 32, 32, {1, 1}, {1, 1}});
  check({1, 60, 60, 64, 64, {1, 1}, {1, 1}});
}

TEST(CpuWinograd, Doubles) {
  check({1, 33, 50, 18, 23, {1, 1}, {1, 1}}, "f64");
}

} // namespace
