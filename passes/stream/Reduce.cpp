//===- Reduce.cpp - reductions and normalizations beside time -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Shapes.h"
#include "passes/stream/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace modelc;

LogicalResult stream::overAxes(Streamer &s, Operation *op, ArrayRef<int64_t> axes) {
  StreamFact fact = *s.fact(op->getOperand(0));
  if (llvm::is_contained(axes, fact.axis)) {
    return s.refuse(op, "it needs all of time");
  }
  fact = s.fromStart(op, fact);
  FailureOr<Operation *> made = s.rebuild(op, fact.value);
  if (failed(made)) {
    return failure();
  }
  int64_t axis = fact.axis;
  if (typeOf(op->getResult(0)).getRank() < typeOf(op->getOperand(0)).getRank()) {
    axis -= llvm::count_if(axes, [&](int64_t reduced) { return reduced < fact.axis; });
  }
  return defineResults(s, op, *made, fact, axis);
}

LogicalResult stream::layerNorm(Streamer &s, LayerNormOp op) {
  const StreamFact *x = s.fact(op.getX());
  if (!x || s.isStreamed(op.getScale()) || s.isStreamed(op.getBias())) {
    return s.refuse(op, "its scale or bias changes in time");
  }
  if (x->axis >= static_cast<int64_t>(op.getAxis())) {
    return s.refuse(op, "it needs all of time");
  }
  StreamFact fact = s.fromStart(op, *x);
  FailureOr<Operation *> made =
      s.rebuild(op, {fact.value, s.fixed(op.getScale()), s.fixed(op.getBias())});
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}

/// Group normalization needs all spatial dimensions, that over neighbouring
/// channels none of them.
LogicalResult stream::channelNorm(Streamer &s, Operation *op) {
  StreamFact fact = *s.fact(op->getOperand(0));
  if (fact.axis == 1 || (isa<GroupNormOp>(op) && fact.axis > 1)) {
    return s.refuse(op, "it needs all of time");
  }
  fact = s.fromStart(op, fact);
  SmallVector<Value> operands{fact.value};
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    if (s.isStreamed(operand)) {
      return s.refuse(op, "its scale or bias changes in time");
    }
    operands.push_back(s.fixed(operand));
  }
  FailureOr<Operation *> made = s.rebuild(op, operands);
  return failed(made) ? failure() : defineResults(s, op, *made, fact, fact.axis);
}
