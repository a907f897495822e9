// Speed of the interpreter; runs only with --gtest_also_run_disabled_tests, and checks nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace modelc;
using namespace modelc::test;

using Clock = std::chrono::steady_clock;

static double nanoseconds(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

static void measure(const char *name, llvm::StringRef text, std::vector<Buffer> buffers) {
  Parsed parsed(text);
  double decoding = 1e30, best = 1e30;
  for (int round = 0; round < 5; ++round) {
    Clock::time_point start = Clock::now();
    llvm::cantFail(Interpreter::create(parsed.function()));
    decoding = std::min(decoding, nanoseconds(start));
  }
  Interpreter interpreter = llvm::cantFail(Interpreter::create(parsed.function()));
  std::vector<llvm::MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  uint64_t steps = 0;
  for (int round = 0; round < 5; ++round) {
    Budget budget{uint64_t(1) << 40};
    Clock::time_point start = Clock::now();
    auto result = interpreter.run(views, budget);
    best = std::min(best, nanoseconds(start));
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    steps = (uint64_t(1) << 40) - budget.steps;
  }
  std::printf("%-16s %10llu steps, %6.2f ns each, decoded in %.1f us\n", name,
              static_cast<unsigned long long>(steps), best / double(steps), decoding / 1000);
}

TEST(EvalSpeed, DISABLED_Report) {
  measure("matmul 96^3", R"(func.func @f(%a: memref<96x96xf32>, %b: memref<96x96xf32>,
                                         %c: memref<96x96xf32>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 96 : index
    %zero = arith.constant 0.0 : f32
    scf.for %i = %0 to %n step %1 {
      scf.for %j = %0 to %n step %1 {
        %s = scf.for %k = %0 to %n step %1 iter_args(%acc = %zero) -> f32 {
          %x = memref.load %a[%i, %k] : memref<96x96xf32>
          %y = memref.load %b[%k, %j] : memref<96x96xf32>
          %p = arith.mulf %x, %y : f32
          %t = arith.addf %acc, %p : f32
          scf.yield %t : f32
        }
        memref.store %s, %c[%i, %j] : memref<96x96xf32>
      }
    }
    return
  })",
          {Buffer(96 * 96 * 4), Buffer(96 * 96 * 4), Buffer(96 * 96 * 4)});
  measure("relu i32 1M", R"(func.func @f(%x: memref<1048576xi32>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 1048576 : index
    %zero = arith.constant 0 : i32
    scf.for %i = %0 to %n step %1 {
      %a = memref.load %x[%i] : memref<1048576xi32>
      %m = arith.maxsi %a, %zero : i32
      %s = arith.subi %m, %a : i32
      %c = arith.cmpi slt, %s, %m : i32
      %r = arith.select %c, %s, %m : i32
      memref.store %r, %x[%i] : memref<1048576xi32>
    }
    return
  })",
          {Buffer(4 << 20)});
  measure("one shape sum", R"(func.func @f(%x: memref<4xi64>, %y: memref<i64>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %one = arith.constant 1 : i64
    %s = scf.for %i = %0 to %n step %1 iter_args(%p = %one) -> i64 {
      %a = memref.load %x[%i] : memref<4xi64>
      %q = arith.muli %p, %a : i64
      scf.yield %q : i64
    }
    memref.store %s, %y[] : memref<i64>
    return
  })",
          {Buffer(32), Buffer(8)});
}
