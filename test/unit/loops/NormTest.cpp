// Normalizations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

struct Moments {
  double mean, inverse;
};

Moments momentsOf(const Values &values, double epsilon) {
  double mean = 0, variance = 0;
  for (double x : values) {
    mean += x / static_cast<double>(values.size());
  }
  for (double x : values) {
    variance += (x - mean) * (x - mean) / static_cast<double>(values.size());
  }
  return {mean, 1 / std::sqrt(variance + epsilon)};
}

TEST(LayerNorm, ThreeResults) {
  Tensor x{{2, 3, 4}, numbers(24, 1)}, scale{{3, 4}, numbers(12, 2)}, bias{{4}, numbers(4, 3)};
  auto results = run("modelc.layer_norm %0, %1, %2 {axis = 1 : i64, epsilon = 1.0e-2 : f64} : "
                     "(tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<4xf32>) -> "
                     "(tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)",
                     {x.values, scale.values, bias.values});
  Moments moments[2];
  for (int i = 0; i < 2; ++i) {
    moments[i] = momentsOf(Values(x.values.begin() + i * 12, x.values.begin() + i * 12 + 12), 1e-2);
  }
  expectClose(results[0], tabulate({2, 3, 4}, [&](const Shape &at) {
                const Moments &m = moments[at[0]];
                return (x(at) - m.mean) * m.inverse * scale({at[1], at[2]}) + bias({at[2]});
              }));
  expectClose(results[1], Values{moments[0].mean, moments[1].mean});
  expectClose(results[2], Values{moments[0].inverse, moments[1].inverse});
}

TEST(LayerNorm, NarrowFloatsHaveSingleStatistics) {
  auto results = run("modelc.layer_norm %0, %1, %2 {axis = 0 : i64, epsilon = 0.0 : f64} : "
                     "(tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> "
                     "(tensor<4xf16>, tensor<1xf32>, tensor<1xf32>)",
                     {{1, 2, 3, 4.25}, {1}, {0}});
  Moments moments = momentsOf({1, 2, 3, 4.25}, 0);
  expectClose(results[1], Values{moments.mean});
  expectClose(results[2], Values{moments.inverse});
}

TEST(LayerNorm, RootMeanSquare) {
  auto results = run("modelc.layer_norm %0, %1, %2 {axis = 1 : i64, epsilon = 0.0 : f64, rms} : "
                     "(tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> "
                     "(tensor<1x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>)",
                     {{1, 7}, {1, 10}, {0, 0}});
  expectClose(results[0], Values{0.2, 14});
  expectEqual(results[1], Values{0});
  expectClose(results[2], Values{0.2});
}

TEST(GroupNorm, Groups) {
  Tensor x{{2, 6, 2, 3}, numbers(72, 4)}, scale{{6}, numbers(6, 5)}, bias{{6}, numbers(6, 6)};
  for (int64_t groups : {1, 2, 6}) {
    auto results = run("modelc.group_norm %0, %1, %2 {groups = " + std::to_string(groups) +
                           " : i64, epsilon = 1.0e-2 : f64} : (tensor<2x6x2x3xf32>, tensor<6xf32>, "
                           "tensor<6xf32>) -> tensor<2x6x2x3xf32>",
                       {x.values, scale.values, bias.values});
    int64_t size = 36 / groups;
    expectClose(results[0], tabulate({2, 6, 2, 3}, [&](const Shape &at) {
                  auto first = x.values.begin() + at[0] * 36 + at[1] / (6 / groups) * size;
                  Moments m = momentsOf(Values(first, first + size), 1e-2);
                  return (x(at) - m.mean) * m.inverse * scale({at[1]}) + bias({at[1]});
                }));
  }
}

TEST(LocalResponseNorm, OddAndEvenSizes) {
  Tensor x{{2, 7, 3}, numbers(42, 7)};
  for (int64_t size : {1, 3, 4}) {
    auto results = run("modelc.local_response_norm %0 {size = " + std::to_string(size) +
                           " : i64, alpha = 0.5 : f64, beta = 0.75 : f64, bias = 2.0 : f64} : "
                           "(tensor<2x7x3xf32>) -> tensor<2x7x3xf32>",
                       {x.values});
    expectClose(results[0], tabulate({2, 7, 3}, [&](const Shape &at) {
                  int64_t low = at[1] - (size - 1) / 2, high = at[1] + size / 2;
                  double sum = 0;
                  for (int64_t c = std::max<int64_t>(low, 0); c <= std::min<int64_t>(high, 6);
                       ++c) {
                    sum += x({at[0], c, at[2]}) * x({at[0], c, at[2]});
                  }
                  return x(at) / std::pow(2 + 0.5 / static_cast<double>(size) * sum, 0.75);
                }));
  }
}

} // namespace
