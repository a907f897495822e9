// Passes that take one kernel function from loops and vectors to the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_PASSES
#define MODELC_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelToLLVMPass : Pass<"modelc-convert-kernel-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert a kernel of scalars, 1-D vectors and branches to the LLVM dialect";
  let description = [{
    One full conversion with every pattern set at once: MLIR's own vector conversion pass knows no index width, and a
    32-bit target would keep casts between two widths. Memrefs become bare pointers, so their layout must be static.
  }];
  let options = [
    Option<"indexBits", "index-bits", "unsigned", "64", "Width of `index`: the target's pointer width">,
  ];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def ExpandArithPass : Pass<"modelc-expand-arith", "mlir::func::FuncOp"> {
  let summary = "Rewrite operations whose meaning or cost LLVM leaves to the target";
  let description = [{
    - `vector.reduction` of floats by addition or multiplication becomes a tree that adds the upper half of the lanes to
      the lower half until one is left, and the accumulator last: the same order on every target.
    - `vector.fma` and `math.fma` become one fused operation where the target has it, a product and a sum where it has
      not; never a call.
    - Maxima and minima become comparisons and selections where the target has no instruction for them: LLVM would call
      fmaxf, or take thirty instructions to order the two zeros. Which zero is the greater stays open there.
  }];
  let options = [
    Option<"hasFma", "has-fma", "bool", "true", "The target has a fused multiply-add">,
    Option<"hasMinMax", "has-min-max", "bool", "true", "The target has floating-point maximum and minimum">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::vector::VectorDialect"];
}

def ExpandHalfPass : Pass<"modelc-expand-half", "mlir::func::FuncOp"> {
  let summary = "Compute f16 and bf16 in f32, and convert without a library";
  let description = [{
    Every `arith`, `math` and `vector` computation on f16 or bf16 is done in f32 and rounded once per operation, which
    is exact for + - * / and sqrt. Conversions that LLVM would turn into calls become integer code: bf16 always, f64 to
    either (by rounding to odd first, so there is no double rounding), f16 where the target has no instruction.
  }];
  let options = [
    Option<"hasF16Convert", "has-f16-convert", "bool", "true", "The target converts between f16 and f32">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

def LowerVectorsPass : Pass<"modelc-lower-vectors", "mlir::func::FuncOp"> {
  let summary = "Lower transfers, contractions and n-D vector operations to 1-D loads, stores and arithmetic";
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect",
  ];
}

def VerifyKernelPass : Pass<"modelc-verify-kernel", "mlir::ModuleOp"> {
  let summary = "Check what a generator promises about a kernel module";
  let description = [{
    C1: one public function with a body; others are private. C2: arguments are scalars or memrefs of static shape and
    layout; the result is nothing or one i32. C3: no memref of i1 (a bool is one byte in memory). C4: no allocation, on
    the heap or the stack, and no copy operation: a kernel's memory is its arguments. C5: globals are constant.
  }];
}

#endif // MODELC_CODEGEN_PASSES
