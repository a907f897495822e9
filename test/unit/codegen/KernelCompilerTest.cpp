// Kernels on every target: objects without undefined symbols, and right results where this machine
// can run them. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Jit.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using testing::HasSubstr;
using testing::Not;

namespace modelc::test {
namespace {

const char *const kTargets[] = {"native",  "x86-64",     "x86-64-v2", "x86-64-v3", "x86-64-v4",
                                "aarch64", "cortex-a53", "cortex-m4", "cortex-m7"};

constexpr int kRows = 4, kDepth = 24;

/// C[4][2 * lanes] = A[4][24] * B[24][2 * lanes]: accumulators in registers, as a kernel generator
/// writes it.
KernelSource matmul(int lanes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string vector = "vector<" + std::to_string(lanes) + "xf32>";
  std::string a = "memref<4x24xf32>", b = "memref<24x" + std::to_string(2 * lanes) + "xf32>",
              c = "memref<4x" + std::to_string(2 * lanes) + "xf32>";
  os << "func.func @matmul(%a: " << a << ", %b: " << b << ", %c: " << c << ") {\n"
     << "  %zero = arith.constant dense<0.0> : " << vector << "\n";
  for (int i : {0, 1, 2, 3, kDepth}) {
    os << "  %i" << i << " = arith.constant " << i << " : index\n";
  }
  os << "  %half = arith.constant " << lanes
     << " : index\n  %r:8 = scf.for %k = %i0 to %i24 step %i1 iter_args(";
  for (int j = 0; j < 8; ++j) {
    os << (j ? ", " : "") << "%s" << j << " = %zero";
  }
  os << ") -> (" << vector;
  for (int j = 1; j < 8; ++j) {
    os << ", " << vector;
  }
  os << ") {\n  %b0 = vector.load %b[%k, %i0] : " << b << ", " << vector
     << "\n  %b1 = vector.load %b[%k, %half] : " << b << ", " << vector << "\n";
  for (int i = 0; i < kRows; ++i) {
    os << "  %x" << i << " = memref.load %a[%i" << i << ", %k] : " << a << "\n  %v" << i
       << " = vector.broadcast %x" << i << " : f32 to " << vector << "\n";
    for (int j = 0; j < 2; ++j) {
      int n = 2 * i + j;
      os << "  %t" << n << " = vector.fma %v" << i << ", %b" << j << ", %s" << n << " : " << vector
         << "\n";
    }
  }
  os << "  scf.yield %t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7 : " << vector;
  for (int j = 1; j < 8; ++j) {
    os << ", " << vector;
  }
  os << "\n  }\n";
  for (int n = 0; n < 8; ++n) {
    os << "  vector.store %r#" << n << ", %c[%i" << n / 2 << ", " << (n % 2 ? "%half" : "%i0")
       << "] : " << c << ", " << vector << "\n";
  }
  os << "  return\n}\n";
  return textKernel("matmul", text);
}

/// y = relu(2 x + 1) as a plain loop.
KernelSource scalarLoop(bool mayAlias = false) {
  std::string attributes = mayAlias ? " {modelc.may_alias}" : "";
  return textKernel("loop",
                    "func.func @loop(%x: memref<1003xf32>" + attributes + ", %y: memref<1003xf32>" +
                        attributes +
                        R"() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1003 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<1003xf32>
    %d = arith.mulf %v, %two : f32
    %e = arith.addf %d, %one : f32
    %f = arith.maximumf %e, %zero : f32
    memref.store %f, %y[%i] : memref<1003xf32>
  }
  return
})",
                    /*scalarLoops=*/true);
}

TEST(KernelCompiler, objectsNeedNoLibraryOnAnyTarget) {
  for (const char *name : kTargets) {
    Target t = target(name);
    EXPECT_NE(compile(matmul(std::max(t.vectorBytes, 16u) / 4), t), "") << name;
    EXPECT_NE(compile(scalarLoop(), t), "") << name;
  }
}

