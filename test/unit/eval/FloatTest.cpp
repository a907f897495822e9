// Floating-point operations: rounding, NaN, zeros and saturation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"
#include <cmath>

using namespace modelc::test;

/// Checks an operation of two operands in f32 and in f64.
static void checkBoth(const std::string &operation, float a, float b, float expected) {
  std::string single = "%r = " + operation + " %a, %b : f32";
  check({single.c_str(), "f32", "f32", {bits(a), bits(b)}, bits(expected)});
  std::string twice = "%r = " + operation + " %a, %b : f64";
  check({twice.c_str(), "f64", "f64", {bits(double(a)), bits(double(b))}, bits(double(expected))});
}
static void checkBoth(const std::string &operation, float a, float expected) {
  std::string single = "%r = " + operation + " %a : f32";
  check({single.c_str(), "f32", "f32", {bits(a)}, bits(expected)});
  std::string twice = "%r = " + operation + " %a : f64";
  check({twice.c_str(), "f64", "f64", {bits(double(a))}, bits(double(expected))});
}

static const float quietNan = std::numeric_limits<float>::quiet_NaN();

TEST(EvalFloat, Arithmetic) {
  checkBoth("arith.addf", 1.5f, 2.25f, 3.75f);
  checkBoth("arith.subf", 1.5f, 2.25f, -0.75f);
  checkBoth("arith.mulf", 1.5f, -2.0f, -3.0f);
  checkBoth("arith.divf", 1.0f, -4.0f, -0.25f);
  checkBoth("arith.divf", 1.0f, -0.0f, -inf32);
  checkBoth("arith.remf", 7.5f, -2.0f, 1.5f);
  checkBoth("arith.remf", -7.5f, 2.0f, -1.5f);
  checkBoth("arith.negf", 0.0f, -0.0f);
  checkBoth("math.sqrt", 2.25f, 1.5f);
  checkBoth("math.absf", -2.0f, 2.0f);
  checkBoth("math.copysign", 2.0f, -0.0f, -2.0f);
  checkBoth("math.copysign", -2.0f, 1.0f, 2.0f);
  check({"%r = arith.mulf %a, %b : f32", "f32", "f32", {bits(0x1p-126f), bits(0.5f)}, 0x400000});
}

TEST(EvalFloat, NanResultsAreTheSameEverywhere) {
  checkBoth("arith.subf", inf32, inf32, quietNan);
  checkBoth("arith.divf", 0.0f, 0.0f, quietNan);
  checkBoth("arith.remf", 1.0f, 0.0f, quietNan);
  checkBoth("math.sqrt", -1.0f, quietNan);
  uint64_t negative = 0xffc12345, signalling = 0x7f800001;
  check({"%r = arith.addf %a, %b : f32", "f32", "f32", {negative, bits(1.0f)}, nan32});
  check({"%r = math.floor %a : f32", "f32", "f32", {negative}, nan32});
  check({"%r = arith.extf %a : f32 to f64", "f32", "f64", {signalling}, nan64});
  check({"%r = arith.truncf %a : f64 to f16", "f64", "f16", {~0ull}, 0x7e00});
  // These only touch the sign, or move bits.
  check({"%r = arith.negf %a : f32", "f32", "f32", {signalling}, 0xff800001});
  check({"%r = math.absf %a : f32", "f32", "f32", {negative}, 0x7fc12345});
  check({"%t = arith.constant true\n%r = arith.select %t, %a, %b : f32",
         "f32",
         "f32",
         {signalling, 0},
         signalling});
}

TEST(EvalFloat, MinMaxRules) {
  checkBoth("arith.maximumf", 1.0f, quietNan, quietNan);
  checkBoth("arith.maximumf", quietNan, 1.0f, quietNan);
  checkBoth("arith.maximumf", -0.0f, 0.0f, 0.0f);
  checkBoth("arith.maximumf", 3.0f, 2.0f, 3.0f);
  checkBoth("arith.minimumf", quietNan, 1.0f, quietNan);
  checkBoth("arith.minimumf", 0.0f, -0.0f, -0.0f);
  checkBoth("arith.minimumf", -3.0f, -3.0f, -3.0f);
  checkBoth("arith.maxnumf", quietNan, 1.0f, 1.0f);
  checkBoth("arith.maxnumf", 1.0f, quietNan, 1.0f);
  checkBoth("arith.maxnumf", quietNan, quietNan, quietNan);
  checkBoth("arith.maxnumf", -0.0f, 0.0f, 0.0f);
  checkBoth("arith.minnumf", quietNan, 1.0f, 1.0f);
  checkBoth("arith.minnumf", 1.0f, quietNan, 1.0f);
  checkBoth("arith.minnumf", 1.0f, -inf32, -inf32);
}

