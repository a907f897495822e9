// Convolutions in groups and transposed ones by vector code, against sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

/// One spatial dimension.
struct Axis {
  int64_t extent, kernel, stride = 1, dilation = 1, padBegin = 0, padEnd = 0;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

struct Case {
  int64_t groups, inputsPerGroup, outputsPerGroup;
  std::vector<Axis> axes;
  std::string generator = "conv";
  bool isTransposed = false;
  std::string element = "f32";
  int64_t batch = 1;

  int64_t inputs() const { return groups * inputsPerGroup; }
  int64_t outputs() const { return groups * outputsPerGroup; }
  int64_t results(const Axis &a) const {
    return isTransposed ? (a.extent - 1) * a.stride + a.reach() - a.padBegin - a.padEnd
                        : (a.extent + a.padBegin + a.padEnd - a.reach()) / a.stride + 1;
  }
};

Shape collect(const Case &c, int64_t Axis::*member) {
  Shape list;
  for (const Axis &axis : c.axes) {
    list.push_back(axis.*member);
  }
  return list;
}

/// Adds `x[i] * w[k]` to every result that it belongs to, by the definitions of ONNX.
Tensor expectedOf(const Case &c, const Tensor &x, const Tensor &w, const Tensor &bias) {
  Shape shape{c.batch};
  for (const Axis &axis : c.axes) {
    shape.push_back(c.results(axis));
  }
  shape.push_back(c.outputs());
  Tensor sums = tabulate(shape, [&](const Shape &at) { return bias({at.back()}); });
  size_t spatial = c.axes.size();
  auto linear = [](const Shape &extents, const Shape &at) {
    int64_t position = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      position = position * extents[d] + at[d];
    }
    return static_cast<size_t>(position);
  };
  // `one` runs over the results of a convolution, over the inputs of a transposed one.
  Shape loops = c.isTransposed ? x.shape : shape;
  forIndices(loops, [&](const Shape &one) {
    Shape kernel = collect(c, &Axis::kernel);
    int64_t group = one.back() / (c.isTransposed ? c.inputsPerGroup : c.outputsPerGroup);
    kernel.push_back(c.isTransposed ? c.outputsPerGroup : c.inputsPerGroup);
    forIndices(kernel, [&](const Shape &k) {
      Shape other{one[0]};
      for (size_t d = 0; d < spatial; ++d) {
        const Axis &axis = c.axes[d];
        int64_t position = one[1 + d] * axis.stride + k[d] * axis.dilation - axis.padBegin;
        if (position < 0 || position >= (c.isTransposed ? shape : x.shape)[1 + d]) {
          return;
        }
        other.push_back(position);
      }
      other.push_back(group * kernel.back() + k.back());
      Shape weight{one.back(), k.back()};
      weight.insert(weight.end(), k.begin(), k.end() - 1);
      const Shape &result = c.isTransposed ? other : one, &source = c.isTransposed ? one : other;
      sums.values[linear(shape, result)] += x(source) * w(weight);
    });
  });
  return sums;
}

void check(const Case &c, const std::string &target) {
  Shape xShape{c.batch};
  for (const Axis &axis : c.axes) {
    xShape.push_back(axis.extent);
  }
  xShape.push_back(c.inputs());
  Shape wShape =
      c.isTransposed ? Shape{c.inputs(), c.outputsPerGroup} : Shape{c.outputs(), c.inputsPerGroup};
  for (const Axis &axis : c.axes) {
    wShape.push_back(axis.kernel);
  }
  Tensor x{xShape, numbers(sizeOf(xShape), 1)}, w{wShape, numbers(sizeOf(wShape), 2)};
  Tensor bias{{c.outputs()}, numbers(c.outputs(), 3)};
  Tensor expected = expectedOf(c, x, w, bias);
  std::vector<std::string> types;
  for (const Tensor *tensor : {&x, &w, &bias}) {
    types.push_back(tensorType(tensor->shape, c.element));
  }
  std::string result = tensorType(expected.shape, c.element);
  std::string padding = "output_padding = " + arrayOf(Shape(c.axes.size(), 0)) + ", ";
  std::string body = std::string("%r = modelc.") + (c.isTransposed ? "conv_transpose" : "conv") +
                     " %0, %1, %2 {channels_last, " + (c.isTransposed ? padding : "") +
                     "dilations = " + arrayOf(collect(c, &Axis::dilation)) +
                     ", groups = " + std::to_string(c.groups) +
                     " : i64, pads_begin = " + arrayOf(collect(c, &Axis::padBegin)) +
                     ", pads_end = " + arrayOf(collect(c, &Axis::padEnd)) +
                     ", strides = " + arrayOf(collect(c, &Axis::stride)) + "} : (" + types[0] +
                     ", " + types[1] + ", " + types[2] + ") -> " + result +
                     "\nmodelc.yield %r : " + result;
  for (bool isConstant : {false, true}) {
    SCOPED_TRACE(target + (isConstant ? ", constant: " : ": ") + body);
    auto constants = isConstant ? std::vector<unsigned>{1} : std::vector<unsigned>{};
    auto results =
        runKernel({types, body, c.generator, constants}, {x.values, w.values, bias.values}, target);
    ASSERT_EQ(results.size(), 1u);
    expectEqual(results[0], expected);
  }
}

