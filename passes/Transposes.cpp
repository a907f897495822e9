//===- Transposes.cpp - transposes that meet each other -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Transposes.h"
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"

using namespace mlir;
using namespace modelc;

Value modelc::makeTranspose(PatternRewriter &rewriter, Location loc, Value x,
                            ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape;
  for (int64_t dim : order) {
    shape.push_back(shapeOf(x)[dim]);
  }
  auto type = RankedTensorType::get(shape, typeOf(x).getElementType());
  return rewriter.create<TransposeOp>(loc, type, x, rewriter.getDenseI64ArrayAttr(order));
}

namespace {

/// Two transposes are one, or none.
struct JoinTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern<TransposeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<TransposeOp>();
    if (!before) {
      return rewriter.notifyMatchFailure(op, "not a transpose of a transpose");
    }
    SmallVector<int64_t> order;
    for (int64_t dim : op.getPermutation()) {
      order.push_back(before.getPermutation()[dim]);
    }
    if (llvm::equal(order, llvm::seq<int64_t>(0, order.size()))) {
      rewriter.replaceOp(op, before.getX());
    } else {
      rewriter.replaceOp(op, makeTranspose(rewriter, op.getLoc(), before.getX(), order));
    }
    return success();
  }
};

/// A reshape that joins or splits dimensions, of a transpose: the dimensions
/// that are joined are brought together first, the others move afterwards.
struct SinkThroughReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<TransposeOp>();
    if (!before || typeOf(op.getX()).getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "not a reshape of a transpose");
    }
    SmallVector<Group> groups = groupsOf(shapeOf(op.getX()), shapeOf(op.getResult()));
    // Each group stands where the source has the last of its long dimensions.
    for (Group &group : groups) {
      for (int64_t dim : group.from) {
        if (group.place < 0 || shapeOf(op.getX())[dim] != 1) {
          group.place = std::max(group.place, before.getPermutation()[dim]);
        }
      }
    }
    SmallVector<Group> placed(groups);
    llvm::sort(placed, [](const Group &x, const Group &y) {
      return x.place != y.place ? x.place < y.place : x.to < y.to;
    });
    SmallVector<int64_t> inner, shape, dims;
    for (const Group &group : placed) {
      for (int64_t dim : group.from) {
        inner.push_back(before.getPermutation()[dim]);
      }
      for (int64_t dim : group.to) {
        shape.push_back(shapeOf(op.getResult())[dim]);
        dims.push_back(dim);
      }
    }
    if (llvm::is_sorted(dims)) {
      return rewriter.notifyMatchFailure(op, "nothing would move");
    }
    SmallVector<int64_t> outer(dims.size());
    for (auto [place, dim] : llvm::enumerate(dims)) {
      outer[dim] = place;
    }
    Value value = before.getX();
    if (!llvm::is_sorted(inner)) {
      value = makeTranspose(rewriter, op.getLoc(), value, inner);
    }
    auto type = RankedTensorType::get(shape, op.getType().getElementType());
    value = rewriter.create<ReshapeOp>(op.getLoc(), type, value, shape);
    rewriter.replaceOp(op, makeTranspose(rewriter, op.getLoc(), value, outer));
    return success();
  }

private:
  /// Neighbouring dimensions `from` that become the dimensions `to`.
  struct Group {
    SmallVector<int64_t> from, to;
    int64_t place = -1;
  };
  static SmallVector<Group> groupsOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    SmallVector<Group> groups;
    size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
      Group &group = groups.emplace_back();
      int64_t have = 1, want = 1;
      do {
        if (i < from.size() && (group.from.empty() || have < want || j == to.size())) {
          have *= from[i];
          group.from.push_back(i++);
        } else {
          want *= to[j];
          group.to.push_back(j++);
        }
      } while (have != want || (group.to.empty() && j < to.size()));
    }
    return groups;
  }
};

} // namespace

void modelc::populateTransposePatterns(RewritePatternSet &patterns) {
  patterns.add<JoinTransposes, SinkThroughReshape>(patterns.getContext());
}
