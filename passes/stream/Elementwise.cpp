//===- Elementwise.cpp - streams that meet element by element -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include <optional>

using namespace mlir;
using namespace modelc;

namespace {
/// The operands of an op that are streamed, brought to one delay, and the
/// others as they fit to a piece of time. `axes` says which dimension of an
/// operand is the result's time, if the operand has it.
class Meeting {
public:
  Meeting(Streamer &s, Operation *op) : s(s), op(op) {}

  LogicalResult run(ValueRange operands,
                    llvm::function_ref<std::optional<int64_t>(unsigned)> axisOf);

  SmallVector<Value> values;
  StreamFact common; ///< delay, rate and length of the streams

private:
  Streamer &s;
  Operation *op;
};
} // namespace

LogicalResult Meeting::run(ValueRange operands,
                           llvm::function_ref<std::optional<int64_t>(unsigned)> axisOf) {
  SmallVector<StreamFact> facts;
  for (Value operand : operands) {
    if (const StreamFact *fact = s.fact(operand)) {
      facts.push_back(*fact);
    }
  }
  FailureOr<SmallVector<StreamFact>> streams = stream::aligned(s, op, facts);
  if (failed(streams)) {
    return failure();
  }
  common = streams->front();
  auto next = streams->begin();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (s.isStreamed(operand)) {
      values.push_back((next++)->value);
      continue;
    }
    std::optional<int64_t> axis = axisOf(i);
    if (!axis || typeOf(operand).getDimSize(*axis) == 1) {
      values.push_back(s.fixed(operand));
      continue;
    }
    if (typeOf(operand).getDimSize(*axis) != common.offline) {
      return s.refuse(op, "it repeats one sample for all of time");
    }
    FailureOr<Value> part = s.uniform(op, operand, *axis, common.hop());
    if (failed(part)) {
      return failure();
    }
    values.push_back(*part);
  }
  return success();
}

LogicalResult stream::elementwise(Streamer &s, Operation *op) {
  int64_t rank = typeOf(op->getResult(0)).getRank(), axis = -1;
  for (Value operand : op->getOperands()) {
    if (const StreamFact *fact = s.fact(operand)) {
      int64_t own = fact->axis + rank - typeOf(operand).getRank();
      if (axis >= 0 && own != axis) {
        return s.refuse(op, "two operands have time in different dimensions");
      }
      axis = own;
    }
  }
  Meeting meeting(s, op);
  if (failed(meeting.run(op->getOperands(), [&](unsigned i) -> std::optional<int64_t> {
        int64_t own = axis - (rank - typeOf(op->getOperand(i)).getRank());
        return own < 0 ? std::nullopt : std::optional<int64_t>(own);
      }))) {
    return failure();
  }
  FailureOr<Operation *> made = s.rebuild(op, meeting.values);
  return failed(made) ? failure() : defineResults(s, op, *made, meeting.common, axis);
}

LogicalResult stream::concat(Streamer &s, ConcatOp op) {
  int64_t axis = op.getAxis(), time = -1;
  for (Value operand : op.getInputs()) {
    if (const StreamFact *fact = s.fact(operand)) {
      if (time >= 0 && fact->axis != time) {
        return s.refuse(op, "two operands have time in different dimensions");
      }
      time = fact->axis;
    }
  }
  if (time != axis) {
    Meeting meeting(s, op);
    if (failed(meeting.run(op.getInputs(), [&](unsigned) { return time; }))) {
      return failure();
    }
    FailureOr<Operation *> made = s.rebuild(op, meeting.values);
    return failed(made) ? failure() : defineResults(s, op, *made, meeting.common, time);
  }
  // Equal constant samples before and after one stream are padding.
  const StreamFact *stream = nullptr;
  int64_t before = 0, after = 0;
  Attribute fill;
  for (Value operand : op.getInputs()) {
    if (const StreamFact *fact = s.fact(operand)) {
      if (stream) {
        return s.refuse(op, "it joins two streams in time");
      }
      stream = fact;
      continue;
    }
    auto constant = s.fixed(operand).getDefiningOp<ConstantOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
    auto value = splat ? splat.getSplatValue<Attribute>() : nullptr;
    if (!value || (fill && value != fill)) {
      return s.refuse(op, "it joins samples that are not one constant to a stream");
    }
    fill = value;
    (stream ? after : before) += typeOf(operand).getDimSize(axis);
  }
  s.define(op.getResult(), s.padded(op, *stream, before, after, fill));
  return success();
}

LogicalResult stream::einsum(Streamer &s, EinsumOp op) {
  auto labelsOf = [&](unsigned i) {
    return cast<DenseI64ArrayAttr>(op.getOperandLabels()[i]).asArrayRef();
  };
  int64_t time = -1;
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    if (const StreamFact *fact = s.fact(operand)) {
      int64_t label = labelsOf(i)[fact->axis];
      if ((time >= 0 && label != time) || llvm::count(labelsOf(i), label) > 1) {
        return s.refuse(op, "it combines different points in time");
      }
      time = label;
    }
  }
  auto *found = llvm::find(op.getResultLabels(), time);
  if (found == op.getResultLabels().end()) {
    return s.refuse(op, "it sums over time");
  }
  Meeting meeting(s, op);
  if (failed(meeting.run(op.getInputs(), [&](unsigned i) -> std::optional<int64_t> {
        ArrayRef<int64_t> labels = labelsOf(i);
        auto *own = llvm::find(labels, time);
        return own == labels.end() ? std::nullopt : std::optional<int64_t>(own - labels.begin());
      }))) {
    return failure();
  }
  FailureOr<Operation *> made = s.rebuild(op, meeting.values);
  return failed(made)
             ? failure()
             : defineResults(s, op, *made, meeting.common, found - op.getResultLabels().begin());
}

LogicalResult stream::matmul(Streamer &s, MatmulOp op) {
  int64_t rank = typeOf(op.getResult()).getRank(), axis = -1;
  int64_t batchRank = rank - (typeOf(op.getX()).getRank() > 1) - (typeOf(op.getY()).getRank() > 1);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const StreamFact *fact = s.fact(operand);
    if (!fact) {
      continue;
    }
    bool isX = i == 0;
    int64_t own = typeOf(operand).getRank(), inner = isX ? own - 1 : std::max<int64_t>(own - 2, 0);
    if (fact->axis == inner) {
      return s.refuse(op, "it sums over time");
    }
    // Batch dimensions are aligned from the right; m and n are behind them.
    int64_t place = fact->axis == own - 2 && isX ? batchRank
                    : fact->axis == own - 1      ? rank - 1
                                                 : fact->axis + batchRank - (own - 2);
    if (axis >= 0 && place != axis) {
      return s.refuse(op, "it combines every point in time with every other");
    }
    axis = place;
  }
  Meeting meeting(s, op);
  if (failed(meeting.run(op->getOperands(), [&](unsigned i) -> std::optional<int64_t> {
        int64_t place = axis - batchRank + typeOf(op->getOperand(i)).getRank() - 2;
        return axis >= batchRank || place < 0 ? std::nullopt : std::optional<int64_t>(place);
      }))) {
    return failure();
  }
  FailureOr<Operation *> made = s.rebuild(op, meeting.values);
  return failed(made) ? failure() : defineResults(s, op, *made, meeting.common, axis);
}
