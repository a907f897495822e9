//===- WinogradEmitter.h - the code of 3x3 convolutions by tiles ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_WINOGRADEMITTER_H
#define MODELC_CODEGEN_CPU_WINOGRADEMITTER_H

#include "codegen/cpu/MatmulProduct.h"

namespace modelc {

/// A convolution with channels last of 3x3 kernels at every position, in tiles
/// of 2x2 results.
struct WinogradGeometry {
  static std::optional<WinogradGeometry> of(ConvOp op);

  static constexpr int64_t tileInputs = 4; ///< rows and columns that a tile reads
  static constexpr int64_t tileResults = 2;
  static constexpr int64_t products = 16; ///< per tile and pair of channels

  int64_t tileRows() const { return llvm::divideCeil(resultRows, tileResults); }
  int64_t tileColumns() const { return llvm::divideCeil(resultColumns, tileResults); }
  /// Elements of temporaries: the transformed filter, a group of tiles.
  int64_t filterElements() const { return products * inputs * outputs; }
  int64_t groupElements() const { return products * (inputs + outputs) * groupRows * groupColumns; }

  int64_t batch, rows, columns, inputs; ///< of x
  int64_t resultRows, resultColumns, outputs;
  int64_t rowPad, columnPad;
  int64_t groupRows, groupColumns; ///< tiles that are computed together
};

/// Emits the loops; `filter` is packed in blocks of `tile.vectors` vectors of
/// output channels.
void emitWinograd(KernelBuilder &k, const WinogradGeometry &geometry, mlir::Type element,
                  TileShape tile, mlir::Value x, mlir::Value filter, const ColumnBias &bias,
                  Epilogue &epilogue);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_WINOGRADEMITTER_H
