//===- ConvAnchor.h - the convolution that a kernel is built around -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_CONVANCHOR_H
#define MODELC_CODEGEN_CPU_CONVANCHOR_H

#include "codegen/cpu/ConvGeometry.h"
#include "codegen/cpu/MatmulProduct.h"

namespace modelc {

/// A convolution of either kind: what generators need to know of it.
struct ConvAnchor {
  /// The anchor of `kernel`, if vector code can be emitted for its types,
  /// operands and epilogue.
  static std::optional<ConvAnchor> of(KernelOp kernel, TargetAttr target);

  mlir::Operation *op;
  mlir::Value x, filter, bias;
  mlir::Type element;
  int64_t lanes;
  bool isTransposed;
  ConvGeometry geometry;

  /// The estimate of all vector code, far below that of plain loops.
  double cost() const;
  /// The filter in blocks of `block` output channels, each with a row of
  /// weights after the other.
  OperandPacking packing(int64_t block) const;
};

/// What the emitters of convolutions hold: the kernel under construction and
/// the anchor's operands in it.
struct ConvParts {
  ConvParts(KernelBuilder &k, KernelOp kernel, const ConvAnchor &anchor,
            const OperandPacking &packing);

  KernelBuilder &k;
  const ConvGeometry &g;
  mlir::Type element;
  int64_t lanes;
  mlir::Value x, filter; ///< memory; the filter is packed
  ColumnBias bias;
  Epilogue epilogue;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_CONVANCHOR_H
