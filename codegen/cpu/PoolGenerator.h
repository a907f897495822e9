//===- PoolGenerator.h - pools in vector registers ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_POOLGENERATOR_H
#define MODELC_CODEGEN_CPU_POOLGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Maxima of windows, and means of windows that lie inside the input, of floats
/// with channels last: lanes along the channels.
class PoolGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "pool"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_POOLGENERATOR_H
