// Elementwise groups and moves of elements by vector code, against loops in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

/// Sizes of dimensions along which vectors run.
const std::vector<int64_t> &rowSizes() {
  static const std::vector<int64_t> sizes{4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100};
  return sizes;
}

Tensor input(const Shape &shape, unsigned seed = 1) {
  return {shape, numbers(sizeOf(shape), seed)};
}

Tensor runBody(const std::vector<Tensor> &operands, const std::string &body,
               const std::string &target, const std::string &element = "f32") {
  std::vector<std::string> types;
  std::vector<Values> values;
  for (const Tensor &operand : operands) {
    types.push_back(tensorType(operand.shape, element));
    values.push_back(operand.values);
  }
  SCOPED_TRACE(target + ": " + body);
  auto results = runKernel({types, body, "elementwise"}, values, target);
  return results.size() == 1 ? results[0] : Tensor();
}

/// `name` = the binary op on operands, of the shapes given.
std::string binary(const std::string &name, const std::string &op, const std::string &x,
                   const Shape &xShape, const std::string &y, const Shape &yShape,
                   const Shape &result, const std::string &element = "f32") {
  return name + " = modelc." + op + " " + x + ", " + y + " : (" + tensorType(xShape, element) +
         ", " + tensorType(yShape, element) + ") -> " + tensorType(result, element) + "\n";
}
/// `name` = the unary op, whose text has the attributes.
std::string unary(const std::string &name, const std::string &op, const std::string &attributes,
                  const std::string &x, const Shape &xShape, const Shape &result,
                  const std::string &element = "f32") {
  return name + " = modelc." + op + " " + x + " " + attributes + " : (" +
         tensorType(xShape, element) + ") -> " + tensorType(result, element) + "\n";
}
std::string yield(const std::string &x, const Shape &shape, const std::string &element = "f32") {
  return "modelc.yield " + x + " : " + tensorType(shape, element);
}

/// x * y + z, of which y repeats along the last dimension and z along the first.
void checkBroadcast(const Shape &s, const std::string &target, const std::string &element = "f32") {
  Shape yShape{s[0], s[1], 1}, zShape{s[2]};
  Tensor x = input(s, 1), y = input(yShape, 2), z = input(zShape, 3);
  std::string body = binary("%p", "mul", "%0", s, "%1", yShape, s, element) +
                     binary("%r", "add", "%p", s, "%2", zShape, s, element) +
                     yield("%r", s, element);
  Tensor expected =
      tabulate(s, [&](const Shape &at) { return x(at) * y({at[0], at[1], 0}) + z({at[2]}); });
  expectClose(runBody({x, y, z}, body, target, element), expected, element == "f16" ? 2e-3 : 0);
}

TEST(CpuElementwise, Broadcast) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkBroadcast({2, 3, size}, target);
      checkBroadcast({1, 1, size}, target);
    }
    for (const char *element : {"f64", "f16"}) {
      checkBroadcast({2, 3, 21}, target, element);
    }
  }
}

/// Long rows of equal shapes, with a function that takes many instructions.
TEST(CpuElementwise, Functions) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : {2, 3, 21, 64, 257}) {
      Shape s{3, size};
      Tensor x = input(s);
      std::string body = unary("%s", "sigmoid", "", "%0", s, s) +
                         binary("%r", "mul", "%0", s, "%s", s, s) + yield("%r", s);
      expectClose(runBody({x}, body, target),
                  tabulate(s, [&](const Shape &at) { return x(at) / (1 + std::exp(-x(at))); }));
    }
  }
}

TEST(CpuElementwise, Integers) {
  for (const std::string &target : hostTargets()) {
    Shape s{3, 37};
    Tensor x{s, integers(111, -100, 100)}, y{s, integers(111, -100, 100, 2)};
    for (const char *element : {"i8", "i32", "i64"}) {
      std::string body =
          binary("%r", "max", "%0", s, "%1", s, s, element) + yield("%r", s, element);
      expectEqual(runBody({x, y}, body, target, element),
                  tabulate(s, [&](const Shape &at) { return std::max(x(at), y(at)); }));
    }
    std::string type = tensorType(s), bools = tensorType(s, "i1");
    std::string body = "%c = modelc.less %0, %1 : (" + type + ", " + type + ") -> " + bools +
                       "\n%r = modelc.cast %c {to = f32} : (" + bools + ") -> " + type + "\n" +
                       yield("%r", s);
    expectEqual(runBody({x, y}, body, target),
                tabulate(s, [&](const Shape &at) { return x(at) < y(at) ? 1.0 : 0.0; }));
  }
}

