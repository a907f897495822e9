//===- MatmulGenerator.h - matrix products in vector registers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_MATMULGENERATOR_H
#define MODELC_CODEGEN_CPU_MATMULGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Products of matrices, vectors and batches of them, in f32 and f64.
class MatmulGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "matmul"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  llvm::SmallVector<OperandPacking> packings(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_MATMULGENERATOR_H
