// Saturating conversion of floats to integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/FloatToInt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "test/unit/harness/Jit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace modelc::test {
namespace {

/// Converts eight values, as one vector or as eight scalars.
KernelSource conversion(bool isDouble, unsigned width, bool isUnsigned, bool asVector) {
  auto build = [=](mlir::MLIRContext &context) {
    mlir::ImplicitLocOpBuilder b(mlir::UnknownLoc::get(&context), &context);
    mlir::OwningOpRef<mlir::ModuleOp> module = b.create<mlir::ModuleOp>();
    b.setInsertionPointToEnd(module->getBody());
    mlir::Type from = isDouble ? mlir::Type(b.getF64Type()) : b.getF32Type(),
               to = b.getIntegerType(width);
    auto x = mlir::MemRefType::get({8}, from), y = mlir::MemRefType::get({8}, to);
    auto function = b.create<mlir::func::FuncOp>("convert", b.getFunctionType({x, y}, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    mlir::Value in = function.getArgument(0), out = function.getArgument(1);
    for (int i = 0; i < (asVector ? 1 : 8); ++i) {
      mlir::Value index = b.create<mlir::arith::ConstantIndexOp>(i);
      if (asVector) {
        mlir::Value v = b.create<mlir::vector::LoadOp>(mlir::VectorType::get({8}, from), in, index);
        v = createFloatToInt(b, b.getLoc(), v, mlir::VectorType::get({8}, to), isUnsigned);
        b.create<mlir::vector::StoreOp>(v, out, index);
      } else {
        mlir::Value v = b.create<mlir::memref::LoadOp>(in, index);
        b.create<mlir::memref::StoreOp>(createFloatToInt(b, b.getLoc(), v, to, isUnsigned), out,
                                        index);
      }
    }
    b.create<mlir::func::ReturnOp>();
    return module;
  };
  return {"convert", build};
}

template <typename Float, typename Int> void check() {
  using Limits = std::numeric_limits<Int>;
  const Float infinity = std::numeric_limits<Float>::infinity();
  const Float values[] = {Float(0),
                          Float(-0.9),
                          Float(1.9),
                          Float(Limits::max()),
                          Float(Limits::min()),
                          -infinity,
                          infinity,
                          Float(NAN),
                          Float(-3e30),
                          Float(3e30),
                          Float(126.5),
                          Float(-127.5),
                          Float(Limits::max()) * Float(0.75),
                          Float(-1.5),
                          Float(Limits::max()) * Float(1.01),
                          Float(255.99)};
  for (const char *name : {"native", "x86-64"}) {
    for (bool asVector : {false, true}) {
      JitKernel kernel(
          conversion(sizeof(Float) == 8, sizeof(Int) * 8, !Limits::is_signed, asVector),
          target(name));
      for (int half = 0; half < 2; ++half) {
        Float x[8];
        Int y[8] = {};
        std::copy(values + 8 * half, values + 8 * half + 8, x);
        kernel(x, y);
        for (int i = 0; i < 8; ++i) {
          long double exact = std::trunc((long double)x[i]);
          Int expected = std::isnan(x[i])                      ? 0
                         : exact >= (long double)Limits::max() ? Limits::max()
                         : exact <= (long double)Limits::min() ? Limits::min()
                                                               : Int(exact);
          EXPECT_EQ(y[i], expected)
              << name << " " << x[i] << " vector " << asVector << " bits " << sizeof(Int) * 8;
        }
      }
    }
  }
}

TEST(FloatToInt, f32) {
  check<float, int8_t>();
  check<float, uint8_t>();
  check<float, int16_t>();
  check<float, uint16_t>();
  check<float, int32_t>();
  check<float, uint32_t>();
  check<float, int64_t>();
  check<float, uint64_t>();
}

TEST(FloatToInt, f64) {
  check<double, int8_t>();
  check<double, uint16_t>();
  check<double, int32_t>();
  check<double, uint32_t>();
  check<double, int64_t>();
  check<double, uint64_t>();
}

TEST(FloatToInt, cortexM4NeedsNoLibraryUpTo32Bits) {
  for (unsigned width : {8u, 16u, 32u}) {
    EXPECT_NE(compile(conversion(false, width, width == 8, false), target("cortex-m4")), "");
  }
}

} // namespace
} // namespace modelc::test
