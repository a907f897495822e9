// Pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

// 5 x 5 elements; windows of 3 x 2, strides 2 and 1, dilations 1 and 2, one row and column of pads
// before; 3 x 5 windows. Some reach beyond the end.
const char *const window = "kernel = array<i64: 3, 2>, strides = array<i64: 2, 1>, dilations = "
                           "array<i64: 1, 2>, pads_begin = array<i64: 1, 1>, "
                           "sizes = array<i64: 3, 5>";

/// Calls `body` for the elements of the window at `o`.
void forWindow(const Shape &o, llvm::function_ref<void(int64_t y, int64_t x)> body) {
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 2; ++j) {
      int64_t y = o[0] * 2 + i - 1, x = o[1] + j * 2 - 1;
      if (y >= 0 && y < 5 && x >= 0 && x < 5) {
        body(y, x);
      }
    }
  }
}

std::string text(const std::string &op, const std::string &more, const std::string &type,
                 const std::string &result) {
  return "modelc." + op + " %0 {" + window + more + "} : (" + type + ") -> " + result;
}

TEST(MaxPool, ValuesAndIndices) {
  Tensor x{{2, 3, 5, 5}, numbers(150, 5)}; // with many equal elements
  for (bool columnMajor : {false, true}) {
    auto results = run(text("max_pool", columnMajor ? ", column_major" : "", "tensor<2x3x5x5xf32>",
                            "(tensor<2x3x3x5xf32>, tensor<2x3x3x5xi64>)"),
                       {x.values});
    Tensor indices{{2, 3, 3, 5}, {}};
    Tensor values = tabulate({2, 3, 3, 5}, [&](const Shape &at) {
      double best = -inf;
      int64_t where = -1;
      forWindow({at[2], at[3]}, [&](int64_t i, int64_t j) {
        double value = x({at[0], at[1], i, j});
        if (value > best) {
          best = value;
          where = (at[0] * 3 + at[1]) * 25 + (columnMajor ? j * 5 + i : i * 5 + j);
        }
      });
      indices.values.push_back(static_cast<double>(where));
      return best;
    });
    expectEqual(results[0], values);
    expectEqual(results[1], indices);
  }
}

TEST(MaxPool, ChannelsLastAndTypes) {
  Tensor x{{2, 5, 5, 6}, integers(300, 0, 200, 6)};
  for (std::string element : {"f32", "f64", "ui8", "i16"}) {
    auto results = run(text("max_pool", ", channels_last", "tensor<2x5x5x6x" + element + ">",
                            "(tensor<2x3x5x6x" + element + ">, tensor<2x3x5x6xi64>)"),
                       {x.values});
    Tensor indices{{2, 3, 5, 6}, {}};
    Tensor values = tabulate({2, 3, 5, 6}, [&](const Shape &at) {
      double best = -inf, where = -1;
      forWindow({at[1], at[2]}, [&](int64_t i, int64_t j) {
        double value = x({at[0], i, j, at[3]});
        if (value > best) {
          best = value;
          where = static_cast<double>(((at[0] * 5 + i) * 5 + j) * 6 + at[3]);
        }
      });
      indices.values.push_back(where);
      return best;
    });
    expectEqual(results[0], values);
    expectEqual(results[1], indices);
  }
}

TEST(MaxPool, LowestElementsAndNan) {
  auto results =
      run("modelc.max_pool %0 {kernel = array<i64: 2>, strides = array<i64: 1>, "
          "dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>} "
          ": (tensor<1x1x5xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xi64>)",
          {{1, -inf, -inf, 2, notANumber}});
  expectEqual(results[0], Values{1, -inf, 2, notANumber});
  expectEqual({{3}, {results[1].values.begin(), results[1].values.begin() + 3}},
              Tensor{{3}, {0, 1, 3}});
}

TEST(AveragePool, Divisors) {
  for (int variant = 0; variant < 4; ++variant) {
    bool last = variant & 1, countPads = variant & 2;
    Tensor x{last ? Shape{1, 5, 5, 4} : Shape{1, 4, 5, 5}, numbers(100, 7)};
    std::string more = std::string(", pads_end = array<i64: 1, 0>") +
                       (last ? ", channels_last" : "") + (countPads ? ", count_pads" : "");
    auto results =
        run(text("average_pool", more, last ? "tensor<1x5x5x4xf32>" : "tensor<1x4x5x5xf32>",
                 last ? "tensor<1x3x5x4xf32>" : "tensor<1x4x3x5xf32>"),
            {x.values});
    expectClose(results[0],
                tabulate(last ? Shape{1, 3, 5, 4} : Shape{1, 4, 3, 5}, [&](const Shape &at) {
                  Shape o = last ? Shape{at[1], at[2]} : Shape{at[2], at[3]};
                  double total = 0, count = 0;
                  forWindow(o, [&](int64_t i, int64_t j) {
                    total += last ? x({0, i, j, at[3]}) : x({0, at[1], i, j});
                    ++count;
                  });
                  if (countPads) { // rows -1 .. 5, columns -1 .. 4
                    count = 0;
                    for (int64_t i = 0; i < 3; ++i) {
                      for (int64_t j = 0; j < 2; ++j) {
                        count += o[0] * 2 + i - 1 < 6 && o[1] + j * 2 - 1 < 5;
                      }
                    }
                  }
                  return total / count;
                }));
  }
}

TEST(LpPool, Norms) {
  Tensor x{{1, 2, 5, 5}, numbers(50, 8)};
  for (int p : {1, 2, 3}) {
    auto results = run(text("lp_pool", ", p = " + std::to_string(p) + " : i64",
                            "tensor<1x2x5x5xf32>", "tensor<1x2x3x5xf32>"),
                       {x.values});
    expectClose(results[0], tabulate({1, 2, 3, 5}, [&](const Shape &at) {
                  double total = 0;
                  forWindow({at[2], at[3]}, [&](int64_t i, int64_t j) {
                    total += std::pow(std::fabs(x({0, at[1], i, j})), p);
                  });
                  return std::pow(total, 1.0 / p);
                }));
  }
}

} // namespace
