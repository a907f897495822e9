//===- WinogradGenerator.h - 3x3 convolutions with fewer products ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_WINOGRADGENERATOR_H
#define MODELC_CODEGEN_CPU_WINOGRADGENERATOR_H

#include "ir/KernelGenerator.h"

namespace modelc {

/// Convolutions of 3x3 kernels over large images: sums and differences of 4x4
/// inputs and of the filter are multiplied in place of the elements, 16
/// products for four results where the sum of products takes 36 (F(2x2, 3x3)
/// of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks").
///
/// The four results of a tile depend on all 16 inputs of it: an error is a few
/// roundings of the largest product in the tile, and an infinity or NaN among
/// the inputs makes all four NaN.
class WinogradGenerator : public KernelGenerator {
public:
  llvm::StringRef name() const override { return "winograd"; }
  bool supports(KernelOp kernel, TargetAttr target) const override;
  double cost(KernelOp kernel, TargetAttr target) const override;
  llvm::SmallVector<OperandPacking> packings(KernelOp kernel, TargetAttr target) const override;
  mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                   TargetAttr target) const override;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_WINOGRADGENERATOR_H
