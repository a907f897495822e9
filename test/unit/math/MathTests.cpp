//===- MathTests.cpp - Error bounds of the expanded math functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sweep.h"

#include "gtest/gtest.h"

#include <cstring>

namespace modelc::test {
namespace {

#ifndef MODELC_MATH_SAMPLES
#define MODELC_MATH_SAMPLES (1 << 18)
#endif

std::vector<MathFunction> allFunctions() {
  std::vector<MathFunction> functions;
  for (const Case &c : cases()) {
    functions.push_back(c.function);
  }
  return functions;
}

/// A target with everything in hardware, and one with nothing.
MathOptions targetOptions(bool hasAll) {
  MathOptions options;
  options.hasFma = options.hasRound = options.hasSqrt = hasAll;
  return options;
}

template <typename T> class Bounds : public testing::Test {
protected:
  const char *type = sizeof(T) == 4 ? "f32" : "f64";
};
using Formats = testing::Types<float, double>;
TYPED_TEST_SUITE(Bounds, Formats);

TYPED_TEST(Bounds, HoldOverTheWholeRange) {
  CompiledMath all(allFunctions(), this->type, false, targetOptions(true));
  CompiledMath none(allFunctions(), this->type, false, targetOptions(false));
  for (size_t i = 0; i < cases().size(); ++i) {
    const Case &c = cases()[i];
    Samples<TypeParam> points = samples<TypeParam>(c, MODELC_MATH_SAMPLES);
    double bound = sizeof(TypeParam) == 4 ? c.boundF32 : c.boundF64;
    for (const CompiledMath *compiled : {&all, &none}) {
      Worst worst = sweep<TypeParam>(compiled->function(i), points);
      std::string key = c.function.op + (compiled == &all ? ".all" : ".none");
      this->RecordProperty(key, std::to_string(worst.ulps));
#ifdef MODELC_MATH_PRINT
      printf("%-6s %-22s %8.4f  at %a %a (%g %g) got %a want %a\n", this->type, key.c_str(),
             worst.ulps, worst.x, worst.y, worst.x, worst.y, worst.got, worst.want);
#endif
      EXPECT_LE(worst.ulps, bound) << key << "(" << worst.x << ", " << worst.y << ") is "
                                   << worst.got << " instead of " << worst.want;
    }
  }
}

TYPED_TEST(Bounds, VectorsGiveTheBitsOfScalars) {
  for (bool hasAll : {true, false}) {
    CompiledMath scalar(allFunctions(), this->type, false, targetOptions(hasAll));
    CompiledMath vector(allFunctions(), this->type, true, targetOptions(hasAll));
    std::vector<TypeParam> a(CompiledMath::kBlock), b(CompiledMath::kBlock);
    for (size_t i = 0; i < cases().size(); ++i) {
      Samples<TypeParam> points = samples<TypeParam>(cases()[i], CompiledMath::kBlock);
      scalar.function(i)(points.x.data(), points.y.data(), nullptr, a.data());
      vector.function(i)(points.x.data(), points.y.data(), nullptr, b.data());
      for (size_t k = 0; k < a.size(); ++k) {
        if (a[k] == a[k] || b[k] == b[k]) { // not both NaN
          ASSERT_EQ(std::memcmp(&a[k], &b[k], sizeof(TypeParam)), 0)
              << cases()[i].function.op << " of " << points.x[k] << ", " << points.y[k];
        }
      }
    }
  }
}

TYPED_TEST(Bounds, NeverLeaveTheRangeOfTheFunction) {
  const std::vector<MathFunction> functions = {
      {"math.tanh"}, {"math.erf"}, {"math.sin"}, {"math.cos"}};
  Samples<TypeParam> points = samples<TypeParam>(cases().front(), 1 << 16);
  for (bool hasAll : {true, false}) {
    CompiledMath compiled(functions, this->type, false, targetOptions(hasAll));
    std::vector<TypeParam> got(CompiledMath::kBlock);
    for (size_t i = 0; i < functions.size(); ++i) {
      for (size_t start = 0; start < points.x.size(); start += CompiledMath::kBlock) {
        compiled.function(i)(&points.x[start], nullptr, nullptr, got.data());
        for (size_t k = 0; k < got.size(); ++k) {
          EXPECT_FALSE(got[k] > 1 || got[k] < -1)
              << functions[i].op << " of " << points.x[start + k];
        }
      }
    }
  }
}

TYPED_TEST(Bounds, PowersOfSmallIntegersAreExact) {
  CompiledMath compiled({{"math.powf", 2}, {"math.fpowi", 2, "i32"}}, this->type, false,
                        MathOptions());
  std::vector<TypeParam> x(CompiledMath::kBlock, 1), y(CompiledMath::kBlock, 1),
      got(CompiledMath::kBlock);
  for (int i = 0; i < 512; ++i) {
    x[i] = static_cast<TypeParam>(i % 32 - 16);
    y[i] = static_cast<TypeParam>(i / 32 % 6);
  }
  for (size_t f = 0; f < 2; ++f) {
    compiled.function(f)(x.data(), y.data(), nullptr, got.data());
    for (int i = 0; i < 512; ++i) {
      TypeParam want = 1;
      for (int k = 0; k < static_cast<int>(y[i]); ++k) {
        want *= x[i];
      }
      EXPECT_EQ(got[i], want) << x[i] << " to the " << y[i];
    }
  }
}

TEST(Half, IsComputedInF32) {
  for (const char *type : {"f16", "bf16"}) {
    CompiledMath half({{"math.exp"}, {"math.rsqrt"}}, type, true, MathOptions());
    CompiledMath single({{"math.exp"}, {"math.rsqrt"}}, "f32", true, MathOptions());
    std::vector<uint16_t> x(CompiledMath::kBlock), got(CompiledMath::kBlock);
    std::vector<float> wide(CompiledMath::kBlock), want(CompiledMath::kBlock);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<uint16_t>(i * 16 + 3);
      const llvm::fltSemantics &semantics =
          type[0] == 'b' ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
      llvm::APFloat value(semantics, llvm::APInt(16, x[i]));
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      wide[i] = value.convertToFloat();
    }
    for (size_t f = 0; f < 2; ++f) {
      half.function(f)(x.data(), nullptr, nullptr, got.data());
      single.function(f)(wide.data(), nullptr, nullptr, want.data());
      for (size_t i = 0; i < x.size(); ++i) {
        const llvm::fltSemantics &semantics =
            type[0] == 'b' ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
        llvm::APFloat rounded(want[i]);
        bool losesInfo;
        rounded.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        llvm::APFloat result(semantics, llvm::APInt(16, got[i]));
        if (rounded.isDenormal()) {
          continue; // x86's conversion to bf16 flushes them
        }
        EXPECT_TRUE(rounded.isNaN() ? result.isNaN() : rounded.bitwiseIsEqual(result))
            << type << " of " << wide[i];
      }
    }
  }
}

TEST(MultiplyAdd, RoundsTwiceWithoutHardware) {
  const float a = 1 + 0x1p-12f, b = 1 + 0x1p-12f, c = -1;
  std::vector<float> as(CompiledMath::kBlock, a), bs(CompiledMath::kBlock, b),
      cs(CompiledMath::kBlock, c), out(CompiledMath::kBlock);
  for (bool hasAll : {true, false}) {
    for (bool useVectors : {true, false}) {
      std::vector<MathFunction> functions = {{"math.fma", 3}};
      if (useVectors) {
        functions.push_back({"vector.fma", 3});
      }
      CompiledMath compiled(functions, "f32", useVectors, targetOptions(hasAll));
      for (size_t f = 0; f < functions.size(); ++f) {
        compiled.function(f)(as.data(), bs.data(), cs.data(), out.data());
        EXPECT_EQ(out[0], hasAll ? 0x1p-11f + 0x1p-24f : 0x1p-11f) << functions[f].op;
      }
    }
  }
}

template <typename T> T integerPower(T x, T n) {
  if (n < 0) {
    return x == 1 ? 1 : x == -1 ? (n % 2 ? -1 : 1) : 0;
  }
  std::make_unsigned_t<T> power = 1;
  for (T i = 0; i < n; ++i) {
    power *= static_cast<std::make_unsigned_t<T>>(x);
  }
  return static_cast<T>(power);
}

template <typename T> class IntegerPower : public testing::Test {};
using Integers = testing::Types<int8_t, int32_t, int64_t>;
TYPED_TEST_SUITE(IntegerPower, Integers);

TYPED_TEST(IntegerPower, WrapsAndRoundsToZero) {
  for (bool useVectors : {true, false}) {
    CompiledMath compiled({{"math.ipowi", 2}}, "i" + std::to_string(sizeof(TypeParam) * 8),
                          useVectors, MathOptions());
    std::vector<TypeParam> x(CompiledMath::kBlock), n(CompiledMath::kBlock),
        got(CompiledMath::kBlock);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<TypeParam>(i % 41) - 20;
      n[i] = static_cast<TypeParam>(i / 41) - 20;
    }
    compiled.function(0)(x.data(), n.data(), nullptr, got.data());
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(got[i], integerPower(x[i], n[i])) << +x[i] << " to the " << +n[i];
    }
  }
}

