// ONNX operators that cut tensors: Slice, Split.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace mlir;

namespace modelc {

static Value slice(NodeBinder &b, Value value, llvm::ArrayRef<int64_t> starts,
                   llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> steps) {
  return b.create<SliceOp>(
      value, {b.named("starts", starts), b.named("sizes", sizes), b.named("steps", steps)});
}

static LogicalResult importSlice(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> starts = b.intsFrom("starts", 1, 10);
  FailureOr<llvm::SmallVector<int64_t>> ends = b.intsFrom("ends", 2, 10);
  if (failed(starts) || failed(ends)) {
    return failure();
  }
  llvm::SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  llvm::SmallVector<int64_t> steps(starts->size(), 1);
  if (b.version() < 10 ? b.hasAttr("axes") : b.hasInput(3)) {
    FailureOr<llvm::SmallVector<int64_t>> given = b.intsFrom("axes", 3, 10);
    if (failed(given)) {
      return failure();
    }
    axes = *given;
  }
  if (b.version() >= 10 && b.hasInput(4)) {
    FailureOr<llvm::SmallVector<int64_t>> given = b.constantInts(4);
    if (failed(given)) {
      return failure();
    }
    steps = *given;
  }
  if (ends->size() != starts->size() || axes.size() != starts->size() ||
      steps.size() != starts->size()) {
    return b.error("starts, ends, axes and steps differ in length");
  }
  llvm::SmallVector<int64_t> begin(b.rank(0), 0), sizes(b.shape(0)), step(b.rank(0), 1);
  llvm::SmallVector<bool> isSet(b.rank(0), false);
  for (size_t i = 0; i < axes.size(); ++i) {
    FailureOr<int64_t> axis = b.normalizeAxis(axes[i], b.rank(0));
    if (failed(axis)) {
      return failure();
    }
    if (isSet[*axis]) {
      return b.error("an axis is sliced twice");
    }
    isSet[*axis] = true;
    int64_t extent = b.shape(0)[*axis];
    if (steps[i] == 0) {
      return b.error("a step is 0");
    }
    // As in NumPy: negative positions count from the end, all are clamped.
    // Extents are below 2^41, so clamped steps keep their meaning.
    int64_t limit = int64_t(1) << 41;
    int64_t stride = std::clamp(steps[i], -limit, limit);
    auto position = [&](int64_t index, int64_t least) {
      index = std::clamp(index, -limit, limit);
      index += index < 0 ? extent : 0;
      int64_t most = stride > 0 ? extent : extent - 1;
      return std::max(std::min(index, most), least);
    };
    int64_t first = position((*starts)[i], 0);
    int64_t last = position((*ends)[i], stride > 0 ? 0 : -1);
    int64_t distance = stride > 0 ? last - first : first - last;
    int64_t pace = std::abs(stride);
    begin[*axis] = first;
    sizes[*axis] = distance <= 0 ? 0 : (distance + pace - 1) / pace;
    step[*axis] = stride;
    if (extent == 0 || sizes[*axis] == 0) {
      sizes[*axis] = 0;
      begin[*axis] = 0;
      step[*axis] = 1;
    }
  }
  return b.setResult(0, slice(b, b.input(0), begin, sizes, step));
}

static LogicalResult importSplit(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  int64_t extent = b.shape(0)[*axis];
  int64_t parts = b.numOutputs();
  llvm::SmallVector<int64_t> lengths;
  bool fromInput = b.version() >= 13 || b.version() == 1;
  if (fromInput && b.hasInput(1)) {
    FailureOr<llvm::SmallVector<int64_t>> given = b.constantInts(1);
    if (failed(given)) {
      return failure();
    }
    lengths = *given;
  } else if (b.hasAttr("split")) {
    lengths = b.intsAttr("split");
  } else {
    if (b.hasAttr("num_outputs") && b.intAttr("num_outputs") != parts) {
      return b.attrError("num_outputs", llvm::Twine(parts), llvm::Twine(b.intAttr("num_outputs")));
    }
    // Equal parts; what is missing to that is missing in the last one.
    int64_t length = (extent + parts - 1) / parts;
    for (int64_t i = 0; i < parts; ++i) {
      lengths.push_back(std::clamp<int64_t>(extent - i * length, 0, length));
    }
  }
  int64_t sum = 0;
  for (int64_t length : lengths) {
    if (length < 0 || length > extent) {
      return b.error("a part has the length " + llvm::Twine(length));
    }
    sum += length;
  }
  if (static_cast<int64_t>(lengths.size()) != parts || sum != extent) {
    return b.error("expected " + llvm::Twine(parts) + " parts of together " + llvm::Twine(extent) +
                   ", got " + llvm::Twine(lengths.size()) + " of together " + llvm::Twine(sum));
  }
  llvm::SmallVector<int64_t> starts(b.rank(0), 0), sizes(b.shape(0)), steps(b.rank(0), 1);
  for (int64_t i = 0; i < parts; ++i) {
    sizes[*axis] = lengths[i];
    if (b.hasOutput(i) && failed(b.setResult(i, slice(b, b.input(0), starts, sizes, steps)))) {
      return failure();
    }
    starts[*axis] += lengths[i];
  }
  return success();
}

void registerSliceOps(OpRegistry &ops) {
  ops.add("Slice", 1, importSlice);
  ops.add("Split", 1, importSplit);
}

} // namespace modelc
