// ONNX operators on sequences and optional values, which exist during the
// import only: their lengths are known, so they end as plain values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"

using namespace mlir;

namespace modelc {

/// Longer sequences are refused: each element is a value of its own.
static constexpr int64_t maxLength = 1 << 16;

/// The elements of operand `i`.
static FailureOr<llvm::SmallVector<Value>> elements(NodeBinder &b, unsigned i) {
  Value value = b.input(i);
  auto sequence = value ? value.getDefiningOp<UnrealizedConversionCastOp>() : nullptr;
  if (!sequence) {
    return b.error(b.describeInput(i) + " must be a sequence");
  }
  return llvm::to_vector(sequence.getInputs());
}

/// A value that stands for a sequence of `elements`.
static Value makeSequence(NodeBinder &b, llvm::ArrayRef<Value> elements) {
  OpBuilder &builder = b.getImporter().getBuilder();
  auto type = TupleType::get(b.context(), ValueRange(elements).getTypes());
  return builder.create<UnrealizedConversionCastOp>(b.loc(), type, elements).getResult(0);
}

/// An operand that must be a tensor.
static LogicalResult requireTensor(NodeBinder &b, unsigned i) {
  if (!b.hasInput(i) || !isa<RankedTensorType>(b.input(i).getType())) {
    return b.error(b.describeInput(i) + " must be a tensor");
  }
  return success();
}

/// A position in a sequence of `length`, from operand `i`; the end if it is
/// left out.
static FailureOr<int64_t> position(NodeBinder &b, unsigned i, int64_t length, int64_t otherwise) {
  if (!b.hasInput(i)) {
    return otherwise;
  }
  if (failed(requireTensor(b, i))) {
    return failure();
  }
  FailureOr<int64_t> given = b.constantInt(i);
  if (failed(given)) {
    return failure();
  }
  return b.normalizeAxis(*given, length, "position");
}

static LogicalResult importSequenceConstruct(NodeBinder &b) {
  for (unsigned i = 0; i < b.numInputs(); ++i) {
    if (failed(requireTensor(b, i))) {
      return failure();
    }
  }
  return b.setResult(0, makeSequence(b, b.allInputs()));
}

static LogicalResult importSequenceEmpty(NodeBinder &b) {
  return b.setResult(0, makeSequence(b, {}));
}

static LogicalResult importSequenceAt(NodeBinder &b) {
  auto values = elements(b, 0);
  if (failed(values)) {
    return failure();
  }
  FailureOr<int64_t> at = position(b, 1, values->size(), 0);
  return failed(at) ? failure() : b.setResult(0, (*values)[*at]);
}

static LogicalResult importSequenceInsert(NodeBinder &b) {
  auto values = elements(b, 0);
  if (failed(values) || failed(requireTensor(b, 1))) {
    return failure();
  }
  int64_t length = values->size();
  // One past the end is a place for a new element.
  FailureOr<int64_t> at = length;
  if (b.hasInput(2)) {
    if (failed(requireTensor(b, 2))) {
      return failure();
    }
    at = b.constantInt(2);
    if (succeeded(at) && *at != length) {
      at = b.normalizeAxis(*at, length, "position");
    }
  }
  if (failed(at)) {
    return failure();
  }
  if (length >= maxLength) {
    return b.error("unsupported length of a sequence");
  }
  values->insert(values->begin() + *at, b.input(1));
  return b.setResult(0, makeSequence(b, *values));
}

static LogicalResult importSequenceErase(NodeBinder &b) {
  auto values = elements(b, 0);
  if (failed(values)) {
    return failure();
  }
  if (values->empty()) {
    return b.error("the sequence is empty");
  }
  FailureOr<int64_t> at = position(b, 1, values->size(), values->size() - 1);
  if (failed(at)) {
    return failure();
  }
  values->erase(values->begin() + *at);
  return b.setResult(0, makeSequence(b, *values));
}

static LogicalResult importSequenceLength(NodeBinder &b) {
  auto values = elements(b, 0);
  return failed(values) ? failure() : b.setResult(0, intScalar(b, values->size()));
}

static LogicalResult importSplitToSequence(NodeBinder &b) {
  if (failed(requireTensor(b, 0))) {
    return failure();
  }
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  int64_t extent = b.shape(0)[*axis];
  llvm::SmallVector<int64_t> lengths;
  bool drops = false;
  if (!b.hasInput(1)) {
    drops = !b.flagAttr("keepdims", true);
    lengths.assign(std::min(extent, maxLength + 1), 1);
  } else {
    if (failed(requireTensor(b, 1))) {
      return failure();
    }
    bool isChunk = b.rank(1) == 0;
    FailureOr<llvm::SmallVector<int64_t>> given = isChunk ? b.constantAxes(1) : b.constantInts(1);
    if (failed(given)) {
      return failure();
    }
    lengths = *given;
    if (isChunk) {
      // Equal chunks; the last one may be smaller.
      int64_t chunk = lengths.front();
      if (chunk < 1) {
        return b.error("a chunk has the length " + llvm::Twine(chunk));
      }
      lengths.clear();
      for (int64_t start = 0; start < extent && int64_t(lengths.size()) <= maxLength;
           start += chunk) {
        lengths.push_back(std::min(chunk, extent - start));
      }
    }
  }
  if (static_cast<int64_t>(lengths.size()) > maxLength) {
    return b.error("unsupported length of a sequence");
  }
  llvm::SmallVector<Value> parts;
  int64_t start = 0;
  for (int64_t length : lengths) {
    if (length < 0 || length > extent - start) {
      return b.error("the parts do not add up to " + llvm::Twine(extent));
    }
    Value part = sliceAxis(b, b.input(0), *axis, start, length);
    if (part && drops) {
      llvm::SmallVector<int64_t> shape(b.shapeOf(part));
      shape.erase(shape.begin() + *axis);
      part = b.reshape(part, shape);
    }
    if (!part) {
      return failure();
    }
    parts.push_back(part);
    start += length;
  }
  if (start != extent) {
    return b.error("the parts do not add up to " + llvm::Twine(extent));
  }
  return b.setResult(0, makeSequence(b, parts));
}

static LogicalResult importConcatFromSequence(NodeBinder &b) {
  auto values = elements(b, 0);
  if (failed(values)) {
    return failure();
  }
  if (values->empty()) {
    return b.error("the sequence is empty");
  }
  bool isNew = b.flagAttr("new_axis");
  int64_t rank = b.typeOf(values->front()).getRank() + (isNew ? 1 : 0);
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), rank);
  if (failed(axis)) {
    return failure();
  }
  if (isNew) {
    for (Value &value : *values) {
      llvm::SmallVector<int64_t> shape(b.shapeOf(value));
      if (*axis > static_cast<int64_t>(shape.size())) {
        return b.error("the elements have different ranks");
      }
      shape.insert(shape.begin() + *axis, 1);
      value = b.reshape(value, shape);
    }
  }
  return b.setResult(0, concat(b, *values, *axis));
}

