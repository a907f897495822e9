// ONNX operators that put windows or rows into a larger tensor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"
#include "frontend/onnx/ops/Window.h"

#include <numeric>

using namespace mlir;

namespace modelc {

static NamedAttribute scatterKind(NodeBinder &b, ScatterKind kind) {
  return b.named("kind", ScatterKindAttr::get(b.context(), kind));
}

/// Rows of a cache from a position per batch entry on.
static LogicalResult importTensorScatter(NodeBinder &b) {
  int64_t rank = b.rank(0);
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", -2), rank);
  FailureOr<unsigned> mode = b.choiceAttr("mode", {"linear", "circular"}, "linear");
  if (failed(axis) || failed(mode)) {
    return failure();
  }
  if (*axis == 0 || b.rank(1) != rank || b.shape(1)[*axis] > b.shape(0)[*axis]) {
    return b.error("the update does not fit the cache");
  }
  int64_t batch = b.shape(0)[0], length = b.shape(1)[*axis], room = b.shape(0)[*axis];
  llvm::SmallVector<int64_t> along(rank, 1), perBatch(rank, 1);
  along[*axis] = length;
  perBatch[0] = batch;
  Value place = positions(b, along, *axis);
  if (b.hasInput(2)) {
    Value start = b.reshape(b.cast(b.input(2), IntegerType::get(b.context(), 64)), perBatch);
    place = b.create<AddOp>({start, place});
  }
  if (*mode == 1) {
    place = b.create<ModOp>({place, intScalar(b, room)});
  }
  return b.setResult(0, b.create<ScatterElementsOp>(
                            {b.input(0), broadcast(b, place, b.shape(1)), b.input(1)},
                            {b.named("axis", *axis), scatterKind(b, ScatterKind::Replace)}));
}

/// The inverse of MaxPool: each element goes where its index says.
static LogicalResult importMaxUnpool(NodeBinder &b) {
  if (b.rank(0) < 3 || b.shape(0) != b.shape(1)) {
    return b.error("expected data and indices of the same shape, of rank 3 or more");
  }
  unsigned spatialRank = b.rank(0) - 2;
  FailureOr<Window> window = readWindow(b, spatialRank, {});
  if (failed(window)) {
    return failure();
  }
  llvm::SmallVector<int64_t> shape(b.shape(0));
  for (unsigned i = 0; i < spatialRank; ++i) {
    if (shape[i + 2] > INT32_MAX) {
      return b.error("an extent is too large");
    }
    shape[i + 2] = (shape[i + 2] - 1) * window->strides[i] + window->kernel[i] -
                   window->padsBegin[i] - window->padsEnd[i];
    if (shape[i + 2] < 0) {
      return b.error("the padding is larger than the result");
    }
  }
  auto elements = [&]() -> int64_t {
    int64_t product = 1;
    for (int64_t extent : shape) {
      if (llvm::MulOverflow(product, extent, product)) {
        return -1;
      }
    }
    return product;
  }();
  if (elements < 0) {
    return b.error("the result is too large");
  }
  int64_t count = b.type(0).getNumElements();
  Value zeros = b.splat(b.elementType(0), 0.0, {elements});
  Value flat = b.create<ScatterElementsOp>(
      {zeros, b.reshape(b.input(1), {count}), b.reshape(b.input(0), {count})},
      {b.named("axis", 0), scatterKind(b, ScatterKind::Replace)});
  Value result = b.reshape(flat, shape);
  if (b.hasInput(2)) {
    // A larger result has zeros behind.
    FailureOr<llvm::SmallVector<int64_t>> target = b.constantInts(2);
    if (failed(target)) {
      return failure();
    }
    llvm::SmallVector<int64_t> before(shape.size(), 0), after;
    if (target->size() != shape.size()) {
      return b.error("the shape of the result has the wrong rank");
    }
    for (auto [wanted, extent] : llvm::zip(*target, shape)) {
      if (wanted < extent || wanted > INT32_MAX) {
        return b.error("the result must not be smaller than the windows");
      }
      after.push_back(wanted - extent);
    }
    result = b.create<PadOp>({result, b.splat(b.elementType(0), 0.0)},
                             {b.named("before", before), b.named("after", after),
                              b.named("mode", PadModeAttr::get(b.context(), PadMode::Constant))});
  }
  return b.setResult(0, result);
}

/// Adds columns of overlapping windows up to an image.
static LogicalResult importCol2Im(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> image = b.constantInts(1), block = b.constantInts(2);
  if (failed(image) || failed(block)) {
    return failure();
  }
  unsigned rank = image->size();
  if (b.rank(0) != 3 || rank == 0 || block->size() != rank) {
    return b.error("expected columns [batch, channels * block, blocks]");
  }
  FailureOr<Window> window = readWindow(b, rank, *block);
  if (failed(window)) {
    return failure();
  }
  // Extents of the padded image and the number of blocks along each of them.
  llvm::SmallVector<int64_t> padded, blocks;
  int64_t blockSize = 1, blockCount = 1, imageSize = 1;
  for (unsigned i = 0; i < rank; ++i) {
    int64_t extent = (*image)[i];
    if (extent < 1 || extent > INT32_MAX) {
      return b.error("an extent of the image is " + llvm::Twine(extent));
    }
    padded.push_back(extent + window->padsBegin[i] + window->padsEnd[i]);
    int64_t room = padded[i] - window->dilatedKernel(i);
    if (room < 0) {
      return b.error("a block is larger than the image");
    }
    blocks.push_back(room / window->strides[i] + 1);
    if (llvm::MulOverflow(blockSize, (*block)[i], blockSize) ||
        llvm::MulOverflow(blockCount, blocks[i], blockCount) ||
        llvm::MulOverflow(imageSize, padded[i], imageSize)) {
      return b.error("the image is too large");
    }
  }
  int64_t batch = b.shape(0)[0], rows = b.shape(0)[1];
  if (rows % blockSize != 0 || b.shape(0)[2] != blockCount) {
    return b.error("expected " + llvm::Twine(blockCount) + " blocks of " + llvm::Twine(blockSize) +
                   " elements");
  }
  int64_t channels = rows / blockSize;
  // The place of every element of every block: a dimension per kernel and
  // block dimension.
  Value place = intScalar(b, 0);
  for (unsigned i = 0; i < rank; ++i) {
    llvm::SmallVector<int64_t> kernelShape(2 * rank, 1), blockShape(2 * rank, 1);
    kernelShape[i] = (*block)[i];
    blockShape[rank + i] = blocks[i];
    Value inside =
        b.create<MulOp>({positions(b, kernelShape, i), intScalar(b, window->dilations[i])});
    Value start =
        b.create<MulOp>({positions(b, blockShape, rank + i), intScalar(b, window->strides[i])});
    place = b.create<AddOp>(
        {b.create<MulOp>({place, intScalar(b, padded[i])}), b.create<AddOp>({inside, start})});
  }
  int64_t perChannel = blockSize * blockCount;
  llvm::SmallVector<int64_t> updates = {batch * channels, perChannel};
  Value zeros = b.splat(b.elementType(0), 0.0, {batch * channels, imageSize});
  Value sum =
      b.create<ScatterElementsOp>({zeros, broadcast(b, b.reshape(place, {1, perChannel}), updates),
                                   b.reshape(b.input(0), updates)},
                                  {b.named("axis", 1), scatterKind(b, ScatterKind::Add)});
  llvm::SmallVector<int64_t> shape = {batch, channels}, starts = {0, 0}, sizes = {batch, channels},
                             steps(rank + 2, 1);
  shape.append(padded);
  starts.append(window->padsBegin);
  sizes.append(*image);
  return b.setResult(0, b.create<SliceOp>(b.reshape(sum, shape),
                                          {b.named("starts", starts), b.named("sizes", sizes),
                                           b.named("steps", steps)}));
}

void registerScatterOps(OpRegistry &ops) {
  ops.add("Col2Im", 1, importCol2Im);
  ops.add("MaxUnpool", 1, importMaxUnpool);
  ops.add("TensorScatter", 1, importTensorScatter);
}

} // namespace modelc
