//===- DftProducts.h - products that could be Fourier transforms ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_DFTPRODUCTS_H
#define MODELC_PASSES_DFTPRODUCTS_H

#include "ir/ModelcOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/DftBasis.h"

namespace modelc {

/// Overlapping or separate pieces of sequences of samples.
struct Frames {
  mlir::Value x;
  /// What `signal` makes of `x`: a transpose (if not empty), then a shape
  /// [sequences, samples].
  llvm::SmallVector<int64_t> order, shape;
  int64_t step, padBefore = 0, padAfter = 0;

  mlir::Value signal(mlir::ImplicitLocOpBuilder &b) const;
  bool operator==(const Frames &other) const {
    return x == other.x && order == other.order && shape == other.shape && step == other.step &&
           padBefore == other.padBefore && padAfter == other.padAfter;
  }
};

/// An op whose result is the product of frames and the rows of a constant
/// matrix, as long as a frame.
struct Analysis {
  mlir::Operation *op;
  Frames frames;
  RowMatrix matrix;
  /// The result is [sequences, rows, frames], else [sequences, frames, rows],
  /// both in a shape that has the rows in dimension `rowAxis`.
  bool rowsFirst;
  int64_t rowAxis;

  /// The result's shape if there were `count` rows.
  llvm::SmallVector<int64_t> resultShape(int64_t count) const;
};

/// An op whose result is a sum of the rows of constant matrices, as much of each
/// as the elements of the operands say: the samples of frames. A step of 0: the
/// frames are separate, else they are added up to a signal.
struct Synthesis {
  mlir::Operation *op;
  llvm::SmallVector<mlir::Operation *, 2> products; ///< where `op` is their sum
  llvm::SmallVector<mlir::Value, 2> operands;
  RowMatrix matrix; ///< of all operands
  /// The operands are [sequences, rows, frames], else [sequences, frames, rows].
  bool rowsFirst;
  int64_t step = 0, padBefore = 0, padAfter = 0;

  llvm::SmallVector<int64_t> operandShape(mlir::Value operand) const;
};

/// Convolutions over one dimension and products with a constant matrix.
std::optional<Analysis> analysisOf(mlir::Operation *op);

/// Transposed convolutions to one channel, products with a constant matrix, and
/// sums or differences of two such.
std::optional<Synthesis> synthesisOf(mlir::Operation *op);

} // namespace modelc

#endif // MODELC_PASSES_DFTPRODUCTS_H