void checkOnAll(const std::vector<Case> &cases) {
  for (const std::string &target : hostTargets()) {
    for (const Case &c : cases) {
      check(c, target);
    }
  }
}

TEST(CpuGroupedConv, ChannelsPerGroup) {
  std::vector<Case> cases;
  for (const Shape &s : oddSizes(2, 33)) {
    if (s[1] > 1) {
      cases.push_back({3, s[0], s[1], {{5, 3, 1, 1, 1, 1}, {11, 3, 2, 1, 1, 0}}});
    }
  }
  checkOnAll(cases);
}

TEST(CpuGroupedConv, Windows) {
  checkOnAll({
      {2, 3, 20, {{19, 4, 3, 2, 2, 1}}},
      {4, 2, 5, {{7, 1}, {6, 1}}},
      {2, 8, 8, {{5, 1}, {33, 5, 2, 1, 2, 2}}},
      {3, 5, 17, {{6, 2, 1, 3, 3, 0}, {10, 3, 1, 2, 2, 2}}, "conv", false, "f64", 2},
  });
}

TEST(CpuTransposedConv, Channels) {
  std::vector<Case> cases;
  for (const Shape &s : oddSizes(3, 33)) {
    Axis down{s[2] % 4 + 1, 3, 1, 1, 1, 1}, across{s[2], 5, 2, 1, 2, 2};
    cases.push_back({1, s[0], s[1], {down, across}, "conv", true});
    if (s[1] > 1) {
      cases.push_back({2, s[0], s[1], {across}, "conv", true});
    }
  }
  checkOnAll(cases);
}

/// Every residue of the stride, with and without weights of its own.
void checkPhases(const Shape &kernels, const Shape &strides, const Shape &dilations) {
  std::vector<Case> cases;
  for (int64_t kernel : kernels) {
    for (int64_t stride : strides) {
      for (int64_t dilation : dilations) {
        Axis axis{6, kernel, stride, dilation};
        axis.padBegin = std::min<int64_t>(kernel / 2, axis.reach() - 1);
        axis.padEnd = (kernel - 1) / 2;
        cases.push_back({1, 3, 5, {axis}, "conv", true});
        cases.push_back({5, 1, 1, {axis}, "depthwise", true});
      }
    }
  }
  checkOnAll(cases);
}

TEST(CpuTransposedConv, Phases) {
  checkPhases({1, 2, 3, 5}, {1, 2, 3}, {1, 2});
}
TEST(CpuTransposedConv, DISABLED_MorePhases) {
  checkPhases({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 6}, {1, 2, 3, 4});
}

TEST(CpuTransposedConv, Images) {
  checkOnAll({
      {1, 3, 5, {{4, 4, 2, 1, 1, 1}, {5, 4, 2, 1, 1, 1}}, "conv", true, "f32", 2},
      {1, 7, 9, {{3, 1}, {5, 1}}, "conv", true},
      {1, 16, 2, {{1, 1}, {31, 5, 2, 1, 2, 2}}, "conv", true},
      {1, 5, 6, {{9, 3, 2, 1, 1, 0}, {1, 1}}, "conv", true, "f64"},
      {16, 1, 1, {{3, 3, 1, 1, 2, 2}, {33, 3, 1, 1, 1, 1}}, "depthwise", true},
      {9, 1, 1, {{11, 3, 1, 5, 10, 10}, {33, 3, 1, 1, 1, 1}}, "depthwise", true, "f64"},
  });
}

TEST(CpuDepthwise, LongKernels) {
  checkOnAll({
      {35, 1, 1, {{20, 20}}, "depthwise"},
      {35, 1, 1, {{40, 17, 2, 1, 0, 0}}, "depthwise"},
      {4, 1, 1, {{5, 3, 1, 1, 1, 1}, {70, 21, 1, 2, 0, 0}}, "depthwise"},
  });
}

} // namespace
