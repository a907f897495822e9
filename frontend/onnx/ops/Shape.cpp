// ONNX operators that rearrange elements: shapes, axes, slices, padding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace modelc {

/// Product of extents; the shape belongs to a tensor that exists.
static int64_t count(llvm::ArrayRef<int64_t> shape) {
  return ShapedType::getNumElements(shape);
}

static LogicalResult importReshape(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> shape = b.intsFrom("shape", 1, 5);
  if (failed(shape)) {
    return failure();
  }
  llvm::ArrayRef<int64_t> from = b.shape(0);
  bool keepsZero = b.flagAttr("allowzero");
  int64_t known = 1;
  int64_t *open = nullptr;
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    if (extent == 0 && !keepsZero) {
      if (i >= from.size()) {
        return b.error("the new shape copies dimension " + llvm::Twine(i) +
                       ", but the input has rank " + llvm::Twine(from.size()));
      }
      extent = from[i];
    }
    if (extent == -1 && !open) {
      open = &extent;
    } else if (extent < 0 || llvm::MulOverflow(known, extent, known)) {
      return b.error("the new shape has the extent " + llvm::Twine(extent));
    }
  }
  if (open) {
    if (known == 0 || count(from) % known != 0) {
      return b.error("no extent in place of -1 gives " + llvm::Twine(count(from)) + " elements");
    }
    *open = count(from) / known;
  }
  return b.setResult(0, b.reshape(b.input(0), *shape));
}

static LogicalResult importFlatten(NodeBinder &b) {
  int64_t axis = b.intAttr("axis", 1), rank = b.rank(0);
  if (axis < -rank || axis > rank) {
    return b.attrError("axis", "a number from -rank to rank", llvm::Twine(axis));
  }
  axis += axis < 0 ? rank : 0;
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  return b.setResult(
      0, b.reshape(b.input(0), {count(shape.take_front(axis)), count(shape.drop_front(axis))}));
}

static LogicalResult importSqueeze(NodeBinder &b) {
  llvm::ArrayRef<int64_t> from = b.shape(0);
  FailureOr<llvm::SmallVector<int64_t>> axes = llvm::SmallVector<int64_t>();
  bool isGiven = b.version() < 13 ? b.hasAttr("axes") : b.hasInput(1);
  if (isGiven) {
    axes = b.axesFrom(1, 13);
    if (succeeded(axes)) {
      axes = b.normalizeAxes(*axes, b.rank(0));
    }
    if (failed(axes)) {
      return failure();
    }
  }
  llvm::SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(from)) {
    bool drops = isGiven ? llvm::is_contained(*axes, static_cast<int64_t>(i)) : extent == 1;
    if (drops && extent != 1) {
      return b.error("cannot squeeze dimension " + llvm::Twine(i) + " of extent " +
                     llvm::Twine(extent));
    }
    if (!drops) {
      shape.push_back(extent);
    }
  }
  return b.setResult(0, b.reshape(b.input(0), shape));
}

static LogicalResult importUnsqueeze(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> axes = b.axesFrom(1, 13);
  if (failed(axes)) {
    return failure();
  }
  int64_t rank = b.rank(0) + axes->size();
  axes = b.normalizeAxes(*axes, rank);
  if (failed(axes)) {
    return failure();
  }
  llvm::SmallVector<int64_t> shape(b.shape(0));
  for (int64_t axis : *axes) {
    shape.insert(shape.begin() + axis, 1);
  }
  return b.setResult(0, b.reshape(b.input(0), shape));
}

static LogicalResult importTranspose(NodeBinder &b) {
  llvm::SmallVector<int64_t> permutation = b.intsAttr("perm");
  if (!b.hasAttr("perm")) {
    permutation = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, b.rank(0))));
  }
  for (int64_t &axis : permutation) {
    FailureOr<int64_t> normal = b.normalizeAxis(axis, b.rank(0), "perm");
    if (failed(normal)) {
      return failure();
    }
    axis = *normal;
  }
  return b.setResult(0, b.transpose(b.input(0), permutation));
}

static LogicalResult importExpand(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> target = b.constantInts(1);
  if (failed(target)) {
    return failure();
  }
  if (llvm::any_of(*target, [](int64_t extent) { return extent < 0; })) {
    return b.error("the new shape has a negative extent");
  }
  // Where the new shape has a 1, the extent of the input stays.
  FailureOr<llvm::SmallVector<int64_t>> shape = broadcastShapes(b.shape(0), *target);
  if (failed(shape)) {
    return b.error("the shape of the input does not broadcast to the new one");
  }
  return b.setResult(0, b.create<BroadcastOp>(b.input(0), b.named("shape", *shape)));
}

static LogicalResult importConcat(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", 1), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  return b.setResult(0, b.create<ConcatOp>(b.allInputs(), b.named("axis", *axis)));
}

//===----------------------------------------------------------------------===//
// Padding and repetition
//===----------------------------------------------------------------------===//

