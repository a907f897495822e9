// Scatters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

std::string elements(const std::string &kind, const std::string &index = "i64",
                     const std::string &element = "f32") {
  return "modelc.scatter_elements %0, %1, %2 {axis = 0 : i64, kind = #modelc<scatter_kind " + kind +
         ">} : (tensor<3x2x" + element + ">, tensor<2x2x" + index + ">, tensor<2x2x" + element +
         ">) -> tensor<3x2x" + element + ">";
}

const Values x{1, 2, 3, 4, 5, 6}, indices{0, -1, 0, 1}, updates{10, 20, 3, 40};

TEST(ScatterElements, Kinds) {
  expectEqual(run(elements("replace"), {x, indices, updates})[0], Values{3, 2, 3, 40, 5, 20});
  expectEqual(run(elements("add", "i32"), {x, indices, updates})[0], Values{14, 2, 3, 44, 5, 26});
  expectEqual(run(elements("mul"), {x, indices, updates})[0], Values{30, 2, 3, 160, 5, 120});
  expectEqual(run(elements("max"), {x, indices, updates})[0], Values{10, 2, 3, 40, 5, 20});
  expectEqual(run(elements("min", "i64", "i32"), {x, indices, updates})[0],
              Values{1, 2, 3, 4, 5, 6});
}

TEST(ScatterElements, Booleans) {
  expectEqual(run(elements("replace", "i64", "i1"), {{0, 0, 1, 1, 0, 0}, indices, {1, 1, 0, 0}})[0],
              Values{0, 0, 1, 0, 0, 1});
}

TEST(ScatterElements, BadIndices) {
  Outcome high = runWithStatus(elements("replace"), {x, {0, 3, 0, 1}, updates});
  EXPECT_EQ(high.status, 7);
  expectEqual(high.results[0], Values{3, 2, 3, 40, 5, 20});
  Outcome low = runWithStatus(elements("replace", "i32"), {x, {0, -4, 1, 2}, updates});
  EXPECT_EQ(low.status, 7);
  expectEqual(low.results[0], Values{10, 20, 3, 4, 5, 40});
}

TEST(ScatterNd, TuplesAndSlices) {
  auto slices = run("modelc.scatter_nd %0, %1, %2 {kind = #modelc<scatter_kind add>} : "
                    "(tensor<3x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<3x2xf32>",
                    {x, {2, 0, -1}, {10, 20, 30, 40, 50, 60}});
  expectEqual(slices[0], Values{31, 42, 3, 4, 65, 86});
  auto single = run("modelc.scatter_nd %0, %1, %2 {kind = #modelc<scatter_kind replace>} : "
                    "(tensor<3x2xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<3x2xf32>",
                    {x, {2, 0, 0, -1}, {10, 20}});
  expectEqual(single[0], Values{1, 20, 3, 4, 10, 6});
  auto none = run("modelc.scatter_nd %0, %1, %2 {kind = #modelc<scatter_kind replace>} : "
                  "(tensor<3x2xf32>, tensor<0x2xi64>, tensor<0xf32>) -> tensor<3x2xf32>",
                  {x, {}, {}});
  expectEqual(none[0], x);
}

} // namespace
