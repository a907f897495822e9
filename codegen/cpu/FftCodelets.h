//===- FftCodelets.h - small Fourier transforms in registers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTCODELETS_H
#define MODELC_CODEGEN_CPU_FFTCODELETS_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// Real and imaginary parts, each a scalar or a vector.
struct Complex {
  mlir::Value re, im;

  /// `i` times the conjugate: maps a forward transform to an inverse one when
  /// applied before and after it.
  Complex swapped() const { return {im, re}; }
};
using Complexes = llvm::SmallVector<Complex, 32>;

/// A number times a constant that is multiplied in when it is added to another:
/// a fused multiply-add costs no more than a sum.
struct ScaledComplex {
  Complex value;
  double scale = 1;
};
using ScaledComplexes = llvm::SmallVector<ScaledComplex, 32>;

/// Complex arithmetic on scalars or vectors of one type, contracted to fused
/// multiply-adds where the target has them.
class FftArithmetic {
public:
  /// `lanes` 1: scalars.
  FftArithmetic(KernelBuilder &k, mlir::Type element, int64_t lanes);

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, double y);
  mlir::Value neg(mlir::Value x);
  /// `x + y * factor`.
  mlir::Value mulAdd(mlir::Value x, mlir::Value y, double factor);
  /// `x * factor - y`.
  mlir::Value mulSub(mlir::Value x, double factor, mlir::Value y);
  Complex add(Complex x, Complex y) { return {add(x.re, y.re), add(x.im, y.im)}; }
  Complex sub(Complex x, Complex y) { return {sub(x.re, y.re), sub(x.im, y.im)}; }
  Complex mul(Complex x, Complex y);
  Complex mul(Complex x, double y) { return {mul(x.re, y), mul(x.im, y)}; }

  /// The forward transform of as many elements as there are.
  Complexes transform(llvm::ArrayRef<Complex> x);

private:
  ScaledComplex add(const ScaledComplex &x, const ScaledComplex &y);
  ScaledComplex sub(const ScaledComplex &x, const ScaledComplex &y);
  /// `-i x`.
  ScaledComplex turned(const ScaledComplex &x);
  /// `x` times `exp(-2 pi i k / n)`.
  ScaledComplex rotate(ScaledComplex x, int64_t k, int64_t n);

  ScaledComplexes transform(const ScaledComplexes &x);
  ScaledComplexes transformFour(const ScaledComplexes &x);
  ScaledComplexes transformPrime(const ScaledComplexes &x);

  KernelBuilder &k;
  mlir::Type type;
};

/// The factor that a codelet of `n` elements splits off first; `n` itself if it
/// is not composed.
int64_t fftFactor(int64_t n);

/// Operations of a codelet of `n` elements; for choosing between plans.
double fftCodeletCost(int64_t n);

/// The largest prime that has a codelet.
constexpr int64_t largestFftPrime = 13;

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTCODELETS_H
