//===- Passes.td - The pass that replaces math functions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_MATH_PASSES
#define MODELC_CODEGEN_MATH_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"modelc-expand-math"> {
  let summary = "Replace math functions by arithmetic with stated error bounds";
  let description = [{
    Replaces the operations of the `math` dialect that would become calls of
    the C math library, for scalars and vectors of f16, bf16, f32 and f64. The
    options say what the target does in hardware; operations that it has stay.

    ```mlir
    %0 = math.rsqrt %x : f32
    // becomes
    %one = arith.constant 1.0 : f32
    %root = math.sqrt %x : f32
    %0 = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [
    Option<"hasFma", "has-fma", "bool", "true",
           "The target has fused multiply-add">,
    Option<"hasRound", "has-round", "bool", "true",
           "The target rounds floats to integral values in hardware">,
    Option<"hasSqrt", "has-sqrt", "bool", "true",
           "The target has a square root instruction">,
    Option<"hasF64", "has-f64", "bool", "true",
           "The target computes f64 in hardware; else the other flags are for f32">,
    Option<"hasRoundEven", "has-round-even", "bool", "true",
           "With has-round: the target rounds half to even as well, and in vectors">
  ];
}

#endif // MODELC_CODEGEN_MATH_PASSES