//===----------------------------------------------------------------------===//
// Optional values: whether there is one is known
//===----------------------------------------------------------------------===//

static LogicalResult importOptionalValue(NodeBinder &b) {
  if (!b.hasInput(0)) {
    return b.error("unsupported empty optional value");
  }
  return b.setResult(0, b.input(0));
}

static LogicalResult importOptionalHasElement(NodeBinder &b) {
  auto type = RankedTensorType::get({}, IntegerType::get(b.context(), 1));
  return b.setResult(0, b.constant(DenseElementsAttr::get(type, b.hasInput(0))));
}

void registerSequenceOps(OpRegistry &ops) {
  ops.add("ConcatFromSequence", 1, importConcatFromSequence);
  ops.add("Optional", 1, importOptionalValue);
  ops.add("OptionalGetElement", 1, importOptionalValue);
  ops.add("OptionalHasElement", 1, importOptionalHasElement);
  ops.add("SequenceAt", 1, importSequenceAt);
  ops.add("SequenceConstruct", 1, importSequenceConstruct);
  ops.add("SequenceEmpty", 1, importSequenceEmpty);
  ops.add("SequenceErase", 1, importSequenceErase);
  ops.add("SequenceInsert", 1, importSequenceInsert);
  ops.add("SequenceLength", 1, importSequenceLength);
  ops.add("SplitToSequence", 1, importSplitToSequence);
}

} // namespace modelc
