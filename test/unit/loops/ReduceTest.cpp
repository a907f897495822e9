// Reductions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

std::string text(const std::string &kind, const std::string &axes, bool keep,
                 const std::string &from, const std::string &to) {
  return "modelc.reduce %0 {kind = #modelc<reduce_kind " + kind + ">, axes = array<i64" + axes +
         ">, keep_dims = " + (keep ? "true" : "false") + "} : (" + from + ") -> " + to;
}

double reduce(const std::string &kind, const Values &values) {
  double sum = 0, squares = 0, product = 1, magnitudes = 0, largest = -inf, smallest = inf,
         exponentials = 0;
  for (double x : values) {
    sum += x;
    squares += x * x;
    product *= x;
    magnitudes += std::fabs(x);
    largest = std::max(largest, x);
    smallest = std::min(smallest, x);
    exponentials += std::exp(x);
  }
  return kind == "sum"          ? sum
         : kind == "mean"       ? sum / static_cast<double>(values.size())
         : kind == "max"        ? largest
         : kind == "min"        ? smallest
         : kind == "prod"       ? product
         : kind == "l1"         ? magnitudes
         : kind == "l2"         ? std::sqrt(squares)
         : kind == "sum_square" ? squares
         : kind == "log_sum"    ? std::log(sum)
                                : std::log(exponentials);
}

const char *const kinds[] = {"sum", "mean", "max",        "min",     "prod",
                             "l1",  "l2",   "sum_square", "log_sum", "log_sum_exp"};

TEST(Reduce, LastAxis) {
  Tensor x{{3, 7}, integers(21, 1, 9)};
  for (const char *kind : kinds) {
    auto results = run(text(kind, ": 1", true, "tensor<3x7xf32>", "tensor<3x1xf32>"), {x.values});
    expectClose(results[0], tabulate({3, 1}, [&](const Shape &at) {
                  return reduce(
                      kind, Values(x.values.begin() + at[0] * 7, x.values.begin() + at[0] * 7 + 7));
                }));
  }
}

TEST(Reduce, RowsOfTotals) { // the last axis is kept
  Tensor x{{3, 2, 4, 6}, integers(144, 1, 9)};
  for (const char *kind : kinds) {
    auto results =
        run(text(kind, ": 0, 2", false, "tensor<3x2x4x6xf32>", "tensor<2x6xf32>"), {x.values});
    expectClose(results[0], tabulate({2, 6}, [&](const Shape &at) {
                  Values values;
                  forIndices({3, 4}, [&](const Shape &in) {
                    values.push_back(x({in[0], at[0], in[1], at[1]}));
                  });
                  return reduce(kind, values);
                }));
  }
}

TEST(Reduce, RowsInBlocks) {
  Tensor x{{2, 2100}, numbers(4200)};
  auto results =
      run(text("sum", ": 0", false, "tensor<2x2100xf32>", "tensor<2100xf32>"), {x.values});
  expectEqual(results[0],
              tabulate({2100}, [&](const Shape &at) { return x({0, at[0]}) + x({1, at[0]}); }));
}

TEST(Reduce, AllAndNone) {
  auto all =
      run(text("sum", ": 0, 1", false, "tensor<2x3xf32>", "tensor<f32>"), {{1, 2, 3, 4, 5, 6}});
  expectEqual(all[0], Values{21});
  auto none = run(text("l2", "", true, "tensor<3xf32>", "tensor<3xf32>"), {{-1, 2, -3}});
  expectEqual(none[0], Values{1, 2, 3});
}

TEST(Reduce, OfNothing) {
  const Values expected[] = {{0}, {notANumber}, {-inf}, {inf}, {1}, {0}, {0}, {0}, {-inf}, {-inf}};
  for (size_t i = 0; i < 10; ++i) {
    auto results = run(text(kinds[i], ": 0", true, "tensor<0xf32>", "tensor<1xf32>"), {{}});
    expectEqual(results[0], expected[i]);
  }
  auto rows = run(text("max", ": 0", false, "tensor<0x5xi32>", "tensor<5xi32>"), {{}});
  expectEqual(rows[0], Values(5, -2147483648.0));
  auto mean = run(text("mean", ": 0", false, "tensor<0xi32>", "tensor<i32>"), {{}});
  expectEqual(mean[0], Values{0});
}

TEST(Reduce, Integers) {
  auto mean = run(text("mean", ": 1", false, "tensor<2x2xi32>", "tensor<2xi32>"),
                  {{2147483647, 2147483646, -3, -4}});
  expectEqual(mean[0], Values{2147483646, -3});
  auto bytes = run(text("max", ": 0", false, "tensor<3xui8>", "tensor<ui8>"), {{3, 200, 7}});
  expectEqual(bytes[0], Values{200});
  auto smallest = run(text("min", ": 0", false, "tensor<3xi8>", "tensor<i8>"), {{3, -100, 7}});
  expectEqual(smallest[0], Values{-100});
  auto any = run(text("max", ": 1", false, "tensor<3x2xi1>", "tensor<3xi1>"), {{0, 0, 0, 1, 1, 1}});
  expectEqual(any[0], Values{0, 1, 1});
  auto every = run(text("min", ": 0", false, "tensor<2x5xi1>", "tensor<5xi1>"),
                   {{0, 0, 1, 1, 1, 0, 1, 0, 1, 1}});
  expectEqual(every[0], Values{0, 0, 0, 1, 1});
}

TEST(Reduce, LogSumExpDoesNotOverflow) {
  auto results = run(text("log_sum_exp", ": 1", false, "tensor<4x2xf32>", "tensor<4xf32>"),
                     {{1000, 1000, -1000, -1000, -inf, -inf, inf, 1}});
  expectClose(results[0], Values{1000 + std::log(2), -1000 + std::log(2), -inf, inf});
}

TEST(Reduce, NanPropagates) {
  auto results =
      run(text("max", ": 0", false, "tensor<3xf32>", "tensor<f32>"), {{1, notANumber, 2}});
  expectEqual(results[0], Values{notANumber});
}

} // namespace
