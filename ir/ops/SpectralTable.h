//===- SpectralTable.h - roots of unity and other constant tables ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_SPECTRALTABLE_H
#define MODELC_IR_OPS_SPECTRALTABLE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <complex>

namespace modelc {

/// `exp(2 pi i k / n)`, rounded once: symmetric in all octants, exact on the axes.
std::complex<double> rootOfUnity(int64_t k, int64_t n);

/// A constant array in the module around the insertion point, as a 1-D memref.
mlir::Value constantTable(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<double> values,
                          mlir::Type element);

} // namespace modelc

#endif // MODELC_IR_OPS_SPECTRALTABLE_H
