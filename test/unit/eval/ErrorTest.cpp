// What ends an evaluation: budget, division, steps, unknown operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"

using namespace modelc;
using namespace modelc::test;
using Reason = EvaluationError::Reason;

static const char *const endless = R"(func.func @f() {
  %t = arith.constant true
  scf.while : () -> () {
    scf.condition(%t)
  } do {
    scf.yield
  }
  return
})";

TEST(EvalError, EndlessLoopMeetsTheBudget) {
  EXPECT_EQ(failure(endless, Reason::OutOfBudget),
            "scf.while: the evaluation takes too many steps");
  EXPECT_EQ(failure(R"(func.func @f() {
    %0 = arith.constant 0 : index
    %huge = arith.constant 9223372036854775807 : index
    %2 = arith.constant 2 : index
    scf.for %i = %0 to %huge step %2 {
    }
    return
  })",
                    Reason::OutOfBudget, {}, 1000),
            "scf.for: the evaluation takes too many steps");
}

TEST(EvalError, BudgetIsExactAndSharedByRuns) {
  Parsed parsed(R"(func.func @f(%x: memref<i32>) {
    %a = memref.load %x[] : memref<i32>
    %b = arith.addi %a, %a : i32
    memref.store %b, %x[] : memref<i32>
    return
  })"); // four steps
  auto interpreter = Interpreter::create(parsed.function());
  ASSERT_TRUE(bool(interpreter)) << llvm::toString(interpreter.takeError());
  Buffer x = pack("i32", {3});
  Budget budget{10};
  EXPECT_TRUE(bool(llvm::expectedToOptional(interpreter->run({x}, budget))));
  EXPECT_EQ(budget.steps, 6u);
  EXPECT_TRUE(bool(llvm::expectedToOptional(interpreter->run({x}, budget))));
  EXPECT_EQ(budget.steps, 2u);
  EXPECT_EQ(unpack("i32", x)[0], 12u);
  EXPECT_FALSE(bool(llvm::expectedToOptional(interpreter->run({x}, budget))));
  EXPECT_EQ(budget.steps, 0u);
}

TEST(EvalError, DivisionByZero) {
  for (std::string name :
       {"divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"}) {
    std::string operations = "%r = arith." + name + " %a, %b : i32";
    ScalarCase test = {operations.c_str(), "i32", "i32", {5, 0}, 0};
    EXPECT_EQ(failure(scalarText(test), Reason::DivisionByZero, {Buffer(8), Buffer(4)}),
              "arith." + name + ": division by zero");
  }
}

TEST(EvalError, StepMustBePositive) {
  for (const char *step : {"0", "-1"}) {
    std::string text = "func.func @f() {\n%0 = arith.constant 0 : index\n%s = arith.constant " +
                       std::string(step) +
                       " : index\nscf.for %i = %0 to %0 step %s {\n}\nreturn\n}";
    EXPECT_EQ(failure(text, Reason::BadStep), "scf.for: the step is not positive");
  }
}

TEST(EvalError, NamesWhatItDoesNotKnow) {
  EXPECT_EQ(failure(R"(func.func @f() {
    %m = memref.alloc() : memref<2xf32>
    return
  })",
                    Reason::Unsupported),
            "memref.alloc: the evaluator does not know this operation");
  EXPECT_EQ(failure(R"(func.func @f() {
    %v = arith.constant dense<1.0> : vector<4xf32>
    return
  })",
                    Reason::Unsupported),
            "arith.constant: the value is no scalar that the evaluator knows");
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<1xf32>) {
    %0 = arith.constant 0 : index
    %v = vector.load %x[%0] : memref<1xf32>, vector<1xf32>
    return
  })",
                    Reason::Unsupported, {Buffer(4)}),
            "vector.load: the evaluator does not know this operation");
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<1xf80>) {
    return
  })",
                    Reason::Unsupported, {Buffer(16)}),
            "func.func: the evaluator does not know the element type in memory");
}

TEST(EvalError, RefusesOtherSignaturesAndLayouts) {
  std::string layout = "func.func: expected a memref of static shape and identity layout";
  EXPECT_EQ(failure("func.func @f(%x: memref<?xf32>) { return }", Reason::Unsupported), layout);
  EXPECT_EQ(
      failure("func.func @f(%x: memref<2xf32, strided<[2]>>) { return }", Reason::Unsupported),
      layout);
  EXPECT_EQ(failure("func.func @f(%x: f32) { return }", Reason::Unsupported), layout);
  EXPECT_EQ(failure("func.func private @f()", Reason::Unsupported),
            "func.func: the function must have one block");
  EXPECT_EQ(failure("func.func @f() -> i64 { %c = arith.constant 1 : i64 return %c : i64 }",
                    Reason::Unsupported),
            "func.return: the function must return nothing or one i32");
}

TEST(EvalError, RefusesMemoryAsAValue) {
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<1xf32>, %y: memref<1xf32>) {
    %t = arith.constant true
    %m = arith.select %t, %x, %y : memref<1xf32>
    return
  })",
                    Reason::Unsupported),
            "arith.select: an operand is no scalar that the evaluator knows");
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<1xf32>, %y: memref<1xf32>) {
    %t = arith.constant true
    %m = scf.if %t -> memref<1xf32> {
      scf.yield %x : memref<1xf32>
    } else {
      scf.yield %y : memref<1xf32>
    }
    return
  })",
                    Reason::Unsupported),
            "scf.if: carries or yields a value that is no scalar");
}

TEST(EvalError, RefusesStoresToConstants) {
  EXPECT_EQ(failure(R"(module {
    memref.global "private" constant @g : memref<i32> = dense<1>
    func.func @f() {
      %g = memref.get_global @g : memref<i32>
      %c = arith.constant 1 : i32
      memref.store %c, %g[] : memref<i32>
      return
    }
  })",
                    Reason::Unsupported),
            "memref.store: stores to a constant");
}
