//===- KernelSelection.h - which generator makes which kernel -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_MODEL_KERNELSELECTION_H
#define MODELC_CODEGEN_MODEL_KERNELSELECTION_H

#include "codegen/Target.h"
#include "ir/KernelGenerator.h"

namespace modelc {

/// The facts of `target` as passes and generators read them.
TargetAttr targetAttr(const Target &target, mlir::MLIRContext *context);

/// The generator that supports `kernel` at the lowest cost; null if none does.
const KernelGenerator *selectGenerator(KernelOp kernel, TargetAttr target);

/// How the generator of `kernel` wants constant operands.
llvm::SmallVector<OperandPacking> packingsOf(KernelOp kernel, TargetAttr target);

/// Registers the pass that packs weights, with the packings of the generators for
/// the module's `modelc.target`.
void registerPackWeightsPass();

/// Emits `kernel` by its generator.
mlir::FailureOr<KernelCode> generateKernel(KernelOp kernel, llvm::StringRef symbol,
                                           TargetAttr target);

} // namespace modelc

#endif // MODELC_CODEGEN_MODEL_KERNELSELECTION_H
