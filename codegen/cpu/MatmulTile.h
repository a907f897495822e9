//===- MatmulTile.h - register blocks of matrix products ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_MATMULTILE_H
#define MODELC_CODEGEN_CPU_MATMULTILE_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// The register block of a product: `rows` x `vectors` accumulators, with
/// lanes along the columns.
struct TileShape {
  int64_t rows, vectors;
};

/// The block that computes `rows` x `columns` results in the least time.
/// Accumulators, one row of weights and what multiplies them fit into the
/// registers; eight or more accumulators hide the latency of an addition.
TileShape chooseTile(TargetAttr target, int64_t lanes, int64_t rows, int64_t columns);

/// The columns of a product in blocks. A last block that is not full comes
/// first in packed memory, so that its vectors may read beyond their row.
struct ColumnBlocks {
  ColumnBlocks(int64_t columns, int64_t lanes, int64_t vectors)
      : columns(columns), lanes(lanes), width(vectors * lanes), full(columns / width),
        rest(columns % width) {}

  /// Elements of packed memory before full block 0, for `depth` rows.
  int64_t restElements(int64_t depth) const { return rest * depth; }

  int64_t columns, lanes, width, full, rest;
};

/// The weights that a tile reads: rows of `stride` elements.
struct TileWeights {
  mlir::Value memory, at;
  int64_t stride;
  /// Lanes of the last vector that may be read; negative: all.
  int64_t lastActive;
};

/// One register block in the making. The sum of one result element adds its
/// products in ascending order of k, in `splits` partial sums (k modulo
/// splits) if there are too few accumulators otherwise; these are added
/// pairwise at the end.
class MatmulTile {
public:
  /// `usual` is the shape of the tiles beside this one, which decides the
  /// number of partial sums: all columns of a row add in the same order, so
  /// that equal columns give equal results.
  MatmulTile(KernelBuilder &k, mlir::Type element, TileShape shape, TileShape usual, int64_t depth);

  TileShape shape() const { return tile; }

  /// Accumulators that start at `initial`, one vector of it per column vector;
  /// at zero if it is empty.
  Values start(const Values &initial);

  /// Adds `x[at + offsets[r] + k] * weights[k]` for k below `depth` to row r of
  /// the accumulators; rows with a negative offset are left alone.
  Values accumulate(Values sums, mlir::Value x, mlir::Value at, llvm::ArrayRef<int64_t> offsets,
                    TileWeights weights, int64_t depth);

  /// The results, row by row.
  Values finish(const Values &sums);

private:
  Values step(Values sums, mlir::Value x, mlir::Value at, llvm::ArrayRef<int64_t> offsets,
              const TileWeights &weights, mlir::Value position, int64_t count, int64_t phase);
  mlir::Value &sum(Values &sums, int64_t split, int64_t row, int64_t vector) {
    return sums[(split * tile.rows + row) * tile.vectors + vector];
  }

  KernelBuilder &k;
  mlir::Type element;
  TileShape tile;
  int64_t lanes, splits;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_MATMULTILE_H
