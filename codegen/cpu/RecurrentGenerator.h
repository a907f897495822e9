//===- RecurrentGenerator.h - GRU and LSTM with packed weights ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_RECURRENTGENERATOR_H
#define MODELC_CODEGEN_CPU_RECURRENTGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Kernels of one gru or lstm whose weights are packed: vectors along hidden
/// units, all gates of a block of units in registers.
class RecurrentGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "recurrent"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_RECURRENTGENERATOR_H
