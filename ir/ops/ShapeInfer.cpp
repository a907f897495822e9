//===- ShapeInfer.cpp - result types of data movement ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

LogicalResult modelc::checkShape(std::optional<Location> location, ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0) {
      return emitOptionalError(location, "expected extents that are not negative, got [", shape,
                               "]");
    }
    if (extent > maxElements / count) {
      return emitOptionalError(location, "tensor of shape [", shape, "] has too many elements");
    }
    count *= std::max<int64_t>(extent, 1);
  }
  return success();
}

/// Whether sums of `value` and extents cannot overflow.
static bool isModerate(int64_t value) {
  return -maxElements <= value && value <= maxElements;
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

static LogicalResult checkAxis(std::optional<Location> location, int64_t axis, int64_t rank) {
  if (axis < 0 || axis >= rank) {
    return emitOptionalError(location, "expected an axis in 0..", rank - 1, ", got ", axis);
  }
  return success();
}

MODELC_INFER(ReshapeOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> shape = op.getShape();
  if (failed(checkShape(location, shape))) { // C1
    return failure();
  }
  if (countOf(shape) != tensorOf(op.getX()).getNumElements()) { // C2
    return emitOptionalError(location, "cannot reshape [", shapeOf(op.getX()), "] to [", shape,
                             "]: different element counts");
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(TransposeOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), order = op.getPermutation();
  SmallVector<int64_t> shape;
  llvm::SmallBitVector seen(input.size());
  for (int64_t dim : order) { // C1
    if (dim < 0 || dim >= static_cast<int64_t>(input.size()) || seen[dim]) {
      break;
    }
    seen.set(dim);
    shape.push_back(input[dim]);
  }
  if (shape.size() != input.size() || order.size() != input.size()) {
    return emitOptionalError(location, "expected a permutation of ", input.size(),
                             " dimensions, got [", order, "]");
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(BroadcastOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> shape = op.getShape();
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  auto joined = broadcastShapes(shapeOf(op.getX()), shape);
  if (failed(joined) || ArrayRef<int64_t>(*joined) != shape) { // C1
    return emitOptionalError(location, "cannot broadcast [", shapeOf(op.getX()), "] to [", shape,
                             "]");
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(SliceOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), starts = op.getStarts(), sizes = op.getSizes(),
                    steps = op.getSteps();
  if (starts.size() != input.size() || sizes.size() != input.size() ||
      steps.size() != input.size()) { // C1
    return emitOptionalError(location, "expected one slice per dimension");
  }
  for (size_t d = 0; d < input.size(); ++d) { // C2
    // All values are far below the range of int64_t here or refused.
    bool bad = steps[d] == 0 || sizes[d] < 0 || sizes[d] > maxElements || !isModerate(steps[d]) ||
               !isModerate(starts[d]);
    if (!bad && sizes[d] > 0) {
      APInt last(128, sizes[d] - 1);
      last = last * APInt(128, steps[d], true) + APInt(128, starts[d], true);
      bad = starts[d] < 0 || starts[d] >= input[d] || last.isNegative() ||
            last.sge(APInt(128, input[d]));
    }
    if (bad) {
      return emitOptionalError(location, "slice of dimension ", d, " (start ", starts[d], ", size ",
                               sizes[d], ", step ", steps[d], ") leaves its extent ", input[d]);
    }
  }
  types.push_back(RankedTensorType::get(sizes, elementOf(op.getX())));
  return success();
}

MODELC_INFER(ConcatOp) {
  Adaptor op(operands, attributes);
  if (op.getInputs().empty()) {
    return emitOptionalError(location, "expected an operand"); // C1
  }
  auto first = tensorOf(op.getInputs().front());
  int64_t axis = op.getAxis();
  if (failed(checkAxis(location, axis, first.getRank()))) {
    return failure();
  }
  SmallVector<int64_t> shape(first.getShape());
  shape[axis] = 0;
  for (Value input : op.getInputs()) { // C2
    auto type = tensorOf(input);
    bool fits =
        type.getRank() == first.getRank() && type.getElementType() == first.getElementType();
    for (int64_t d = 0; fits && d < first.getRank(); ++d) {
      fits = d == axis || type.getDimSize(d) == first.getDimSize(d);
    }
    if (!fits) {
      return emitOptionalError(location, "cannot concatenate ", first, " and ", type,
                               " along axis ", axis);
    }
    shape[axis] += type.getDimSize(axis);
  }
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

MODELC_INFER(PadOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), before = op.getBefore(), after = op.getAfter();
  if (before.size() != input.size() || after.size() != input.size()) { // C1
    return emitOptionalError(location, "expected pads for each of ", input.size(), " dimensions");
  }
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < input.size(); ++d) {
    if (!isModerate(before[d]) || !isModerate(after[d])) {
      return emitOptionalError(location, "pads are too large");
    }
    int64_t most = std::max<int64_t>(std::max(before[d], after[d]), 0);
    if (op.getMode() == PadMode::Reflect && most > 0 && input[d] != 1 &&
        most > input[d] - 1) { // C3
      return emitOptionalError(location, "cannot reflect ", most, " elements of dimension ", d,
                               " with extent ", input[d]);
    }
    if (op.getMode() != PadMode::Constant && most > 0 && input[d] == 0) { // C3
      return emitOptionalError(location, "cannot pad empty dimension ", d);
    }
    shape.push_back(input[d] + before[d] + after[d]);
  }
  if (failed(checkShape(location, shape))) { // C2
    return failure();
  }
  if (tensorOf(op.getValue()).getNumElements() != 1 ||
      elementOf(op.getValue()) != elementOf(op.getX())) { // C4
    return emitOptionalError(location, "expected one pad value of type ", elementOf(op.getX()));
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(GatherOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), indices = shapeOf(op.getIndices());
  int64_t axis = op.getAxis();
  if (failed(checkAxis(location, axis, input.size()))) { // C1
    return failure();
  }
  SmallVector<int64_t> shape(input.take_front(axis));
  shape.append(indices.begin(), indices.end());
  ArrayRef<int64_t> rest = input.drop_front(axis + 1);
  shape.append(rest.begin(), rest.end());
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  if (input[axis] == 0 && countOf(shape) != 0) {
    return emitOptionalError(location, "cannot gather from empty axis ", axis);
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

/// C1 of gather_elements and scatter_elements.
static LogicalResult checkElementwiseIndices(std::optional<Location> location,
                                             ArrayRef<int64_t> input, ArrayRef<int64_t> indices,
                                             int64_t axis) {
  if (failed(checkAxis(location, axis, input.size()))) {
    return failure();
  }
  bool fits = indices.size() == input.size();
  for (size_t d = 0; fits && d < input.size(); ++d) {
    fits =
        static_cast<int64_t>(d) == axis ? input[d] > 0 || indices[d] == 0 : indices[d] <= input[d];
  }
  if (!fits) {
    return emitOptionalError(location, "indices of shape [", indices,
                             "] do not fit a tensor of shape [", input, "]");
  }
  return success();
}

MODELC_INFER(GatherElementsOp) {
  Adaptor op(operands, attributes);
  if (failed(checkElementwiseIndices(location, shapeOf(op.getX()), shapeOf(op.getIndices()),
                                     op.getAxis()))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shapeOf(op.getIndices()), elementOf(op.getX())));
  return success();
}

MODELC_INFER(GatherNdOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), indices = shapeOf(op.getIndices());
  int64_t batch = op.getBatchDims();
  if (batch < 0 || batch >= static_cast<int64_t>(input.size()) ||
      batch >= static_cast<int64_t>(indices.size()) ||
      input.take_front(batch) != indices.take_front(batch)) { // C1
    return emitOptionalError(location, "batch dimensions of [", input, "] and [", indices,
                             "] do not agree");
  }
  int64_t tuple = indices.back();
  if (tuple < 1 || tuple > static_cast<int64_t>(input.size()) - batch) { // C2
    return emitOptionalError(location, "expected index tuples of 1 to ", input.size() - batch,
                             " entries, got ", tuple);
  }
  SmallVector<int64_t> shape(indices.drop_back());
  ArrayRef<int64_t> rest = input.drop_front(batch + tuple);
  shape.append(rest.begin(), rest.end());
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  if (countOf(input) == 0 && countOf(shape) != 0) {
    return emitOptionalError(location, "cannot gather from an empty tensor");
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(IotaOp) {
  Adaptor op(operands, attributes);
  if (failed(checkShape(location, op.getShape())) ||
      failed(checkAxis(location, op.getAxis(), op.getShape().size()))) { // C1
    return failure();
  }
  if (!isa<IntegerType, FloatType>(op.getTo())) { // C1
    return emitOptionalError(location, "expected an integer or float type, got ", op.getTo());
  }
  types.push_back(RankedTensorType::get(op.getShape(), op.getTo()));
  return success();
}

MODELC_INFER(ReverseSequenceOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), lengths = shapeOf(op.getLengths());
  uint64_t batch = op.getBatchAxis(), time = op.getTimeAxis();
  if (input.size() < 2 || batch > 1 || time > 1 || batch == time) { // C1
    return emitOptionalError(location, "expected batch and time axis 0 and 1");
  }
  if (lengths.size() != 1 || lengths[0] != input[batch]) { // C2
    return emitOptionalError(location, "expected one length per batch entry");
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(ResizeOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX());
  if (op.getSizes().size() != input.size() || op.getScales().size() != input.size() ||
      llvm::any_of(op.getScales(), [](double s) { return !(s > 0); })) { // C1
    return emitOptionalError(location,
                             "expected a size and a positive scale "
                             "for each of ",
                             input.size(), " dimensions");
  }
  if (failed(checkShape(location, op.getSizes()))) {
    return failure();
  }
  if (countOf(input) == 0 && countOf(op.getSizes()) != 0) {
    return emitOptionalError(location, "cannot resize an empty tensor");
  }
  if (op.getMode() != ResizeMode::Nearest && !isa<FloatType>(elementOf(op.getX()))) { // C2
    return emitOptionalError(location, "expected a float tensor, got ", op.getX().getType());
  }
  types.push_back(RankedTensorType::get(op.getSizes(), elementOf(op.getX())));
  return success();
}

MODELC_INFER(ScatterElementsOp) {
  Adaptor op(operands, attributes);
  if (failed(checkElementwiseIndices(location, shapeOf(op.getX()), shapeOf(op.getIndices()),
                                     op.getAxis()))) {
    return failure();
  }
  if (shapeOf(op.getUpdates()) != shapeOf(op.getIndices()) || // C1
      elementOf(op.getUpdates()) != elementOf(op.getX())) {   // C2
    return emitOptionalError(location, "updates ", op.getUpdates().getType(),
                             " do not fit indices ", op.getIndices().getType());
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(ScatterNdOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX()), indices = shapeOf(op.getIndices());
  int64_t tuple = indices.empty() ? 0 : indices.back();
  if (tuple < 1 || tuple > static_cast<int64_t>(input.size())) { // C1
    return emitOptionalError(location, "expected index tuples of 1 to ", input.size(),
                             " entries, got ", tuple);
  }
  SmallVector<int64_t> expected(indices.drop_back());
  ArrayRef<int64_t> rest = input.drop_front(tuple);
  expected.append(rest.begin(), rest.end());
  if (shapeOf(op.getUpdates()) != ArrayRef<int64_t>(expected)) { // C2
    return emitOptionalError(location, "expected updates of shape [", expected, "], got [",
                             shapeOf(op.getUpdates()), "]");
  }
  if (elementOf(op.getUpdates()) != elementOf(op.getX())) { // C3
    return emitOptionalError(location, "expected updates of type ", elementOf(op.getX()));
  }
  if (countOf(input) == 0 && countOf(expected) != 0) {
    return emitOptionalError(location, "cannot scatter into an empty tensor");
  }
  types.push_back(op.getX().getType());
  return success();
}
