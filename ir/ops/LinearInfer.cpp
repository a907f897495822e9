//===- LinearInfer.cpp - result types of products, convolutions, pools ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

MODELC_INFER(MatmulOp) {
  Adaptor op(operands, attributes);
  SmallVector<int64_t> x(shapeOf(op.getX())), y(shapeOf(op.getY()));
  if (x.empty() || y.empty()) { // C1
    return emitOptionalError(location, "expected tensors of rank 1 or more");
  }
  bool row = x.size() == 1, column = y.size() == 1;
  if (row) {
    x.insert(x.begin(), 1);
  }
  if (column) {
    y.push_back(1);
  }
  auto batch =
      broadcastShapes(ArrayRef<int64_t>(x).drop_back(2), ArrayRef<int64_t>(y).drop_back(2));
  if (x.back() != y[y.size() - 2] || failed(batch)) { // C1, C2
    return emitOptionalError(location, "cannot multiply [", shapeOf(op.getX()), "] by [",
                             shapeOf(op.getY()), "]");
  }
  if (elementOf(op.getX()) != elementOf(op.getY())) { // C3
    return emitOptionalError(location, "expected equal element types, got ", elementOf(op.getX()),
                             " and ", elementOf(op.getY()));
  }
  SmallVector<int64_t> shape(*batch);
  if (!row) {
    shape.push_back(x[x.size() - 2]);
  }
  if (!column) {
    shape.push_back(y.back());
  }
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(EinsumOp) {
  Adaptor op(operands, attributes);
  ArrayAttr labels = op.getOperandLabels();
  if (op.getInputs().empty() || labels.size() != op.getInputs().size()) {
    return emitOptionalError(location, "expected labels for each operand");
  }
  auto isSmall = [](int64_t label) { return 0 <= label && label < 1024; };
  llvm::SmallDenseMap<int64_t, int64_t> extents;
  for (auto [value, attr] : llvm::zip(op.getInputs(), labels)) {
    ArrayRef<int64_t> names = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    ArrayRef<int64_t> shape = shapeOf(value);
    if (names.size() != shape.size()) { // C1
      return emitOptionalError(location, "expected ", shape.size(), " labels, got ", names.size());
    }
    if (elementOf(value) != elementOf(op.getInputs().front())) {
      return emitOptionalError(location, "expected equal element types");
    }
    if (!llvm::all_of(names, isSmall)) { // C1
      return emitOptionalError(location, "expected labels in 0..1023, got [", names, "]");
    }
    for (auto [name, extent] : llvm::zip(names, shape)) {
      int64_t &known = extents.try_emplace(name, 1).first->second;
      if (known != extent && known != 1 && extent != 1) { // C2
        return emitOptionalError(location, "extents ", known, " and ", extent,
                                 " have the same label");
      }
      known = known == 1 ? extent : known;
    }
  }
  SmallVector<int64_t> shape;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t name : op.getResultLabels()) {
    if (!isSmall(name) || !extents.count(name) || !seen.insert(name).second) { // C1
      return emitOptionalError(location, "result label ", name,
                               " is repeated or not in an operand");
    }
    shape.push_back(extents[name]);
  }
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, elementOf(op.getInputs().front())));
  return success();
}

static LogicalResult checkEntries(std::optional<Location> location, ArrayRef<int64_t> values,
                                  size_t count, int64_t low, StringRef name) {
  if (values.size() != count ||
      llvm::any_of(values, [&](int64_t v) { return v < low || v > maxElements; })) {
    return emitOptionalError(location, "expected ", count, " ", name, " of at least ", low,
                             ", got [", values, "]");
  }
  return success();
}

namespace {
/// A windowed op's input, whichever order its dimensions are in.
struct Windowed {
  int64_t batch, channels;
  SmallVector<int64_t> spatial;
};
} // namespace

