//===- StridedTree.cpp - elementwise computations over strided memory -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/StridedTree.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;
using Node = StridedTree::Node;

/// A tree of more nodes than this is left to the loops.
static constexpr size_t maxNodes = 64;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return typeOf(tensor).getShape();
}

bool AxisView::operator==(const AxisView &other) const {
  return offset == other.offset && dim == other.dim && (dim < 0 || step == other.step);
}

View modelc::identityView(size_t rank) {
  View view;
  for (size_t d = 0; d < rank; ++d) {
    view.push_back({0, static_cast<int>(d), 1});
  }
  return view;
}

StridedAccess modelc::accessOf(ArrayRef<int64_t> shape, const View &view, size_t spaceRank) {
  StridedAccess access;
  access.strides.assign(spaceRank, 0);
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    access.offset += view[d].offset * stride;
    if (view[d].dim >= 0) {
      access.strides[view[d].dim] += view[d].step * stride;
    }
    stride *= shape[d];
  }
  return access;
}

/// A dimension of one position is no dimension.
View StridedTree::normalized(View view) const {
  for (AxisView &axis : view) {
    if (axis.dim >= 0 && extents[axis.dim] == 1) {
      axis.dim = -1;
    }
  }
  return view;
}

unsigned StridedTree::addNode(Node node) {
  all.push_back(std::move(node));
  return all.size() - 1;
}

void StridedTree::give(Value tensor, View view) {
  addNode({Node::Given, tensor, normalized(std::move(view)), {}, {}});
}

/// Through which view the operand of an op that moves elements is seen.
std::optional<View> StridedTree::sourceView(Operation *op, const View &view) const {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    View source(view.size());
    for (auto [axis, dim] : llvm::zip(view, transpose.getPermutation())) {
      source[dim] = axis;
    }
    return source;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    View source = view;
    for (auto [axis, start, step] : llvm::zip(source, slice.getStarts(), slice.getSteps())) {
      axis.offset = start + axis.offset * step;
      axis.step *= step;
    }
    return source;
  }
  if (isa<BroadcastOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
    View source(ArrayRef<AxisView>(view).take_back(shape.size()));
    for (auto [axis, extent] : llvm::zip(source, shape)) {
      axis = extent == 1 ? AxisView() : axis;
    }
    return source;
  }
  return std::nullopt;
}

/// The first position of the space from which on `axis` is at `bound` or above,
/// for steps upwards.
static int64_t firstAtOrAbove(const AxisView &axis, int64_t bound) {
  return llvm::divideCeil(bound - axis.offset, axis.step);
}

std::optional<unsigned> StridedTree::addPart(Operation *op, const View &view) {
  auto concat = cast<ConcatOp>(op);
  const AxisView &axis = view[concat.getAxis()];
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    int64_t end = start + shapeOf(input)[concat.getAxis()];
    if (axis.offset < end) {
      if (axis.dim >= 0 && axis.step <= 0) {
        return std::nullopt;
      }
      if (axis.dim >= 0 && axis.offset + axis.step * (extents[axis.dim] - 1) >= end) {
        wanted = {axis.dim, firstAtOrAbove(axis, end)};
        return std::nullopt;
      }
      View source = view;
      source[concat.getAxis()].offset -= start;
      return add(input, source);
    }
    start = end;
  }
  return std::nullopt;
}

std::optional<unsigned> StridedTree::addPadded(Operation *op, const View &view) {
  auto pad = cast<PadOp>(op);
  if (pad.getMode() != PadMode::Constant) {
    return std::nullopt;
  }
  View source = view;
  bool inside = true;
  for (size_t d = 0; d < view.size(); ++d) {
    const AxisView &axis = view[d];
    int64_t low = pad.getBefore()[d], high = low + shapeOf(pad.getX())[d];
    int64_t last = axis.offset + (axis.dim < 0 ? 0 : axis.step * (extents[axis.dim] - 1));
    if (axis.dim >= 0 && axis.step <= 0) {
      return std::nullopt;
    }
    for (int64_t bound : {low, high}) {
      if (axis.offset < bound && last >= bound) {
        wanted = {axis.dim, firstAtOrAbove(axis, bound)};
        return std::nullopt;
      }
    }
    inside &= axis.offset >= low && axis.offset < high;
    source[d].offset -= low;
  }
  return inside ? add(pad.getX(), source)
                : add(pad.getValue(), View(shapeOf(pad.getValue()).size()));
}

