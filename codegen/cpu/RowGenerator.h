//===- RowGenerator.h - reductions, softmax and normalizations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_ROWGENERATOR_H
#define MODELC_CODEGEN_CPU_ROWGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Kernels around an op that computes with whole slices: lanes along the slice,
/// or along neighbouring slices where those are contiguous.
class RowGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "rows"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_ROWGENERATOR_H