TEST(KernelCompiler, matmulResult) {
  for (const char *name : {"native", "x86-64", "x86-64-v3"}) {
    Target t = target(name);
    int lanes = t.vectorBytes / 4, columns = 2 * lanes;
    std::vector<float> a(kRows * kDepth), b(kDepth * columns), c(kRows * columns, -1.0f);
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = float(int(i * 7 % 13) - 6);
    }
    for (size_t i = 0; i < b.size(); ++i) {
      b[i] = float(int(i * 5 % 11) - 5);
    }
    JitKernel kernel(matmul(lanes), t);
    kernel(a.data(), b.data(), c.data());
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < columns; ++j) {
        float sum = 0;
        for (int k = 0; k < kDepth; ++k) {
          sum += a[i * kDepth + k] * b[k * columns + j];
        }
        EXPECT_EQ(c[i * columns + j], sum) << name << " " << i << " " << j;
      }
    }
  }
}

TEST(KernelCompiler, buffersNeedElementAlignmentOnly) {
  // Every offset of one vector from an aligned address.
  JitKernel kernel(scalarLoop(), target("native"));
  std::vector<float> memory(2 * 1003 + 64);
  for (int offset = 0; offset < 17; ++offset) {
    float *x = memory.data() + offset, *y = x + 1003 + offset;
    std::iota(x, x + 1003, -500.0f);
    kernel(x, y);
    for (int i = 0; i < 1003; ++i) {
      ASSERT_EQ(y[i], std::max(2.0f * x[i] + 1.0f, 0.0f)) << offset << " " << i;
    }
  }
}

TEST(KernelCompiler, scalarLoopsAreVectorized) {
  EXPECT_THAT(compile(scalarLoop(), target("x86-64-v4"), KernelOutput::Assembly), HasSubstr("zmm"));
  EXPECT_THAT(compile(scalarLoop(), target("x86-64-v3"), KernelOutput::Assembly), HasSubstr("ymm"));
  EXPECT_THAT(compile(scalarLoop(), target("cortex-a53"), KernelOutput::Assembly),
              HasSubstr(".4s"));
}

TEST(KernelCompiler, fusedMultiplyAddOnlyWhereItExists) {
  auto assembly = [](const char *name, int lanes) {
    return compile(matmul(lanes), target(name), KernelOutput::Assembly);
  };
  EXPECT_THAT(assembly("x86-64-v3", 8), HasSubstr("vfmadd"));
  EXPECT_THAT(assembly("cortex-a53", 4), HasSubstr("fmla"));
  EXPECT_THAT(assembly("cortex-m4", 4), HasSubstr("vfma.f32"));
  EXPECT_THAT(assembly("x86-64", 4), HasSubstr("mulps"));
  // Nothing is contracted that the IR does not allow: the loop's product and sum stay two
  // operations.
  EXPECT_THAT(compile(scalarLoop(), target("x86-64-v3"), KernelOutput::Assembly),
              Not(HasSubstr("vfmadd")));
  EXPECT_THAT(compile(scalarLoop(), target("cortex-a53"), KernelOutput::Assembly),
              Not(HasSubstr("fmla")));
}

TEST(KernelCompiler, loopIdiomsBecomeNoCalls) {
  KernelSource fillAndCopy = textKernel(
      "k", R"(func.func @k(%x: memref<4096xi8>, %y: memref<4096xi8>, %z: memref<512xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %m = arith.constant 512 : index
  %zero = arith.constant 0 : i64
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4096xi8>
    memref.store %v, %y[%i] : memref<4096xi8>
  }
  scf.for %i = %c0 to %m step %c1 {
    memref.store %zero, %z[%i] : memref<512xi64>
  }
  return
})",
      /*scalarLoops=*/true);
  for (const char *name : kTargets) {
    EXPECT_NE(compile(fillAndCopy, target(name)), "") << name;
  }
}

