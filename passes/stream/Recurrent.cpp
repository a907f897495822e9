//===- Recurrent.cpp - state from one time step to the next ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Direction directionOf(Operation *op) {
  return cast<DirectionAttr>(op->getAttr("direction")).getValue();
}

/// Sequences of a batch that is time: independent of each other.
static LogicalResult overBatch(Streamer &s, Operation *op, const StreamFact &x) {
  StreamFact fact = s.fromStart(op, x);
  SmallVector<Value> operands{fact.value};
  for (auto [i, operand] : llvm::drop_begin(llvm::enumerate(op->getOperands()))) {
    // Lengths are [batch], initial states [directions, batch, hidden].
    bool isLengths = i == 4, isInitial = i == 5 || (i == 6 && isa<LstmOp>(op));
    if (!isLengths && !isInitial) {
      operands.push_back(s.fixed(operand));
      continue;
    }
    FailureOr<Value> part = s.uniform(op, operand, isLengths ? 0 : 1, fact.hop());
    if (failed(part)) {
      return failure();
    }
    operands.push_back(*part);
  }
  FailureOr<Operation *> made = s.rebuild(op, operands);
  if (failed(made)) {
    return failure();
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    StreamFact each = fact;
    each.value = (*made)->getResult(i);
    each.axis = i == 0 ? 2 : 1;
    each.fill = {};
    s.define(result, each);
  }
  return success();
}

LogicalResult stream::recurrent(Streamer &s, Operation *op) {
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    if (s.isStreamed(operand)) {
      return s.refuse(op, "its weights or initial states change in time");
    }
  }
  const StreamFact &x = *s.fact(op->getOperand(0));
  if (x.axis == 1) {
    return overBatch(s, op, x);
  }
  if (x.axis == 2) {
    return s.refuse(op, "it sums over time");
  }
  if (directionOf(op) != Direction::Forward) {
    return s.refuse(op, "it runs from the end of time to its start");
  }
  std::optional<SmallVector<int64_t>> lengths;
  if (ElementsAttr value = constantValue(s.fixed(op->getOperand(4)))) {
    lengths = constantIntegers(value);
  }
  if (!lengths || llvm::any_of(*lengths, [&](int64_t n) { return n < x.offline; })) {
    return s.refuse(op, "its sequences end at different times");
  }
  // No step on samples before the start: these are whole calls.
  StreamFact fact = s.fromStart(op, x);
  int64_t hop = fact.hop();
  fact = s.delayed(op, fact, llvm::divideCeil(fact.delay, hop) * hop);

  OpBuilder &b = s.builder();
  Location loc = op->getLoc();
  SmallVector<Value> operands{fact.value};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    operands.push_back(s.fixed(operand));
  }
  auto lengthsType = typeOf(operands[4]);
  operands[4] =
      s.constant(loc, DenseElementsAttr::get(lengthsType,
                                             b.getIntegerAttr(lengthsType.getElementType(), hop)));
  SmallVector<StateReadOp> states;
  for (unsigned i = 1; i < op->getNumResults(); ++i) {
    Value &initial = operands[4 + i];
    ElementsAttr value = constantValue(initial);
    if (!value) {
      return s.refuse(op, "its initial state is no constant");
    }
    states.push_back(s.makeState(op, i == 1 ? "h" : "c", value));
    initial = states.back();
  }
  FailureOr<Operation *> made = s.rebuild(op, operands);
  if (failed(made)) {
    return failure();
  }
  for (auto [i, state] : llvm::enumerate(states)) {
    Value next = (*made)->getResult(i + 1);
    if (fact.delay > 0) {
      Value started = s.haveStarted(op, fact.delay / hop);
      next = b.create<SelectOp>(loc, next.getType(), started, next, state);
    }
    s.writeState(state, next);
  }
  fact.value = (*made)->getResult(0);
  fact.axis = 0;
  fact.fill = {};
  s.define(op->getResult(0), fact);
  return success();
}

/// The sum (product) so far is added to (multiplied with) that of each call.
LogicalResult stream::cumulative(Streamer &s, CumulativeOp op) {
  int64_t axis = op.getAxis();
  StreamFact fact = s.fromStart(op, *s.fact(op.getX()));
  if (fact.axis != axis) {
    FailureOr<Operation *> made = s.rebuild(op, fact.value);
    return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
  }
  if (op.getReverse()) {
    return s.refuse(op, "it runs from the end of time to its start");
  }
  OpBuilder &b = s.builder();
  Location loc = op.getLoc();
  bool isSum = op.getKind() == ReduceKind::Sum;
  auto type = typeOf(fact.value);
  Type element = type.getElementType();
  TypedAttr neutral = isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, isSum ? 0 : 1))
                                              : TypedAttr(b.getIntegerAttr(element, isSum ? 0 : 1));
  // Samples before the start do not count.
  fact = s.filledBefore(op, fact, neutral);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 1;
  auto lastType = RankedTensorType::get(shape, element);
  StateReadOp before =
      s.makeState(op, "total", cast<ElementsAttr>(DenseElementsAttr::get(lastType, neutral)));
  auto join = [&](Value x, Value y) -> Value {
    return isSum ? b.create<AddOp>(loc, x.getType(), x, y).getResult()
                 : b.create<MulOp>(loc, x.getType(), x, y).getResult();
  };
  Value inclusive =
      b.create<CumulativeOp>(loc, type, fact.value, op.getKindAttr(), op.getAxisAttr(),
                             b.getBoolAttr(false), b.getBoolAttr(false));
  Value total = join(inclusive, before);
  s.writeState(before, s.slice(loc, total, axis, fact.hop() - 1, 1));
  if (op.getExclusive()) {
    SmallVector<int64_t> longer(type.getShape());
    ++longer[axis];
    Value shifted = b.create<ConcatOp>(loc, RankedTensorType::get(longer, element),
                                       ValueRange{before, total}, axis);
    total = s.slice(loc, shifted, axis, 0, fact.hop());
  }
  fact.value = total;
  fact.fill = {};
  s.define(op.getResult(), fact);
  return success();
}
