//===- FftPasses.h - complex Fourier transforms of any length -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTPASSES_H
#define MODELC_CODEGEN_CPU_FFTPASSES_H

#include "codegen/cpu/FftCodelets.h"
#include "codegen/cpu/FftPlan.h"
#include <memory>

namespace modelc {

/// Elements `at` .. `at + lanes - 1`, as scalars if `lanes` is 1.
using FftLoad = llvm::function_ref<Complex(mlir::Value at, int64_t lanes)>;
using FftStore = llvm::function_ref<void(mlir::Value at, int64_t lanes, Complex value)>;

/// Real and imaginary parts in two arrays.
struct SplitArray {
  mlir::Value re, im;

  Complex load(KernelBuilder &k, mlir::Value at, int64_t lanes) const;
  void store(KernelBuilder &k, mlir::Value at, Complex value) const;
};

/// A scalar if `lanes` is 1, else a vector.
mlir::Value loadLanes(KernelBuilder &k, mlir::Value memory, mlir::Value at, int64_t lanes);

/// Runs `body` for positions that cover 0 .. count-1 with `lanes` each. The last
/// vector moves back so that it ends at `count`: what `body` writes has to be
/// the same the second time. There are at least as many elements as lanes.
void forVectors(KernelBuilder &k, int64_t count, int64_t lanes,
                llvm::function_ref<void(mlir::Value)> body);

/// The widest vector of at most `lanes` that `count` elements fill.
int64_t lanesFor(int64_t count, int64_t lanes);

/// The code of a forward transform. An inverse one is the same with real and
/// imaginary parts swapped before and after.
///
/// Passes after Stockham, which sort by themselves: each reads one array and
/// writes the other. Lengths with a prime factor above 13 are convolutions with
/// a chirp after Bluestein.
class ComplexFft {
public:
  /// Reserves memory and tables in the kernel.
  ComplexFft(KernelBuilder &k, mlir::Type element, int64_t length);

  /// One transform at the insertion point.
  void emit(FftLoad load, FftStore store);

  /// Arrays of `length` elements that may be the source, or the target.
  SplitArray input() { return buffer(inner ? 0 : 1); }
  SplitArray output() { return buffer(inner ? 0 : (passes.size() - 1) % 2); }
  /// Whether each element is stored once, so that the store may add to memory.
  bool storesOnce() const;

private:
  void emitFirst(FftLoad load, FftStore store);
  void emitLater(size_t number, FftStore store);
  void storeRows(const Complexes &rows, SplitArray target, mlir::Value at, int64_t lanes);
  void emitChirp(FftLoad load, FftStore store);
  void makeChirp();
  SplitArray buffer(unsigned number);

  KernelBuilder &k;
  mlir::Type element;
  int64_t length, lanes;
  llvm::SmallVector<FftPass> passes;
  llvm::SmallVector<mlir::Value> twiddles; ///< one table per pass, null for the last
  SplitArray buffers[2];
  // Bluestein: the transform that convolves, its memory, and constants.
  std::unique_ptr<ComplexFft> inner;
  SplitArray work, chirp, filter;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTPASSES_H
