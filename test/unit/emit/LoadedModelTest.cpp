// Models inside this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/LoadedModel.h"
#include "TestModel.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace modelc;
using namespace modelc::test;

TEST(LoadedModel, RunsAndResets) {
  modelc::Target native = target("native");
  TestModel test("net", native);
  Expected<LoadedModel> loaded = LoadedModel::load(test.model, native);
  ASSERT_TRUE(static_cast<bool>(loaded)) << toString(loaded.takeError());
  float x[16], y[16], picked = 0;
  int32_t index = 2, count = 0;
  for (int i = 0; i < 16; ++i) {
    x[i] = static_cast<float>(i);
  }
  const void *inputs[] = {x, &index};
  void *outputs[] = {y, &count, &picked};
  EXPECT_EQ(loaded->run(inputs, outputs), 0);
  EXPECT_EQ(count, 6);
  EXPECT_EQ(picked, 4.0f);
  for (int row = 0; row < 16; ++row) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) {
      sum += test.matrix[row * 16 + k] * x[k];
    }
    EXPECT_EQ(y[row], std::max(sum, 0.0f) + test.bias[row]);
  }
  EXPECT_EQ(loaded->run(inputs, outputs), 0);
  EXPECT_EQ(count, 7);
  loaded->reset();
  index = -1;
  EXPECT_EQ(loaded->run(inputs, outputs), 7);
  EXPECT_EQ(count, 6);
  EXPECT_NE(loaded->run({}, outputs), 0);
}

TEST(LoadedModel, KeepsDenormalsOnRequest) {
  modelc::Target native = target("native");
  for (bool keep : {false, true}) {
    TestModel test("net", native);
    test.model.keepDenormals = keep;
    Expected<LoadedModel> loaded = LoadedModel::load(test.model, native);
    ASSERT_TRUE(static_cast<bool>(loaded)) << toString(loaded.takeError());
    float x[16], y[16], picked = -1;
    std::fill(std::begin(x), std::end(x), 1e-40f);
    int32_t index = 0, count = 0;
    const void *inputs[] = {x, &index};
    void *outputs[] = {y, &count, &picked};
    EXPECT_EQ(loaded->run(inputs, outputs), 0);
    EXPECT_EQ(picked, keep ? 2 * x[0] : 0.0f);
  }
}

TEST(LoadedModel, TwoLiveSideBySide) {
  modelc::Target native = target("native");
  TestModel first("net", native), second("net", native, 50);
  Expected<LoadedModel> a = LoadedModel::load(first.model, native);
  Expected<LoadedModel> b = LoadedModel::load(second.model, native);
  ASSERT_TRUE(a && b);
  LoadedModel moved = std::move(*a);
  float x[16] = {}, y[16], picked = 0;
  int32_t index = 0, countA = 0, countB = 0;
  const void *inputs[] = {x, &index};
  void *outputsA[] = {y, &countA, &picked}, *outputsB[] = {y, &countB, &picked};
  EXPECT_EQ(moved.run(inputs, outputsA), 0);
  EXPECT_EQ(b->run(inputs, outputsB), 0);
  EXPECT_EQ(countA, 6);
  EXPECT_EQ(countB, 51);
}

TEST(LoadedModel, RefusesForeignCode) {
  modelc::Target foreign = target("cortex-m4");
  TestModel test("net", foreign);
  Expected<LoadedModel> loaded = LoadedModel::load(test.model, foreign);
  ASSERT_FALSE(static_cast<bool>(loaded));
  EXPECT_EQ(toString(loaded.takeError()), "code for 'cortex-m4' does not run on this machine");
}
