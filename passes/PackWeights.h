//===- PackWeights.h - constants in the order in which kernels read them --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_PACKWEIGHTS_H
#define MODELC_PASSES_PACKWEIGHTS_H

#include "ir/KernelGenerator.h"
#include "mlir/Pass/Pass.h"

namespace modelc {

/// The packings that the generator of a kernel wants.
using PackingsOf = std::function<llvm::SmallVector<OperandPacking>(KernelOp kernel)>;

/// Packs constant operands of kernels where every launch has one, and names
/// them in the kernel's attribute `packed`.
std::unique_ptr<mlir::Pass> createPackWeightsPass(PackingsOf packingsOf);

} // namespace modelc

#endif // MODELC_PASSES_PACKWEIGHTS_H
