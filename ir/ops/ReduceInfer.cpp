//===- ReduceInfer.cpp - result types of reductions and normalizations ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

static LogicalResult checkAxis(std::optional<Location> location, int64_t axis, Value x) {
  int64_t rank = tensorOf(x).getRank();
  if (axis < 0 || axis >= rank) {
    return emitOptionalError(location, "expected an axis in 0..", rank - 1, ", got ", axis);
  }
  return success();
}

MODELC_INFER(ReduceOp) {
  Adaptor op(operands, attributes);
  ArrayRef<int64_t> input = shapeOf(op.getX());
  llvm::SmallBitVector reduced(input.size());
  int64_t last = -1;
  for (int64_t axis : op.getAxes()) { // C1
    if (axis <= last || axis >= static_cast<int64_t>(input.size())) {
      return emitOptionalError(location, "expected distinct axes in 0..",
                               static_cast<int64_t>(input.size()) - 1, ", got [", op.getAxes(),
                               "]");
    }
    reduced.set(axis);
    last = axis;
  }
  ReduceKind kind = op.getKind();
  if ((kind == ReduceKind::LogSum || kind == ReduceKind::LogSumExp || kind == ReduceKind::L2) &&
      !isa<FloatType>(elementOf(op.getX()))) { // C2
    return emitOptionalError(location, "expected a float tensor, got ", op.getX().getType());
  }
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < input.size(); ++d) {
    if (!reduced[d]) {
      shape.push_back(input[d]);
    } else if (op.getKeepDims()) {
      shape.push_back(1);
    }
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(ArgReduceOp) {
  Adaptor op(operands, attributes);
  int64_t axis = op.getAxis();
  if (failed(checkAxis(location, axis, op.getX()))) { // C1
    return failure();
  }
  if (op.getKind() != ReduceKind::Max && op.getKind() != ReduceKind::Min) { // C2
    return emitOptionalError(location, "expected the kind max or min");
  }
  SmallVector<int64_t> shape(shapeOf(op.getX()));
  if (shape[axis] == 0) {
    return emitOptionalError(location, "axis ", axis, " is empty");
  }
  if (op.getKeepDims()) {
    shape[axis] = 1;
  } else {
    shape.erase(shape.begin() + axis);
  }
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 64)));
  return success();
}

MODELC_INFER(SoftmaxOp) {
  Adaptor op(operands, attributes);
  if (failed(checkAxis(location, op.getAxis(), op.getX()))) { // C1
    return failure();
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(LayerNormOp) {
  Adaptor op(operands, attributes);
  if (failed(checkAxis(location, op.getAxis(), op.getX()))) { // C1
    return failure();
  }
  ArrayRef<int64_t> input = shapeOf(op.getX());
  for (Value parameter : {op.getScale(), op.getBias()}) { // C2
    auto joined = broadcastShapes(input, shapeOf(parameter));
    if (failed(joined) || ArrayRef<int64_t>(*joined) != input) {
      return emitOptionalError(location, "parameters of shape [", shapeOf(parameter),
                               "] do not fit [", input, "]");
    }
  }
  SmallVector<int64_t> kept(input);
  std::fill(kept.begin() + op.getAxis(), kept.end(), 1);
  Type element = elementOf(op.getX());
  Type statistics = element.isF64() ? element : Float32Type::get(context);
  types.push_back(op.getX().getType());
  types.append(2, RankedTensorType::get(kept, statistics));
  return success();
}

/// One element per channel of `x`.
static LogicalResult checkPerChannel(std::optional<Location> location, Value x,
                                     ValueRange parameters) {
  ArrayRef<int64_t> input = shapeOf(x);
  if (input.size() < 2) {
    return emitOptionalError(location, "expected a tensor of rank 2 or more");
  }
  for (Value parameter : parameters) {
    if (shapeOf(parameter) != ArrayRef<int64_t>{input[1]}) {
      return emitOptionalError(location, "expected ", input[1], " values per channel, got ",
                               parameter.getType());
    }
  }
  return success();
}

MODELC_INFER(GroupNormOp) {
  Adaptor op(operands, attributes);
  if (failed(checkPerChannel(location, op.getX(), {op.getScale(), op.getBias()}))) { // C2
    return failure();
  }
  int64_t groups = op.getGroups(), channels = shapeOf(op.getX())[1];
  if (groups < 1 || channels % groups != 0) { // C1
    return emitOptionalError(location, groups, " groups do not divide ", channels, " channels");
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(LocalResponseNormOp) {
  Adaptor op(operands, attributes);
  if (failed(checkPerChannel(location, op.getX(), {}))) { // C1
    return failure();
  }
  if (static_cast<int64_t>(op.getSize()) < 1) {
    return emitOptionalError(location, "expected a positive size");
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(CumulativeOp) {
  Adaptor op(operands, attributes);
  if (failed(checkAxis(location, op.getAxis(), op.getX()))) { // C1
    return failure();
  }
  if (op.getKind() != ReduceKind::Sum && op.getKind() != ReduceKind::Prod) {
    return emitOptionalError(location, "expected the kind sum or prod"); // C2
  }
  types.push_back(op.getX().getType());
  return success();
}

MODELC_INFER(TopKOp) {
  Adaptor op(operands, attributes);
  int64_t axis = op.getAxis(), k = op.getK();
  if (failed(checkAxis(location, axis, op.getX()))) {
    return failure();
  }
  SmallVector<int64_t> shape(shapeOf(op.getX()));
  if (k < 0 || k > shape[axis]) { // C1
    return emitOptionalError(location, "expected k in 0..", shape[axis], ", got ", k);
  }
  shape[axis] = k;
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 64)));
  return success();
}
