//===- Streamer.cpp - builds the streamed form of a function --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/stream/Streamer.h"
#include "ir/ConstantData.h"
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

Streamer::Streamer(func::FuncOp offline, ArrayRef<StreamInput> inputs)
    : offline(offline), inputs(inputs), b(offline.getContext()), hop(inputs.front().hop) {}

void Streamer::bindArguments() {
  SmallVector<Type> types(offline.getArgumentTypes());
  for (const StreamInput &input : inputs) {
    types[input.argument] =
        withExtent(cast<RankedTensorType>(types[input.argument]), input.axis, input.hop);
  }
  b.setInsertionPoint(offline);
  streamed = b.create<func::FuncOp>(offline.getLoc(), "streamed", b.getFunctionType(types, {}));
  Block *body = streamed.addEntryBlock();
  for (unsigned i = 0; i < types.size(); ++i) {
    streamed.setArgAttrs(i, offline.getArgAttrDict(i));
    statics[offline.getArgument(i)] = body->getArgument(i);
  }
  for (const StreamInput &input : inputs) {
    Value argument = offline.getArgument(input.argument);
    statics.erase(argument);
    StreamFact fact;
    fact.value = body->getArgument(input.argument);
    fact.axis = input.axis;
    fact.offline = typeOf(argument).getDimSize(input.axis);
    fact.rate = StreamRate().times(input.hop, hop);
    fact.length = input.hop;
    facts[argument] = fact;
  }
  b.setInsertionPointToEnd(body);
}

bool Streamer::run() {
  bindArguments();
  for (Operation &op : offline.front()) {
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      finish(ret);
    } else {
      visit(op);
    }
  }
  return refused.empty();
}

void Streamer::visit(Operation &op) {
  auto isPoisoned = [&](Value value) { return poisoned.contains(value); };
  if (llvm::any_of(op.getOperands(), isPoisoned)) {
    poisoned.insert(op.result_begin(), op.result_end());
    return;
  }
  if (llvm::none_of(op.getOperands(), [&](Value value) { return isStreamed(value); })) {
    IRMapping map;
    for (Value operand : op.getOperands()) {
      map.map(operand, fixed(operand));
    }
    Operation *made = b.clone(op, map);
    for (auto [result, value] : llvm::zip(op.getResults(), made->getResults())) {
      defineFixed(result, value);
    }
    return;
  }
  if (!stream::takesExtension(&op)) {
    settleExtensions(&op);
  }
  if (failed(stream::apply(*this, &op))) {
    poisoned.insert(op.result_begin(), op.result_end());
    return;
  }
  for (Value result : op.getResults()) {
    if (!isStreamed(result) && !statics.count(result) && !result.use_empty()) {
      (void)refuse(&op, "its value at the end of time is used");
      poisoned.insert(op.result_begin(), op.result_end());
      return;
    }
  }
  noteLookahead(&op);
}

void Streamer::settleExtensions(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto found = facts.find(operand);
    if (found != facts.end() && found->second.extension) {
      found->second = stream::extended(*this, op, found->second);
    }
  }
}

/// What `own` samples of a value are in samples of the streamed input, rounded
/// up; saturates.
static int64_t inputSamples(const StreamFact &fact, int64_t own) {
  int64_t inputs;
  if (own <= 0) {
    return 0;
  }
  return llvm::MulOverflow(own, fact.rate.inputs, inputs)
             ? INT64_MAX
             : llvm::divideCeilSigned(inputs, fact.rate.samples);
}

void Streamer::noteLookahead(Operation *op) {
  auto delayOf = [&](Value value) { return inputSamples(*fact(value), fact(value)->delay); };
  int64_t before = 0, after = 0;
  for (Value operand : op->getOperands()) {
    before = isStreamed(operand) ? std::max(before, delayOf(operand)) : before;
  }
  for (Value result : op->getResults()) {
    after = isStreamed(result) ? std::max(after, delayOf(result)) : after;
  }
  if (after > before) {
    waiting.push_back({op, after - before});
  }
}

void Streamer::finish(func::ReturnOp ret) {
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  for (auto [i, value] : llvm::enumerate(ret.getOperands())) {
    if (poisoned.contains(value)) {
      return;
    }
    NamedAttrList named(offline.getResultAttrDict(i));
    if (!isStreamed(value)) {
      values.push_back(fixed(value));
    } else {
      StreamFact fact = fromStart(ret, *this->fact(value));
      fact = filledBefore(ret, fact, b.getZeroAttr(typeOf(value).getElementType()));
      latencySamples = std::max(latencySamples, inputSamples(fact, fact.delay));
      drainSamples =
          std::max(drainSamples, inputSamples(fact, fact.delay + fact.length - fact.hop()));
      named.set("modelc.latency", b.getI64IntegerAttr(fact.delay));
      values.push_back(fact.value);
    }
    attributes.push_back(named.getDictionary(b.getContext()));
  }
  if (calls) {
    // Saturates far beyond every count that anything compares with.
    Location loc = ret.getLoc();
    auto scalarType = RankedTensorType::get({}, b.getI32Type());
    auto integer = [&](int32_t value) {
      return constant(loc, DenseElementsAttr::get(scalarType, b.getI32IntegerAttr(value)));
    };
    Value next = b.create<AddOp>(loc, scalarType, calls, integer(1));
    next = b.create<MinOp>(loc, scalarType, next, integer(1 << 30));
    writeState(calls.getDefiningOp<StateReadOp>(), next);
  }
  b.create<func::ReturnOp>(ret.getLoc(), values);
  SmallVector<Type> types = llvm::to_vector(ValueRange(values).getTypes());
  streamed.setType(b.getFunctionType(streamed.front().getArgumentTypes(), types));
  for (auto [i, named] : llvm::enumerate(attributes)) {
    streamed.setResultAttrs(i, named);
  }
}

