//===- Rules.cpp - which rule streams an op -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/stream/Rules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelc;

LogicalResult stream::apply(Streamer &s, Operation *op) {
  if (isa<ElementwiseOpInterface>(op)) {
    return elementwise(s, op);
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConcatOp op) { return concat(s, op); })
      .Case([&](EinsumOp op) { return einsum(s, op); })
      .Case([&](MatmulOp op) { return matmul(s, op); })
      .Case([&](ReshapeOp op) { return reshape(s, op); })
      .Case([&](TransposeOp op) { return transpose(s, op); })
      .Case([&](BroadcastOp op) { return broadcast(s, op); })
      .Case([&](SliceOp op) { return slice(s, op); })
      .Case([&](PadOp op) { return pad(s, op); })
      .Case([&](GatherOp op) { return gather(s, op); })
      .Case([&](ResizeOp op) { return resize(s, op); })
      .Case([&](ConvOp op) { return conv(s, op); })
      .Case([&](ConvTransposeOp op) { return convTranspose(s, op); })
      .Case<MaxPoolOp, AveragePoolOp, LpPoolOp>([&](auto op) { return pool(s, op); })
      .Case([&](DftOp op) { return dft(s, op); })
      .Case([&](StftOp op) { return stft(s, op); })
      .Case([&](IstftOp op) { return istft(s, op); })
      .Case<GruOp, LstmOp, RnnOp>([&](auto op) { return recurrent(s, op); })
      .Case([&](CumulativeOp op) { return cumulative(s, op); })
      .Case([&](ReduceOp op) { return overAxes(s, op, op.getAxes()); })
      .Case<ArgReduceOp, SoftmaxOp, TopKOp>(
          [&](auto op) { return overAxes(s, op, {static_cast<int64_t>(op.getAxis())}); })
      .Case([&](LayerNormOp op) { return layerNorm(s, op); })
      .Case<GroupNormOp, LocalResponseNormOp>([&](auto op) { return channelNorm(s, op); })
      .Default([&](Operation *op) {
        return s.refuse(op, "there is no way to compute it piece by piece");
      });
}

NamedAttribute stream::changedArray(Streamer &s, StringRef name, ArrayRef<int64_t> values) {
  return s.builder().getNamedAttr(name, s.builder().getDenseI64ArrayAttr(values));
}

NamedAttribute stream::changedArray(Streamer &s, StringRef name, ArrayRef<int64_t> values,
                                    int64_t at, int64_t value) {
  SmallVector<int64_t> changed(values);
  changed[at] = value;
  return changedArray(s, name, changed);
}

FailureOr<SmallVector<StreamFact>> stream::aligned(Streamer &s, Operation *op,
                                                   ArrayRef<StreamFact> facts) {
  int64_t delay = 0;
  for (const StreamFact &fact : facts) {
    delay = std::max(delay, fact.delay);
    if (!(fact.rate == facts.front().rate)) {
      return s.refuse(op, "its operands have different numbers of samples per second");
    }
    if (fact.length != facts.front().length) {
      return s.refuse(op, "its operands have different numbers of samples");
    }
  }
  SmallVector<StreamFact> result;
  for (const StreamFact &fact : facts) {
    result.push_back(s.delayed(op, fact, delay));
  }
  return result;
}

LogicalResult stream::defineResults(Streamer &s, Operation *op, Operation *made,
                                    const StreamFact &from, int64_t axis) {
  for (auto [result, value] : llvm::zip(op->getResults(), made->getResults())) {
    StreamFact fact = from;
    fact.value = value;
    fact.axis = axis;
    fact.fill = {};
    s.define(result, fact);
  }
  return success();
}
