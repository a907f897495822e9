// The conversions and divisions beneath the opcodes, against LLVM's software arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"
#include "codegen/eval/FloatOps.h"
#include "codegen/eval/IntegerOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <random>

using namespace llvm;
using namespace modelc::eval;

static uint64_t convert(APFloat value, const fltSemantics &to) {
  bool losesInfo;
  value.convert(to, APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

TEST(EvalNumbers, EveryHalfAndBfloat) {
  for (uint32_t x = 0; x < 0x10000; ++x) {
    EXPECT_EQ(f16ToBits(f16FromBits(x)), x);
    EXPECT_EQ(bf16ToBits(bf16FromBits(x)), x);
    APFloat half(APFloat::IEEEhalf(), APInt(16, x));
    if (!half.isNaN()) {
      EXPECT_EQ(f16FromBits(x), convert(half, APFloat::IEEEsingle()));
    }
  }
}

TEST(EvalNumbers, RoundsToNarrowTypesAsLLVM) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    // Exponents around the range of a half; tails that are often ties or next to them.
    uint64_t bits = random();
    uint64_t exponent = 1023 + random() % 48 - 30;
    bits = (bits & 0x800fffffffffffff) | exponent << 52;
    bits &= random() % 2 ? ~0ull << (random() % 53) : ~0ull;
    bits ^= random() % 4 == 0 ? 1 : 0;
    double x = bit_cast<double>(bits);
    APFloat value(x);
    float odd = asFloat<float>(narrowToOdd(x));
    ASSERT_EQ(f16ToBits(uint32_t(roundToF16(odd))), convert(value, APFloat::IEEEhalf())) << x;
    ASSERT_EQ(bf16ToBits(uint32_t(roundToBF16(odd))), convert(value, APFloat::BFloat())) << x;
    APFloat single{float(x)};
    ASSERT_EQ(f16ToBits(uint32_t(roundToF16(float(x)))), convert(single, APFloat::IEEEhalf())) << x;
    ASSERT_EQ(bf16ToBits(uint32_t(roundToBF16(float(x)))), convert(single, APFloat::BFloat())) << x;
  }
}

TEST(EvalNumbers, SaturatesAsLLVM) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    unsigned width = 1 + random() % 64;
    uint64_t exponent = 1023 + random() % 70 - 3;
    double x = bit_cast<double>((random() & 0x800fffffffffffff) | exponent << 52);
    for (bool isSigned : {true, false}) {
      APSInt expected(width, !isSigned);
      bool isExact;
      APFloat(x).convertToInteger(expected, APFloat::rmTowardZero, &isExact);
      uint64_t got = isSigned ? toSigned(x, 64 - width) : toUnsigned(x, 64 - width);
      ASSERT_EQ(got, expected.getZExtValue()) << x << " to " << width << " bits";
    }
  }
}

TEST(EvalNumbers, DivisionsOfEveryPairOfBytes) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      if (b == 0) {
        continue;
      }
      int down = int(std::floor(double(a) / b)), up = int(std::ceil(double(a) / b));
      ASSERT_EQ(uint8_t(floorDivSigned(a, b)), uint8_t(down));
      ASSERT_EQ(uint8_t(ceilDivSigned(a, b)), uint8_t(up));
      ASSERT_EQ(uint8_t(divSigned(a, b)), uint8_t(a / b));
      ASSERT_EQ(uint8_t(remSigned(a, b)), uint8_t(a % b));
    }
  }
}

TEST(EvalNumbers, WideProductsAsLLVM) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    unsigned width = 1 + random() % 64, shift = 64 - width;
    uint64_t a = random() >> shift, b = random() >> shift;
    APInt x(width, a), y(width, b);
    WideProduct product = splitProduct(multiplyUnsigned(a, b), shift);
    APInt expected = x.zext(2 * width) * y.zext(2 * width);
    ASSERT_EQ(product.low, expected.trunc(width).getZExtValue());
    ASSERT_EQ(product.high, expected.lshr(width).trunc(width).getZExtValue());
    product = splitProduct(multiplySigned(signExtend(a, shift), signExtend(b, shift)), shift);
    expected = x.sext(2 * width) * y.sext(2 * width);
    ASSERT_EQ(product.low, expected.trunc(width).getZExtValue());
    ASSERT_EQ(product.high, expected.lshr(width).trunc(width).getZExtValue());
  }
}