TEST(EvalFloat, RoundingToIntegral) {
  for (float x : {2.5f, -2.5f, 0.5f, -0.5f, 1.5f, 0.49999997f, -0.0f, 16777216.0f, -inf32}) {
    checkBoth("math.floor", x, std::floor(x));
    checkBoth("math.ceil", x, std::ceil(x));
    checkBoth("math.trunc", x, std::trunc(x));
    checkBoth("math.round", x, std::round(x));
  }
  checkBoth("math.roundeven", 2.5f, 2.0f);
  checkBoth("math.roundeven", 3.5f, 4.0f);
  checkBoth("math.roundeven", -0.5f, -0.0f);
  checkBoth("math.round", 2.5f, 3.0f);
}

TEST(EvalFloat, ContractionOnlyWhereFmaSaysSo) {
  float a = 1.0f + 0x1p-12f; // a * a needs 25 bits
  std::vector<uint64_t> inputs = {bits(a), bits(a), bits(-(1.0f + 0x1p-11f))};
  check({"%r = math.fma %a, %b, %c : f32", "f32", "f32", inputs, bits(0x1p-24f)});
  check({"%m = arith.mulf %a, %b fastmath<fast> : f32\n%r = arith.addf %m, %c fastmath<fast> : f32",
         "f32", "f32", inputs, 0});
  double d = 1.0 + 0x1p-27;
  inputs = {bits(d), bits(d), bits(-(1.0 + 0x1p-26))};
  check({"%r = math.fma %a, %b, %c : f64", "f64", "f64", inputs, bits(0x1p-54)});
}

TEST(EvalFloat, Predicates) {
  struct {
    const char *predicate;
    bool less, equal, greater, unordered;
  } rows[] = {{"false", false, false, false, false}, {"oeq", false, true, false, false},
              {"ogt", false, false, true, false},    {"oge", false, true, true, false},
              {"olt", true, false, false, false},    {"ole", true, true, false, false},
              {"one", true, false, true, false},     {"ord", true, true, true, false},
              {"ueq", false, true, false, true},     {"ugt", false, false, true, true},
              {"uge", false, true, true, true},      {"ult", true, false, false, true},
              {"ule", true, true, false, true},      {"une", true, false, true, true},
              {"uno", false, false, false, true},    {"true", true, true, true, true}};
  for (auto &row : rows) {
    std::string text = "%r = arith.cmpf " + std::string(row.predicate) + ", %a, %b : f32";
    check({text.c_str(), "f32", "i1", {bits(1.0f), bits(2.0f)}, row.less});
    check({text.c_str(), "f32", "i1", {bits(-0.0f), bits(0.0f)}, row.equal});
    check({text.c_str(), "f32", "i1", {bits(2.0f), bits(1.0f)}, row.greater});
    check({text.c_str(), "f32", "i1", {bits(2.0f), nan32}, row.unordered});
    text = "%r = arith.cmpf " + std::string(row.predicate) + ", %a, %b : f64";
    check({text.c_str(), "f64", "i1", {bits(1.0), bits(2.0)}, row.less});
    check({text.c_str(), "f64", "i1", {nan64, bits(1.0)}, row.unordered});
    text = "%r = arith.cmpf " + std::string(row.predicate) + ", %a, %b : f16";
    check({text.c_str(), "f16", "i1", {0x3c00, 0x4000}, row.less});
  }
}

TEST(EvalFloat, FromIntegers) {
  check({"%r = arith.sitofp %a : i8 to f32", "i8", "f32", {0x80}, bits(-128.0f)});
  check({"%r = arith.sitofp %a : i1 to f32", "i1", "f32", {1}, bits(-1.0f)});
  check({"%r = arith.uitofp %a : i1 to f32", "i1", "f32", {1}, bits(1.0f)});
  check({"%r = arith.uitofp %a : i64 to f32", "i64", "f32", {~0ull}, bits(0x1p64f)});
  check({"%r = arith.uitofp %a : i64 to f64", "i64", "f64", {~0ull}, bits(0x1p64)});
  check({"%r = arith.sitofp %a : i32 to f32", "i32", "f32", {16777217}, bits(16777216.0f)});
  check({"%r = arith.sitofp %a : i64 to f64", "i64", "f64", {uint64_t(-5)}, bits(-5.0)});
  check({"%r = arith.sitofp %a : i32 to f16", "i32", "f16", {2049}, 0x6800});
  check({"%r = arith.uitofp %a : i32 to f16", "i32", "f16", {100000}, 0x7c00});
  check({"%r = arith.sitofp %a : i32 to bf16", "i32", "bf16", {257}, 0x4380});
}

