// Elementwise ops in the registers of vector code: every kind of broadcast and of element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

/// x times y, [rows, 6] by [6, columns] and called %p; %2 is the other operand and %r the last of
/// `ops`, which write $p, $o, $r for the three
/// types and $e for the result's element.
void check(int64_t rows, int64_t columns, const Shape &operandShape, const std::string &element,
           const std::string &ops, const std::string &resultElement,
           llvm::function_ref<double(double, double)> compute, double tolerance = 0) {
  Tensor x{{rows, 6}, numbers(rows * 6, 1)}, y{{6, columns}, numbers(6 * columns, 2)};
  Tensor operand{operandShape, integers(sizeOf(operandShape), element == "i1" ? 0 : -4,
                                        element == "i1" ? 1 : 4, 3)};
  Tensor expected = tabulate({rows, columns}, [&](const Shape &at) {
    double total = 0;
    for (int64_t k = 0; k < 6; ++k) {
      total += x({at[0], k}) * y({k, at[1]});
    }
    Shape from(at.end() - static_cast<int64_t>(operandShape.size()), at.end());
    for (size_t d = 0; d < from.size(); ++d) {
      from[d] = operandShape[d] == 1 ? 0 : from[d];
    }
    return compute(total, operand(from));
  });
  std::string product = tensorType({rows, columns}), other = tensorType(operandShape, element);
  std::vector<std::string> types{tensorType(x.shape), tensorType(y.shape), other};
  std::string result = tensorType(expected.shape, resultElement);
  std::string body =
      "%p = modelc.matmul %0, %1 : (" + types[0] + ", " + types[1] + ") -> " + product + "\n";
  for (size_t at = 0; at < ops.size();) {
    size_t next = std::min(ops.find('$', at), ops.size());
    body += ops.substr(at, next - at);
    if (next < ops.size()) {
      char name = ops[next + 1];
      body += name == 'p' ? product : name == 'o' ? other : name == 'r' ? result : resultElement;
    }
    at = next + 2;
  }
  body += "\nmodelc.yield %r : " + result;
  for (const std::string &target : hostTargets()) {
    SCOPED_TRACE(target + ": " + body);
    auto results =
        runKernel({types, body, "matmul", {1}}, {x.values, y.values, operand.values}, target);
    ASSERT_EQ(results.size(), 1u);
    expectClose(results[0], expected, tolerance);
  }
}

/// Extents of results: below and beyond a vector and a tile.
template <typename Body> void forExtents(Body body) {
  body(1, 1);
  body(1, 33);
  body(3, 5);
  body(9, 16);
}

TEST(CpuEpilogue, Broadcasts) {
  const std::string ops = "%s = modelc.add %p, %2 : ($p, $o) -> $p\n"
                          "%r = modelc.relu %s : ($p) -> $p";
  auto compute = [](double p, double o) { return std::max(p + o, 0.0); };
  forExtents([&](int64_t rows, int64_t columns) {
    for (const Shape &shape : {Shape{}, Shape{1}, Shape{columns}, Shape{1, columns}, Shape{rows, 1},
                               Shape{rows, columns}}) {
      check(rows, columns, shape, "f32", ops, "f32", compute);
    }
  });
}

TEST(CpuEpilogue, OperandFirstAndTwice) {
  const std::string ops = "%s = modelc.sub %2, %p : ($o, $p) -> $p\n"
                          "%t = modelc.mul %s, %2 : ($p, $o) -> $p\n"
                          "%r = modelc.max %t, %s : ($p, $p) -> $p";
  forExtents([&](int64_t rows, int64_t columns) {
    check(rows, columns, {columns}, "f32", ops, "f32",
          [](double p, double o) { return std::max((o - p) * o, o - p); });
  });
}

TEST(CpuEpilogue, NarrowFloats) {
  const std::string ops = "%c = modelc.cast %p {to = $e} : ($p) -> $r\n"
                          "%r = modelc.add %c, %2 : ($r, $o) -> $r";
  forExtents([&](int64_t rows, int64_t columns) {
    auto compute = [](double p, double o) { return p + o; };
    check(rows, columns, {rows, columns}, "f16", ops, "f16", compute, 2e-3);
    check(rows, columns, {columns}, "bf16", ops, "bf16", compute, 2e-2);
  });
}

TEST(CpuEpilogue, Booleans) {
  forExtents([&](int64_t rows, int64_t columns) {
    check(rows, columns, {rows, columns}, "f32", "%r = modelc.less %p, %2 : ($p, $o) -> $r", "i1",
          [](double p, double o) { return p < o; });
    check(rows, columns, {columns}, "i1",
          "%n = modelc.neg %p : ($p) -> $p\n"
          "%r = modelc.select %2, %p, %n : ($o, $p, $p) -> $p",
          "f32", [](double p, double o) { return o != 0 ? p : -p; });
  });
}

TEST(CpuEpilogue, Integers) {
  forExtents([&](int64_t rows, int64_t columns) {
    for (std::string element : {"i8", "i32", "ui16"}) {
      check(rows, columns, {columns}, "f32",
            "%s = modelc.abs %p : ($p) -> $p\n"
            "%r = modelc.cast %s {to = $e} : ($p) -> $r",
            element, [](double p, double) { return std::trunc(std::fabs(p)); });
    }
  });
}

TEST(CpuEpilogue, Functions) {
  forExtents([&](int64_t rows, int64_t columns) {
    check(
        rows, columns, {columns}, "f32",
        "%s = modelc.sigmoid %p : ($p) -> $p\n"
        "%t = modelc.tanh %p : ($p) -> $p\n"
        "%r = modelc.mul %s, %t : ($p, $p) -> $p",
        "f32", [](double p, double) { return std::tanh(p) / (1 + std::exp(-p)); }, 1e-6);
  });
}

} // namespace