static LogicalResult importPad(NodeBinder &b) {
  int64_t rank = b.rank(0);
  FailureOr<llvm::SmallVector<int64_t>> pads =
      b.intsFrom(b.version() == 1 ? "paddings" : "pads", 1, 11);
  FailureOr<unsigned> mode =
      b.choiceAttr("mode", {"constant", "reflect", "edge", "wrap"}, "constant");
  if (failed(pads) || failed(mode)) {
    return failure();
  }
  llvm::SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (b.version() >= 18 && b.hasInput(3)) {
    FailureOr<llvm::SmallVector<int64_t>> given = b.constantInts(3);
    if (failed(given)) {
      return failure();
    }
    axes = *given;
  }
  if (pads->size() != 2 * axes.size()) {
    return b.error("expected " + llvm::Twine(2 * axes.size()) + " paddings, got " +
                   llvm::Twine(pads->size()));
  }
  llvm::SmallVector<int64_t> before(rank, 0), after(rank, 0);
  for (auto [i, given] : llvm::enumerate(axes)) {
    FailureOr<int64_t> axis = b.normalizeAxis(given, rank);
    if (failed(axis)) {
      return failure();
    }
    before[*axis] = (*pads)[i];
    after[*axis] = (*pads)[i + axes.size()];
    for (int64_t pad : {before[*axis], after[*axis]}) {
      if (pad < -INT32_MAX || pad > INT32_MAX) {
        return b.error("a padding of " + llvm::Twine(pad) + " is too large");
      }
    }
  }
  Value value;
  if (b.version() >= 11 && b.hasInput(2)) {
    value = b.reshape(b.input(2), {});
  } else {
    value = b.splat(b.elementType(0), b.version() < 11 ? b.floatAttr("value") : 0.0);
  }
  return b.setResult(
      0, b.create<PadOp>(
             {b.input(0), value},
             {b.named("before", before), b.named("after", after),
              b.named("mode", PadModeAttr::get(b.context(), static_cast<PadMode>(*mode)))}));
}

static LogicalResult importTile(NodeBinder &b) {
  llvm::SmallVector<int64_t> repeats(b.rank(0), 1);
  if (b.version() < 6) {
    FailureOr<int64_t> tiles = b.constantInt(1), axis = b.constantInt(2);
    if (succeeded(axis)) {
      axis = b.normalizeAxis(*axis, b.rank(0));
    }
    if (failed(tiles) || failed(axis)) {
      return failure();
    }
    repeats[*axis] = *tiles;
  } else {
    FailureOr<llvm::SmallVector<int64_t>> given = b.constantInts(1);
    if (failed(given)) {
      return failure();
    }
    if (given->size() != repeats.size()) {
      return b.error("expected " + llvm::Twine(repeats.size()) + " repeats, got " +
                     llvm::Twine(given->size()));
    }
    repeats = *given;
  }
  // A repeated dimension gets one in front, which is broadcast.
  llvm::SmallVector<int64_t> split, repeated, joined;
  for (auto [extent, times] : llvm::zip(b.shape(0), repeats)) {
    int64_t product;
    if (times < 0 || llvm::MulOverflow(extent, times, product)) {
      return b.error("a dimension is repeated " + llvm::Twine(times) + " times");
    }
    if (times != 1) {
      split.push_back(1);
      repeated.push_back(times);
    }
    split.push_back(extent);
    repeated.push_back(extent);
    joined.push_back(product);
  }
  if (joined == b.shape(0)) {
    return b.setResult(0, b.input(0));
  }
  Value wide = b.create<BroadcastOp>(b.reshape(b.input(0), split), b.named("shape", repeated));
  return b.setResult(0, b.reshape(wide, joined));
}

static LogicalResult importDepthToSpace(NodeBinder &b) {
  int64_t size = b.intAttr("blocksize");
  FailureOr<unsigned> mode = b.choiceAttr("mode", {"DCR", "CRD"}, "DCR");
  if (failed(mode)) {
    return failure();
  }
  llvm::ArrayRef<int64_t> s = b.shape(0);
  if (s.size() != 4 || size < 1 || size > (1 << 20) || s[1] % (size * size) != 0) {
    return b.error("expected rank 4 and channels that the square of the block "
                   "size divides");
  }
  int64_t channels = s[1] / (size * size);
  bool isDcr = *mode == 0;
  llvm::SmallVector<int64_t> split =
      isDcr ? llvm::SmallVector<int64_t>{s[0], size, size, channels, s[2], s[3]}
            : llvm::SmallVector<int64_t>{s[0], channels, size, size, s[2], s[3]};
  llvm::SmallVector<int64_t> order = isDcr ? llvm::SmallVector<int64_t>{0, 3, 4, 1, 5, 2}
                                           : llvm::SmallVector<int64_t>{0, 1, 4, 2, 5, 3};
  Value moved = b.transpose(b.reshape(b.input(0), split), order);
  return b.setResult(0, b.reshape(moved, {s[0], channels, s[2] * size, s[3] * size}));
}

static LogicalResult importSpaceToDepth(NodeBinder &b) {
  int64_t size = b.intAttr("blocksize");
  llvm::ArrayRef<int64_t> s = b.shape(0);
  if (s.size() != 4 || size < 1 || s[2] % size != 0 || s[3] % size != 0) {
    return b.error("expected rank 4 and extents that the block size divides");
  }
  int64_t channels;
  if (llvm::MulOverflow(size, size, channels) || llvm::MulOverflow(s[1], channels, channels)) {
    return b.error("a block size of " + llvm::Twine(size) + " gives too many channels");
  }
  int64_t height = s[2] / size, width = s[3] / size;
  Value split = b.reshape(b.input(0), {s[0], s[1], height, size, width, size});
  Value moved = b.transpose(split, {0, 3, 5, 1, 2, 4});
  return b.setResult(0, b.reshape(moved, {s[0], channels, height, width}));
}

void registerShapeOps(OpRegistry &ops) {
  ops.add("Concat", 1, importConcat);
  ops.add("DepthToSpace", 1, importDepthToSpace);
  ops.add("Expand", 1, importExpand);
  ops.add("Flatten", 1, importFlatten);
  ops.add("Pad", 1, importPad);
  ops.add("Reshape", 1, importReshape);
  ops.add("SpaceToDepth", 1, importSpaceToDepth);
  ops.add("Squeeze", 1, importSqueeze);
  ops.add("Tile", 1, importTile);
  ops.add("Transpose", 1, importTranspose);
  ops.add("Unsqueeze", 1, importUnsqueeze);
}

} // namespace modelc
