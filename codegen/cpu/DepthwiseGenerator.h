//===- DepthwiseGenerator.h - convolutions of single channels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_DEPTHWISEGENERATOR_H
#define MODELC_CODEGEN_CPU_DEPTHWISEGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Depthwise convolutions of f32 and f64 with channels last: lanes along the
/// channels, neighbouring results share what they read.
class DepthwiseGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "depthwise"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  llvm::SmallVector<OperandPacking> packings(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_DEPTHWISEGENERATOR_H
