//===- Pipelines.h - the order of passes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_PIPELINES_H
#define MODELC_PASSES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace modelc {

/// Before constants are folded: brings ops into a form that has better code.
void buildPreparePipeline(mlir::OpPassManager &manager);

/// From an imported module to one of kernels and launches. Products with a
/// Fourier basis become transforms if all weights are within `dftTolerance`;
/// 0: none.
void buildOptimizePipeline(mlir::OpPassManager &manager, double dftTolerance);

} // namespace modelc

#endif // MODELC_PASSES_PIPELINES_H
