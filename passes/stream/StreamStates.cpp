//===- StreamStates.cpp - what a stream keeps from call to call -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

StateReadOp Streamer::makeState(Operation *op, StringRef purpose, ElementsAttr initial) {
  auto module = offline->getParentOfType<ModuleOp>();
  SymbolTable symbols(module); // before the new state, whose name may be taken
  OpBuilder outside = OpBuilder::atBlockBegin(module.getBody());
  std::string name = purpose.str();
  if (auto node = dyn_cast<NameLoc>(op->getLoc()); node && !node.getName().empty()) {
    name = node.getName().str() + "." + name;
  }
  auto state = outside.create<StateOp>(op->getLoc(), name, initial);
  auto symbol = FlatSymbolRefAttr::get(symbols.insert(state));
  return b.create<StateReadOp>(op->getLoc(), initial.getType(), symbol);
}

void Streamer::writeState(StateReadOp state, Value value) {
  b.create<StateWriteOp>(state.getLoc(), state.getStateAttr(), value);
}

Value Streamer::withHistory(Operation *op, const StreamFact &fact, int64_t count) {
  if (count == 0) {
    return fact.value;
  }
  Location loc = op->getLoc();
  RankedTensorType type = withExtent(typeOf(fact.value), fact.axis, count);
  Attribute fill = fact.fill ? fact.fill : Attribute(b.getZeroAttr(type.getElementType()));
  StateReadOp state =
      makeState(op, "history", cast<ElementsAttr>(DenseElementsAttr::get(type, fill)));
  Value joined = b.create<ConcatOp>(loc, withExtent(type, fact.axis, count + fact.hop()),
                                    ValueRange{state, fact.value}, fact.axis);
  writeState(state, slice(loc, joined, fact.axis, fact.hop(), count));
  return joined;
}

StreamFact Streamer::delayed(Operation *op, StreamFact fact, int64_t delay) {
  if (delay == fact.delay) {
    return fact;
  }
  Value joined = withHistory(op, fact, delay - fact.delay);
  fact.value = slice(op->getLoc(), joined, fact.axis, 0, fact.hop());
  fact.delay = delay;
  return fact;
}

StreamFact Streamer::fromStart(Operation *op, StreamFact fact) {
  if (fact.extension) {
    fact = stream::extended(*this, op, fact);
  }
  return fact.delay < 0 ? delayed(op, fact, 0) : fact;
}

Value Streamer::callCounter(Operation *op) {
  if (!calls) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&streamed.front());
    auto type = RankedTensorType::get({}, b.getI32Type());
    calls = makeState(offline, "calls", DenseElementsAttr::get(type, b.getI32IntegerAttr(0)));
  }
  return calls;
}

Value Streamer::flushCounter(Operation *op) {
  if (!flushes) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&streamed.front());
    Location loc = offline.getLoc();
    auto type = RankedTensorType::get({}, b.getI32Type());
    unsigned number = streamed.front().getNumArguments();
    Value flush = streamed.front().addArgument(type, loc);
    streamed.setType(b.getFunctionType(streamed.front().getArgumentTypes(), {}));
    streamed.setArgAttr(number, "modelc.flush", b.getUnitAttr());
    StateReadOp before =
        makeState(offline, "flushes", DenseElementsAttr::get(type, b.getI32IntegerAttr(0)));
    Value next = b.create<AddOp>(
        loc, type, before, constant(loc, DenseElementsAttr::get(type, b.getI32IntegerAttr(1))));
    flushes = b.create<MulOp>(loc, type, next, flush);
    writeState(before, flushes);
  }
  return flushes;
}

Value Streamer::duringFlush(Operation *op, Value otherwise, Value flushed) {
  auto zero =
      DenseElementsAttr::get(RankedTensorType::get({}, b.getI32Type()), b.getI32IntegerAttr(0));
  Value isRun = b.create<LessEqualOp>(op->getLoc(), RankedTensorType::get({}, b.getI1Type()),
                                      flushCounter(op), constant(op->getLoc(), zero));
  auto mask = b.create<SelectOp>(op->getLoc(), otherwise.getType(), isRun, otherwise, flushed);
  flushMasks.push_back(mask);
  return mask;
}