TEST(KernelCompiler, roundingAndMaximaNeedNoCalls) {
  std::string text =
      "func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) {\n%c0 = arith.constant 0 : index\n"
      "%c1 = arith.constant 1 : index\n%n = arith.constant 64 : index\n"
      "scf.for %i = %c0 to %n step %c1 {\n%v0 = memref.load %x[%i] : memref<64xf32>\n";
  int count = 0;
  for (const char *operation :
       {"math.floor", "math.ceil", "math.trunc", "math.roundeven", "math.absf", "math.sqrt"}) {
    // Of the element itself: LLVM drops the rounding of what is rounded already.
    std::string number = std::to_string(count), next = std::to_string(count + 1);
    text += "%r" + number + " = " + operation + " %v0 : f32\n%v" + next + " = arith.addf %v" +
            number + ", %r" + number + " : f32\n";
    ++count;
  }
  for (const char *operation :
       {"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"}) {
    text += "%v" + std::to_string(count + 1) + " = " + operation + " %v" + std::to_string(count) +
            ", %v0 : f32\n";
    ++count;
  }
  text += "memref.store %v" + std::to_string(count) + ", %y[%i] : memref<64xf32>\n}\nreturn\n}";
  for (const char *name : kTargets) {
    EXPECT_NE(compile(textKernel("k", text, /*scalarLoops=*/true), target(name)), "") << name;
    EXPECT_NE(compile(textKernel("k", text, /*scalarLoops=*/false), target(name)), "") << name;
  }
}

TEST(KernelCompiler, constantMasksOnEveryTarget) {
  KernelSource tail = textKernel("k", R"(func.func @k(%x: memref<7xf32>, %y: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %mask = arith.constant dense<[true, true, true, true, true, true, true, false]> : vector<8xi1>
  %one = arith.constant dense<1.0> : vector<8xf32>
  %v = vector.maskedload %x[%c0], %mask, %one : memref<7xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %w = arith.addf %v, %one : vector<8xf32>
  vector.maskedstore %y[%c0], %mask, %w : memref<7xf32>, vector<8xi1>, vector<8xf32>
  return
})");
  for (const char *name : kTargets) {
    EXPECT_NE(compile(tail, target(name)), "") << name;
  }
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {};
  JitKernel(tail, target("native"))(x, y);
  EXPECT_THAT(y, testing::ElementsAre(2, 3, 4, 5, 6, 7, 8, 0));
}

TEST(KernelCompiler, transfersTransposesAndContractionsAreLowered) {
  KernelSource kernel = textKernel("k", R"(
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>
func.func @k(%a: memref<4x6xf32>, %b: memref<4x6xf32>, %c: memref<4x4xf32>, %d: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<4x4xf32>
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x6xf32>, vector<4x6xf32>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x6xf32>, vector<4x6xf32>
  %p = vector.contract {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<4x6xf32>, vector<4x6xf32> into vector<4x4xf32>
  vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
  %t = vector.transpose %p, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  vector.transfer_write %t, %d[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
  return
})");
  for (const char *name : kTargets) {
    EXPECT_NE(compile(kernel, target(name)), "") << name;
  }
  float a[24], b[24], c[16], d[16];
  std::iota(a, a + 24, -3.0f);
  std::iota(b, b + 24, -9.0f);
  JitKernel(kernel, target("native"))(a, b, c, d);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int k = 0; k < 6; ++k) {
        sum += a[i * 6 + k] * b[j * 6 + k];
      }
      EXPECT_EQ(c[i * 4 + j], sum);
      EXPECT_EQ(d[j * 4 + i], sum);
    }
  }
}

TEST(KernelCompiler, reductionsHaveOneOrder) {
  // 1e8 absorbs what is added to it alone, so the result shows the order: halves first, the
  // accumulator last.
  auto sum = [](int lanes, std::vector<float> x, float start) {
    std::string n = std::to_string(lanes);
    KernelSource kernel = textKernel(
        "k", "func.func @k(%x: memref<" + n + "xf32>, %a: f32, %y: memref<f32>) {\n" +
                 "%c0 = arith.constant 0 : index\n%v = vector.load %x[%c0] : memref<" + n +
                 "xf32>, vector<" + n + "xf32>\n%s = vector.reduction <add>, %v, %a : vector<" + n +
                 "xf32> into f32\nmemref.store %s, %y[] : memref<f32>\nreturn }");
    float y = 0;
    JitKernel(kernel, target("native"))(x.data(), start, &y);
    return y;
  };
  EXPECT_EQ(sum(4, {1e8f, 3, -1e8f, 4}, 0), 7.0f); // (1e8 - 1e8) + (3 + 4)
  EXPECT_EQ(sum(4, {1e8f, -1e8f, 3, 4}, 0), 0.0f); // (1e8 + 3) + (-1e8 + 4): both absorbed
  EXPECT_EQ(sum(4, {1, 2, 3, 4}, 100), 110.0f);
  EXPECT_EQ(sum(7, {1, 2, 3, 4, 5, 6, 7}, 1), 29.0f);
  EXPECT_EQ(sum(1, {5}, 1), 6.0f);
}

