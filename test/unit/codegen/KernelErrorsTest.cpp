// What the kernel compiler refuses, and how it says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Jit.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using testing::AllOf;
using testing::HasSubstr;

namespace modelc::test {
namespace {

std::string errorOf(std::string body, llvm::StringRef name = "x86-64") {
  return compileError(textKernel("k", std::move(body)), target(name));
}

TEST(KernelErrors, parseErrorsAreCapturedNotPrinted) {
  testing::internal::CaptureStderr();
  std::string message = errorOf("func.func @k( {");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(message, HasSubstr("kernel 'k': cannot be built: "));
}

TEST(KernelErrors, symbolMismatch) {
  EXPECT_THAT(errorOf("func.func @other() { return }"),
              HasSubstr("kernel 'k': the module has no function of this name"));
}

TEST(KernelErrors, c1TwoPublicFunctions) {
  EXPECT_THAT(errorOf("func.func @k() { return }\nfunc.func @l() { return }"),
              HasSubstr("one public function"));
}

TEST(KernelErrors, c1ExternalFunction) {
  EXPECT_THAT(errorOf("func.func private @sinf(f32) -> f32\nfunc.func @k() { return }"),
              HasSubstr("a body for each"));
}

TEST(KernelErrors, c2DynamicShape) {
  EXPECT_THAT(errorOf("func.func @k(%a: memref<?xf32>) { return }"),
              HasSubstr("argument 0 must be a scalar or"));
}

TEST(KernelErrors, c3BoolInMemory) {
  EXPECT_THAT(errorOf("func.func @k(%a: memref<4xi1>) { %c = arith.constant 0 : index\n"
                      "%x = memref.load %a[%c] : memref<4xi1>\nreturn }"),
              HasSubstr("a bool in memory is an i8"));
}

TEST(KernelErrors, c4Allocations) {
  EXPECT_THAT(errorOf("func.func @k() { %a = memref.alloc() : memref<4xf32>\nreturn }"),
              AllOf(HasSubstr("kernel 'k'"), HasSubstr("'memref.alloc' is not allowed")));
  EXPECT_THAT(errorOf("func.func @k() { %a = memref.alloca() : memref<4xf32>\nreturn }"),
              HasSubstr("'memref.alloca' is not allowed"));
  EXPECT_THAT(errorOf("func.func @k(%a: memref<4xf32>, %b: memref<4xf32>) {\n"
                      "memref.copy %a, %b : memref<4xf32> to memref<4xf32>\nreturn }"),
              HasSubstr("'memref.copy' is not allowed"));
}

TEST(KernelErrors, c5WritableGlobal) {
  EXPECT_THAT(
      errorOf(
          "memref.global \"private\" @g : memref<4xf32> = dense<1.0>\nfunc.func @k() { return }"),
      HasSubstr("must be constant"));
}

TEST(KernelErrors, libraryFunctionsAreNamed) {
  std::string remainder =
      "func.func @k(%a: memref<f64>) { %x = memref.load %a[] : memref<f64>\n"
      "%y = arith.remf %x, %x : f64\nmemref.store %y, %a[] : memref<f64>\nreturn }";
  EXPECT_THAT(errorOf(remainder), AllOf(HasSubstr("kernel 'k'"), HasSubstr("'fmod'")));
  std::string division = "func.func @k(%a: memref<i64>) { %x = memref.load %a[] : memref<i64>\n"
                         "%y = arith.divsi %x, %x : i64\n%z = arith.addi %y, %x : i64\n"
                         "memref.store %z, %a[] : memref<i64>\nreturn }";
  EXPECT_EQ(errorOf(division), "");
  std::string twoDivisions =
      "func.func @k(%a: memref<2xi64>) { %c0 = arith.constant 0 : index\n"
      "%c1 = arith.constant 1 : index\n%x = memref.load %a[%c0] : memref<2xi64>\n"
      "%y = memref.load %a[%c1] : memref<2xi64>\n%z = arith.divsi %x, %y : i64\n"
      "memref.store %z, %a[%c0] : memref<2xi64>\nreturn }";
  EXPECT_THAT(errorOf(twoDivisions, "cortex-m4"), HasSubstr("'__aeabi_ldivmod'"));
  std::string toFloat =
      "func.func @k(%a: memref<i64>, %b: memref<f32>) { %x = memref.load %a[] : memref<i64>\n"
      "%y = arith.sitofp %x : i64 to f32\nmemref.store %y, %b[] : memref<f32>\nreturn }";
  EXPECT_THAT(errorOf(toFloat, "cortex-m4"), HasSubstr("'__aeabi_l2f'"));
}

TEST(KernelErrors, llvmGivingUpIsAnError) {
  // An instruction that the processor has not: LLVM's back end ends the process by itself.
  KernelSource dot = textKernel("dot", R"(func.func @dot(%x: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<16xi32>, vector<16xi32>
  %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%v, %v, %v) : (vector<16xi32>, vector<16xi32>, vector<16xi32>) -> vector<16xi32>
  vector.store %d, %x[%c0] : memref<16xi32>, vector<16xi32>
  return
})");
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(compileError(dot, target("x86-64-v3")),
                HasSubstr("kernel 'dot': LLVM cannot generate code: "));
    EXPECT_EQ(compileError(dot, target("sapphirerapids")), "");
  }
}

TEST(KernelErrors, theFirstFailingKernelIsReportedForAnyThreadCount) {
  std::vector<KernelSource> sources;
  for (int i = 0; i < 40; ++i) {
    std::string name = "k" + std::to_string(i);
    sources.push_back(
        textKernel(name, i % 7 == 5 ? "broken" : "func.func @" + name + "() { return }"));
  }
  for (unsigned threads : {1u, 2u, 4u, 64u}) {
    llvm::Expected<std::vector<KernelBytes>> result =
        compileKernels(sources, target("x86-64"), threads);
    ASSERT_FALSE(result);
    EXPECT_THAT(llvm::toString(result.takeError()), HasSubstr("kernel 'k5'"));
  }
}

} // namespace
} // namespace modelc::test
