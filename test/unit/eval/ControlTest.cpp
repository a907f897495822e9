// Loops, branches and what they carry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"

using namespace modelc;
using namespace modelc::test;

static void expectResult(llvm::StringRef text, int32_t expected) {
  std::vector<Buffer> buffers;
  auto result = runText(text, buffers);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(*result, expected) << text.str();
}

/// The function body `%r = ...` with small constants of type i32 (%c0...) and index (%0...).
static std::string body(const std::string &text) {
  std::string constants;
  for (int i = 0; i <= 10; ++i) {
    std::string n = std::to_string(i);
    constants += "%c" + n + " = arith.constant " + n + " : i32\n%" + n + " = arith.constant " + n +
                 " : index\n";
  }
  return "func.func @f() -> i32 {\n" + constants + text + "\nreturn %r : i32\n}";
}

TEST(EvalControl, ForCarriesValues) {
  expectResult(body(R"(%r = scf.for %i = %0 to %10 step %3 iter_args(%s = %c0) -> i32 {
    %x = arith.index_cast %i : index to i32
    %n = arith.addi %s, %x : i32
    scf.yield %n : i32
  })"),
               18);
  expectResult(body(R"(%r = scf.for %i = %5 to %5 step %1 iter_args(%s = %c7) -> i32 {
    scf.yield %c0 : i32
  })"),
               7);
}

TEST(EvalControl, ForOverNarrowIntegersIsSigned) {
  expectResult(body(R"(%low = arith.constant -2 : i8
  %high = arith.constant 2 : i8
  %step = arith.constant 1 : i8
  %r = scf.for %i = %low to %high step %step iter_args(%s = %c0) -> i32 : i8 {
    %n = arith.addi %s, %c1 : i32
    scf.yield %n : i32
  })"),
               4);
}

TEST(EvalControl, ForSwapsAndRotates) {
  expectResult(body(R"(%x:3 = scf.for %i = %0 to %4 step %1 iter_args(%a = %c1, %b = %c2, %c = %c3)
      -> (i32, i32, i32) {
    scf.yield %b, %c, %a : i32, i32, i32
  }
  %h = arith.muli %x#0, %c10 : i32
  %m = arith.addi %h, %x#1 : i32
  %l = arith.muli %m, %c10 : i32
  %r = arith.addi %l, %x#2 : i32)"),
               231);
  // Fibonacci: the new value must not overwrite what the other carried value still needs.
  expectResult(body(R"(%x:2 = scf.for %i = %0 to %10 step %1 iter_args(%a = %c0, %b = %c1)
      -> (i32, i32) {
    %n = arith.addi %a, %b : i32
    scf.yield %b, %n : i32, i32
  }
  %r = arith.addi %x#0, %c0 : i32)"),
               55);
}

TEST(EvalControl, ForOldValueReadAfterNewOne) {
  expectResult(body(R"(%r = scf.for %i = %0 to %3 step %1 iter_args(%s = %c1) -> i32 {
    %n = arith.addi %s, %s : i32
    %copy = arith.extui %s : i32 to i64
    %m = memref.alloca() : memref<i64>
    memref.store %copy, %m[] : memref<i64>
    scf.yield %n : i32
  })"),
               8);
  expectResult(body(R"(%x:2 = scf.for %i = %0 to %3 step %1 iter_args(%s = %c1, %old = %c0)
      -> (i32, i32) {
    %n = arith.addi %s, %s : i32
    %k = arith.addi %s, %c0 : i32
    scf.yield %n, %k : i32, i32
  }
  %r = arith.addi %x#1, %c0 : i32)"),
               4);
}

TEST(EvalControl, ForYieldsConstantsAndOuterValues) {
  expectResult(body(R"(%x:2 = scf.for %i = %0 to %2 step %1 iter_args(%s = %c1, %t = %c2)
      -> (i32, i32) {
    %k = arith.constant 40 : i32
    scf.yield %k, %s : i32, i32
  }
  %r = arith.addi %x#0, %x#1 : i32)"),
               80);
}

TEST(EvalControl, NestedLoops) {
  expectResult(body(R"(%r = scf.for %i = %0 to %4 step %1 iter_args(%s = %c0) -> i32 {
    %inner = scf.for %j = %0 to %i step %1 iter_args(%t = %s) -> i32 {
      %n = arith.addi %t, %c1 : i32
      scf.yield %n : i32
    }
    %twice = arith.addi %inner, %inner : i32
    scf.yield %twice : i32
  })"),
               22);
  expectResult(body(R"(%r = scf.for %i = %0 to %4 step %1 iter_args(%s = %c0) -> i32 {
    %inner = scf.for %j = %0 to %5 step %1 iter_args(%t = %s) -> i32 {
      %n = arith.addi %t, %c1 : i32
      scf.yield %n : i32
    }
    scf.yield %inner : i32
  })"),
               20);
}

TEST(EvalControl, If) {
  for (bool taken : {true, false}) {
    std::string condition = taken ? "%t = arith.constant true\n" : "%t = arith.constant false\n";
    expectResult(body(condition + R"(%r = scf.if %t -> i32 {
      %x = arith.addi %c1, %c2 : i32
      scf.yield %x : i32
    } else {
      %k = arith.constant 9 : i32
      scf.yield %k : i32
    })"),
                 taken ? 3 : 9);
    expectResult(body(condition + R"(%m = memref.alloca() : memref<i32>
    scf.if %t {
      memref.store %c5, %m[] : memref<i32>
    }
    %r = memref.load %m[] : memref<i32>)"),
                 taken ? 5 : 0);
    expectResult(body(condition + R"(%x:2 = scf.if %t -> (i32, i32) {
      scf.yield %c1, %c2 : i32, i32
    } else {
      scf.yield %c2, %c1 : i32, i32
    }
    %r = arith.subi %x#0, %x#1 : i32)"),
                 taken ? -1 : 1);
  }
}

