// Indices that a model computes, in the code of the plain loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"

using namespace modelc::test;

namespace {

/// Gathers positions of an axis of `extent` elements, which are computed where they are read.
Tensor gather(const std::string &extent, const std::string &type, const Values &indices) {
  std::string axis = "tensor<" + extent + "xi64>";
  std::string count = std::to_string(indices.size()), result = "tensor<" + count + "xi64>";
  std::string operand = "tensor<" + count + "x" + type + ">";
  std::string body = "%p = modelc.iota {shape = array<i64: " + extent +
                     ">, axis = 0 : i64, to = i64} : () -> " + axis +
                     "\n%r = modelc.gather %p, %0 {axis = 0 : i64} : (" + axis + ", " + operand +
                     ") -> " + result + "\nmodelc.yield %r : " + result;
  std::vector<Tensor> results = runKernel({{operand}, body, "loops"}, {indices}, "native");
  return results.empty() ? Tensor{} : results[0];
}

const double lowest = -2147483648.0, highest = 2147483647.0;

TEST(ModelIndices, AxesBeyondTheTypeOfTheIndex) {
  for (const char *type : {"i32", "i64"}) {
    expectEqual(gather("3000000000", type, {0, highest, -1, lowest}),
                Values{0, highest, 2999999999.0, 852516352.0});
    expectEqual(gather("2147483648", type, {0, highest, -1, lowest}),
                Values{0, highest, highest, 0});
    expectEqual(gather("8589934592", type, {1, highest, -2, lowest}),
                Values{1, highest, 8589934590.0, 6442450944.0});
  }
}

TEST(ModelIndices, LargestAxisOfTheIndex) {
  expectEqual(gather("2147483647", "i32", {0, highest - 1, -1, lowest + 1}),
              Values{0, highest - 1, highest - 1, 0});
}

} // namespace