void Streamer::dropFlush() {
  if (!flushes) {
    return;
  }
  for (SelectOp mask : flushMasks) {
    mask.replaceAllUsesWith(mask.getX());
  }
  auto read = flushes.getDefiningOp<MulOp>().getX().getDefiningOp<AddOp>().getX();
  auto state = read.getDefiningOp<StateReadOp>().getStateAttr();
  SymbolTable(offline->getParentOfType<ModuleOp>()).lookup(state.getValue())->erase();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(streamed.front()))) {
    bool isOfState = op.getAttr("state") == state;
    if (isa<func::ReturnOp>(op)) {
      continue;
    }
    if (isOfState || (op.use_empty() && isMemoryEffectFree(&op))) {
      op.erase();
    }
  }
  for (unsigned i = 0; i < streamed.getNumArguments(); ++i) {
    if (streamed.getArgAttr(i, "modelc.flush")) {
      streamed.eraseArgument(i);
      break;
    }
  }
  flushes = {};
}

Value Streamer::haveStarted(Operation *op, int64_t count) {
  Location loc = op->getLoc();
  auto type = RankedTensorType::get({}, b.getI32Type());
  Value threshold =
      constant(loc, DenseElementsAttr::get(type, b.getI32IntegerAttr(static_cast<int32_t>(count))));
  return b.create<GreaterEqualOp>(loc, RankedTensorType::get({}, b.getI1Type()), callCounter(op),
                                  threshold);
}

/// `fact` where `condition`, one boolean per sample of a call, holds.
Value Streamer::masked(Operation *op, const StreamFact &fact, Value condition, Attribute fill) {
  RankedTensorType type = typeOf(fact.value);
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[fact.axis] = fact.hop();
  Value shaped = b.create<ReshapeOp>(op->getLoc(), RankedTensorType::get(shape, b.getI1Type()),
                                     condition, shape);
  return b.create<SelectOp>(op->getLoc(), type, shaped, fact.value, scalar(op->getLoc(), fill));
}

/// One threshold per sample of a call.
static ElementsAttr thresholds(OpBuilder &b, int64_t hop, llvm::function_ref<int64_t(int64_t)> at) {
  SmallVector<int32_t> values;
  for (int64_t i = 0; i < hop; ++i) {
    values.push_back(static_cast<int32_t>(std::clamp<int64_t>(at(i), -(1 << 30), 1 << 30)));
  }
  return DenseElementsAttr::get(RankedTensorType::get({hop}, b.getI32Type()),
                                ArrayRef<int32_t>(values));
}

// Sample i of call c has the offline index c * hop + i - delay.
StreamFact Streamer::filledBefore(Operation *op, StreamFact fact, Attribute fill) {
  if (fact.delay < 0 || fact.fill == fill) {
    return fact;
  }
  if (fact.delay == 0) { // there are none yet
    fact.fill = fill;
    return fact;
  }
  int64_t hop = fact.hop();
  Value first = constant(op->getLoc(), thresholds(b, hop, [&](int64_t i) {
                           return llvm::divideCeilSigned(fact.delay - i, hop);
                         }));
  Value condition = b.create<GreaterEqualOp>(
      op->getLoc(), RankedTensorType::get({hop}, b.getI1Type()), callCounter(op), first);
  fact.value = masked(op, fact, condition, fill);
  fact.fill = fill;
  return fact;
}

// In the k-th call of a flush (0: not in one) the stream has ended k - 1 hops
// before this call, so the value has `length - k * hop` samples counted from
// the first of this call. Where the end was cropped, a sample is known to be
// one of the offline value only when the cropped ones behind it have come.
StreamFact Streamer::filledAfter(Operation *op, StreamFact fact, Attribute fill) {
  int64_t hop = fact.hop();
  fact = delayed(op, fact, std::max(fact.delay, hop - fact.length));
  Value last = constant(op->getLoc(), thresholds(b, hop, [&](int64_t i) {
                          return llvm::divideFloorSigned(fact.length - 1 - i + fact.delay, hop);
                        }));
  Value condition = b.create<LessEqualOp>(op->getLoc(), RankedTensorType::get({hop}, b.getI1Type()),
                                          flushCounter(op), last);
  fact.value = masked(op, fact, condition, fill);
  flushMasks.push_back(fact.value.getDefiningOp<SelectOp>());
  return fact;
}

StreamFact Streamer::padded(Operation *op, StreamFact fact, int64_t before, int64_t after,
                            Attribute fill) {
  if (before > 0 && fact.delay < 0 && fact.fill != fill) {
    fact = delayed(op, fact, 0);
  }
  if (after > 0) {
    fact = filledAfter(op, fact, fill);
  }
  if (before > 0) {
    fact = filledBefore(op, fact, fill);
  }
  fact.delay -= before;
  fact.length += before + after;
  fact.offline += before + after;
  if (before < 0 && fact.delay > 0) {
    fact.fill = {};
  }
  return fact;
}
