//===- Pipelines.cpp - the order of passes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Pipelines.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"

void modelc::buildPreparePipeline(mlir::OpPassManager &manager) {
  manager.addPass(createEinsumToMatmulPass());
}

void modelc::buildOptimizePipeline(mlir::OpPassManager &manager, double dftTolerance) {
  // Equal subexpressions first, so that simplification sees shared values.
  manager.addPass(mlir::createCSEPass());
  if (dftTolerance > 0) {
    // Equal operands are one value now; slices of what it joins follow.
    RecoverDftPassOptions options;
    options.tolerance = dftTolerance;
    manager.addPass(createRecoverDftPass(options));
  }
  // A slice of a slice of joined tensors is a slice of them.
  manager.addPass(createSimplifyPass());
  manager.addPass(createScatterNdToConcatPass());
  manager.addPass(createSimplifyPass());
  manager.addPass(createNarrowConvPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(createFoldBatchNormPass());
  manager.addPass(createChangeLayoutPass());
  manager.addPass(createSimplifyPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(createPackRecurrentWeightsPass());
  // From here on values have places: kernels read and write memory.
  manager.addPass(createFormKernelsPass());
  // Before merging: in place or not are two different functions.
  manager.addPass(createReuseOperandsPass());
  manager.addPass(createMergeKernelsPass());
}
