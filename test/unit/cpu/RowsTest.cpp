// Reductions, softmax and normalizations by vector code, against sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace modelc::test;

namespace {

/// Extents of the dimension along which vectors run: from a part of a vector to more than the
/// registers hold.
const std::vector<int64_t> &rowSizes() {
  static const std::vector<int64_t> sizes{4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 65, 96, 97, 129, 257};
  return sizes;
}

Tensor input(const Shape &shape, unsigned seed = 1) {
  return {shape, numbers(sizeOf(shape), seed)};
}

/// The result of `op`, whose text has the attributes, on operands of the shapes given.
Tensor run(const std::string &op, const std::vector<Tensor> &operands, const Shape &result,
           const std::string &target, const std::string &element = "f32") {
  std::vector<std::string> types;
  std::vector<Values> values;
  std::string names, list;
  for (const Tensor &operand : operands) {
    names += (names.empty() ? "%" : ", %") + std::to_string(types.size());
    types.push_back(tensorType(operand.shape, element));
    list += (list.empty() ? "" : ", ") + types.back();
    values.push_back(operand.values);
  }
  std::string type = tensorType(result, element);
  size_t space = op.find(' ');
  std::string body = "%r = modelc." + op.substr(0, space) + " " + names + op.substr(space) +
                     " : (" + list + ") -> " + type + "\nmodelc.yield %r : " + type;
  SCOPED_TRACE(target + ": " + body);
  auto results = runKernel({types, body, "rows"}, values, target);
  return results.size() == 1 ? results[0] : Tensor();
}

/// Calls `body` with the elements of each slice along `axes` and their positions.
void forSlicesOf(const Tensor &x, const Shape &axes,
                 const std::function<void(const std::vector<Shape> &)> &body) {
  Shape outer = x.shape, inner(x.shape.size(), 1);
  for (int64_t axis : axes) {
    inner[axis] = x.shape[axis];
    outer[axis] = 1;
  }
  forIndices(outer, [&](const Shape &start) {
    std::vector<Shape> slice;
    forIndices(inner, [&](const Shape &step) {
      Shape at = start;
      std::transform(at.begin(), at.end(), step.begin(), at.begin(), std::plus<>());
      slice.push_back(at);
    });
    body(slice);
  });
}

size_t linear(const Shape &shape, const Shape &at) {
  size_t result = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    result = result * shape[d] + at[d];
  }
  return result;
}

double reduced(const std::string &kind, const Values &values) {
  double total = kind == "prod" ? 1 : kind == "max" ? -inf : kind == "min" ? inf : 0;
  for (double v : values) {
    total = kind == "prod"                         ? total * v
            : kind == "max"                        ? std::max(total, v)
            : kind == "min"                        ? std::min(total, v)
            : kind == "l1"                         ? total + std::fabs(v)
            : kind == "l2" || kind == "sum_square" ? total + v * v
                                                   : total + v;
  }
  return kind == "mean"      ? total / static_cast<double>(values.size())
         : kind == "l2"      ? std::sqrt(total)
         : kind == "log_sum" ? std::log(total)
                             : total;
}

void checkReduce(const std::string &kind, const Shape &shape, const Shape &axes, bool keepDims,
                 const std::string &target, const std::string &element = "f32") {
  Tensor x = input(shape);
  if (kind == "log_sum" || kind == "prod") {
    // Positive, and products in range.
    std::transform(x.values.begin(), x.values.end(), x.values.begin(),
                   [](double v) { return 1 + v / 64; });
  }
  Shape result;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool isReduced = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (!isReduced || keepDims) {
      result.push_back(isReduced ? 1 : shape[d]);
    }
  }
  Values expected;
  forSlicesOf(x, axes, [&](const std::vector<Shape> &slice) {
    Values values;
    for (const Shape &at : slice) {
      values.push_back(x(at));
    }
    expected.push_back(reduced(kind, values));
  });
  Tensor actual = run("reduce {kind = #modelc<reduce_kind " + kind + ">, axes = " + arrayOf(axes) +
                          ", keep_dims = " + (keepDims ? "true" : "false") + "}",
                      {x}, result, target, element);
  expectClose(actual, expected, element == "f16" ? 2e-3 : 1e-5);
}