TEST(KernelCompiler, indexIsThePointersWidth) {
  // Metadata stands behind the code, and what it says of loops has 64 bits everywhere.
  auto code = [](const std::string &text) { return text.substr(0, text.find("\n!")); };
  EXPECT_THAT(code(compile(scalarLoop(), target("cortex-m4"), KernelOutput::LlvmIR)),
              Not(HasSubstr(", i64 ")));
  EXPECT_THAT(compile(scalarLoop(), target("x86-64"), KernelOutput::LlvmIR), HasSubstr(", i64 "));
}

TEST(KernelCompiler, argumentAttributes) {
  std::string plain = compile(scalarLoop(), target("x86-64-v3"), KernelOutput::LlvmIR);
  EXPECT_THAT(plain, HasSubstr("define hidden void @loop(ptr noalias"));
  EXPECT_THAT(plain, Not(HasSubstr("align 64 %0")));
  EXPECT_THAT(compile(scalarLoop(/*mayAlias=*/true), target("x86-64-v3"), KernelOutput::LlvmIR),
              Not(HasSubstr("ptr noalias")));
  KernelSource aligned =
      textKernel("k", "func.func @k(%x: memref<4xf32> {llvm.align = 64 : i64}, %i: i32) {\n"
                      "%c0 = arith.constant 0 : index\n%z = arith.constant 0.0 : f32\n"
                      "memref.store %z, %x[%c0] : memref<4xf32>\nreturn }");
  EXPECT_THAT(compile(aligned, target("x86-64-v3"), KernelOutput::LlvmIR), HasSubstr("align 64 "));
}

TEST(KernelCompiler, statusConstantsAndPrivateFunctions) {
  KernelSource kernel = textKernel("k", R"(
memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func private @get(%i: index) -> i32 {
  %t = memref.get_global @table : memref<4xi32>
  %v = memref.load %t[%i] : memref<4xi32>
  return %v : i32
}
func.func @k(%x: memref<i32>) -> i32 {
  %v = memref.load %x[] : memref<i32>
  %i = arith.index_cast %v : i32 to index
  %r = func.call @get(%i) : (index) -> i32
  return %r : i32
})");
  for (const char *name : kTargets) {
    EXPECT_NE(compile(kernel, target(name)), "") << name;
  }
  int32_t two = 2;
  EXPECT_EQ(JitKernel(kernel, target("native")).status(&two), 30);
}

TEST(KernelCompiler, sameObjectsForAnyNumberOfThreads) {
  std::vector<KernelSource> sources;
  for (int i = 0; i < 12; ++i) {
    sources.push_back(i % 2 ? scalarLoop() : matmul(4 << i % 3));
  }
  std::vector<std::vector<KernelBytes>> runs;
  for (unsigned threads : {1u, 3u, 12u}) {
    llvm::Expected<std::vector<KernelBytes>> result =
        compileKernels(sources, target("x86-64-v3"), threads);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    runs.push_back(std::move(*result));
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(runs[0], runs[2]);
  EXPECT_EQ(runs[0][1], runs[0][3]);
}

TEST(KernelCompiler, noKernelsIsNoError) {
  llvm::Expected<std::vector<KernelBytes>> result = compileKernels({}, target("x86-64"), 4);
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(result->empty());
}

} // namespace
} // namespace modelc::test