struct Machine {
  const char *triple, *cpu, *features;
  MathOptions options;
};

TEST(Objects, CallNoLibrary) {
  const Machine machines[] = {
      {"x86_64-unknown-linux-gnu", "x86-64", "", {false, false, true, true}},
      {"x86_64-unknown-linux-gnu", "x86-64-v3", "", {}},
      {"aarch64-unknown-linux-gnu", "cortex-a53", "", {}},
      {"thumbv7em-none-eabihf", "cortex-m4", "", {true, false, true, false}},
      {"thumbv8.1m.main-none-eabihf", "cortex-m55", "", {true, true, true, true, false}},
      {"riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d", {true, false, true, true}},
      {"wasm32-unknown-unknown", "generic", "+simd128", {false, true, true, true, false}},
      {"hexagon-unknown-elf", "hexagonv66", "", {true, false, false, false}},
  };
  std::vector<MathFunction> functions = {{"math.fma", 3}};
  for (const Case &c : cases()) {
    // The conversion in the test would be a call for 64 bits.
    if (c.function.exponentType != "i64") {
      functions.push_back(c.function);
    }
  }
  for (const char *op : {"math.copysign", "math.atan2"}) {
    functions.push_back({op, 2});
  }
  functions.push_back({"math.absf"});
  for (const Machine &machine : machines) {
    for (const std::string &name : undefinedSymbols(
             functions, "f32", machine.options, machine.triple, machine.cpu, machine.features)) {
      // WebAssembly's own.
      EXPECT_TRUE(llvm::StringRef(name).starts_with("__linear_memory") ||
                  llvm::StringRef(name).starts_with("__stack_pointer"))
          << machine.triple << " " << machine.cpu << " needs " << name;
    }
  }
}

} // namespace
} // namespace modelc::test
