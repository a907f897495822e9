//===- RowPlan.cpp - which loops a kernel around slices runs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/RowPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelc;
using Node = StridedTree::Node;

/// Vectors along fewer elements than this are mostly idle.
static constexpr int64_t shortestRow = 4;

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// The only op of the kernel with loops of its own, if this generator knows it.
static Operation *anchorOf(KernelOp kernel) {
  Operation *anchor = nullptr;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<LoopOpInterface>(op)) {
      if (anchor) {
        return nullptr;
      }
      anchor = &op;
    }
  }
  if (!isa_and_nonnull<ReduceOp, SoftmaxOp, LayerNormOp, GroupNormOp>(anchor) ||
      llvm::any_of(anchor->getResults().drop_front(), [](Value v) { return !v.use_empty(); })) {
    return nullptr;
  }
  Type element = computeType(getElementTypeOrSelf(anchor->getOperand(0).getType()));
  if (auto reduce = dyn_cast<ReduceOp>(anchor)) {
    bool isWide = reduce.getKind() == ReduceKind::Mean && isa<IntegerType>(element);
    bool fits = reduce.getKind() != ReduceKind::LogSumExp && !isWide && !element.isInteger(1);
    return fits ? anchor : nullptr;
  }
  return anchor;
}

/// Which dimensions of the anchor's first operand lie inside a slice.
static SmallVector<bool, 6> insideOf(Operation *anchor) {
  SmallVector<bool, 6> inside(shapeOf(anchor->getOperand(0)).size(), false);
  if (auto reduce = dyn_cast<ReduceOp>(anchor)) {
    for (int64_t axis : reduce.getAxes()) {
      inside[axis] = true;
    }
  } else if (auto softmax = dyn_cast<SoftmaxOp>(anchor)) {
    inside[softmax.getAxis()] = true;
  } else {
    auto norm = dyn_cast<LayerNormOp>(anchor);
    size_t first = norm ? norm.getAxis() : 1;
    std::fill(inside.begin() + first, inside.end(), true);
  }
  return inside;
}

/// How the anchor's result is seen in the space of its first operand.
static View resultView(Operation *anchor, ArrayRef<bool> inside) {
  auto reduce = dyn_cast<ReduceOp>(anchor);
  if (!reduce) {
    return identityView(inside.size());
  }
  View view;
  for (size_t d = 0; d < inside.size(); ++d) {
    if (!inside[d]) {
      view.push_back({0, static_cast<int>(d), 1});
    } else if (reduce.getKeepDims()) {
      view.push_back({});
    }
  }
  return view;
}

/// How an operand of the anchor is seen.
static View operandView(Operation *anchor, unsigned number) {
  ArrayRef<int64_t> shape = shapeOf(anchor->getOperand(number));
  size_t rank = shapeOf(anchor->getOperand(0)).size();
  View space = identityView(rank);
  if (isa<GroupNormOp>(anchor) && number > 0) {
    return {space[1]};
  }
  View view(ArrayRef<AxisView>(space).take_back(shape.size()));
  for (auto [axis, extent] : llvm::zip(view, shape)) {
    axis = extent == 1 ? AxisView() : axis;
  }
  return view;
}

/// Chooses the dimension along which vectors run.
static bool chooseLanes(RowPlan &plan, TargetAttr target) {
  int64_t most = target.getVectorBytes() / plan.tree.widestElement();
  bool isReduction = isa<ReduceOp>(plan.anchor);
  for (size_t dim = plan.extents.size(); dim-- > 0;) {
    bool isContiguous = false, jumps = false;
    for (const Node &node : plan.tree.nodes()) {
      if (node.kind == Node::Read) {
        isContiguous |= node.access.strides[dim] == 1;
        jumps |= node.access.strides[dim] > 1 || node.access.strides[dim] < 0;
      }
    }
    bool storesRow = plan.output.strides[dim] == 1 || (isReduction && plan.inside[dim]);
    if (!isContiguous || jumps || !storesRow || plan.extents[dim] < shortestRow) {
      continue;
    }
    int64_t extent = plan.extents[dim] / (static_cast<int>(dim) == plan.groupDim ? plan.groups : 1);
    plan.laneDim = dim;
    plan.lanes = std::min(most, static_cast<int64_t>(llvm::PowerOf2Ceil(extent)));
    return plan.lanes >= shortestRow || plan.lanes == most;
  }
  return false;
}

int64_t RowPlan::sliceCount() const {
  int64_t count = 1;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    count *= inside[dim] ? extents[dim] : 1;
  }
  return count / groups;
}

std::optional<RowPlan> RowPlan::of(KernelOp kernel, TargetAttr target) {
  auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
  Operation *anchor = anchorOf(kernel);
  if (!anchor || target.getVectorBytes() < 16 || yield.getValues().size() != 1 ||
      !inPlaceOperands(kernel).empty()) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = shapeOf(anchor->getOperand(0));
  Value result = yield.getValues().front();
  if (llvm::is_contained(shape, 0) || shapeOf(result) != shapeOf(anchor->getResult(0))) {
    return std::nullopt;
  }
  RowPlan plan{Extents(shape)};
  plan.anchor = anchor;
  plan.element = getElementTypeOrSelf(result.getType());
  SmallVector<bool, 6> inside = insideOf(anchor);
  View view = resultView(anchor, inside);
  plan.tree.give(anchor->getResult(0), view);
  for (unsigned i = 0; i < anchor->getNumOperands(); ++i) {
    std::optional<unsigned> node = plan.tree.add(anchor->getOperand(i), operandView(anchor, i));
    if (!node) {
      return std::nullopt;
    }
    plan.inputs.push_back(*node);
  }
  std::optional<unsigned> root = plan.tree.add(result, view);
  if (!root) {
    return std::nullopt;
  }
  plan.root = *root;
  plan.output = accessOf(shapeOf(result), view, shape.size());
  SmallVector<StridedAccess *> accesses{&plan.output};
  for (Node &node : plan.tree.nodes()) {
    if (node.kind == Node::Read) {
      accesses.push_back(&node.access);
    }
  }
  auto newDims =
      collapse(plan.extents, accesses, [&](size_t x, size_t y) { return inside[x] == inside[y]; });
  plan.inside.assign(plan.extents.size(), false);
  for (auto [isInside, dim] : llvm::zip(inside, newDims)) {
    if (dim >= 0) {
      plan.inside[dim] = isInside;
    }
  }
  if (auto norm = dyn_cast<GroupNormOp>(anchor); norm && norm.getGroups() > 1) {
    plan.groupDim = newDims[1];
    plan.groups = norm.getGroups();
  }
  if (!llvm::is_contained(plan.inside, true) || !chooseLanes(plan, target)) {
    return std::nullopt;
  }
  return plan;
}
