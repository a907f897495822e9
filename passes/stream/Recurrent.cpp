//===- Recurrent.cpp - state from one time step to the next ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

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

/// What keeps a recurrence along time from running piece by piece, if anything.
static LogicalResult checkRecurrence(Streamer &s, Operation *op, const StreamFact &x) {
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
  for (unsigned i = 1; i < op->getNumResults(); ++i) {
    if (!constantValue(s.fixed(op->getOperand(4 + i)))) {
      return s.refuse(op, "its initial state is no constant");
    }
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
  if (failed(checkRecurrence(s, op, x))) {
    return failure();
  }
  // No step on samples before the start: these are whole calls.
  StreamFact fact = s.fromStart(op, x);
  int64_t hop = fact.hop();
  fact = s.delayed(op, fact, llvm::divideCeil(fact.delay, hop) * hop);

  OpBuilder &b = s.builder();
  SmallVector<Value> operands{fact.value};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    operands.push_back(s.fixed(operand));
  }
  auto lengths = typeOf(operands[4]);
  operands[4] =
      s.constant(op->getLoc(),
                 DenseElementsAttr::get(lengths, b.getIntegerAttr(lengths.getElementType(), hop)));
  SmallVector<StateReadOp> states;
  for (unsigned i = 1; i < op->getNumResults(); ++i) {
    states.push_back(s.makeState(op, i == 1 ? "h" : "c", constantValue(operands[4 + i])));
    operands[4 + i] = states.back();
  }
  FailureOr<Operation *> made = s.rebuild(op, operands);
  if (failed(made)) {
    return failure();
  }
  for (auto [i, state] : llvm::enumerate(states)) {
    Value next = (*made)->getResult(i + 1);
    if (fact.delay > 0) {
      Value started = s.haveStarted(op, fact.delay / hop);
      next = b.create<SelectOp>(op->getLoc(), next.getType(), started, next, state);
    }
    s.writeState(state, next);
  }
  fact.value = (*made)->getResult(0);
  fact.axis = 0;
  fact.fill = {};
  s.define(op->getResult(0), fact);
  return success();
}

/// What adding (multiplying with) changes nothing.
static TypedAttr neutralOf(OpBuilder &b, Type element, bool isSum) {
  int number = isSum ? 0 : 1;
  return isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, number))
                                 : TypedAttr(b.getIntegerAttr(element, number));
}

/// The sum (product) of all samples up to each of this call: the one so far,
/// `before`, and that of the call's own samples.
static Value runningTotal(Streamer &s, CumulativeOp op, Value x, StateReadOp before) {
  OpBuilder &b = s.builder();
  Location loc = op.getLoc();
  int64_t axis = op.getAxis(), hop = shapeOf(x)[axis];
  Type type = x.getType();
  Value own = b.create<CumulativeOp>(loc, type, x, op.getKindAttr(), op.getAxisAttr(),
                                     b.getBoolAttr(false), b.getBoolAttr(false));
  Value total = op.getKind() == ReduceKind::Sum
                    ? b.create<AddOp>(loc, type, own, before).getResult()
                    : b.create<MulOp>(loc, type, own, before).getResult();
  s.writeState(before, s.slice(loc, total, axis, hop - 1, 1));
  if (!op.getExclusive()) {
    return total;
  }
  Value shifted = b.create<ConcatOp>(loc, withExtent(typeOf(x), axis, hop + 1),
                                     ValueRange{before, total}, axis);
  return s.slice(loc, shifted, axis, 0, hop);
}

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
  RankedTensorType type = typeOf(fact.value);
  TypedAttr neutral =
      neutralOf(s.builder(), type.getElementType(), op.getKind() == ReduceKind::Sum);
  // Samples before the start do not count.
  fact = s.filledBefore(op, fact, neutral);
  auto initial = DenseElementsAttr::get(withExtent(type, axis, 1), neutral);
  StateReadOp before = s.makeState(op, "total", cast<ElementsAttr>(initial));
  fact.value = runningTotal(s, op, fact.value, before);
  fact.fill = {};
  s.define(op.getResult(), fact);
  return success();
}