const StreamFact *Streamer::fact(Value offline) const {
  auto found = facts.find(offline);
  return found == facts.end() ? nullptr : &found->second;
}

void Streamer::define(Value offline, StreamFact fact) {
  fact.offline = typeOf(offline).getDimSize(fact.axis);
  facts[offline] = fact;
}

LogicalResult Streamer::refuse(Operation *op, const Twine &reason) {
  refused.push_back({op->getLoc(), (op->getName().stripDialect() + ": " + reason).str()});
  return failure();
}

FailureOr<Operation *> Streamer::rebuild(Operation *op, ValueRange operands,
                                         ArrayRef<NamedAttribute> changed) {
  NamedAttrList attributes(op->getAttrs());
  for (NamedAttribute attribute : changed) {
    attributes.set(attribute.getName(), attribute.getValue());
  }
  OperationState state(op->getLoc(), op->getName(), operands, {}, attributes);
  SmallVector<Type> types;
  auto infer = op->getName().getInterface<InferTypeOpInterface>();
  if (!infer || failed(infer->inferReturnTypes(b.getContext(), std::nullopt, state.operands,
                                               attributes.getDictionary(b.getContext()),
                                               OpaqueProperties(nullptr), RegionRange(), types))) {
    return refuse(op, "its operands do not fit together for part of the time");
  }
  state.addTypes(types);
  return b.create(state);
}

FailureOr<int64_t> Streamer::hopOf(Operation *op, StreamRate rate) {
  int64_t samples;
  if (!rate.isValid() || llvm::MulOverflow(hop, rate.samples, samples)) {
    return refuse(op, "its number of samples per sample of the input is out of range");
  }
  if (samples % rate.inputs == 0) {
    return samples / rate.inputs;
  }
  return refuse(op, "a call would give part of a sample; expected a hop that is a multiple of " +
                        Twine(rate.inputs) + ", got " + Twine(hop));
}

FailureOr<Value> Streamer::uniform(Operation *op, Value offline, int64_t axis, int64_t hop) {
  RankedTensorType type = typeOf(offline), part = withExtent(type, axis, hop);
  ElementsAttr value = constantValue(fixed(offline));
  if (!value) {
    return refuse(op, "an operand that is no constant has an element per time step");
  }
  if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
    return constant(op->getLoc(), splat.resizeSplat(part));
  }
  int64_t inner = storageBytes(type);
  for (int64_t dim = 0; dim <= axis && inner; ++dim) {
    inner /= std::max<int64_t>(type.getDimSize(dim), 1);
  }
  std::vector<char> bytes(storageBytes(type)), result;
  copyConstant(value, bytes);
  int64_t extent = type.getDimSize(axis), run = inner * extent;
  for (size_t at = 0; run && at < bytes.size(); at += run) {
    for (int64_t i = 0; i < extent; ++i) {
      if (memcmp(&bytes[at], &bytes[at + i * inner], inner) != 0) {
        return refuse(op, "a constant operand differs from time step to time step");
      }
    }
    for (int64_t i = 0; i < hop; ++i) {
      result.insert(result.end(), bytes.begin() + at, bytes.begin() + at + inner);
    }
  }
  return constant(op->getLoc(), makeConstant(part, result));
}

Value Streamer::constant(Location loc, ElementsAttr value) {
  return b.create<ConstantOp>(loc, value.getType(), value);
}

Value Streamer::scalar(Location loc, Attribute fill) {
  auto type = RankedTensorType::get({}, cast<TypedAttr>(fill).getType());
  return constant(loc, DenseElementsAttr::get(type, fill));
}

Value Streamer::slice(Location loc, Value x, int64_t axis, int64_t start, int64_t size) {
  RankedTensorType type = typeOf(x);
  if (start == 0 && size == type.getDimSize(axis)) {
    return x;
  }
  SmallVector<int64_t> starts(type.getRank(), 0), steps(type.getRank(), 1), sizes(type.getShape());
  starts[axis] = start;
  sizes[axis] = size;
  return b.create<SliceOp>(loc, withExtent(type, axis, size), x, starts, sizes, steps);
}
