//===- ElementwiseGenerator.cpp - elementwise groups and moves in vectors -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ElementwiseGenerator.h"
#include "codegen/cpu/StridedTree.h"
#include "codegen/cpu/Transposition.h"
#include "ir/ConstantData.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace modelc;
using Node = StridedTree::Node;

/// Boxes that a result is cut into are code of their own.
static constexpr size_t maxBoxes = 32;
/// Rows of fewer elements than this leave vectors idle.
static constexpr int64_t shortestRow = 4;
/// Instructions of a tile.
static constexpr int64_t maxTileWeight = 256;

namespace {
/// A part of the result that one expression computes.
struct Box {
  Box(const Extents &low, const Extents &extents) : low(low), extents(extents), tree(extents) {}

  Extents low, extents;
  StridedTree tree;
  unsigned root = 0;
  StridedAccess output;
  bool isScalar = false;
  int tileDim = -1; ///< along which some operands are contiguous instead of the last one
  int64_t tile = 0; ///< rows and columns of a tile
};
} // namespace

static Value resultOf(KernelOp kernel) {
  auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
  return yield.getValues().size() == 1 ? yield.getValues().front() : Value();
}

static int64_t lanesOf(const Box &box, TargetAttr target) {
  return target.getVectorBytes() / box.tree.widestElement();
}

static int64_t countOf(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
}

/// Chooses how the box is computed in vectors; fails if they do not help.
static bool chooseVectors(Box &box, TargetAttr target) {
  size_t last = box.extents.size() - 1;
  int64_t lanes = lanesOf(box, target);
  if (lanes < 2 || box.output.strides[last] != 1 || box.extents[last] < shortestRow) {
    return false;
  }
  unsigned tileBytes = 0;
  for (const Node &node : box.tree.nodes()) {
    if (node.kind != Node::Read || node.access.strides[last] == 0 ||
        node.access.strides[last] == 1) {
      continue;
    }
    const auto *unit = llvm::find(node.access.strides, 1);
    int dim = static_cast<int>(unit - node.access.strides.begin());
    if (unit == node.access.strides.end() || (box.tileDim >= 0 && box.tileDim != dim)) {
      return false;
    }
    box.tileDim = dim;
    tileBytes = elementStorageBytes(getElementTypeOrSelf(node.tensor.getType()));
    if (tileBytes != box.tree.widestElement() || tileBytes < 4) {
      return false;
    }
  }
  if (box.tileDim < 0) {
    return true;
  }
  int64_t columns = box.extents[last], rows = box.extents[box.tileDim];
  box.tile = lanes;
  while (box.tile > 4 && (box.tile / 2 >= columns || box.tile / 2 >= rows ||
                          box.tile * box.tree.weight() > maxTileWeight)) {
    box.tile /= 2;
  }
  return box.tile >= 4 && rows >= shortestRow;
}

static void chooseShape(Box &box, TargetAttr target) {
  if (box.extents.empty() || !chooseVectors(box, target)) {
    box.isScalar = true;
    box.tileDim = -1;
  }
}

/// Cuts the result into boxes, each with one expression in its own space.
static std::optional<SmallVector<Box, 0>> planBoxes(KernelOp kernel, TargetAttr target) {
  Value result = resultOf(kernel);
  if (!result || target.getVectorBytes() < 16) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  if (llvm::is_contained(shape, 0)) {
    return std::nullopt;
  }
  SmallVector<Box, 0> done, work;
  work.emplace_back(Extents(shape.size(), 0), Extents(shape));
  while (!work.empty()) {
    Box box = work.pop_back_val();
    View view = identityView(shape.size());
    for (auto [axis, start] : llvm::zip(view, box.low)) {
      axis.offset = start;
    }
    std::optional<unsigned> root = box.tree.add(result, view);
    if (!root) {
      std::optional<StridedTree::Split> split = box.tree.split();
      if (!split || done.size() + work.size() + 2 > maxBoxes) {
        return std::nullopt;
      }
      Box below(box.low, box.extents), above(box.low, box.extents);
      below.extents[split->dim] = split->at;
      above.extents[split->dim] -= split->at;
      above.low[split->dim] += split->at;
      work.emplace_back(above.low, above.extents);
      work.emplace_back(below.low, below.extents);
      continue;
    }
    box.root = *root;
    box.output = accessOf(shape, view, shape.size());
    SmallVector<StridedAccess *> accesses{&box.output};
    for (Node &node : box.tree.nodes()) {
      if (node.kind == Node::Read) {
        accesses.push_back(&node.access);
      }
    }
    collapse(box.extents, accesses, [](size_t, size_t) { return true; });
    chooseShape(box, target);
    done.push_back(std::move(box));
  }
  // LLVM makes more of scalar loops, but a border does not decide.
  int64_t scalars = 0;
  for (const Box &box : done) {
    scalars += box.isScalar ? countOf(box.extents) : 0;
  }
  bool isWorth = scalars * 4 <= countOf(shape) || countOf(shape) == 1;
  return isWorth ? std::optional(std::move(done)) : std::nullopt;
}

bool ElementwiseGenerator::supports(KernelOp kernel, TargetAttr target) const {
  return planBoxes(kernel, target).has_value();
}

double ElementwiseGenerator::cost(KernelOp kernel, TargetAttr) const {
  return cast<RankedTensorType>(resultOf(kernel).getType()).getNumElements();
}

