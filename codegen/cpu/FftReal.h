//===- FftReal.h - Fourier transforms of real sequences -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTREAL_H
#define MODELC_CODEGEN_CPU_FFTREAL_H

#include "codegen/cpu/FftPasses.h"

namespace modelc {

/// Bins `at` .. `at + lanes - 1` of a spectrum; with `isReversed` the last lane
/// belongs to bin `at`.
using BinLoad = llvm::function_ref<Complex(mlir::Value at, int64_t lanes)>;
using BinStore =
    llvm::function_ref<void(mlir::Value at, int64_t lanes, Complex value, bool isReversed)>;

/// The code of transforms between an even number of real samples and the bins
/// of one side: a complex transform of half the length, whose elements are pairs
/// of samples.
class RealFft {
public:
  RealFft(KernelBuilder &k, mlir::Type element, int64_t length, bool isInverse);

  /// From pairs of samples to the bins 0 .. length / 2; with `isFull` to all.
  void emitForward(FftLoad loadPairs, BinStore store, bool isFull);
  /// From the bins 0 .. length / 2 to pairs of samples, divided by the length.
  void emitInverse(BinLoad load, FftStore storePairs);

  /// Whether emitInverse stores each pair once.
  bool storesOnce() const { return half.storesOnce(); }

private:
  /// Bins `bin` .. of `x` and those that mirror them, from `mirror` on, whose
  /// elements `y` has in the order of `x`.
  void emitBins(mlir::Value bin, mlir::Value mirror, int64_t lanes, Complex x, Complex y,
                BinStore store, bool isFull);
  void emitEnds(Complex first, BinStore store);
  /// The bin in the middle, whose mirror it is itself.
  void emitMiddle(Complex x, BinStore store, bool isFull);
  /// The last pass and the bins in one go: with vectors as long as its rows,
  /// and with longer rows.
  void emitRows(BinStore store);
  void emitColumns(BinStore store, bool isFull);
  void emitMirrored(mlir::Value bin, mlir::Value mirror, int64_t vector, Complex low, Complex high,
                    BinStore store, bool isFull);
  /// Runs `body` for vectors of bins from 1 up to the middle, and the first of
  /// as many bins that mirror them.
  void forBins(llvm::function_ref<void(mlir::Value bin, mlir::Value mirror)> body);

  KernelBuilder &k;
  mlir::Type element;
  int64_t length;
  ComplexFft half;
  int64_t vector; ///< lanes between the bins
  int64_t width;  ///< lanes of the target
  mlir::Value cosine, sine;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTREAL_H