TEST(EvalFloat, ToIntegersSaturates) {
  const char *toI8 = "%r = arith.fptosi %a : f32 to i8", *toU8 = "%r = arith.fptoui %a : f32 to i8";
  check({toI8, "f32", "i8", {bits(-1.9f)}, 0xff});
  check({toI8, "f32", "i8", {bits(127.9f)}, 127});
  check({toI8, "f32", "i8", {bits(128.0f)}, 127});
  check({toI8, "f32", "i8", {bits(-128.9f)}, 0x80});
  check({toI8, "f32", "i8", {bits(-inf32)}, 0x80});
  check({toI8, "f32", "i8", {nan32}, 0});
  check({toU8, "f32", "i8", {bits(255.5f)}, 255});
  check({toU8, "f32", "i8", {bits(1e9f)}, 255});
  check({toU8, "f32", "i8", {bits(-0.5f)}, 0});
  check({toU8, "f32", "i8", {bits(-7.0f)}, 0});
  check({toU8, "f32", "i8", {nan32}, 0});
  check({"%r = arith.fptosi %a : f64 to i64", "f64", "i64", {bits(0x1p63)}, ~0ull >> 1});
  check({"%r = arith.fptosi %a : f64 to i64", "f64", "i64", {bits(-0x1p63)}, 1ull << 63});
  check({"%r = arith.fptosi %a : f64 to i32", "f64", "i32", {bits(2147483647.5)}, 0x7fffffff});
  check({"%r = arith.fptoui %a : f64 to i64", "f64", "i64", {bits(inf64)}, ~0ull});
  check({"%r = arith.fptoui %a : f64 to i64", "f64", "i64", {bits(0x1.8p63)}, 3ull << 62});
  check({"%r = arith.fptosi %a : f16 to i32", "f16", "i32", {0xc500}, uint64_t(uint32_t(-5))});
}

TEST(EvalFloat, BetweenFloats) {
  check({"%r = arith.extf %a : f32 to f64", "f32", "f64", {bits(0.1f)}, bits(double(0.1f))});
  check({"%r = arith.extf %a : f16 to f32", "f16", "f32", {0x0001}, bits(0x1p-24f)});
  check({"%r = arith.extf %a : bf16 to f64", "bf16", "f64", {0x3f80}, bits(1.0)});
  check({"%r = arith.truncf %a : f64 to f32", "f64", "f32", {bits(0.1)}, bits(0.1f)});
  check({"%r = arith.truncf %a : f64 to f32", "f64", "f32", {bits(1e300)}, bits(inf32)});
  check({"%r = arith.truncf %a : f32 to f16", "f32", "f16", {bits(65520.0f)}, 0x7c00});
  check({"%r = arith.truncf %a : f32 to f16", "f32", "f16", {bits(65519.0f)}, 0x7bff});
  check({"%r = arith.truncf %a : f32 to bf16", "f32", "bf16", {0x3f808000}, 0x3f80});
  check({"%r = arith.truncf %a : f32 to bf16", "f32", "bf16", {0x3f818000}, 0x3f82});
  // A double just above the middle of two halves (bfloats), which is the middle for a float.
  check(
      {"%r = arith.truncf %a : f64 to f16", "f64", "f16", {bits(1.0 + 0x1p-11 + 0x1p-40)}, 0x3c01});
  check({"%r = arith.truncf %a : f64 to f16", "f64", "f16", {bits(1.0 + 0x1p-11)}, 0x3c00});
  check({"%r = arith.truncf %a : f64 to bf16",
         "f64",
         "bf16",
         {bits(1.0 + 0x1p-8 + 0x1p-40)},
         0x3f81});
}

TEST(EvalFloat, NarrowTypesRoundEveryOperation) {
  // 2048 + 1 is a tie in f16 and goes to 2048, twice.
  const char *twice = "%s = arith.addf %a, %b : f16\n%r = arith.addf %s, %b : f16";
  check({twice, "f16", "f16", {0x6800, 0x3c00}, 0x6800});
  check({"%s = arith.addf %a, %b : bf16\n%r = arith.subf %s, %a : bf16",
         "bf16",
         "bf16",
         {0x4380, 0x3f80},
         0});
  check({"%r = arith.divf %a, %b : f16", "f16", "f16", {0x3c00, 0x4200}, 0x3555});
  check({"%r = math.sqrt %a : f16", "f16", "f16", {0x4000}, 0x3da8});
  check({"%r = arith.mulf %a, %b : f16", "f16", "f16", {0x7bff, 0x4000}, 0x7c00});
  check({"%r = arith.negf %a : f16", "f16", "f16", {0x7e01}, 0xfe01});
  check({"%r = math.fma %a, %b, %c : f16", "f16", "f16", {0x4000, 0x4200, 0x3c00}, 0x4700});
  check({"%r = arith.maximumf %a, %b : bf16", "bf16", "bf16", {0x7fc0, 0}, 0x7fc0});
}
