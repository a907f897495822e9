// Products and sums of products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

/// [rows, inner] times [inner, columns].
void checkProduct(const std::string &element, int64_t rows, int64_t inner, int64_t columns) {
  Tensor x{{rows, inner}, integers(rows * inner, -5, 5, 1)};
  Tensor y{{inner, columns}, integers(inner * columns, -5, 5, 2)};
  auto type = [&](int64_t a, int64_t b) {
    return "tensor<" + std::to_string(a) + "x" + std::to_string(b) + "x" + element + ">";
  };
  auto results = run("modelc.matmul %0, %1 : (" + type(rows, inner) + ", " + type(inner, columns) +
                         ") -> " + type(rows, columns),
                     {x.values, y.values});
  expectEqual(results[0], tabulate({rows, columns}, [&](const Shape &at) {
                double total = 0;
                for (int64_t k = 0; k < inner; ++k) {
                  total += x({at[0], k}) * y({k, at[1]});
                }
                return total;
              }));
}

TEST(Matmul, Elements) {
  checkProduct("f32", 3, 5, 2);
  checkProduct("f32", 3, 1, 9);
}
TEST(Matmul, Rows) {
  checkProduct("f32", 3, 5, 7);
  checkProduct("f64", 1, 6, 9);
  checkProduct("f16", 2, 3, 8);
  checkProduct("i32", 2, 3, 8);
  checkProduct("i64", 2, 3, 3);
}
TEST(Matmul, RowsInBlocks) {
  checkProduct("f32", 2, 3, 1024);
  checkProduct("f32", 2, 3, 2500);
}
TEST(Matmul, Empty) {
  checkProduct("f32", 2, 0, 3);
  checkProduct("f32", 2, 0, 8);
  checkProduct("f32", 0, 2, 8);
  checkProduct("f32", 2, 3, 0);
}

TEST(Matmul, BroadcastsLeadingDimensions) {
  Tensor x{{2, 1, 3, 4}, numbers(24, 3)}, y{{5, 4, 6}, numbers(120, 4)};
  auto results = run("modelc.matmul %0, %1 : (tensor<2x1x3x4xf32>, tensor<5x4x6xf32>) -> "
                     "tensor<2x5x3x6xf32>",
                     {x.values, y.values});
  expectEqual(results[0], tabulate({2, 5, 3, 6}, [&](const Shape &at) {
                double total = 0;
                for (int64_t k = 0; k < 4; ++k) {
                  total += x({at[0], 0, at[2], k}) * y({at[1], k, at[3]});
                }
                return total;
              }));
}

TEST(Matmul, RowsAndColumns) {
  auto dot = run("modelc.matmul %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>",
                 {{1, 2, 3}, {4, 5, 6}});
  expectEqual(dot[0], Values{32});
  auto row = run("modelc.matmul %0, %1 : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<4xf32>",
                 {{1, 10}, {1, 2, 3, 4, 5, 6, 7, 8}});
  expectEqual(row[0], Values{51, 62, 73, 84});
  auto column = run("modelc.matmul %0, %1 : (tensor<2x2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>",
                    {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}});
  expectEqual(column[0], Values{21, 43, 65, 87});
}

TEST(Matmul, NarrowFloatsAreSummedInSingle) {
  // 2048 + 1 is 2048 in f16: a sum of ones in f16 would stop there.
  Values ones(4096, 1), y(4096, 1);
  auto results = run("modelc.matmul %0, %1 : (tensor<1x4096xf16>, tensor<4096x1xf16>) -> "
                     "tensor<1x1xf16>",
                     {ones, y});
  expectEqual(results[0], Values{4096});
}

TEST(Matmul, IntegersWrap) {
  auto results = run("modelc.matmul %0, %1 : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi8>",
                     {{100, 100}, {2, 1}});
  expectEqual(results[0], Values{44}); // 300 - 256
}

TEST(Einsum, MatrixProduct) {
  Tensor x{{3, 5}, numbers(15, 1)}, y{{5, 6}, numbers(30, 2)};
  auto results = run("modelc.einsum %0, %1 {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], "
                     "result_labels = array<i64: 0, 2>} : (tensor<3x5xf32>, tensor<5x6xf32>) -> "
                     "tensor<3x6xf32>",
                     {x.values, y.values});
  expectEqual(results[0], tabulate({3, 6}, [&](const Shape &at) {
                double total = 0;
                for (int64_t k = 0; k < 5; ++k) {
                  total += x({at[0], k}) * y({k, at[1]});
                }
                return total;
              }));
}

TEST(Einsum, AttentionScores) { // bhid,bhjd->bhij, the first operand broadcast over h
  Tensor x{{2, 1, 3, 4}, numbers(24, 1)}, y{{2, 2, 5, 4}, numbers(80, 2)};
  auto results = run("modelc.einsum %0, %1 {operand_labels = [array<i64: 1, 7, 8, 3>, "
                     "array<i64: 1, 7, 9, 3>], result_labels = array<i64: 1, 7, 8, 9>} : "
                     "(tensor<2x1x3x4xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x3x5xf32>",
                     {x.values, y.values});
  expectEqual(results[0], tabulate({2, 2, 3, 5}, [&](const Shape &at) {
                double total = 0;
                for (int64_t d = 0; d < 4; ++d) {
                  total += x({at[0], 0, at[2], d}) * y({at[0], at[1], at[3], d});
                }
                return total;
              }));
}

TEST(Einsum, DiagonalTraceOuterAndThree) {
  const Values square{1, 2, 3, 4, 5, 6, 7, 8, 9};
  auto diagonal = run("modelc.einsum %0 {operand_labels = [array<i64: 0, 0>], "
                      "result_labels = array<i64: 0>} : (tensor<3x3xf32>) -> tensor<3xf32>",
                      {square});
  expectEqual(diagonal[0], Values{1, 5, 9});
  auto trace = run("modelc.einsum %0 {operand_labels = [array<i64: 0, 0>], "
                   "result_labels = array<i64>} : (tensor<3x3xf32>) -> tensor<f32>",
                   {square});
  expectEqual(trace[0], Values{15});
  auto outer = run("modelc.einsum %0, %1 {operand_labels = [array<i64: 0>, array<i64: 1>], "
                   "result_labels = array<i64: 1, 0>} : (tensor<2xf32>, tensor<3xf32>) -> "
                   "tensor<3x2xf32>",
                   {{2, 3}, {1, 10, 100}});
  expectEqual(outer[0], Values{2, 3, 20, 30, 200, 300});
  auto three = run("modelc.einsum %0, %1, %2 {operand_labels = [array<i64: 0>, array<i64: 0>, "
                   "array<i64: 0>], result_labels = array<i64>} : (tensor<2xi32>, tensor<2xi32>, "
                   "tensor<2xi32>) -> tensor<i32>",
                   {{2, 3}, {5, 7}, {1, 2}});
  expectEqual(three[0], Values{52});
}

} // namespace
