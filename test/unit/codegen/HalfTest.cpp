// f16 and bf16: conversions are exact on all inputs, with and without the target's instruction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Jit.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using llvm::APFloat;
using llvm::APInt;

namespace modelc::test {
namespace {

const char *const kTargets[] = {"native", "x86-64", "x86-64-v2"};

/// out[i] = op(in[i]) over n elements, a scalar loop.
KernelSource conversion(const char *op, const char *from, const char *to, int n) {
  std::string in = "memref<" + std::to_string(n) + "x" + from + ">",
              out = "memref<" + std::to_string(n) + "x" + to + ">";
  return textKernel(
      "convert",
      "func.func @convert(%x: " + in + ", %y: " + out + ") {\n%c0 = arith.constant 0 : index\n" +
          "%c1 = arith.constant 1 : index\n%n = arith.constant " + std::to_string(n) +
          " : index\nscf.for %i = %c0 to %n step %c1 {\n%v = memref.load %x[%i] : " + in +
          "\n%w = arith." + op + " %v : " + from + " to " + to +
          "\nmemref.store %w, %y[%i] : " + out + "\n}\nreturn }",
      /*scalarLoops=*/true);
}

const llvm::fltSemantics &semanticsOf(bool bf16) {
  return bf16 ? APFloat::BFloat() : APFloat::IEEEhalf();
}

float extended(uint16_t bits, bool bf16) {
  APFloat value(semanticsOf(bf16), APInt(16, bits));
  bool exact;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToFloat();
}

template <typename Float> uint16_t truncated(Float x, bool bf16) {
  APFloat value(x);
  bool exact;
  value.convert(semanticsOf(bf16), APFloat::rmNearestTiesToEven, &exact);
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

bool isNaN(uint16_t bits, bool bf16) {
  return (bits & 0x7fff) > (bf16 ? 0x7f80 : 0x7c00);
}

TEST(Half, everyValueExtendsExactly) {
  std::vector<uint16_t> x(65536);
  std::vector<float> y(65536);
  for (int i = 0; i < 65536; ++i) {
    x[i] = uint16_t(i);
  }
  for (bool bf16 : {false, true}) {
    for (const char *name : kTargets) {
      JitKernel kernel(conversion("extf", bf16 ? "bf16" : "f16", "f32", 65536), target(name));
      kernel(x.data(), y.data());
      int wrong = 0;
      for (int i = 0; i < 65536; ++i) {
        float expected = extended(uint16_t(i), bf16);
        wrong += isNaN(uint16_t(i), bf16) ? !(y[i] != y[i]) : std::memcmp(&y[i], &expected, 4) != 0;
      }
      EXPECT_EQ(wrong, 0) << name << " bf16 " << bf16;
    }
  }
}

/// Bit patterns spread over the whole range, and the neighbourhood of every tie.
template <typename Float> std::vector<Float> interesting(bool bf16) {
  std::vector<Float> values;
  for (int i = 0; i < 65536; i += 3) {
    if (isNaN(uint16_t(i), bf16)) {
      continue;
    }
    Float low = extended(uint16_t(i), bf16), high = extended(uint16_t(i + 1), bf16);
    Float middle = low / 2 + high / 2;
    for (Float v : {low, middle, std::nextafter(middle, low), std::nextafter(middle, high)}) {
      values.push_back(v);
    }
  }
  for (Float v : {Float(65519), Float(65520), Float(65535.9), Float(65536), Float(1e9),
                  Float(3.39e38), Float(0.0), Float(2.9802322387695312e-08),
                  Float(2.98023260404e-08), Float(NAN), Float(INFINITY)}) {
    values.push_back(v);
    values.push_back(-v);
  }
  values.resize(90000, Float(1));
  return values;
}

template <typename Float> void checkTruncation(const char *from) {
  for (bool bf16 : {false, true}) {
    std::vector<Float> x = interesting<Float>(bf16);
    std::vector<uint16_t> y(x.size());
    for (const char *name : kTargets) {
      JitKernel kernel(conversion("truncf", from, bf16 ? "bf16" : "f16", int(x.size())),
                       target(name));
      kernel(x.data(), y.data());
      int wrong = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        uint16_t expected = truncated(x[i], bf16);
        bool same = isNaN(expected, bf16) ? isNaN(y[i], bf16) : y[i] == expected;
        if (!same && ++wrong == 1) {
          ADD_FAILURE() << name << " " << from << " bf16 " << bf16 << " " << x[i] << " gives "
                        << y[i] << " not " << expected;
        }
      }
      EXPECT_EQ(wrong, 0) << name << " " << from << " bf16 " << bf16;
    }
  }
}

TEST(Half, truncationRoundsToNearestEven) {
  checkTruncation<float>("f32");
}

TEST(Half, doublesAreRoundedOnce) {
  checkTruncation<double>("f64");
}

TEST(Half, arithmeticRoundsEachOperation) {
  KernelSource kernel = textKernel("k", R"(func.func @k(%x: memref<4xf16>, %y: memref<4xf16>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xf16>, vector<4xf16>
  %s = arith.addf %a, %a : vector<4xf16>
  %p = arith.mulf %s, %a : vector<4xf16>
  vector.store %p, %y[%c0] : memref<4xf16>, vector<4xf16>
  return
})");
  for (const char *name : kTargets) {
    float values[4] = {1.0f / 3, 1001, -0.1f, 60000};
    uint16_t x[4], y[4];
    for (int i = 0; i < 4; ++i) {
      x[i] = truncated(values[i], false);
    }
    JitKernel(kernel, target(name))(x, y);
    for (int i = 0; i < 4; ++i) {
      float v = extended(x[i], false), sum = extended(truncated(v + v, false), false);
      EXPECT_EQ(y[i], truncated(sum * v, false)) << name << " " << values[i];
    }
  }
}

TEST(Half, objectsNeedNoLibrary) {
  for (const char *name : {"x86-64", "x86-64-v3", "cortex-a53", "cortex-m4", "cortex-m7"}) {
    for (const char *half : {"f16", "bf16"}) {
      EXPECT_NE(compile(conversion("extf", half, "f32", 64), target(name)), "") << name;
      EXPECT_NE(compile(conversion("truncf", "f32", half, 64), target(name)), "") << name;
    }
  }
}

} // namespace
} // namespace modelc::test
