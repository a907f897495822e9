// Convolutions and transposed convolutions against their definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"
#include "test/unit/harness/Convolution.h"

using namespace modelc::test;

namespace {

void check(const Convolution &g) {
  Tensor x{g.inputShape(), {}}, filter{g.filterShape(), {}};
  Tensor bias{{g.outputs}, integers(g.outputs, -9, 9, 3)};
  bool isUnsigned = g.element[0] == 'u';
  x.values = integers(sizeOf(x.shape), isUnsigned ? 100 : -3, isUnsigned ? 255 : 3, 1);
  filter.values = integers(sizeOf(filter.shape), -3, 3, 2);
  std::vector<Values> operands{x.values, filter.values};
  if (g.bias) {
    operands.push_back(bias.values);
  }
  auto results = run(g.op(), operands);
  ASSERT_EQ(results.size(), 1u);
  expectEqual(results[0], g(x, filter, bias));
}

/// The geometry in both layouts, with and without bias.
void checkAll(Convolution g) {
  for (int variant = 0; variant < 4; ++variant) {
    g.channelsLast = variant & 1;
    g.bias = variant & 2;
    SCOPED_TRACE("variant " + std::to_string(variant));
    check(g);
  }
}

TEST(Conv, OneDimension) {
  checkAll({{9}, {3}, {1}, {1}, {0}, {0}});
}
TEST(Conv, ShortRows) {
  checkAll({{5}, {3}, {1}, {1}, {0}, {0}, 2, 3, 4});
}
TEST(Conv, PadsStridesDilations) {
  checkAll({{9, 10}, {3, 2}, {2, 1}, {1, 3}, {1, 2}, {0, 3}, 2, 3, 2});
  checkAll({{7, 8}, {3, 3}, {1, 2}, {2, 2}, {2, 2}, {2, 2}, 1, 2, 3});
}
TEST(Conv, WindowsOutside) { // whole windows lie in the padding
  checkAll({{4}, {2}, {1}, {1}, {5}, {6}});
  checkAll({{2}, {3}, {3}, {4}, {9}, {9}});
}
TEST(Conv, Groups) {
  checkAll({{6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 6, 4, 2});
}
TEST(Conv, Depthwise) {
  checkAll({{6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 5, 5, 5});
  checkAll({{6, 6}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 1, 3, 6, 3});
}
TEST(Conv, Pointwise) {
  checkAll({{4, 4}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, 3, 5});
}
TEST(Conv, ThreeDimensions) {
  checkAll({{4, 3, 5}, {2, 2, 3}, {1, 2, 1}, {1, 1, 1}, {1, 0, 1}, {0, 1, 1}});
}
TEST(Conv, RowsInBlocks) {
  check({{1500}, {3}, {1}, {1}, {1}, {1}, 1, 1, 1});
}
TEST(Conv, Empty) {
  check({{5}, {3}, {1}, {1}, {0}, {0}, 0, 2, 2});
  checkAll({{8}, {3}, {1}, {1}, {0}, {0}, 1, 0, 2});
}
TEST(Conv, Integers) {
  Convolution g{{9, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 3, 4};
  g.element = "i8";
  g.resultElement = "i32";
  checkAll(g);
  g.element = "ui8"; // with a signed filter
  checkAll(g);
}

TEST(ConvTranspose, OneDimension) {
  Convolution g{{4}, {3}, {1}, {1}, {0}, {0}};
  g.transposed = true;
  g.outputPadding = {0};
  checkAll(g);
  g.strides = {3};
  g.outputPadding = {2};
  checkAll(g);
}
TEST(ConvTranspose, PadsDilationsGroups) {
  Convolution g{{4, 5}, {3, 3}, {2, 1}, {1, 2}, {1, 2}, {0, 1}, 2, 4, 6, 2};
  g.transposed = true;
  g.outputPadding = {1, 0};
  checkAll(g);
}
TEST(ConvTranspose, NegativePads) {
  Convolution g{{4, 5}, {2, 2}, {2, 3}, {1, 1}, {-2, 1}, {-1, -1}, 1, 2, 3, 1};
  g.transposed = true;
  g.outputPadding = {0, 0};
  checkAll(g);
}
TEST(ConvTranspose, ThreeDimensions) {
  Convolution g{{2, 3, 2}, {2, 1, 3}, {1, 2, 2}, {1, 1, 1}, {0, 0, 1}, {1, 0, 1}};
  g.transposed = true;
  g.outputPadding = {0, 1, 0};
  checkAll(g);
}
TEST(ConvTranspose, RowsInBlocks) {
  Convolution g{{700}, {4}, {2}, {1}, {1}, {1}, 1, 1, 1};
  g.transposed = true;
  g.outputPadding = {0};
  check(g);
}

} // namespace
