//===- SpectralGenerator.h - Fourier transforms by fast algorithms --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_SPECTRALGENERATOR_H
#define MODELC_CODEGEN_CPU_SPECTRALGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Kernels of one dft, stft or istft, for cores with and without vectors: the
/// window is applied where the first pass loads, frames are added up where the
/// last one stores.
class SpectralGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "spectral"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_SPECTRALGENERATOR_H
