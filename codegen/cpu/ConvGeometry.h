//===- ConvGeometry.h - windows of channels-last convolutions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_CONVGEOMETRY_H
#define MODELC_CODEGEN_CPU_CONVGEOMETRY_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// One spatial dimension: window `o` covers the positions
/// `o * stride + k * dilation - pad` for k in 0 .. kernel-1.
struct ConvAxis {
  int64_t extent = 1, count = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;

  int64_t start(int64_t window) const { return window * stride - pad; }
  bool exists(int64_t window, int64_t k) const {
    int64_t position = start(window) + k * dilation;
    return position >= 0 && position < extent;
  }
  /// Whether every position of the window exists.
  bool isInside(int64_t window) const { return exists(window, 0) && exists(window, kernel - 1); }
  bool isInside() const { return isInside(0) && isInside(count - 1); }
};

/// Windows `first`, `first + step`, ... below `last`, in tiles of `width`.
/// `inside`: all positions of all windows exist.
struct WindowTiles {
  int64_t first, last, width;
  bool inside;
};

/// A convolution with channels last over one or two spatial dimensions; one is
/// taken as a single row.
struct ConvGeometry {
  static std::optional<ConvGeometry> of(ConvOp op);

  int64_t batch, inputs, outputs, groups;
  ConvAxis rows, columns;

  /// The tiles of a row of results. Those at the borders stand alone, others
  /// share one entry.
  llvm::SmallVector<WindowTiles> tiles(int64_t width) const;
};

/// The part of the kernel's rows that lie inside the input, for result row
/// `row`: constants if that is always all of them.
struct KernelRows {
  mlir::Value first, last;
};
KernelRows kernelRows(KernelBuilder &k, const ConvAxis &axis, mlir::Value row);

/// Tiles that stand alone are code of their own: more of them than this are
/// left to plain loops.
constexpr int64_t maxBorderTiles = 8;

/// How many tiles stand alone.
int64_t countBorderTiles(const ConvGeometry &geometry, int64_t width);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_CONVGEOMETRY_H
