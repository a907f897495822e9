// The target table: names, features, flags and the facts that follow from them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "test/unit/harness/Jit.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using modelc::test::target;

namespace modelc {
namespace {

std::string error(StringRef name, const TargetOptions &options = {}) {
  Expected<Target> result = parseTarget(name, options);
  return result ? "" : toString(result.takeError());
}

bool contains(StringRef text, StringRef part) {
  return text.contains(part);
}

TEST(Target, everyRowHasATargetMachine) {
  for (const TargetRow &row : targetRows()) {
    Target t = target(row.name);
    EXPECT_NE(createTargetMachine(t), nullptr) << row.name.str();
    EXPECT_FALSE(t.runtimeClass.empty()) << row.name.str();
  }
}

TEST(Target, x86Levels) {
  Target base = target("x86-64");
  EXPECT_EQ(base.triple, "x86_64-unknown-linux-gnu");
  EXPECT_EQ(base.vectorBytes, 16u);
  EXPECT_EQ(base.vectorRegisters, 16u);
  EXPECT_FALSE(base.hasFma || base.hasRound || base.hasMaskedMemory || base.hasF16Convert);
  EXPECT_TRUE(target("x86-64-v2").hasRound && target("x86-64-v2").hasRoundEven);
  Target v3 = target("x86-64-v3");
  EXPECT_EQ(v3.vectorBytes, 32u);
  EXPECT_TRUE(v3.hasFma && v3.hasRound && v3.hasMaskedMemory && v3.hasF16Convert);
  Target v4 = target("x86-64-v4");
  EXPECT_EQ(v4.vectorBytes, 64u);
  EXPECT_EQ(v4.vectorRegisters, 32u);
  EXPECT_EQ(v4.runtimeClass, "x86_64");
}

TEST(Target, llvmNamesAndAliases) {
  EXPECT_EQ(target("haswell").vectorBytes, 32u);
  EXPECT_EQ(target("skylake-avx512").vectorBytes, 64u);
  EXPECT_EQ(target("znver3").vectorBytes, 32u);
  EXPECT_EQ(target("sapphirerapids").vectorBytes, 64u);
  EXPECT_EQ(target("apple-m1").cpu, "apple-a14");
  EXPECT_EQ(target("neoverse-n2").vectorBytes, 16u);
}

TEST(Target, featuresAreSplitFromNamesThatContainHyphens) {
  Target narrow = target("skylake-avx512-avx512f");
  EXPECT_EQ(narrow.cpu, "skylake-avx512");
  EXPECT_EQ(narrow.vectorBytes, 32u);
  EXPECT_EQ(target("skylake-avx512f").cpu, "skylake");
  Target wide = target("x86-64+avx2+fma");
  EXPECT_EQ(wide.vectorBytes, 32u);
  EXPECT_TRUE(wide.hasFma && wide.hasRound);
  EXPECT_EQ(wide.features, "+avx2,+fma");
}

TEST(Target, featureQueries) {
  EXPECT_FALSE(hasFeature(target("cortex-a53"), "dotprod"));
  EXPECT_TRUE(hasFeature(target("cortex-a55"), "dotprod"));
  EXPECT_TRUE(hasFeature(target("cortex-a53+dotprod"), "dotprod"));
  EXPECT_TRUE(hasFeature(target("sapphirerapids"), "avx512vnni"));
  EXPECT_TRUE(hasFeature(target("cortex-m4"), "dsp"));
  EXPECT_FALSE(hasFeature(target("cortex-m4"), "no such feature"));
}

TEST(Target, cortexM4FloatAbi) {
  Target hard = target("cortex-m4");
  EXPECT_EQ(hard.triple, "thumbv7em-none-unknown-eabihf");
  EXPECT_EQ(hard.pointerBits, 32u);
  EXPECT_EQ(hard.align, 8u);
  EXPECT_EQ(hard.runtimeClass, "thumbv7em_hf");
  EXPECT_EQ(hard.os, "none");
  EXPECT_TRUE(hard.hardFloat && hard.hasFpu && hard.hasFma);
  EXPECT_FALSE(hard.pic || hard.hasDouble || hard.hasRound);
  EXPECT_TRUE(target("cortex-m7").hasDouble && target("cortex-m7").hasRound);
  EXPECT_FALSE(target("cortex-m7").hasRoundEven);
  Target softfp = target("cortex-m4", {"", "softfp"});
  EXPECT_EQ(softfp.triple, "thumbv7em-none-unknown-eabi");
  EXPECT_TRUE(softfp.hasFma && !softfp.hardFloat);
  Target soft = target("cortex-m4", {"", "soft"});
  EXPECT_EQ(soft.runtimeClass, "thumbv7em_sf");
  EXPECT_FALSE(soft.hasFma || soft.hasFpu || soft.hasF16Convert);
}

TEST(Target, operatingSystem) {
  EXPECT_EQ(target("cortex-a53", {"none", ""}).triple, "aarch64-unknown-none-elf");
  EXPECT_TRUE(contains(error("cortex-a53", {"plan9", ""}), "unknown --os 'plan9'"));
  EXPECT_TRUE(contains(error("cortex-m4", {"linux", ""}), "no operating system"));
  EXPECT_TRUE(contains(error("x86-64", {"", "soft"}), "32-bit ARM only"));
  EXPECT_TRUE(contains(error("cortex-m4", {"", "firm"}), "unknown --float-abi 'firm'"));
}

TEST(Target, errorsNameTheNearest) {
  EXPECT_TRUE(contains(error("hasvell"), "unknown target 'hasvell', expected one that 'modelc "
                                         "targets --all' lists; did you mean 'haswell'?"));
  EXPECT_TRUE(contains(error("cortx-m4"), "did you mean 'cortex-m4'"));
  EXPECT_TRUE(
      contains(error("cortex-a53+dotprd"), "has no feature 'dotprd'; did you mean 'dotprod'?"));
  EXPECT_TRUE(contains(error("cortex-a53+"), "has no feature ''"));
  EXPECT_TRUE(contains(error(""), "unknown target ''"));
  EXPECT_TRUE(contains(error("x86-64-sse2"), "SSE2"));
  // 32-bit x86 is not a target.
  EXPECT_TRUE(contains(error("i686"), "unknown target 'i686'"));
}

TEST(Target, namesListRowsFirst) {
  std::vector<std::string> names = targetNames();
  EXPECT_EQ(names.front(), "native");
  EXPECT_NE(std::find(names.begin(), names.end(), "znver4"), names.end());
  EXPECT_EQ(std::count(names.begin(), names.end(), "cortex-a53"), 1);
}

} // namespace
} // namespace modelc
