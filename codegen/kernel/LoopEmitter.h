//===- LoopEmitter.h - any kernel as plain loops --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_KERNEL_LOOPEMITTER_H
#define MODELC_CODEGEN_KERNEL_LOOPEMITTER_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Storage of a tensor in memory: booleans as `i8`, unsigned as signless.
mlir::MemRefType storageType(mlir::RankedTensorType type);

/// The fallback for every op of the dialect: scalar loops, in which elementwise
/// and data movement ops are computed where their values are used, and
/// elementwise consumers where the loops of their producer write.
class LoopGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "loops"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_KERNEL_LOOPEMITTER_H
