//===- ConvGenerator.h - convolutions in vector registers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_CONVGENERATOR_H
#define MODELC_CODEGEN_CPU_CONVGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Convolutions of f32 and f64 with channels last, transposed ones too, without
/// a copy of the input: lanes along the output channels of a group, a tile of
/// neighbouring results in registers.
class ConvGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "conv"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  llvm::SmallVector<OperandPacking> packings(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_CONVGENERATOR_H