TEST(EvalControl, While) {
  // Collatz steps of 6: 6 3 10 5 16 8 4 2 1.
  expectResult(body(R"(%x:2 = scf.while (%n = %c6, %steps = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %n, %c1 : i32
    scf.condition(%more) %n, %steps : i32, i32
  } do {
  ^bb0(%n: i32, %steps: i32):
    %odd = arith.andi %n, %c1 : i32
    %isOdd = arith.cmpi eq, %odd, %c1 : i32
    %next = scf.if %isOdd -> i32 {
      %a = arith.muli %n, %c3 : i32
      %b = arith.addi %a, %c1 : i32
      scf.yield %b : i32
    } else {
      %h = arith.shrui %n, %c1 : i32
      scf.yield %h : i32
    }
    %s = arith.addi %steps, %c1 : i32
    scf.yield %next, %s : i32, i32
  }
  %r = arith.addi %x#1, %c0 : i32)"),
               8);
  // Passes a value of another type than it carries; swaps on the way back.
  expectResult(body(R"(%r = scf.while (%a = %c1, %b = %c2) : (i32, i32) -> i32 {
    %sum = arith.addi %a, %b : i32
    %more = arith.cmpi slt, %sum, %c10 : i32
    scf.condition(%more) %sum : i32
  } do {
  ^bb0(%sum: i32):
    scf.yield %sum, %c3 : i32, i32
  })"),
               12);
}

TEST(EvalControl, MathFunctionsAreExpanded) {
  std::vector<Buffer> buffers = {pack("f32", {bits(1.0f)})};
  Parsed parsed(R"(func.func @f(%x: memref<f32>) {
    %a = memref.load %x[] : memref<f32>
    %e = math.exp %a : f32
    memref.store %e, %x[] : memref<f32>
    return
  })");
  std::vector<llvm::MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  Budget budget{1000};
  auto result = interpret(parsed.function(), views, budget);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_NEAR(llvm::bit_cast<float>(uint32_t(unpack("f32", buffers[0])[0])), 2.7182817f, 3e-7f);
  bool kept = false; // the function itself stays as it was
  parsed.function().walk(
      [&](mlir::Operation *op) { kept |= op->getName().getStringRef() == "math.exp"; });
  EXPECT_TRUE(kept);
}