TEST(CpuRows, ReduceRows) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkReduce("sum", {3, size}, {1}, true, target);
      checkReduce("mean", {size}, {0}, false, target);
      checkReduce("max", {2, 3, size}, {1, 2}, false, target);
      checkReduce("sum_square", {2, 3, size}, {0, 2}, true, target);
    }
  }
}
TEST(CpuRows, ReduceColumns) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkReduce("sum", {3, size}, {0}, true, target);
      checkReduce("mean", {2, 17, size}, {1}, false, target);
      checkReduce("min", {5, 3, size}, {0, 1}, false, target);
      checkReduce("l2", {3, 2, 5, size}, {0, 2}, true, target);
    }
  }
}
TEST(CpuRows, ReduceKinds) {
  for (const std::string &target : hostTargets()) {
    for (const char *kind :
         {"sum", "mean", "max", "min", "prod", "sum_square", "l1", "l2", "log_sum"}) {
      checkReduce(kind, {3, 37}, {1}, true, target);
      checkReduce(kind, {37, 9}, {0}, true, target);
    }
  }
}
TEST(CpuRows, ReduceElements) {
  for (const std::string &target : hostTargets()) {
    for (const char *element : {"f64", "f16"}) {
      checkReduce("sum", {3, 21}, {1}, true, target, element);
      checkReduce("max", {3, 21}, {0}, true, target, element);
    }
    Tensor x{{3, 37}, integers(111, -1000, 1000)};
    Values expected(3);
    for (int64_t i = 0; i < 3; ++i) {
      expected[i] = std::accumulate(&x.values[i * 37], &x.values[i * 37] + 37, 0.0);
    }
    expectEqual(run("reduce {kind = #modelc<reduce_kind sum>, axes = array<i64: 1>, keep_dims = "
                    "false}",
                    {x}, {3}, target, "i32"),
                expected);
  }
}
TEST(CpuRows, ReduceNan) {
  for (const std::string &target : hostTargets()) {
    Tensor x = input({2, 37});
    x.values[5] = notANumber;
    Tensor actual =
        run("reduce {kind = #modelc<reduce_kind max>, axes = array<i64: 1>, keep_dims = false}",
            {x}, {2}, target);
    EXPECT_TRUE(std::isnan(actual.values[0]));
    EXPECT_FALSE(std::isnan(actual.values[1]));
  }
}

/// Equal slices have equal totals, to the last bit, wherever they lie.
TEST(CpuRows, ReduceOrder) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      for (int64_t count : {5, 19, 169}) {
        Values row = numbers(count);
        Tensor x = tabulate({count, size}, [&](const Shape &at) { return row[at[0]] / 0.7; });
        Tensor actual = run("reduce {kind = #modelc<reduce_kind sum_square>, axes = array<i64: 0>, "
                            "keep_dims = false}",
                            {x}, {size}, target);
        expectEqual(actual, Values(size, actual.values.at(0)));
      }
    }
  }
}

/// A product before the reduction, on transposed memory, and a bias after it.
TEST(CpuRows, ReduceFused) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      Tensor x = input({9, size}), bias = input({size}, 2);
      Values expected;
      for (int64_t i = 0; i < size; ++i) {
        double total = bias.values[i];
        for (int64_t j = 0; j < 9; ++j) {
          total += x.values[j * size + i] * x.values[j * size + i];
        }
        expected.push_back(total);
      }
      std::string n = std::to_string(size);
      std::string in = "tensor<9x" + n + "xf32>", turned = "tensor<" + n + "x9xf32>",
                  out = "tensor<" + n + "xf32>";
      std::string body =
          "%s = modelc.mul %0, %0 : (" + in + ", " + in + ") -> " + in +
          "\n%t = modelc.transpose %s {permutation = array<i64: 1, 0>} : (" + in + ") -> " +
          turned +
          "\n%r = modelc.reduce %t {kind = #modelc<reduce_kind sum>, axes = array<i64: "
          "1>, keep_dims = false} : (" +
          turned + ") -> " + out + "\n%o = modelc.add %r, %1 : (" + out + ", " + out + ") -> " +
          out + "\nmodelc.yield %o : " + out;
      SCOPED_TRACE(target + ": " + body);
      auto results = runKernel({{in, out}, body, "rows"}, {x.values, bias.values}, target);
      ASSERT_EQ(results.size(), 1u);
      expectClose(results[0], expected, 1e-5);
    }
  }
}

void checkSoftmax(const Shape &shape, int64_t axis, bool isLog, const std::string &target,
                  const std::string &element = "f32") {
  Tensor x = input(shape);
  Tensor expected{shape, Values(x.values.size())};
  forSlicesOf(x, {axis}, [&](const std::vector<Shape> &slice) {
    double total = 0;
    for (const Shape &at : slice) {
      total += std::exp(x(at));
    }
    for (const Shape &at : slice) {
      expected.values[linear(shape, at)] =
          isLog ? x(at) - std::log(total) : std::exp(x(at)) / total;
    }
  });
  std::string op = "softmax {axis = " + std::to_string(axis) + " : i64" + (isLog ? ", log}" : "}");
  expectClose(run(op, {x}, shape, target, element), expected, element == "f16" ? 2e-3 : 2e-6);
}