std::optional<unsigned> StridedTree::add(Value tensor, const View &seen) {
  View view = normalized(seen);
  for (auto [number, node] : llvm::enumerate(all)) {
    if (node.tensor == tensor && llvm::equal(node.view, view)) {
      return number;
    }
  }
  Operation *op = tensor.getDefiningOp();
  if (all.size() >= maxNodes) {
    return std::nullopt;
  }
  if (!op) {
    return addNode({Node::Read, tensor, view, accessOf(shapeOf(tensor), view, extents.size()), {}});
  }
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    return isa<SplatElementsAttr>(constant.getValue())
               ? std::optional<unsigned>(addNode({Node::Constant, tensor, view, {}, {}}))
               : std::nullopt;
  }
  if (isa<ConcatOp>(op)) {
    return addPart(op, view);
  }
  if (isa<PadOp>(op)) {
    return addPadded(op, view);
  }
  if (std::optional<View> source = sourceView(op, view)) {
    return add(op->getOperand(0), *source);
  }
  if (!isa<ElementwiseOpInterface>(op)) {
    return std::nullopt;
  }
  Node node{Node::Compute, tensor, view, {}, {}};
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    View source(ArrayRef<AxisView>(view).take_back(shape.size()));
    for (auto [axis, extent] : llvm::zip(source, shape)) {
      axis = extent == 1 ? AxisView() : axis;
    }
    std::optional<unsigned> number = add(operand, source);
    if (!number) {
      return std::nullopt;
    }
    node.operands.push_back(*number);
  }
  return addNode(std::move(node));
}

unsigned StridedTree::widestElement() const {
  unsigned widest = 1;
  for (const Node &node : all) {
    widest =
        std::max(widest, elementStorageBytes(computeType(typeOf(node.tensor).getElementType())));
  }
  return widest;
}

int64_t StridedTree::weight() const {
  int64_t total = 0;
  for (const Node &node : all) {
    if (node.kind == Node::Compute) {
      bool isShort = isa<AddOp, SubOp, MulOp, MaxOp, MinOp, AbsOp, NegOp, ReluOp, ClipOp, PreluOp,
                         LeakyReluOp, SelectOp, AndOp, OrOp, XorOp, NotOp, EqualOp, LessOp,
                         LessEqualOp, GreaterOp, GreaterEqualOp>(node.tensor.getDefiningOp());
      total += isShort ? 1 : 8;
    }
  }
  return total;
}

SmallVector<int, 6> modelc::collapse(Extents &extents, ArrayRef<StridedAccess *> accesses,
                                     llvm::function_ref<bool(size_t, size_t)> mayJoin) {
  SmallVector<int, 6> newDims(extents.size(), -1);
  Extents kept;
  SmallVector<SmallVector<int64_t, 6>> strides(accesses.size());
  int previous = -1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1) {
      continue;
    }
    bool joins = previous >= 0 && mayJoin(previous, d) && llvm::all_of(accesses, [&](auto *access) {
                   return access->strides[previous] == access->strides[d] * extents[d];
                 });
    if (joins) {
      kept.back() *= extents[d];
    } else {
      kept.push_back(extents[d]);
    }
    for (auto [own, access] : llvm::zip(strides, accesses)) {
      if (joins) {
        own.back() = access->strides[d];
      } else {
        own.push_back(access->strides[d]);
      }
    }
    newDims[d] = static_cast<int>(kept.size()) - 1;
    previous = static_cast<int>(d);
  }
  extents = kept;
  for (auto [own, access] : llvm::zip(strides, accesses)) {
    access->strides = own;
  }
  return newDims;
}

Value modelc::addressOf(KernelBuilder &k, const StridedAccess &access, const LaneSpan &span) {
  Value at;
  for (auto [position, stride] : llvm::zip(span.position, access.strides)) {
    if (stride != 0) {
      Value term = k.mul(position, stride);
      at = at ? k.add(at, term) : term;
    }
  }
  return at ? k.add(at, access.offset) : k.index(access.offset);
}

static Value readNode(KernelBuilder &k, const Node &node, const LaneSpan &span) {
  Type element = typeOf(node.tensor).getElementType();
  Value memory = k.memoryOf(node.tensor), at = addressOf(k, node.access, span);
  if (span.lanes == 0 || node.access.strides[span.dim] == 0) {
    return k.broadcast(k.read(element, memory, at, 0), span.lanes);
  }
  return k.read(element, memory, at, span.lanes, span.active);
}

Value modelc::evaluate(KernelBuilder &k, const StridedTree &tree, unsigned root,
                       const LaneSpan &span, NodeValues &known) {
  if (Value value = known.lookup(root)) {
    return value;
  }
  const Node &node = tree.nodes()[root];
  Value value;
  switch (node.kind) {
  case Node::Read:
    value = readNode(k, node, span);
    break;
  case Node::Constant:
    value = k.splat(node.tensor, span.lanes);
    break;
  case Node::Given:
    llvm_unreachable("a value that the caller has to give");
  case Node::Compute: {
    SmallVector<Value> operands;
    for (unsigned operand : node.operands) {
      operands.push_back(evaluate(k, tree, operand, span, known));
    }
    value = cast<ElementwiseOpInterface>(node.tensor.getDefiningOp())
                .buildScalar(k.builder(), operands);
  }
  }
  known[root] = value;
  return value;
}
