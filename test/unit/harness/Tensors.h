// Tensors of doubles: what tests feed to kernels and compare results with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_HARNESS_TENSORS_H
#define MODELC_TEST_UNIT_HARNESS_TENSORS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace modelc::test {

using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

/// A tensor's elements in row-major order; the IR says what type they have.
struct Tensor {
  Shape shape;
  Values values;

  double operator()(const Shape &indices) const;
};

/// Elements of `type` as they lie in memory, and back.
std::vector<char> encode(mlir::Type type, const Values &values);
Values decode(mlir::Type type, llvm::ArrayRef<char> bytes, size_t count);

/// The types and attributes of the dialect's text.
std::string tensorType(const Shape &shape, const std::string &element = "f32");
std::string arrayOf(const std::string &type, const Values &values);
inline std::string arrayOf(const Shape &values) {
  return arrayOf("i64", Values(values.begin(), values.end()));
}

/// Multiples of 1/8 from -2 to 2 in no order: sums of their products are exact in f32.
Values numbers(int64_t count, unsigned seed = 1);
Values integers(int64_t count, int64_t low, int64_t high, unsigned seed = 1);

int64_t sizeOf(const Shape &shape);
/// Calls `body` for each index tuple in row-major order.
void forIndices(const Shape &shape, llvm::function_ref<void(const Shape &)> body);
/// The tensor of what `body` returns for each index tuple.
Tensor tabulate(const Shape &shape, llvm::function_ref<double(const Shape &)> body);

void expectEqual(const Tensor &actual, const Tensor &expected);
void expectClose(const Tensor &actual, const Tensor &expected, double tolerance = 2e-6);
inline void expectClose(const Tensor &actual, const Values &expected, double tolerance = 2e-6) {
  expectClose(actual, Tensor{actual.shape, expected}, tolerance);
}
inline void expectEqual(const Tensor &actual, const Values &expected) {
  expectEqual(actual, Tensor{actual.shape, expected});
}

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_HARNESS_TENSORS_H
