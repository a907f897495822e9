//===- MatmulProduct.h - loops around the register blocks of a product ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_MATMULPRODUCT_H
#define MODELC_CODEGEN_CPU_MATMULPRODUCT_H

#include "codegen/cpu/Epilogue.h"
#include "codegen/cpu/MatmulTile.h"

namespace modelc {

/// Lanes of the last of `vectors` vectors that hold columns of a block with
/// `width` columns.
inline int64_t activeLanes(int64_t width, int64_t vectors, int64_t lanes) {
  return width - (vectors - 1) * lanes;
}

/// The bias of a convolution as seen by its columns; no bias is zero.
class ColumnBias {
public:
  ColumnBias(KernelBuilder &k, mlir::Value tensor, mlir::Type element);
  /// Vectors of bias for the columns from `column` on; empty if there is none.
  Values load(mlir::Value column, int64_t vectors, int64_t lanes, int64_t lastActive) const;
  /// Whether `tensor` (which may be null) is of a kind that can be loaded.
  static bool supports(mlir::Value tensor);

private:
  KernelBuilder &k;
  mlir::Type element;
  mlir::Value memory;
  double splat = 0;
};

/// `batch` products of `rows` x `depth` by `depth` x `columns`.
struct Product {
  mlir::Type element;
  int64_t batch, rows, depth, columns;
  mlir::Value x, weights;    ///< memory, row-major unless `packed`
  int64_t xStep, weightStep; ///< elements between entries of the batch
  bool packed;               ///< weights are in blocks of `tile.vectors`
};

/// Takes a vector of results from `column` on, of which the first `active` lanes
/// count (all, if negative).
using ProductSink = llvm::function_ref<void(mlir::Value value, mlir::Value batch, mlir::Value row,
                                            mlir::Value column, int64_t active)>;

/// Emits the loops.
void emitProduct(KernelBuilder &k, const Product &product, TileShape tile, const ColumnBias &bias,
                 ProductSink sink);

/// The same; the results, row after row, go to `epilogue`.
void emitProduct(KernelBuilder &k, const Product &product, TileShape tile, const ColumnBias &bias,
                 Epilogue &epilogue);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_MATMULPRODUCT_H