namespace {
class BoxEmitter {
public:
  BoxEmitter(KernelBuilder &k, const Box &box, Value result)
      : k(k), box(box), element(getElementTypeOrSelf(result.getType())),
        lanes(lanesOf(box, k.target())) {}

  void run();

private:
  /// Runs `body` at all positions of the dimensions other than those that vectors and tiles take.
  void forOuter(llvm::function_ref<void()> body);
  void emitRow();
  void emitVector(Value at, int64_t width, int64_t active);
  void emitTiles();
  void emitTile(Value row, Value column, int64_t rows, int64_t columns);
  void store(const LaneSpan &span, NodeValues &known);

  KernelBuilder &k;
  const Box &box;
  Type element;
  int64_t lanes;
  LaneSpan span;
};
} // namespace

void BoxEmitter::forOuter(llvm::function_ref<void()> body) {
  std::function<void(size_t)> nest = [&](size_t dim) {
    if (dim == box.extents.size() || (dim + 1 == box.extents.size() && !box.isScalar)) {
      body();
    } else if (static_cast<int>(dim) == box.tileDim) {
      nest(dim + 1);
    } else {
      k.loop(0, box.extents[dim], 1, [&](Value at) {
        span.position[dim] = at;
        nest(dim + 1);
      });
    }
  };
  nest(0);
}

void BoxEmitter::store(const LaneSpan &at, NodeValues &known) {
  Value value = evaluate(k, box.tree, box.root, at, known);
  k.write(element, value, k.result(0), addressOf(k, box.output, at), at.active);
}

void BoxEmitter::emitVector(Value at, int64_t width, int64_t active) {
  span.position.back() = at;
  span.lanes = width;
  span.active = active;
  NodeValues known;
  store(span, known);
}

void BoxEmitter::emitRow() {
  int64_t extent = box.extents.back();
  int64_t most = box.tree.weight() <= 4 ? 4 : k.target().getVectorRegisters() >= 32 ? 2 : 1;
  // Vectors of several registers: what their halves do is independent.
  int64_t done = 0;
  for (int64_t width = most * lanes; width >= lanes; width /= 2) {
    int64_t end = done + (extent - done) / width * width;
    k.loop(done, end, width, [&](Value at) { emitVector(at, width, -1); });
    done = end;
  }
  int64_t rest = extent - done;
  if (rest > 0) {
    auto width = static_cast<int64_t>(llvm::PowerOf2Ceil(rest));
    emitVector(k.index(done), rest == 1 ? 0 : width, rest == width ? -1 : rest);
  }
}

/// The columns of a tile of an operand that is contiguous along the rows' dimension: as many rows
/// as the tile has, each a vector along the columns.
static Values turned(KernelBuilder &k, const Node &node, const LaneSpan &corner, size_t tileDim,
                     int64_t tile, int64_t rows, int64_t columns) {
  Type type = getElementTypeOrSelf(node.tensor.getType());
  Value memory = k.memoryOf(node.tensor);
  LaneSpan at = corner;
  at.dim = tileDim;
  Values read;
  for (int64_t column = 0; column < tile; ++column) {
    at.position.back() = k.add(corner.position.back(), column);
    read.push_back(column < columns
                       ? k.read(type, memory, addressOf(k, node.access, at), tile, rows)
                       : k.constant(VectorType::get({tile}, computeType(type)), 0));
  }
  return transposeTile(k, read);
}

void BoxEmitter::emitTile(Value row, Value column, int64_t rows, int64_t columns) {
  span.position[box.tileDim] = row;
  span.position.back() = column;
  span.lanes = box.tile;
  span.active = columns == box.tile ? -1 : columns;
  SmallVector<std::pair<unsigned, Values>, 2> tiles;
  for (auto [number, node] : llvm::enumerate(box.tree.nodes())) {
    if (node.kind == Node::Read && node.access.strides.back() != 0 &&
        node.access.strides.back() != 1) {
      tiles.push_back({static_cast<unsigned>(number),
                       turned(k, node, span, box.tileDim, box.tile, rows, columns)});
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    LaneSpan at = span;
    at.position[box.tileDim] = k.add(row, r);
    NodeValues known;
    for (auto &[number, values] : tiles) {
      known[number] = values[r];
    }
    store(at, known);
  }
}

void BoxEmitter::emitTiles() {
  int64_t tile = box.tile;
  auto along = [&](int64_t extent, llvm::function_ref<void(Value, int64_t)> body) {
    int64_t whole = extent / tile * tile;
    k.loop(0, whole, tile, [&](Value at) { body(at, tile); });
    if (whole < extent) {
      body(k.index(whole), extent - whole);
    }
  };
  along(box.extents[box.tileDim], [&](Value row, int64_t rows) {
    along(box.extents.back(),
          [&](Value column, int64_t columns) { emitTile(row, column, rows, columns); });
  });
}

void BoxEmitter::run() {
  span.position.assign(box.extents.size(), Value());
  if (box.isScalar) {
    forOuter([&] {
      NodeValues known;
      store(span, known);
    });
    return;
  }
  span.dim = box.extents.size() - 1;
  forOuter([&] { box.tileDim < 0 ? emitRow() : emitTiles(); });
}

FailureOr<KernelCode> ElementwiseGenerator::emit(KernelOp kernel, StringRef symbol,
                                                 TargetAttr target) const {
  KernelBuilder k(kernel, symbol, target);
  std::optional<SmallVector<Box, 0>> boxes = planBoxes(kernel, target);
  for (const Box &box : *boxes) {
    BoxEmitter(k, box, resultOf(kernel)).run();
  }
  return k.finish();
}
