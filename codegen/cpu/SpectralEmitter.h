//===- SpectralEmitter.h - transforms from and to tensors -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_SPECTRALEMITTER_H
#define MODELC_CODEGEN_CPU_SPECTRALEMITTER_H

#include "codegen/cpu/FftReal.h"
#include <optional>

namespace modelc {

/// What is transformed: `length` elements of one or two parts.
struct TransformShape {
  int64_t length, parts;
  bool isInverse = false;
  /// One side of the bins: of the result, or of the inverse's input.
  bool isOnesided = false;

  int64_t bins() const { return length / 2 + 1; }
  /// Numbers that one transform reads.
  int64_t inputs() const { return isOnesided && isInverse ? 2 * bins() : length * parts; }
  /// Numbers that it writes.
  int64_t outputs() const { return isOnesided ? (isInverse ? length : 2 * bins()) : 2 * length; }
};

/// Elements that samples are multiplied with.
struct Window {
  mlir::Value memory; ///< null: all are `value`
  double value = 1;
};

/// The code of one transform after another between rows of memory.
class TransformEmitter {
public:
  TransformEmitter(KernelBuilder &k, mlir::Type element, const TransformShape &shape);

  /// One transform of what lies in `source` from element `from` on, times the
  /// window (of a forward transform), to `target` from element `to` on.
  void emit(mlir::Value source, mlir::Value from, const Window &window, mlir::Value target,
            mlir::Value to);

  /// One real inverse transform times the window, added to `target`.
  void emitAdded(mlir::Value source, mlir::Value from, const Window &window, mlir::Value target,
                 mlir::Value to);

private:
  /// Samples times window, as elements of the complex transform or as pairs.
  Complex loadElement(mlir::Value source, mlir::Value from, const Window &window, mlir::Value at,
                      int64_t lanes, int64_t active);
  mlir::Value weighted(mlir::Value x, const Window &window, mlir::Value at, int64_t lanes,
                       int64_t active = -1);
  void emitOddForward(FftLoad load, mlir::Value target, mlir::Value to);
  void emitOddInverse(mlir::Value source, mlir::Value from,
                      llvm::function_ref<void(mlir::Value, mlir::Value)> store);
  void emitFrame(mlir::Value source, mlir::Value from, mlir::Value target, mlir::Value to);

  KernelBuilder &k;
  mlir::Type element;
  TransformShape shape;
  int64_t lanes;
  std::optional<RealFft> real;
  std::optional<ComplexFft> complex;
  mlir::Value frame; ///< one frame, where it cannot be added from registers
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_SPECTRALEMITTER_H
