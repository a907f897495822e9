//===- ElementwiseGenerator.h - elementwise groups and moves in vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_ELEMENTWISEGENERATOR_H
#define MODELC_CODEGEN_CPU_ELEMENTWISEGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Kernels without an anchor: elementwise ops on broadcast, transposed, sliced,
/// padded and joined operands. Lanes run along the result's last dimension, into
/// which the dimensions before it are joined where memory allows; operands that
/// are contiguous along another dimension are read in square tiles.
class ElementwiseGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "elementwise"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_ELEMENTWISEGENERATOR_H
