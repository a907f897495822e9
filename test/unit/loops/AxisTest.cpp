// Ops along one axis: positions of extremes, softmax, running sums, the k best.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"
#include <algorithm>
#include <numeric>

using namespace modelc::test;

namespace {

std::string argReduce(const std::string &kind, bool last, bool keep, const std::string &to) {
  return "modelc.arg_reduce %0 {kind = #modelc<reduce_kind " + kind +
         ">, axis = 1 : i64, keep_dims = " + (keep ? "true" : "false") +
         ", last = " + (last ? "true" : "false") + "} : (tensor<2x4x2xf32>) -> " + to;
}

TEST(ArgReduce, FirstAndLast) {
  const Values x{1, 5, 3, 5, 3, 0, 1, 0, /**/ 2, 2, 2, 2, 2, 2, 2, 2};
  expectEqual(run(argReduce("max", false, true, "tensor<2x1x2xi64>"), {x})[0], Values{1, 0, 0, 0});
  expectEqual(run(argReduce("max", true, false, "tensor<2x2xi64>"), {x})[0], Values{2, 1, 3, 3});
  expectEqual(run(argReduce("min", false, false, "tensor<2x2xi64>"), {x})[0], Values{0, 2, 0, 0});
  expectEqual(run(argReduce("min", true, false, "tensor<2x2xi64>"), {x})[0], Values{3, 3, 3, 3});
}

void checkSoftmax(const Shape &shape, const std::string &type, int64_t axis, bool log) {
  Tensor x{shape, numbers(sizeOf(shape))};
  auto results = run("modelc.softmax %0 {axis = " + std::to_string(axis) + " : i64" +
                         (log ? ", log" : "") + "} : (" + type + ") -> " + type,
                     {x.values});
  expectClose(results[0],
              tabulate(shape,
                       [&](const Shape &at) {
                         double total = 0;
                         for (int64_t i = 0; i < shape[axis]; ++i) {
                           Shape other = at;
                           other[axis] = i;
                           total += std::exp(x(other));
                         }
                         return log ? x(at) - std::log(total) : std::exp(x(at)) / total;
                       }),
              type.find("f16") != std::string::npos ? 1e-3 : 2e-6);
}

TEST(Softmax, Axes) {
  for (bool log : {false, true}) {
    for (int64_t axis : {0, 1, 2}) {
      checkSoftmax({3, 5, 4}, "tensor<3x5x4xf32>", axis, log);
    }
    checkSoftmax({3, 5}, "tensor<3x5xf64>", 1, log);
    checkSoftmax({3, 5}, "tensor<3x5xf16>", 1, log);
    checkSoftmax({3, 0}, "tensor<3x0xf32>", 1, log);
    checkSoftmax({0, 3}, "tensor<0x3xf32>", 1, log);
  }
}

TEST(Softmax, LargeElements) {
  auto results = run("modelc.softmax %0 {axis = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>",
                     {{1000, 1000, -inf}});
  expectEqual(results[0], Values{0.5, 0.5, 0});
}

std::string cumulative(const std::string &kind, bool exclusive, bool reverse) {
  return "modelc.cumulative %0 {kind = #modelc<reduce_kind " + kind +
         ">, axis = 0 : i64, exclusive = " + (exclusive ? "true" : "false") +
         ", reverse = " + (reverse ? "true" : "false") + "} : (tensor<3x2xi32>) -> tensor<3x2xi32>";
}

TEST(Cumulative, Variants) {
  const Values x{1, 2, 3, 4, 5, 6};
  expectEqual(run(cumulative("sum", false, false), {x})[0], Values{1, 2, 4, 6, 9, 12});
  expectEqual(run(cumulative("sum", true, false), {x})[0], Values{0, 0, 1, 2, 4, 6});
  expectEqual(run(cumulative("sum", false, true), {x})[0], Values{9, 12, 8, 10, 5, 6});
  expectEqual(run(cumulative("sum", true, true), {x})[0], Values{8, 10, 5, 6, 0, 0});
  expectEqual(run(cumulative("prod", false, false), {x})[0], Values{1, 2, 3, 8, 15, 48});
  expectEqual(run(cumulative("prod", true, true), {x})[0], Values{15, 24, 5, 6, 1, 1});
}

void checkTopK(int64_t extent, int64_t k, bool largest) {
  // Columns of a [extent, 3] tensor with many equal elements.
  Tensor x{{extent, 3}, integers(extent * 3, 0, 6, 9)};
  auto type = [](int64_t rows, const std::string &element) {
    return "tensor<" + std::to_string(rows) + "x3x" + element + ">";
  };
  auto results =
      run("modelc.top_k %0 {k = " + std::to_string(k) +
              " : i64, axis = 0 : i64, largest = " + (largest ? "true" : "false") + "} : (" +
              type(extent, "f32") + ") -> (" + type(k, "f32") + ", " + type(k, "i64") + ")",
          {x.values});
  for (int64_t c = 0; c < 3; ++c) {
    Shape order(extent);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      double first = x({i, c}), second = x({j, c});
      return first == second ? i < j : (first > second) == largest;
    });
    for (int64_t i = 0; i < k; ++i) {
      EXPECT_EQ(results[0]({i, c}), x({order[i], c}));
      EXPECT_EQ(results[1]({i, c}), order[i]);
    }
  }
}

TEST(TopK, StableOrder) {
  for (bool largest : {false, true}) {
    checkTopK(20, 1, largest);
    checkTopK(20, 7, largest);
    checkTopK(20, 20, largest);
    checkTopK(1, 1, largest);
    checkTopK(4, 0, largest);
    checkTopK(0, 0, largest);
  }
}

TEST(TopK, NanIsHarmless) {
  auto results = run("modelc.top_k %0 {k = 2 : i64, axis = 0 : i64, largest = true} : "
                     "(tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>)",
                     {{notANumber, 1, notANumber, 2}});
  for (double position : results[1].values) {
    EXPECT_TRUE(position >= 0 && position < 4);
  }
}

TEST(TopK, Unsigned) {
  auto results = run("modelc.top_k %0 {k = 2 : i64, axis = 0 : i64, largest = true} : "
                     "(tensor<3xui8>) -> (tensor<2xui8>, tensor<2xi64>)",
                     {{1, 255, 100}});
  expectEqual(results[0], Values{255, 100});
  expectEqual(results[1], Values{1, 2});
}

} // namespace
