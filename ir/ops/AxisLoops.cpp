//===- AxisLoops.cpp - loops of ops that go along one axis ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;

namespace {
/// The slices of a tensor along an axis.
struct Axis {
  Axis(Value x, int64_t axis) : axis(axis), extent(shapeOf(x)[axis]), outer(shapeOf(x)) {
    outer.erase(outer.begin() + axis);
  }
  /// Position `i` of the slice `at`.
  SmallVector<Value> indices(ValueRange at, Value i) const {
    SmallVector<Value> all(at);
    all.insert(all.begin() + axis, i);
    return all;
  }

  int64_t axis, extent;
  SmallVector<int64_t> outer;
};
} // namespace

void ArgReduceOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Axis axis(getX(), getAxis());
  bool isMax = getKind() == ReduceKind::Max, unsignedX = isUnsigned(getX());
  scalar::Predicate better = isMax ? (getLast() ? scalar::Predicate::ge : scalar::Predicate::gt)
                                   : (getLast() ? scalar::Predicate::le : scalar::Predicate::lt);
  loops::forEach(b, axis.outer, [&](ValueRange at) {
    Value zero = indexing::constant(b, 0);
    Value first = io.read(0, axis.indices(at, zero));
    Span rest{indexing::constant(b, 1), indexing::constant(b, axis.extent)};
    Carried best =
        loops::reduceRange(b, rest, {first, zero}, [&](Value i, ValueRange carried) -> Carried {
          Value x = io.read(0, axis.indices(at, i));
          Value isBetter = scalar::compare(b, better, x, carried[0], unsignedX);
          return {b.create<arith::SelectOp>(isBetter, x, carried[0]),
                  b.create<arith::SelectOp>(isBetter, i, carried[1])};
        });
    SmallVector<Value> target = getKeepDims() ? axis.indices(at, zero) : SmallVector<Value>(at);
    io.write(0, target, loops::toI64(b, best[1]));
  });
}

void SoftmaxOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Axis axis(getX(), getAxis());
  if (llvm::is_contained(shapeOf(getX()), 0)) {
    return;
  }
  Type type = computeType(elementOf(getX()));
  Span all = loops::rangesOf(b, axis.extent)[0];
  Value lowest = scalar::lowest(b, type, false), zero = scalar::constant(b, type, 0);
  // Holds a slice: the shifted elements (log) or their exponentials.
  loops::Buffer slice(b, io, {axis.extent}, type);
  loops::forEach(b, axis.outer, [&](ValueRange at) {
    Value largest = loops::reduceRange(b, all, lowest, [&](Value i, ValueRange carried) -> Carried {
      Value x = io.read(0, axis.indices(at, i));
      slice.store(b, i, x);
      return {scalar::max(b, carried[0], x, false)};
    })[0];
    loops::forRange(b, all, [&](Value i) {
      Value shifted = scalar::sub(b, slice.load(b, i), largest);
      slice.store(b, i, getLog() ? shifted : b.create<math::ExpOp>(shifted).getResult());
    });
    Value total = loops::reduceRange(b, all, zero, [&](Value i, ValueRange carried) -> Carried {
      Value x = slice.load(b, i);
      Value e = getLog() ? b.create<math::ExpOp>(x).getResult() : x;
      return {loops::sum(b, carried[0], e)};
    })[0];
    if (getLog()) {
      total = b.create<math::LogOp>(total);
    }
    loops::forRange(b, all, [&](Value i) {
      Value x = slice.load(b, i);
      Value result =
          getLog() ? scalar::sub(b, x, total) : b.create<arith::DivFOp>(x, total).getResult();
      io.write(0, axis.indices(at, i), result);
    });
  });
}

void CumulativeOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Axis axis(getX(), getAxis());
  bool isSum = getKind() == ReduceKind::Sum;
  Value initial = scalar::constant(b, computeType(elementOf(getX())), isSum ? 0 : 1);
  Span all = loops::rangesOf(b, axis.extent)[0];
  loops::forEach(b, axis.outer, [&](ValueRange at) {
    loops::reduceRange(b, all, initial, [&](Value step, ValueRange carried) -> Carried {
      Value i =
          getReverse() ? indexing::sub(b, indexing::constant(b, axis.extent - 1), step) : step;
      Value x = io.read(0, axis.indices(at, i));
      Value total = isSum ? scalar::add(b, carried[0], x) : scalar::mul(b, carried[0], x);
      io.write(0, axis.indices(at, i), getExclusive() ? Value(carried[0]) : total);
      return {total};
    });
  });
}

void TopKOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Axis axis(getX(), getAxis());
  int64_t k = getK();
  if (k == 0) {
    return;
  }
  bool unsignedX = isUnsigned(getX());
  Type type = computeType(elementOf(getX()));
  auto isBetter = [&](Value x, Value y) {
    return scalar::compare(b, getLargest() ? scalar::Predicate::gt : scalar::Predicate::lt, x, y,
                           unsignedX);
  };
  // The best elements so far in order, and their positions.
  loops::Buffer values(b, io, {k}, type), positions(b, io, {k}, b.getI64Type());
  Value zero = indexing::constant(b, 0), one = indexing::constant(b, 1);
  Value last = indexing::constant(b, k - 1);
  loops::forEach(b, axis.outer, [&](ValueRange at) {
    loops::forRange(b, loops::rangesOf(b, axis.extent)[0], [&](Value i) {
      Value x = io.read(0, axis.indices(at, i));
      Value hasRoom = indexing::less(b, i, indexing::constant(b, k));
      // Reading the last entry while it is not set is harmless: hasRoom decides.
      Value wins = b.create<arith::OrIOp>(hasRoom, isBetter(x, values.load(b, last)));
      loops::when(b, wins, [&]() {
        Value kept = loops::minimum(b, i, last);
        // Behind all entries that are at least as good: equal ones keep their order.
        Value place =
            loops::reduceRange(b, {zero, kept}, zero, [&](Value j, ValueRange carried) -> Carried {
              Value after = isBetter(x, values.load(b, j));
              Value step = indexing::select(b, after, zero, one);
              return {indexing::add(b, carried[0], step)};
            })[0];
        loops::forRange(b, {place, kept}, [&](Value step) {
          Value to = indexing::sub(b, indexing::add(b, kept, place), step);
          Value from = indexing::sub(b, to, one);
          values.store(b, to, values.load(b, from));
          positions.store(b, to, positions.load(b, from));
        });
        values.store(b, place, x);
        positions.store(b, place, loops::toI64(b, i));
      });
    });
    loops::forRange(b, loops::rangesOf(b, k)[0], [&](Value j) {
      io.write(0, axis.indices(at, j), values.load(b, j));
      io.write(1, axis.indices(at, j), positions.load(b, j));
    });
  });
}