TEST(CpuRows, Softmax) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkSoftmax({3, size}, 1, false, target);
      checkSoftmax({5, size}, 0, false, target);
      checkSoftmax({2, 3, size}, 1, true, target);
      checkSoftmax({2, size}, 1, true, target);
    }
    checkSoftmax({50, 9}, 0, false, target);
    checkSoftmax({2, 40, 70}, 1, false, target);
    checkSoftmax({1000}, 0, false, target);
    checkSoftmax({3, 21}, 1, false, target, "f64");
    checkSoftmax({3, 21}, 1, false, target, "f16");
  }
}
TEST(CpuRows, SoftmaxFused) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      Tensor x = input({1, 3, size}), scale = input({3, 1}, 2);
      Tensor expected{x.shape, Values(x.values.size())};
      forSlicesOf(x, {2}, [&](const std::vector<Shape> &slice) {
        double total = 0;
        for (const Shape &at : slice) {
          total += std::exp(x(at));
        }
        for (const Shape &at : slice) {
          expected.values[linear(x.shape, at)] = std::exp(x(at)) / total * scale.values[at[1]];
        }
      });
      std::string type = tensorType(x.shape);
      std::string body = "%r = modelc.softmax %0 {axis = 2 : i64} : (" + type + ") -> " + type +
                         "\n%o = modelc.mul %r, %1 : (" + type + ", tensor<3x1xf32>) -> " + type +
                         "\nmodelc.yield %o : " + type;
      SCOPED_TRACE(target + ": " + body);
      auto results =
          runKernel({{type, "tensor<3x1xf32>"}, body, "rows"}, {x.values, scale.values}, target);
      ASSERT_EQ(results.size(), 1u);
      expectClose(results[0], expected);
    }
  }
}

/// What a normalization over `slice` makes of x.
void normalize(const Tensor &x, const std::vector<Shape> &slice, bool isRms,
               const std::function<double(const Shape &)> &scale,
               const std::function<double(const Shape &)> &bias, Tensor &result) {
  double mean = 0, variance = 0, count = static_cast<double>(slice.size());
  for (const Shape &at : slice) {
    mean += isRms ? 0 : x(at) / count;
  }
  for (const Shape &at : slice) {
    variance += (x(at) - mean) * (x(at) - mean) / count;
  }
  for (const Shape &at : slice) {
    result.values[linear(x.shape, at)] =
        (x(at) - mean) / std::sqrt(variance + 1e-5) * scale(at) + bias(at);
  }
}

void checkLayerNorm(const Shape &shape, int64_t axis, bool isRms, const std::string &target) {
  Shape inner(shape.begin() + axis, shape.end()), axes(inner.size()), kept = shape;
  std::iota(axes.begin(), axes.end(), axis);
  std::fill(kept.begin() + axis, kept.end(), 1);
  Tensor x = input(shape), scale = input(inner, 2), bias = input(inner, 3);
  Tensor expected{shape, Values(x.values.size())};
  auto of = [&](const Tensor &t) {
    return [&](const Shape &at) { return t(Shape(at.begin() + axis, at.end())); };
  };
  forSlicesOf(x, axes, [&](const std::vector<Shape> &slice) {
    normalize(x, slice, isRms, of(scale), of(bias), expected);
  });
  std::string type = tensorType(shape), part = tensorType(inner), moments = tensorType(kept);
  std::string body = "%r, %m, %i = modelc.layer_norm %0, %1, %2 {axis = " + std::to_string(axis) +
                     " : i64, epsilon = 1.0e-5 : f64" + (isRms ? ", rms} : (" : "} : (") + type +
                     ", " + part + ", " + part + ") -> (" + type + ", " + moments + ", " + moments +
                     ")\nmodelc.yield %r : " + type;
  SCOPED_TRACE(target + ": " + body);
  auto results =
      runKernel({{type, part, part}, body, "rows"}, {x.values, scale.values, bias.values}, target);
  ASSERT_EQ(results.size(), 1u);
  expectClose(results[0], expected, 1e-5);
}

TEST(CpuRows, LayerNorm) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkLayerNorm({3, size}, 1, false, target);
      checkLayerNorm({2, 3, size}, 1, false, target);
      checkLayerNorm({5, size}, 1, true, target);
    }
  }
}

void checkGroupNorm(const Shape &shape, int64_t groups, const std::string &target) {
  int64_t channels = shape[1], perGroup = channels / groups;
  Tensor x = input(shape), scale = input({channels}, 2), bias = input({channels}, 3);
  Tensor expected{shape, Values(x.values.size())};
  auto of = [](const Tensor &t) { return [&](const Shape &at) { return t.values[at[1]]; }; };
  Shape axes(shape.size() - 1);
  std::iota(axes.begin(), axes.end(), 1);
  forSlicesOf(x, axes, [&](const std::vector<Shape> &all) {
    for (int64_t group = 0; group < groups; ++group) {
      std::vector<Shape> slice;
      std::copy_if(all.begin(), all.end(), std::back_inserter(slice),
                   [&](const Shape &at) { return at[1] / perGroup == group; });
      normalize(x, slice, false, of(scale), of(bias), expected);
    }
  });
  Tensor actual =
      run("group_norm {groups = " + std::to_string(groups) + " : i64, epsilon = 1.0e-5 : f64}",
          {x, scale, bias}, shape, target);
  expectClose(actual, expected, 1e-5);
}

TEST(CpuRows, GroupNorm) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkGroupNorm({2, 6, size}, 3, target);
      checkGroupNorm({1, 4, 3, size}, 1, target);
      checkGroupNorm({1, 3, size}, 3, target);
    }
    checkGroupNorm({3, 24}, 3, target);
    checkGroupNorm({1, 8, 2, 50}, 2, target);
  }
}

} // namespace
