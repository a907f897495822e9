// Pools by vector code, against their definition in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

struct Pool {
  Shape spatial, kernel, strides, dilations, begin, sizes;
  int64_t batch = 1, channels = 1;
  bool isMax = true;
  std::string element = "f32";
};

Tensor pool(const Pool &p, const Tensor &x) {
  Shape shape{p.batch, p.sizes[0], p.sizes[1], p.channels};
  return tabulate(shape, [&](const Shape &at) {
    double best = -inf, total = 0, count = 0;
    forIndices(p.kernel, [&](const Shape &k) {
      int64_t row = at[1] * p.strides[0] + k[0] * p.dilations[0] - p.begin[0];
      int64_t column = at[2] * p.strides[1] + k[1] * p.dilations[1] - p.begin[1];
      if (row >= 0 && row < p.spatial[0] && column >= 0 && column < p.spatial[1]) {
        double value = x({at[0], row, column, at[3]});
        best = std::max(best, value);
        total += value;
        ++count;
      }
    });
    return p.isMax ? best : total / count;
  });
}

void check(const Pool &p) {
  Shape shape{p.batch, p.spatial[0], p.spatial[1], p.channels};
  Tensor x{shape, numbers(sizeOf(shape), 4)};
  Tensor expected = pool(p, x);
  std::string type = tensorType(shape, p.element), result = tensorType(expected.shape, p.element);
  std::string attributes = "{kernel = " + arrayOf(p.kernel) + ", strides = " + arrayOf(p.strides) +
                           ", dilations = " + arrayOf(p.dilations) +
                           ", pads_begin = " + arrayOf(p.begin) + ", sizes = " + arrayOf(p.sizes) +
                           ", channels_last";
  std::string body = p.isMax
                         ? "%r, %i = modelc.max_pool %0 " + attributes + "} : (" + type + ") -> (" +
                               result + ", " + tensorType(expected.shape, "i64") + ")"
                         : "%r = modelc.average_pool %0 " + attributes +
                               ", pads_end = array<i64: 0, 0>} : (" + type + ") -> " + result;
  body += "\nmodelc.yield %r : " + result;
  for (const std::string &target : hostTargets()) {
    SCOPED_TRACE(target + ": " + body);
    auto results = runKernel({{type}, body, "pool"}, {x.values}, target);
    ASSERT_EQ(results.size(), 1u);
    // A mean is rounded twice.
    expectClose(results[0], expected, p.isMax ? 0 : 2e-7);
  }
}

void sweep(int64_t largest, unsigned rounds) {
  for (const Shape &s : oddSizes(2, largest, rounds)) {
    int64_t width = s[0];
    // With pads and beyond the end, dilated; whole windows; one window per row.
    check({{3, width + 1}, {3, 2}, {2, 1}, {1, 2}, {1, 1}, {2, width + 1}, 1, s[1]});
    check({{4, 2 * width}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {2, width}, 2, s[1]});
    check({{4, 2 * width}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {2, width}, 2, s[1], false});
    check({{2, 5}, {2, 5}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, s[1], false});
  }
}

TEST(CpuPool, OddSizes) {
  sweep(17, 1);
}
TEST(CpuPool, DISABLED_MoreSizes) {
  sweep(100, 4);
}

TEST(CpuPool, Doubles) {
  for (int64_t channels : {1, 3, 9}) {
    check({{4, 7}, {3, 3}, {1, 2}, {1, 1}, {1, 1}, {4, 4}, 1, channels, true, "f64"});
    check({{4, 7}, {3, 3}, {1, 2}, {1, 1}, {0, 0}, {2, 3}, 1, channels, false, "f64"});
  }
}

TEST(CpuPool, NotANumberStays) {
  for (const std::string &target : hostTargets()) {
    std::string body = "%r, %i = modelc.max_pool %0 {kernel = array<i64: 2>, strides = array<i64: "
                       "1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = "
                       "array<i64: 3>, channels_last} : (tensor<1x4x2xf32>) -> "
                       "(tensor<1x3x2xf32>, tensor<1x3x2xi64>)\nmodelc.yield %r : "
                       "tensor<1x3x2xf32>";
    auto results = runKernel({{"tensor<1x4x2xf32>"}, body, "pool"},
                             {{1, -inf, notANumber, -inf, 2, -1, 3, notANumber}}, target);
    ASSERT_EQ(results.size(), 1u);
    expectEqual(results[0], Values{notANumber, -inf, notANumber, -1, 3, notANumber});
  }
}

} // namespace