void checkTranspose(const Shape &s, const Shape &order, const std::string &target,
                    const std::string &element = "f32") {
  Shape result;
  for (int64_t dim : order) {
    result.push_back(s[dim]);
  }
  Tensor x{s, integers(sizeOf(s), -99, 99, 1)}, y{result, integers(sizeOf(s), -99, 99, 2)};
  std::string body =
      unary("%n", "neg", "", "%0", s, s, element) +
      unary("%t", "transpose", "{permutation = " + arrayOf(order) + "}", "%n", s, result, element) +
      binary("%r", "add", "%t", result, "%1", result, result, element) +
      yield("%r", result, element);
  Tensor expected = tabulate(result, [&](const Shape &at) {
    Shape source(at.size());
    for (size_t d = 0; d < at.size(); ++d) {
      source[order[d]] = at[d];
    }
    return y(at) - x(source);
  });
  expectEqual(runBody({x, y}, body, target, element), expected);
}

TEST(CpuElementwise, Transpose) {
  for (const std::string &target : hostTargets()) {
    for (size_t i = 0; i < rowSizes().size(); ++i) {
      int64_t rows = rowSizes()[i], columns = rowSizes()[(i * 5 + 2) % rowSizes().size()];
      checkTranspose({rows, columns}, {1, 0}, target);
      checkTranspose({2, rows, columns}, {0, 2, 1}, target);
      checkTranspose({rows, 3, columns}, {2, 1, 0}, target);
      checkTranspose({3, rows, columns}, {1, 0, 2}, target);
    }
    if (target != "x86-64") { // vectors of two elements have no tiles
      checkTranspose({9, 21}, {1, 0}, target, "f64");
    }
    checkTranspose({9, 21}, {1, 0}, target, "i32");
  }
}

TEST(CpuElementwise, Slices) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      Shape s{7, size + 3}, result{3, size};
      Tensor x = input(s);
      std::string body = unary("%r", "slice",
                               "{starts = array<i64: 5, 2>, sizes = " + arrayOf(result) +
                                   ", steps = array<i64: -2, 1>}",
                               "%0", s, result) +
                         yield("%r", result);
      expectEqual(runBody({x}, body, target),
                  tabulate(result, [&](const Shape &at) { return x({5 - 2 * at[0], at[1] + 2}); }));
    }
  }
}

/// Two tensors joined along `axis`, turned, with something added.
void checkConcat(const Shape &xShape, const Shape &yShape, int64_t axis, const Shape &order,
                 const std::string &target) {
  Shape joined = xShape, result;
  joined[axis] += yShape[axis];
  for (int64_t dim : order) {
    result.push_back(joined[dim]);
  }
  Tensor x = input(xShape, 1), y = input(yShape, 2);
  std::string body =
      "%c = modelc.concat %0, %1 {axis = " + std::to_string(axis) + " : i64} : (" +
      tensorType(xShape) + ", " + tensorType(yShape) + ") -> " + tensorType(joined) + "\n" +
      unary("%t", "transpose", "{permutation = " + arrayOf(order) + "}", "%c", joined, result) +
      binary("%r", "add", "%t", result, "%t", result, result) + yield("%r", result);
  expectEqual(runBody({x, y}, body, target), tabulate(result, [&](const Shape &at) {
                Shape source(at.size());
                for (size_t d = 0; d < at.size(); ++d) {
                  source[order[d]] = at[d];
                }
                bool isFirst = source[axis] < xShape[axis];
                source[axis] -= isFirst ? 0 : xShape[axis];
                return 2 * (isFirst ? x(source) : y(source));
              }));
}

TEST(CpuElementwise, Concat) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : rowSizes()) {
      checkConcat({3, 5, size}, {2, 5, size}, 0, {0, 1, 2}, target);
      checkConcat({3, 5, size}, {3, 1, size}, 1, {0, 1, 2}, target);
      checkConcat({3, 5, size}, {3, 5, 7}, 2, {0, 1, 2}, target);
      checkConcat({2, 5, size}, {2, 6, size}, 1, {0, 2, 1}, target);
    }
  }
}

TEST(CpuElementwise, Pad) {
  for (const std::string &target : hostTargets()) {
    for (int64_t size : {9, 15, 16, 17, 33, 65}) {
      Shape s{6, size}, result{8, size + 2};
      Tensor x = input(s);
      std::string body = "%v = modelc.constant {value = dense<3.0> : tensor<f32>} : () -> "
                         "tensor<f32>\n%r = modelc.pad %0, %v {before = array<i64: 1, 2>, after = "
                         "array<i64: 1, 0>, mode = #modelc<pad_mode constant>} : (" +
                         tensorType(s) + ", tensor<f32>) -> " + tensorType(result) + "\n" +
                         yield("%r", result);
      expectEqual(runBody({x}, body, target), tabulate(result, [&](const Shape &at) {
                    bool inside = at[0] >= 1 && at[0] < 7 && at[1] >= 2;
                    return inside ? x({at[0] - 1, at[1] - 2}) : 3.0;
                  }));
    }
  }
}

} // namespace
