//===- FftShuffles.h - pairs and transposes in registers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTSHUFFLES_H
#define MODELC_CODEGEN_CPU_FFTSHUFFLES_H

#include "codegen/cpu/FftCodelets.h"

namespace modelc {

/// The pairs of memory from element `at` on, `lanes` of them, parted. Only the
/// first `active` are read; all, if negative.
Complex loadPairs(KernelBuilder &k, mlir::Value memory, mlir::Value at, int64_t lanes,
                  int64_t active = -1);
/// The same of a vector that is loaded already.
Complex partPairs(KernelBuilder &k, mlir::Value pairs);

/// Real and imaginary parts in turn; the last lane first if `isReversed`.
mlir::Value joinPairs(KernelBuilder &k, Complex value, bool isReversed);
void storePairs(KernelBuilder &k, Complex value, mlir::Value memory, mlir::Value at,
                bool isReversed = false);

/// The lanes in reverse order; a scalar is its own reverse.
mlir::Value reversed(KernelBuilder &k, mlir::Value x);

/// Lane l of all rows, for each l: there are as many rows as lanes.
Values transposed(KernelBuilder &k, const Values &rows);

/// Stores lane l of row t at `at + l * rows + t`, for the first `active` lanes.
/// May write up to one vector behind the last element.
void storeAcross(KernelBuilder &k, const Values &rows, mlir::Value memory, mlir::Value at,
                 int64_t lanes, int64_t active);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTSHUFFLES_H
