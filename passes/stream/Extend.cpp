//===- Extend.cpp - streams around which their own samples repeat ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies before the first sample is known when the samples that it mirrors
// have come, so it cannot be in the history of a stream from the start. In each
// call the samples that windows read, this call's behind those of earlier ones,
// are picked by position: positions before the first sample, whose place the
// number of calls tells, and in a flush those behind the last one are folded
// back.
//
//===----------------------------------------------------------------------===//

#include "ir/Shapes.h"
#include "passes/stream/Rules.h"

using namespace mlir;
using namespace modelc;

bool stream::takesExtension(Operation *op) {
  return isa<StftOp, ConvOp, MaxPoolOp, AveragePoolOp, LpPoolOp, TransposeOp, ReshapeOp>(op);
}

namespace {
/// Integers per sample, as ops of the streamed function.
class Positions {
public:
  Positions(Streamer &s, Operation *op, int64_t count)
      : s(s), b(s.builder()), loc(op->getLoc()), scalar(RankedTensorType::get({}, b.getI32Type())),
        type(RankedTensorType::get({count}, b.getI32Type())) {}

  Value all() {
    return b.create<IotaOp>(loc, type, ArrayRef<int64_t>{type.getDimSize(0)}, 0, b.getI32Type());
  }
  Value number(int64_t value) {
    return s.constant(
        loc, DenseElementsAttr::get(scalar, b.getI32IntegerAttr(static_cast<int32_t>(value))));
  }
  /// `start` less `hop` for each call that `calls` counts, until it is not
  /// above `-hop`.
  Value countedDown(int64_t start, Value calls, int64_t hop) {
    Value most = number(std::max<int64_t>(llvm::divideCeilSigned(start, hop) + 1, 0));
    Value few = b.create<MinOp>(loc, scalar, calls, most);
    Value gone = b.create<MulOp>(loc, scalar, few, number(hop));
    return b.create<SubOp>(loc, scalar, number(start), gone);
  }
  /// `at` mirrored at `edge`, or `edge` itself.
  Value beyond(Value at, Value edge, bool isReflection) {
    return isReflection ? b.create<SubOp>(loc, type, b.create<AddOp>(loc, scalar, edge, edge), at)
                              .getResult()
                        : edge;
  }
  Value larger(Value x, Value y) { return b.create<MaxOp>(loc, type, x, y); }
  Value smaller(Value x, Value y) { return b.create<MinOp>(loc, type, x, y); }

private:
  Streamer &s;
  OpBuilder &b;
  Location loc;
  RankedTensorType scalar, type;
};
} // namespace

Value stream::withExtendedHistory(Streamer &s, Operation *op, const StreamFact &fact,
                                  int64_t count) {
  const StreamExtension &extension = *fact.extension;
  int64_t hop = fact.hop(), delay = fact.delay + extension.before;
  int64_t length = fact.length - extension.before - extension.after;
  Positions positions(s, op, count + hop);
  Value at = positions.all();
  if (extension.before > 0) {
    Value first = positions.countedDown(count + delay, s.callCounter(op), hop);
    at = positions.larger(at, positions.beyond(at, first, extension.isReflection));
  }
  if (extension.after > 0) {
    Value last = positions.countedDown(count + delay + length - 1, s.flushCounter(op), hop);
    at = s.duringFlush(op, at,
                       positions.smaller(at, positions.beyond(at, last, extension.isReflection)));
  }
  Value samples = s.withHistory(op, fact, count);
  // What is out of range are positions in windows that are not complete yet.
  return s.builder().create<GatherOp>(op->getLoc(), samples.getType(), samples, at, fact.axis,
                                      /*clamped=*/true);
}

/// Sample j of the extended value comes when the samples that it repeats have,
/// the last of which is the one that the first sample mirrors.
StreamFact stream::extended(Streamer &s, Operation *op, StreamFact fact) {
  const StreamExtension extension = *fact.extension;
  int64_t shift = extension.before + extension.mirrored(extension.before);
  int64_t margin = extension.after + extension.mirrored(extension.after);
  Value samples = withExtendedHistory(s, op, fact, shift + margin);
  fact.value = s.slice(op->getLoc(), samples, fact.axis, margin, fact.hop());
  fact.delay += shift;
  fact.extension.reset();
  return fact;
}

int64_t stream::firstComplete(const StreamFact &fact, int64_t skipped) {
  const StreamExtension &extension = *fact.extension;
  int64_t needed = std::max<int64_t>(extension.mirrored(extension.before) - skipped, 0);
  return llvm::divideFloorSigned(fact.delay + extension.before + needed, fact.hop());
}

FailureOr<StreamFact> stream::repeated(Streamer &s, PadOp op, StreamFact fact, int64_t before,
                                       int64_t after) {
  static constexpr int64_t most = int64_t(1) << 24; // positions are 32-bit integers
  if (op.getMode() == PadMode::Wrap) {
    return s.refuse(op, "it continues time by samples of its other end");
  }
  if (before < 0 || after < 0) {
    return s.refuse(op, "it repeats samples at one end of time and crops the other");
  }
  fact = s.fromStart(op, fact);
  if (after > 0) { // the last sample is known to be it (see filledAfter)
    fact = s.delayed(op, fact, std::max(fact.delay, fact.hop() - fact.length));
  }
  if (std::max({before, after, fact.hop(), fact.delay, std::abs(fact.length)}) > most) {
    return s.refuse(op, "it repeats samples of a hop or a delay of more than " + Twine(most) +
                            " samples");
  }
  fact.extension = StreamExtension{op.getMode() == PadMode::Reflect, before, after};
  fact.fill = {};
  fact.delay -= before;
  fact.length += before + after;
  return fact;
}
