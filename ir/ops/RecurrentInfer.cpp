//===- RecurrentInfer.cpp - result types of recurrent cells ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

namespace {
struct Sizes {
  int64_t time, batch, input, directions, hidden;
};
} // namespace

static LogicalResult expectShape(std::optional<Location> location, Value value,
                                 ArrayRef<int64_t> shape, StringRef name) {
  if (shapeOf(value) != shape) {
    return emitOptionalError(location, "expected ", name, " of shape [", shape, "], got [",
                             shapeOf(value), "]");
  }
  return success();
}

/// Checks C1 to C3 for a cell of `gates` gates and `functions` activations.
template <typename Cell>
static FailureOr<Sizes> check(std::optional<Location> location, Cell op, int64_t gates,
                              size_t functions) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), r = shapeOf(op.getR());
  if (x.size() != 3 || r.size() != 3) {
    return emitOptionalError(location, "expected x and r of rank 3");
  }
  Sizes s{x[0], x[1], x[2], op.getDirection() == Direction::Bidirectional ? 2 : 1, r[2]};
  // C1
  if (failed(expectShape(location, op.getW(), {s.directions, gates * s.hidden, s.input}, "w")) ||
      failed(expectShape(location, op.getR(), {s.directions, gates * s.hidden, s.hidden}, "r")) ||
      failed(expectShape(location, op.getBias(), {s.directions, 2 * gates * s.hidden}, "bias")) ||
      failed(expectShape(location, op.getLengths(), {s.batch}, "lengths")) ||
      failed(expectShape(location, op.getInitialH(), {s.directions, s.batch, s.hidden},
                         "initial_h"))) {
    return failure();
  }
  size_t count = functions * s.directions; // C2
  if (op.getActivations().size() != count || op.getAlphas().size() != count ||
      op.getBetas().size() != count) {
    return emitOptionalError(location, "expected ", count, " activations with their parameters");
  }
  for (int32_t function : op.getActivations()) {
    if (!symbolizeActivation(function)) {
      return emitOptionalError(location, "unknown activation ", function);
    }
  }
  if (failed(checkShape(location, {s.time, s.directions, s.batch, s.hidden}))) {
    return failure();
  }
  Type element = elementOf(op.getX()); // C3
  for (Value value : {op.getW(), op.getR(), op.getBias(), op.getInitialH()}) {
    if (elementOf(value) != element) {
      return emitOptionalError(location, "expected equal element types, got ", element, " and ",
                               elementOf(value));
    }
  }
  return s;
}

/// C4
static LogicalResult checkPacked(std::optional<Location> location, std::optional<uint64_t> packed,
                                 int64_t hidden) {
  if (packed && (*packed < 1 || *packed > static_cast<uint64_t>(hidden))) {
    return emitOptionalError(location, "expected packed in 1 .. ", hidden, ", got ",
                             static_cast<int64_t>(*packed));
  }
  return success();
}

static void addResults(SmallVectorImpl<Type> &types, const Sizes &s, Type element,
                       unsigned states) {
  types.push_back(RankedTensorType::get({s.time, s.directions, s.batch, s.hidden}, element));
  types.append(states, RankedTensorType::get({s.directions, s.batch, s.hidden}, element));
}

MODELC_INFER(GruOp) {
  Adaptor op(operands, attributes);
  auto sizes = check(location, op, /*gates=*/3, /*functions=*/2);
  if (failed(sizes) || failed(checkPacked(location, op.getPacked(), sizes->hidden))) {
    return failure();
  }
  addResults(types, *sizes, elementOf(op.getX()), 1);
  return success();
}

MODELC_INFER(LstmOp) {
  Adaptor op(operands, attributes);
  auto sizes = check(location, op, /*gates=*/4, /*functions=*/3);
  if (failed(sizes) ||
      failed(expectShape(location, op.getInitialC(),
                         {sizes->directions, sizes->batch, sizes->hidden}, "initial_c")) ||
      failed(expectShape(location, op.getPeephole(), {sizes->directions, 3 * sizes->hidden},
                         "peephole")) ||
      failed(checkPacked(location, op.getPacked(), sizes->hidden))) {
    return failure();
  }
  if (elementOf(op.getInitialC()) != elementOf(op.getX()) ||
      elementOf(op.getPeephole()) != elementOf(op.getX())) {
    return emitOptionalError(location, "expected equal element types"); // C3
  }
  addResults(types, *sizes, elementOf(op.getX()), 2);
  return success();
}

MODELC_INFER(RnnOp) {
  Adaptor op(operands, attributes);
  auto sizes = check(location, op, /*gates=*/1, /*functions=*/1);
  if (failed(sizes)) {
    return failure();
  }
  addResults(types, *sizes, elementOf(op.getX()), 1);
  return success();
}
