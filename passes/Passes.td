//===- Passes.td - passes from modelc to modelc ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_PASSES_TD
#define MODELC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChangeLayoutPass : Pass<"modelc-change-layout", "mlir::ModuleOp"> {
  let summary = "channels last between convolutions";
  let description = [{
    Convolutions for which there is vector code take their input with channels
    last; the transposes that this brings move towards the results of the model
    until they meet their inverse. Does nothing for targets without vectors.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

def EinsumToMatmulPass : Pass<"modelc-einsum-to-matmul", "mlir::ModuleOp"> {
  let summary = "labelled sums that are matrix products";
  let description = [{
    An einsum of two tensors that is a matrix product, or a batch of them,
    becomes one, for which there is vector code. Operands that are not in the
    order of a product are transposed, unless that would move much in relation
    to what is multiplied.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

def FoldBatchNormPass : Pass<"modelc-fold-batch-norm", "mlir::ModuleOp"> {
  let summary = "constant scales and offsets of channels become weights";
  let description = [{
    A product or sum of a convolution's result and a constant per channel
    changes the convolution's constant filter and bias instead: what is left of
    batch normalization.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

def FormKernelsPass : Pass<"modelc-form-kernels", "mlir::ModuleOp"> {
  let summary = "group ops into kernels";
  let description = [{
    Every value that has to be in memory becomes the result of a kernel, which
    computes it from other values in memory: an op with loops of its own and
    the elementwise ops on its result, or a tree of elementwise and data
    movement ops. Reshapes and contiguous slices of values in memory stay
    outside: they only name memory.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels formed">,
    Statistic<"numFused", "fused", "ops fused into another op's kernel">
  ];
}

def KeepStatesPass : Pass<"modelc-keep-states", "mlir::ModuleOp"> {
  let summary = "states that pass through the interface stay inside";
  let description = [{
    An input that the caller would set, in each run, to an output of the run
    before becomes a state, zero at first; both leave the interface. `states`
    has pairs as `INPUT=OUTPUT`; `auto` stands for all whose type is one and
    whose names say it: `cache_in` and `cache_out`, `stateN` and `state`, `h0`
    and `h1`.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let options = [
    ListOption<"states", "states", "std::string", "pairs of names, or auto">
  ];
}

def MergeKernelsPass : Pass<"modelc-merge-kernels", "mlir::ModuleOp"> {
  let summary = "let launches of equal kernels share one";
  let description = [{
    Kernels are equal if their bodies are, whatever their names and locations:
    twelve equal layers call one function.
  }];
  let statistics = [Statistic<"numMerged", "merged", "kernels removed">];
}

def NarrowConvPass : Pass<"modelc-narrow-conv", "mlir::ModuleOp"> {
  let summary = "convolutions compute only what is read";
  let description = [{
    Where a slice is the only reader of a convolution, the convolution computes
    the positions of the slice alone, with less padding or of a slice of its
    input.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

def PackRecurrentWeightsPass
    : Pass<"modelc-pack-recurrent-weights", "mlir::ModuleOp"> {
  let summary = "weights of recurrent cells in the order of their reading";
  let description = [{
    Reorders the constant weights of gru and lstm for the vectors of the
    module's `modelc.target` and sets `packed`. Cells with other activations,
    peepholes, clipping or sequences of different lengths stay as they are.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let statistics = [Statistic<"numPacked", "packed", "cells packed">];
}

def PlanMemoryPass : Pass<"modelc-plan-memory", "mlir::ModuleOp"> {
  let summary = "give every value a place in memory";
  let description = [{
    Sets `places` on launches, `place` on constants and states,
    `modelc.scratch_bytes`, `modelc.state_bytes` and `modelc.weight_bytes` on
    the module. A result that the model returns is written to the caller's
    memory at once unless an input that may share that memory is still needed;
    a new state to its place unless the old one is still needed or a kernel of
    the model can fail. Values between kernels share one scratch
    block; the largest are placed first, each at the lowest free offset.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let options = [
    Option<"alignment", "alignment", "uint64_t", /*default=*/"64",
           "alignment of offsets, in bytes">
  ];
}

def RecoverDftPass : Pass<"modelc-recover-dft", "mlir::ModuleOp"> {
  let summary = "products with a Fourier basis become transforms";
  let description = [{
    Exporters without a Fourier transform write it as a convolution, a matrix
    product or a transposed convolution whose constant weights are sines and
    cosines times a window. These become stft, dft and istft again, if each
    weight is what the transform's would be, within `tolerance` of the window's
    largest number: real and imaginary parts of successive bins, one after the
    other, in turn, or from two products of the same frames. What is left of the
    differences is in the results: those of the transform are the exact ones.
    Too few bins for a fast transform to be faster stay as they are. Each
    recovery is reported as a remark.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let options = [
    Option<"tolerance", "tolerance", "double", /*default=*/"1e-4",
           "the largest difference of a weight">
  ];
  let statistics = [
    Statistic<"numRecovered", "recovered", "products recovered">
  ];
}

def ReuseOperandsPass : Pass<"modelc-reuse-operands", "mlir::ModuleOp"> {
  let summary = "let elementwise results take the place of operands";
  let description = [{
    A kernel that reads an operand only at the position it writes may write to
    the operand's memory, if nobody reads the operand later. Sets `in_place`.
  }];
  let statistics = [Statistic<"numInPlace", "in-place", "results in place">];
}

def ScatterNdToConcatPass
    : Pass<"modelc-scatter-nd-to-concat", "mlir::ModuleOp"> {
  let summary = "scattered boxes are joined tensors";
  let description = [{
    scatter_nd whose constant indices fill a box in row-major order (`y[:, 2:4]
    = u`, as exporters write it) becomes a concatenation of the updates and of
    slices. Slices of concatenations then read the parts, and concatenations of
    concatenations along one axis become one.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

def SimplifyPass : Pass<"modelc-simplify", "mlir::ModuleOp"> {
  let summary = "remove what moves nothing";
  let description = [{
    Joins chains of reshapes, transposes and slices, turns transposes that
    keep the order of elements into reshapes and gathers at constant
    consecutive indices into slices, powers of small constant exponents into
    products, and drops ops without effect.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
}

#endif // MODELC_PASSES_TD
