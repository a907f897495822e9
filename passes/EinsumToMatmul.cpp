//===- EinsumToMatmul.cpp - labelled sums that are matrix products --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"
#include "passes/Transposes.h"

namespace modelc {
#define GEN_PASS_DEF_EINSUMTOMATMULPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Products per element that is moved at run time, from which on a faster
/// product pays for the move.
static constexpr int64_t productsPerMove = 16;

namespace {

using LabelList = SmallVector<int64_t, 4>;

/// The dimensions of a tensor that are longer than 1, by their labels.
struct Labelled {
  Value value; ///< null for the result
  LabelList labels;
};

/// A way to see an einsum as products: labels of the batch, the rows, the
/// inner dimension and the columns.
struct Plan {
  Labelled left, right, result;
  LabelList batch, rows, inner, columns;
  int64_t moved = 0; ///< elements that transposes at run time move
};

LabelList concat(std::initializer_list<ArrayRef<int64_t>> parts) {
  LabelList all;
  for (ArrayRef<int64_t> part : parts) {
    llvm::append_range(all, part);
  }
  return all;
}

struct EinsumToMatmul : OpRewritePattern<EinsumOp> {
  using OpRewritePattern<EinsumOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(EinsumOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 2 || !isa<FloatType>(op.getType().getElementType()) ||
        op.getType().getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "not a product of two tensors of numbers");
    }
    Extents extents;
    Labelled operands[2];
    for (auto [i, value] : llvm::enumerate(op.getInputs())) {
      auto labels = cast<DenseI64ArrayAttr>(op.getOperandLabels()[i]).asArrayRef();
      operands[i] = labelled(value, labels, cast<RankedTensorType>(value.getType()), extents);
    }
    Labelled result = labelled({}, op.getResultLabels(), op.getType(), extents);
    auto plan = makePlan(operands[0], operands[1], result, extents);
    auto swapped = makePlan(operands[1], operands[0], result, extents);
    if (failed(plan) || failed(swapped)) {
      return rewriter.notifyMatchFailure(op, "not a matrix product");
    }
    // Lanes run along the columns: there had better be some.
    if (swapped->moved < plan->moved ||
        (swapped->moved == plan->moved && plan->columns.empty() && !swapped->columns.empty())) {
      std::swap(plan, swapped);
    }
    int64_t products = sizeOf(plan->inner, extents) * op.getType().getNumElements();
    if (plan->moved * productsPerMove > products) {
      return rewriter.notifyMatchFailure(op, "would move too much");
    }
    rewriter.replaceOp(op, build(rewriter, op, *plan, extents));
    return success();
  }

private:
  using Extents = DenseMap<int64_t, int64_t>;

  static Labelled labelled(Value value, ArrayRef<int64_t> labels, RankedTensorType type,
                           Extents &extents) {
    Labelled result{value, {}};
    for (auto [label, extent] : llvm::zip(labels, type.getShape())) {
      if (extent != 1) {
        result.labels.push_back(label);
        extents[label] = extent;
      }
    }
    return result;
  }

  static int64_t sizeOf(ArrayRef<int64_t> labels, const Extents &extents) {
    int64_t size = 1;
    for (int64_t label : labels) {
      size *= extents.lookup(label);
    }
    return size;
  }

  static FailureOr<Plan> makePlan(const Labelled &left, const Labelled &right,
                                  const Labelled &result, const Extents &extents) {
    Plan plan{left, right, result, {}, {}, {}, {}};
    auto has = [](const Labelled &tensor, int64_t label) {
      return llvm::is_contained(tensor.labels, label);
    };
    for (int64_t label : result.labels) {
      bool inLeft = has(left, label), inRight = has(right, label);
      (inLeft ? inRight ? plan.batch : plan.rows : plan.columns).push_back(label);
    }
    bool leftKnown = static_cast<bool>(constantValue(left.value));
    for (int64_t label : leftKnown ? right.labels : left.labels) {
      if (!has(result, label) && has(left, label) && has(right, label)) {
        plan.inner.push_back(label);
      }
    }
    LabelList leftOrder = concat({plan.batch, plan.rows, plan.inner});
    LabelList rightOrder = concat({plan.batch, plan.inner, plan.columns});
    // Unequal sizes: a label repeats, or is summed in one operand alone.
    if (plan.inner.empty() || (plan.rows.empty() && plan.columns.empty()) ||
        leftOrder.size() != left.labels.size() || rightOrder.size() != right.labels.size()) {
      return failure();
    }
    auto count = [&](const Labelled &tensor, ArrayRef<int64_t> order) {
      bool isKnown = tensor.value && constantValue(tensor.value);
      plan.moved +=
          isKnown || ArrayRef<int64_t>(tensor.labels) == order ? 0 : sizeOf(order, extents);
    };
    count(left, leftOrder);
    count(right, rightOrder);
    count(result, concat({plan.batch, plan.rows, plan.columns}));
    return plan;
  }

  static Value reshape(PatternRewriter &rewriter, Location loc, Value value,
                       ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() == shape) {
      return value;
    }
    return rewriter.create<ReshapeOp>(loc, RankedTensorType::get(shape, type.getElementType()),
                                      value, shape);
  }

  /// `value`, whose dimensions are `from`, with the dimensions in the order of
  /// `to`.
  static Value reorder(PatternRewriter &rewriter, Location loc, Value value, ArrayRef<int64_t> from,
                       ArrayRef<int64_t> to, const Extents &extents) {
    SmallVector<int64_t> shape, order;
    for (int64_t label : from) {
      shape.push_back(extents.lookup(label));
    }
    for (int64_t label : to) {
      order.push_back(llvm::find(from, label) - from.begin());
    }
    value = reshape(rewriter, loc, value, shape);
    return llvm::is_sorted(order) ? value : makeTranspose(rewriter, loc, value, order);
  }

  static Value build(PatternRewriter &rewriter, EinsumOp op, const Plan &plan,
                     const Extents &extents) {
    Location loc = op.getLoc();
    int64_t batch = sizeOf(plan.batch, extents), rows = sizeOf(plan.rows, extents);
    int64_t inner = sizeOf(plan.inner, extents), columns = sizeOf(plan.columns, extents);
    auto shape = [&](int64_t first, int64_t second) {
      SmallVector<int64_t> all{first, second};
      if (batch != 1) {
        all.insert(all.begin(), batch);
      }
      return all;
    };
    Value left = reorder(rewriter, loc, plan.left.value, plan.left.labels,
                         concat({plan.batch, plan.rows, plan.inner}), extents);
    Value right = reorder(rewriter, loc, plan.right.value, plan.right.labels,
                          concat({plan.batch, plan.inner, plan.columns}), extents);
    left = reshape(rewriter, loc, left, shape(rows, inner));
    right = reshape(rewriter, loc, right, shape(inner, columns));
    auto type = RankedTensorType::get(shape(rows, columns), op.getType().getElementType());
    Value product = rewriter.create<MatmulOp>(loc, type, left, right);
    product = reorder(rewriter, loc, product, concat({plan.batch, plan.rows, plan.columns}),
                      plan.result.labels, extents);
    return reshape(rewriter, loc, product, op.getType().getShape());
  }
};

struct EinsumToMatmulPass : modelc::impl::EinsumToMatmulPassBase<EinsumToMatmulPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<EinsumToMatmul>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
