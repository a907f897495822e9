// Products of matrices by vector code, against sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

std::string types(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &type : list) {
    text += (text.empty() ? "" : ", ") + type;
  }
  return text;
}

/// NumPy's product of operands of rank 2 and more.
Tensor product(const Tensor &x, const Tensor &y) {
  size_t rank = std::max(x.shape.size(), y.shape.size());
  Shape shape(rank, 1);
  for (size_t d = 0; d + 2 < rank; ++d) {
    for (const Tensor *t : {&x, &y}) {
      size_t missing = rank - t->shape.size();
      shape[d] = d >= missing ? std::max(shape[d], t->shape[d - missing]) : shape[d];
    }
  }
  shape[rank - 2] = x.shape[x.shape.size() - 2];
  shape[rank - 1] = y.shape.back();
  return tabulate(shape, [&](const Shape &at) {
    auto indicesOf = [&](const Tensor &t) {
      Shape indices(at.end() - static_cast<int64_t>(t.shape.size()), at.end());
      for (size_t d = 0; d + 2 < indices.size(); ++d) {
        indices[d] = t.shape[d] == 1 ? 0 : indices[d];
      }
      return indices;
    };
    Shape xAt = indicesOf(x), yAt = indicesOf(y);
    double total = 0;
    for (int64_t k = 0; k < x.shape.back(); ++k) {
      xAt.back() = yAt[yAt.size() - 2] = k;
      total += x(xAt) * y(yAt);
    }
    return total;
  });
}

struct Operands {
  Operands(const Shape &xShape, const Shape &yShape)
      : x{xShape, numbers(sizeOf(xShape), 1)}, y{yShape, numbers(sizeOf(yShape), 2)} {}
  Tensor x, y;
};

/// The product alone, with `y` as an argument and as a constant.
void checkProduct(const Shape &xShape, const Shape &yShape, const std::string &target,
                  const std::string &element = "f32") {
  Operands o(xShape, yShape);
  Tensor expected = product(o.x, o.y);
  std::vector<std::string> operands{tensorType(xShape, element), tensorType(yShape, element)};
  std::string result = tensorType(expected.shape, element);
  std::string body = "%r = modelc.matmul %0, %1 : (" + types(operands) + ") -> " + result +
                     "\nmodelc.yield %r : " + result;
  for (bool isConstant : {false, true}) {
    SCOPED_TRACE(target + (isConstant ? ", constant" : "") + ": " + types(operands));
    auto constants = isConstant ? std::vector<unsigned>{1} : std::vector<unsigned>{};
    auto results =
        runKernel({operands, body, "matmul", constants}, {o.x.values, o.y.values}, target);
    ASSERT_EQ(results.size(), 1u);
    expectEqual(results[0], expected);
  }
}

void sweep(unsigned rounds) {
  for (const std::string &target : hostTargets()) {
    for (const Shape &s : oddSizes(3, 100, rounds)) {
      checkProduct({s[0], s[1]}, {s[1], s[2]}, target);
    }
  }
}

TEST(CpuMatmul, OddSizes) {
  sweep(1);
}
TEST(CpuMatmul, DISABLED_MoreSizes) {
  sweep(4);
}

TEST(CpuMatmul, OneColumn) {
  for (const std::string &target : hostTargets()) {
    for (const Shape &s : oddSizes(2)) {
      checkProduct({s[0], s[1]}, {s[1], 1}, target);
      checkProduct({3, 5, s[1]}, {3, s[1], 1}, target);
    }
    checkProduct({9, 1000}, {1000, 1}, target);
  }
}

TEST(CpuMatmul, Doubles) {
  for (const std::string &target : hostTargets()) {
    for (const Shape &s : oddSizes(3, 17)) {
      checkProduct({s[0], s[1]}, {s[1], s[2]}, target, "f64");
    }
  }
}

TEST(CpuMatmul, Batches) {
  for (const std::string &target : hostTargets()) {
    checkProduct({2, 3, 5}, {2, 5, 9}, target);
    checkProduct({3, 5}, {4, 5, 17}, target);   // one matrix x
    checkProduct({2, 3, 2, 5}, {5, 9}, target); // one matrix y: more rows
    checkProduct({2, 3, 1, 5}, {2, 3, 5, 33}, target);
    checkProduct({1, 3, 5}, {1, 5, 9}, target);
  }
}

// Rows that lie a multiple of a page apart are copied; columns beyond the caches come in groups.
TEST(CpuMatmul, LargeDepth) {
  for (const std::string &target : hostTargets()) {
    checkProduct({17, 1024}, {1024, 130}, target);
    checkProduct({19, 1025}, {1025, 390}, target);
  }
}

TEST(CpuMatmul, RowVector) {
  Tensor x{{1, 7}, numbers(7, 1)}, y{{7, 19}, numbers(7 * 19, 2)};
  Tensor expected = product(x, y);
  for (const std::string &target : hostTargets()) {
    auto results = runKernel({{"tensor<7xf32>", "tensor<7x19xf32>"},
                              "%r = modelc.matmul %0, %1 : (tensor<7xf32>, tensor<7x19xf32>) -> "
                              "tensor<19xf32>\nmodelc.yield %r : tensor<19xf32>",
                              "matmul",
                              {1}},
                             {x.values, y.values}, target);
    ASSERT_EQ(results.size(), 1u);
    expectEqual(results[0], expected.values);
  }
}

} // namespace
