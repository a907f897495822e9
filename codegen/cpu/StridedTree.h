//===- StridedTree.h - elementwise computations over strided memory -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of a kernel as a function of a space of loops. Transposes, slices,
// broadcasts and the parts of joined tensors vanish: they only say with which
// strides memory is read. What is left are reads, constants and elementwise ops.
//
#ifndef MODELC_CODEGEN_CPU_STRIDEDTREE_H
#define MODELC_CODEGEN_CPU_STRIDEDTREE_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// The extents of nested loops, outermost first.
using Extents = llvm::SmallVector<int64_t, 6>;

/// The position in one dimension of a tensor: `offset + step * i`, where `i` is
/// the position in dimension `dim` of the space; `dim` < 0: `offset` alone.
struct AxisView {
  int64_t offset = 0;
  int dim = -1;
  int64_t step = 0;

  bool operator==(const AxisView &other) const;
};
using View = llvm::SmallVector<AxisView, 6>;

/// An element of memory: `offset` plus each position times its stride.
struct StridedAccess {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 6> strides;
};

/// Each dimension of a tensor follows the dimension of the space of that number.
View identityView(size_t rank);
/// The access to a dense tensor of `shape` that is seen through `view`.
StridedAccess accessOf(llvm::ArrayRef<int64_t> shape, const View &view, size_t spaceRank);

class StridedTree {
public:
  struct Node {
    enum Kind { Read, Constant, Given, Compute };
    Kind kind;
    mlir::Value tensor;
    View view;            ///< of `tensor`, in the space
    StridedAccess access; ///< of a Read
    llvm::SmallVector<unsigned, 3> operands;
  };
  /// Below position `at` of dimension `dim` the computation is another one than
  /// from there on.
  struct Split {
    int dim;
    int64_t at;
  };

  explicit StridedTree(llvm::ArrayRef<int64_t> extents) : extents(extents) {}

  /// Makes `tensor`, seen through `view`, a value that evaluate is given.
  void give(mlir::Value tensor, View view);

  /// Adds `tensor` and what it is computed from; returns its node. Fails if an
  /// op is of another kind, or if the space has to be split first.
  std::optional<unsigned> add(mlir::Value tensor, const View &view);
  /// Why add failed, if splitting the space helps.
  std::optional<Split> split() const { return wanted; }

  llvm::ArrayRef<Node> nodes() const { return all; }
  llvm::MutableArrayRef<Node> nodes() { return all; }

  /// Bytes of the widest element of a computation, as it is computed.
  unsigned widestElement() const;
  /// Instructions per vector, roughly.
  int64_t weight() const;

private:
  std::optional<unsigned> addPart(mlir::Operation *concat, const View &view);
  std::optional<unsigned> addPadded(mlir::Operation *pad, const View &view);
  std::optional<View> sourceView(mlir::Operation *op, const View &view) const;
  View normalized(View view) const;
  unsigned addNode(Node node);

  Extents extents;
  std::optional<Split> wanted;
  llvm::SmallVector<Node, 8> all;
};

/// Drops dimensions of extent 1 and joins neighbours between which `mayJoin`
/// allows it and no access jumps. Returns for each old dimension the new one
/// that its positions went into, -1 if it was dropped.
llvm::SmallVector<int, 6> collapse(Extents &extents, llvm::ArrayRef<StridedAccess *> accesses,
                                   llvm::function_ref<bool(size_t, size_t)> mayJoin);

/// The vector of positions that evaluate computes: `lanes` neighbours along
/// `dim` from `position` on (0 lanes: one scalar), of which the first `active`
/// exist (all, if negative).
struct LaneSpan {
  llvm::SmallVector<mlir::Value, 6> position;
  size_t dim = 0;
  int64_t lanes = 0, active = -1;
};

/// The position in memory of an access at the first lane.
mlir::Value addressOf(KernelBuilder &k, const StridedAccess &access, const LaneSpan &span);

/// Values of nodes by number. What is in `known` is not computed again.
using NodeValues = llvm::DenseMap<unsigned, mlir::Value>;

/// Computes node `root` for the lanes of `span`.
mlir::Value evaluate(KernelBuilder &k, const StridedTree &tree, unsigned root, const LaneSpan &span,
                     NodeValues &known);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_STRIDEDTREE_H
