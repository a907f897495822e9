//===- FftPasses.h - complex Fourier transforms of any length -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTPASSES_H
#define MODELC_CODEGEN_CPU_FFTPASSES_H

#include "codegen/cpu/FftCodelets.h"
#include "codegen/cpu/FftPlan.h"
#include <memory>

namespace modelc {

/// Elements `at` .. `at + lanes - 1`, as scalars if `lanes` is 1. Only the first
/// `active` exist; all, if negative.
using FftLoad = llvm::function_ref<Complex(mlir::Value at, int64_t lanes, int64_t active)>;
using FftStore = llvm::function_ref<void(mlir::Value at, int64_t lanes, Complex value)>;

/// Real and imaginary parts in two arrays.
struct SplitArray {
  mlir::Value re, im;

  Complex load(KernelBuilder &k, mlir::Value at, int64_t lanes, int64_t active = -1) const;
  void store(KernelBuilder &k, mlir::Value at, Complex value) const;
};

/// A scalar if `lanes` is 1, else a vector.
mlir::Value loadLanes(KernelBuilder &k, mlir::Value memory, mlir::Value at, int64_t lanes,
                      int64_t active = -1);

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

  /// The last pass, if there are several and its results can be had in columns:
  /// element `t * stride + i` is row t of column i.
  const FftPass *lastPass() const { return inner || passes.size() < 2 ? nullptr : &passes.back(); }
  /// A transform without its last pass.
  void emitButLast(FftLoad load);
  /// The columns from `column` on of the last pass.
  Complexes emitColumns(mlir::Value column, int64_t vector);

  /// Arrays of `length` elements that may be the source, or the target.
  SplitArray input() { return buffer(inner ? 0 : 1); }
  SplitArray output() { return buffer(inner ? 0 : (passes.size() - 1) % 2); }
  /// Whether each element is stored once, so that the store may add to memory.
  bool storesOnce() const;

private:
  void emitFirst(FftLoad load, FftStore store);
  void emitLater(size_t number, FftStore store);
  void hold(const Complexes &rows);
  /// Two passes between which all elements fit the registers of the target.
  bool staysInRegisters() const;
  void storeRows(const Complexes &rows, SplitArray target, mlir::Value at, int64_t lanes,
                 int64_t active);
  void emitChirp(FftLoad load, FftStore store);
  void makeChirp();
  SplitArray buffer(unsigned number);

  KernelBuilder &k;
  mlir::Type element;
  int64_t length, lanes;
  FftMachine machine;
  llvm::SmallVector<FftPass> passes;
  llvm::SmallVector<mlir::Value> twiddles; ///< one table per pass, null for the last
  SplitArray buffers[2];
  Complexes held; ///< what the second pass transforms, if it is in registers
  // Bluestein: the transform that convolves, its memory, and constants.
  std::unique_ptr<ComplexFft> inner;
  SplitArray work, chirp, filter;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTPASSES_H
