//===- ConvGeometry.h - windows of channels-last convolutions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_CONVGEOMETRY_H
#define MODELC_CODEGEN_CPU_CONVGEOMETRY_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// Windows `first`, `first + width`, ... below `last`, in tiles of `width`.
/// `inside`: all positions of all windows exist.
struct WindowTiles {
  int64_t first, last, width;
  bool inside;
};

/// One spatial dimension: window `o` covers the positions
/// `o * stride + k * dilation - pad` of the input for k in 0 .. kernel-1, with
/// weight `firstTap + k * tapStep` of the filter's `taps`, and gives result
/// `firstResult + o * resultStep` of `results`.
struct ConvAxis {
  int64_t extent = 1, count = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;
  int64_t taps = 1, firstTap = 0, tapStep = 1;
  int64_t results = 1, firstResult = 0, resultStep = 1;

  int64_t start(int64_t window) const { return window * stride - pad; }
  bool exists(int64_t window, int64_t k) const {
    int64_t position = start(window) + k * dilation;
    return position >= 0 && position < extent;
  }
  /// Whether every position of the window exists.
  bool isInside(int64_t window) const {
    return kernel == 0 || (exists(window, 0) && exists(window, kernel - 1));
  }
  bool isInside() const { return isInside(0) && isInside(count - 1); }
  /// Neighbouring weights belong to neighbouring positions.
  bool isContiguous() const { return kernel == 1 || (dilation == 1 && tapStep == 1); }
  /// Every result depends on the position that it has itself.
  bool isPointwise() const;

  /// The tiles of a row of windows. Those at the borders stand alone, others
  /// share one entry.
  llvm::SmallVector<WindowTiles> tiles(int64_t width) const;

  /// The same in emitted code.
  mlir::Value tapAt(KernelBuilder &k, mlir::Value kernel) const;
  mlir::Value resultAt(KernelBuilder &k, mlir::Value window) const;
  /// A loop over the part of the kernel that lies inside the input.
  Values forKernel(KernelBuilder &k, mlir::Value window, const Values &carried,
                   KernelBuilder::LoopBody body) const;
};

/// A convolution or pool with channels last over one or two spatial dimensions;
/// one is taken as a single row.
///
/// A transposed convolution with stride s is s convolutions per dimension: the
/// results `c`, `s + c`, `2 s + c`, ... depend on neighbouring positions by
/// every s-th weight. So a dimension is a list of axes, one in a convolution
/// that is not transposed.
struct ConvGeometry {
  static std::optional<ConvGeometry> of(ConvOp op);
  static std::optional<ConvGeometry> of(ConvTransposeOp op);
  static std::optional<ConvGeometry> of(MaxPoolOp op);
  static std::optional<ConvGeometry> of(AveragePoolOp op);

  int64_t batch, inputs, outputs, groups;
  llvm::SmallVector<ConvAxis, 1> rows, columns;

  int64_t inputsPerGroup() const { return inputs / groups; }
  int64_t outputsPerGroup() const { return outputs / groups; }
  /// Weights per output channel.
  int64_t depth() const { return rows[0].taps * columns[0].taps * inputsPerGroup(); }
  /// A matrix product.
  bool isPointwise() const;
  bool isDepthwise() const { return groups == inputs && inputs == outputs; }
  /// The most windows in a row.
  int64_t width() const { return columns[0].count; }
  /// The longest row of the kernel.
  int64_t kernelWidth() const;

  /// Whether tiles of `width` are little enough code: those at the borders
  /// are code of their own, for each of several axes.
  bool fitsTiles(int64_t width) const;

  /// The linear position of a result among all batches, rows and columns.
  mlir::Value resultAt(KernelBuilder &k, mlir::Value batch, mlir::Value row,
                       mlir::Value column) const;
  /// Where the first of the kernel's columns is read for a window in row `row`
  /// of `down` and column `column` of `across`; row `kernel` of the kernel.
  mlir::Value inputAt(KernelBuilder &k, mlir::Value batch, const ConvAxis &down, mlir::Value row,
                      mlir::Value kernel, const ConvAxis &across, mlir::Value column) const;

private:
  template <typename OpTy>
  static std::optional<ConvGeometry> make(OpTy op, int64_t groups, llvm::ArrayRef<int64_t> kernel,
                                          bool isTransposed);
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_CONVGEOMETRY_H
