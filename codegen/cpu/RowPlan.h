//===- RowPlan.h - which loops a kernel around slices runs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_ROWPLAN_H
#define MODELC_CODEGEN_CPU_ROWPLAN_H

#include "codegen/cpu/StridedTree.h"

namespace modelc {

/// A kernel whose anchor computes with whole slices of a tensor: a reduction, a
/// softmax or a normalization. The space of loops is that of the anchor's first
/// operand; some of its dimensions lie inside a slice, the others count slices.
struct RowPlan {
  explicit RowPlan(llvm::ArrayRef<int64_t> extents) : extents(extents), tree(extents) {}

  /// Nothing if vectors do not fit the kernel.
  static std::optional<RowPlan> of(KernelOp kernel, TargetAttr target);

  int64_t sliceCount() const; ///< elements of a slice
  bool isHorizontal() const { return inside[laneDim]; }

  mlir::Operation *anchor = nullptr;
  Extents extents;
  llvm::SmallVector<bool, 6> inside; ///< by dimension: part of a slice
  /// A dimension inside, of which a slice covers one of `groups` equal parts; or -1.
  int groupDim = -1;
  int64_t groups = 1;
  StridedTree tree;
  llvm::SmallVector<unsigned, 3> inputs; ///< the nodes of the anchor's operands
  unsigned given = 0;                    ///< the node of the anchor's result
  unsigned root = 0;                     ///< the node of the kernel's result
  StridedAccess output;
  mlir::Type element; ///< of the kernel's result
  size_t laneDim = 0; ///< along which vectors run
  int64_t lanes = 0;  ///< of a vector register, or fewer for short slices
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_ROWPLAN_H
