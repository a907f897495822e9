//===- ModelcInterfaces.td - how an op says what it computes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_INTERFACES_TD
#define MODELC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::modelc";
  let description = [{
    Every result element depends only on the operand elements at the same
    (NumPy-broadcast) position. The op says how to compute one scalar; the
    same code serves loops, vectors and the constant evaluator.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the computation of one element. `x` holds one scalar or 1-D vector
      per operand, in compute types: `f32` for `f16` and `bf16`, signless
      integers, `i1` for booleans. Returns the result in its compute type.
    }], "mlir::Value", "buildScalar",
    (ins "mlir::ImplicitLocOpBuilder &":$b, "mlir::ValueRange":$x)>
  ];
}

def ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::modelc";
  let description = [{
    One result element is read from a bounded number of operand elements at
    computed positions: slices, transposes, gathers, padding. Such an op costs
    nothing but index arithmetic when it is fused into its reader.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the element of result `result` at `indices` (type `index`).
      `io.read(operand, indices)` gives an operand's element.
    }], "mlir::Value", "buildElement",
    (ins "mlir::ImplicitLocOpBuilder &":$b, "unsigned":$result,
         "mlir::ValueRange":$indices, "::modelc::KernelIO &":$io)>
  ];
}

def LoopOpInterface : OpInterface<"LoopOpInterface"> {
  let cppNamespace = "::modelc";
  let description = [{
    An op that needs loops of its own: contractions, reductions, recurrences.
    It writes every result element exactly once through `io.write`, so that
    elementwise consumers can be applied in registers, and reads operands
    through `io.read`, so that producers can be fused.
  }];
  let methods = [
    InterfaceMethod<"Builds the loops that compute all results.",
    "void", "buildLoops",
    (ins "mlir::ImplicitLocOpBuilder &":$b, "::modelc::KernelIO &":$io)>
  ];
}

#endif // MODELC_INTERFACES_TD