static FailureOr<Windowed> windowed(std::optional<Location> location, ArrayRef<int64_t> shape,
                                    bool last) {
  if (shape.size() < 3) {
    return emitOptionalError(location,
                             "expected a tensor of rank 3 or more, "
                             "got [",
                             shape, "]");
  }
  Windowed result;
  result.batch = shape[0];
  result.channels = last ? shape.back() : shape[1];
  ArrayRef<int64_t> spatial = last ? shape.drop_front().drop_back() : shape.drop_front(2);
  result.spatial.assign(spatial.begin(), spatial.end());
  return result;
}

static SmallVector<int64_t> assemble(int64_t batch, int64_t channels, ArrayRef<int64_t> spatial,
                                     bool last) {
  SmallVector<int64_t> shape{batch};
  if (!last) {
    shape.push_back(channels);
  }
  shape.append(spatial.begin(), spatial.end());
  if (last) {
    shape.push_back(channels);
  }
  return shape;
}

/// C4 of conv: integers accumulate in i32.
static Type convElement(Type element) {
  return isa<IntegerType>(element) ? Type(IntegerType::get(element.getContext(), 32)) : element;
}

MODELC_INFER(ConvOp) {
  Adaptor op(operands, attributes);
  auto input = windowed(location, shapeOf(op.getX()), op.getChannelsLast());
  if (failed(input)) {
    return failure();
  }
  ArrayRef<int64_t> filter = shapeOf(op.getFilter());
  size_t rank = input->spatial.size();
  int64_t groups = op.getGroups();
  if (failed(checkEntries(location, op.getStrides(), rank, 1, "strides")) ||
      failed(checkEntries(location, op.getDilations(), rank, 1, "dilations")) ||
      failed(checkEntries(location, op.getPadsBegin(), rank, 0, "pads")) ||
      failed(checkEntries(location, op.getPadsEnd(), rank, 0, "pads"))) { // C1
    return failure();
  }
  if (filter.size() != rank + 2 || groups < 1 || input->channels % groups != 0 ||
      filter[0] % groups != 0 || filter[1] != input->channels / groups) { // C2
    return emitOptionalError(location, "filter of shape [", filter, "] and ", groups,
                             " groups do not fit input [", shapeOf(op.getX()), "]");
  }
  SmallVector<int64_t> spatial;
  for (size_t d = 0; d < rank; ++d) {
    int64_t kernel = filter[d + 2];
    int64_t padded = input->spatial[d] + op.getPadsBegin()[d] + op.getPadsEnd()[d];
    if (kernel < 1 || (kernel - 1) > (padded - 1) / op.getDilations()[d] || padded < 1) { // C3
      return emitOptionalError(location, "kernel extent ", kernel, " with dilation ",
                               op.getDilations()[d], " exceeds the padded input extent ", padded);
    }
    spatial.push_back((padded - ((kernel - 1) * op.getDilations()[d] + 1)) / op.getStrides()[d] +
                      1);
  }
  Type element = convElement(elementOf(op.getX()));
  bool sameKind = isa<IntegerType>(element) ? isa<IntegerType>(elementOf(op.getFilter()))
                                            : elementOf(op.getFilter()) == elementOf(op.getX());
  if (!sameKind || (op.getBias() && elementOf(op.getBias()) != element)) { // C4
    return emitOptionalError(location, "expected equal element types");
  }
  if (op.getBias() && shapeOf(op.getBias()) != ArrayRef<int64_t>{filter[0]}) {
    return emitOptionalError(location, "expected ", filter[0], " biases");
  }
  auto shape = assemble(input->batch, filter[0], spatial, op.getChannelsLast());
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

MODELC_INFER(ConvTransposeOp) {
  Adaptor op(operands, attributes);
  auto input = windowed(location, shapeOf(op.getX()), op.getChannelsLast());
  if (failed(input)) {
    return failure();
  }
  ArrayRef<int64_t> filter = shapeOf(op.getFilter());
  size_t rank = input->spatial.size();
  int64_t groups = op.getGroups();
  if (failed(checkEntries(location, op.getStrides(), rank, 1, "strides")) ||
      failed(checkEntries(location, op.getDilations(), rank, 1, "dilations")) ||
      failed(checkEntries(location, op.getOutputPadding(), rank, 0, "output paddings")) ||
      failed(checkEntries(location, op.getPadsBegin(), rank, -maxElements, "pads")) ||
      failed(checkEntries(location, op.getPadsEnd(), rank, -maxElements,
                          "pads"))) { // C1
    return failure();
  }
  if (filter.size() != rank + 2 || groups < 1 || input->channels % groups != 0 ||
      filter[0] != input->channels) { // C2
    return emitOptionalError(location, "filter of shape [", filter, "] and ", groups,
                             " groups do not fit input [", shapeOf(op.getX()), "]");
  }
  Type element = elementOf(op.getX());
  if (elementOf(op.getFilter()) != element || // C4
      (op.getBias() && elementOf(op.getBias()) != element)) {
    return emitOptionalError(location, "expected equal element types");
  }
  int64_t channels = filter[1] * groups;
  if (op.getBias() && shapeOf(op.getBias()) != ArrayRef<int64_t>{channels}) {
    return emitOptionalError(location, "expected ", channels, " biases");
  }
  SmallVector<int64_t> spatial;
  for (size_t d = 0; d < rank; ++d) {
    // Extents and attributes are below 2^40, so their products need more bits.
    APInt extent(128, input->spatial[d] - 1, true);
    extent *= APInt(128, op.getStrides()[d]);
    extent += APInt(128, filter[d + 2] - 1, true) * APInt(128, op.getDilations()[d]);
    extent +=
        APInt(128, 1 + op.getOutputPadding()[d] - op.getPadsBegin()[d] - op.getPadsEnd()[d], true);
    if (input->spatial[d] < 1 || extent.isNegative() || extent.sgt(APInt(128, maxElements))) { // C3
      return emitOptionalError(location, "extent of dimension ", d,
                               " of the result is negative or too large");
    }
    spatial.push_back(extent.getSExtValue());
  }
  auto shape = assemble(input->batch, channels, spatial, op.getChannelsLast());
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

/// Shape of a pooled tensor; checks C1 of the pools.
template <typename Pool>
static FailureOr<SmallVector<int64_t>> pooledShape(std::optional<Location> location, Pool op,
                                                   bool last) {
  auto input = windowed(location, shapeOf(op.getX()), last);
  if (failed(input)) {
    return failure();
  }
  size_t rank = input->spatial.size();
  if (failed(checkEntries(location, op.getKernel(), rank, 1, "kernel extents")) ||
      failed(checkEntries(location, op.getStrides(), rank, 1, "strides")) ||
      failed(checkEntries(location, op.getDilations(), rank, 1, "dilations")) ||
      failed(checkEntries(location, op.getPadsBegin(), rank, 0, "pads")) ||
      failed(checkEntries(location, op.getSizes(), rank, 0, "sizes"))) {
    return failure();
  }
  auto shape = assemble(input->batch, input->channels, op.getSizes(), last);
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  return shape;
}

MODELC_INFER(MaxPoolOp) {
  Adaptor op(operands, attributes);
  auto shape = pooledShape(location, op, op.getChannelsLast());
  if (failed(shape)) {
    return failure();
  }
  types.push_back(RankedTensorType::get(*shape, elementOf(op.getX())));
  types.push_back(RankedTensorType::get(*shape, IntegerType::get(context, 64)));
  return success();
}

MODELC_INFER(AveragePoolOp) {
  Adaptor op(operands, attributes);
  auto shape = pooledShape(location, op, op.getChannelsLast());
  if (failed(shape) ||
      failed(checkEntries(location, op.getPadsEnd(), op.getSizes().size(), 0, "pads"))) {
    return failure();
  }
  types.push_back(RankedTensorType::get(*shape, elementOf(op.getX())));
  return success();
}

MODELC_INFER(LpPoolOp) {
  Adaptor op(operands, attributes);
  auto shape = pooledShape(location, op, false);
  if (failed(shape)) {
    return failure();
  }
  if (static_cast<int64_t>(op.getP()) < 1) {
    return emitOptionalError(location, "expected a positive p");
  }
  types.push_back(RankedTensorType::get(*shape, elementOf(op.getX())));
  return success();
}
