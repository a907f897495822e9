//===- RowGenerator.cpp - reductions, softmax and normalizations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/RowGenerator.h"
#include "codegen/cpu/RowPlan.h"
#include "codegen/cpu/SliceEmitter.h"
#include "ir/Scalars.h"
#include "ir/ops/LoopHelpers.h"
#include "ir/ops/Reducer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace modelc;

bool RowGenerator::supports(KernelOp kernel, TargetAttr target) const {
  return RowPlan::of(kernel, target).has_value();
}

double RowGenerator::cost(KernelOp kernel, TargetAttr) const {
  double total = 0;
  for (Operation &op : kernel.getBody().front()) {
    for (Value result : op.getResults()) {
      total += cast<RankedTensorType>(result.getType()).getNumElements();
    }
  }
  return total;
}

namespace {
/// The numbers of the slices that are computed together.
class SliceMath {
public:
  SliceMath(KernelBuilder &k, const RowPlan &plan, SliceEmitter &slices)
      : k(k), b(k.builder()), plan(plan), slices(slices),
        element(computeType(getElementTypeOrSelf(plan.anchor->getOperand(0).getType()))) {}

  void emit();

private:
  void emitReduce(ReduceOp op);
  void emitSoftmax(bool isLog);
  void emitNorm(double epsilon, bool isRms);

  /// A constant for each lane of the elements.
  Value ofLanes(double value) {
    return k.constant(VectorType::get({slices.partLanes()}, element), value);
  }
  Value ofTotal(double value) { return k.constant(slices.totalType(element), value); }
  Value sum(SliceEmitter::Map map) {
    auto add = [&](Value x, Value y) { return loops::sum(b, x, y); };
    return slices.total(ofLanes(0), map, add, add);
  }

  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  const RowPlan &plan;
  SliceEmitter &slices;
  Type element;
};
} // namespace

void SliceMath::emitReduce(ReduceOp op) {
  Reducer parts(b, op, plan.sliceCount(), slices.partLanes());
  Reducer whole(b, op, plan.sliceCount(), slices.totalLanes());
  auto join = [&](Value x, Value y) { return parts.join(x, y); };
  Value total = slices.total(
      parts.initial(), [&](const SliceChunk &chunk) { return slices.input(chunk, 0); },
      [&](Value sum, Value x) { return parts.combine(sum, x); }, join);
  slices.store(slices.slices(), whole.finish(total));
}

void SliceMath::emitSoftmax(bool isLog) {
  Value lowest = scalar::lowest(b, ofLanes(0).getType(), false);
  // NaN need not survive here: its exponential makes the total NaN.
  auto larger = [&](Value largest, Value x) -> Value {
    Value isLarger = scalar::compare(b, scalar::Predicate::gt, x, largest, false);
    return b.create<arith::SelectOp>(isLarger, x, largest);
  };
  Value largest = slices.spread(slices.total(
      lowest,
      [&](const SliceChunk &chunk) {
        Value x = slices.input(chunk, 0);
        slices.keep(chunk, x);
        return x;
      },
      larger, larger));
  Value total = sum([&](const SliceChunk &chunk) {
    Value shifted = scalar::sub(b, slices.kept(chunk), largest);
    Value power = b.create<math::ExpOp>(shifted);
    slices.keep(chunk, isLog ? shifted : power);
    return power;
  });
  Value factor = isLog ? b.create<math::LogOp>(total).getResult()
                       : b.create<arith::DivFOp>(ofTotal(1), total).getResult();
  factor = slices.spread(factor);
  slices.each([&](const SliceChunk &chunk) {
    Value x = slices.kept(chunk);
    slices.store(chunk.span, isLog ? scalar::sub(b, x, factor) : scalar::mul(b, x, factor));
  });
}

/// The variance is the mean of squared differences: the difference of means of squares would
/// cancel.
void SliceMath::emitNorm(double epsilon, bool isRms) {
  Value count = ofTotal(static_cast<double>(plan.sliceCount()));
  auto input = [&](const SliceChunk &chunk) { return slices.input(chunk, 0); };
  Value mean = isRms ? ofLanes(0) : slices.spread(b.create<arith::DivFOp>(sum(input), count));
  auto centred = [&](const SliceChunk &chunk) {
    Value x = input(chunk);
    return isRms ? x : scalar::sub(b, x, mean);
  };
  Value squares = slices.total(
      ofLanes(0), centred,
      [&](Value total, Value x) { return loops::sumOfProducts(b, total, x, x); },
      [&](Value x, Value y) { return loops::sum(b, x, y); });
  Value variance = b.create<arith::DivFOp>(squares, count);
  Value root = b.create<math::SqrtOp>(scalar::add(b, variance, ofTotal(epsilon)));
  Value inverse = slices.spread(b.create<arith::DivFOp>(ofTotal(1), root));
  slices.each([&](const SliceChunk &chunk) {
    Value x = scalar::mul(b, centred(chunk), inverse);
    slices.store(chunk.span, scalar::mulAdd(b, x, slices.input(chunk, 1), slices.input(chunk, 2)));
  });
}

void SliceMath::emit() {
  if (auto op = dyn_cast<ReduceOp>(plan.anchor)) {
    emitReduce(op);
  } else if (auto op = dyn_cast<SoftmaxOp>(plan.anchor)) {
    emitSoftmax(op.getLog());
  } else if (auto op = dyn_cast<LayerNormOp>(plan.anchor)) {
    emitNorm(op.getEpsilon().convertToDouble(), op.getRms());
  } else {
    emitNorm(cast<GroupNormOp>(plan.anchor).getEpsilon().convertToDouble(), false);
  }
}

FailureOr<KernelCode> RowGenerator::emit(KernelOp kernel, StringRef symbol,
                                         TargetAttr target) const {
  KernelBuilder k(kernel, symbol, target);
  RowPlan plan = *RowPlan::of(kernel, target);
  SliceEmitter slices(k, plan);
  slices.forSlices([&] { SliceMath(k, plan, slices).emit(); });
  return k.finish();
}
