//===- NormLoops.cpp - loops of normalizations ----------------------------===//
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
/// The statistics of a set of elements.
struct Moments {
  Value mean;
  Value inverse; ///< 1 / sqrt(variance + epsilon)
};
} // namespace

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

/// Moments of the elements that `read` gives for the index tuples of `shape`. The variance is the
/// mean of squared differences: the difference of means of squares would cancel.
static Moments buildMoments(ImplicitLocOpBuilder &b, Type type, ArrayRef<int64_t> shape,
                            double epsilon, bool centred,
                            llvm::function_ref<Value(ValueRange)> read) {
  Value zero = scalar::constant(b, type, 0), one = scalar::constant(b, type, 1);
  Value count = scalar::constant(b, type, static_cast<double>(countOf(shape)));
  auto average = [&](llvm::function_ref<Value(Value total, Value x)> add) -> Value {
    Carried total =
        loops::reduceEach(b, shape, zero, [&](ValueRange in, ValueRange carried) -> Carried {
          return {add(carried[0], read(in))};
        });
    return b.create<arith::DivFOp>(total[0], count);
  };
  Value mean = zero;
  if (!centred) {
    mean = average([&](Value total, Value x) { return loops::sum(b, total, x); });
  }
  Value variance = average([&](Value total, Value x) {
    Value difference = centred ? x : scalar::sub(b, x, mean);
    return loops::sumOfProducts(b, total, difference, difference);
  });
  Value root = b.create<math::SqrtOp>(scalar::add(b, variance, scalar::constant(b, type, epsilon)));
  return {mean, b.create<arith::DivFOp>(one, root)};
}

/// `(x - mean) * inverse * scale + bias`.
static Value normalize(ImplicitLocOpBuilder &b, Value x, const Moments &moments, Value scale,
                       Value bias) {
  Value centred = scalar::sub(b, x, moments.mean);
  return scalar::mulAdd(b, scalar::mul(b, centred, moments.inverse), scale, bias);
}

static SmallVector<Value> join(ValueRange outer, ValueRange inner) {
  SmallVector<Value> all(outer);
  all.append(inner.begin(), inner.end());
  return all;
}

void LayerNormOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  ArrayRef<int64_t> shape = shapeOf(getX());
  Type type = computeType(elementOf(getX()));
  ArrayRef<int64_t> outer = shape.take_front(getAxis()), inner = shape.drop_front(getAxis());
  loops::forEach(b, outer, [&](ValueRange at) {
    Moments moments =
        buildMoments(b, type, inner, getEpsilon().convertToDouble(), /*centred=*/getRms(),
                     [&](ValueRange in) { return io.read(0, join(at, in)); });
    SmallVector<Value> kept(at);
    kept.append(inner.size(), indexing::constant(b, 0));
    io.write(1, kept, moments.mean);
    io.write(2, kept, moments.inverse);
    loops::forEach(b, inner, [&](ValueRange in) {
      SmallVector<Value> all = join(at, in);
      Value scale = io.read(1, loops::broadcastIndices(b, all, shapeOf(getScale())));
      Value bias = io.read(2, loops::broadcastIndices(b, all, shapeOf(getBias())));
      io.write(0, all, normalize(b, io.read(0, all), moments, scale, bias));
    });
  });
}

void GroupNormOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  ArrayRef<int64_t> shape = shapeOf(getX());
  Type type = computeType(elementOf(getX()));
  int64_t groups = getGroups(), perGroup = shape[1] / groups;
  ArrayRef<int64_t> spatial = shape.drop_front(2);
  SmallVector<int64_t> inner{perGroup};
  llvm::append_range(inner, spatial);
  loops::forEach(b, {shape[0], groups}, [&](ValueRange at) {
    auto channel = [&](Value i) { return indexing::add(b, indexing::mul(b, at[1], perGroup), i); };
    Moments moments = buildMoments(
        b, type, inner, getEpsilon().convertToDouble(), /*centred=*/false,
        [&](ValueRange in) { return io.read(0, join({at[0], channel(in[0])}, in.drop_front())); });
    loops::forEach(b, {perGroup}, [&](ValueRange i) {
      Value c = channel(i[0]);
      Value scale = io.read(1, c), bias = io.read(2, c);
      loops::forEach(b, spatial, [&](ValueRange position) {
        SmallVector<Value> all = join({at[0], c}, position);
        io.write(0, all, normalize(b, io.read(0, all), moments, scale, bias));
      });
    });
  });
}

void LocalResponseNormOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  ArrayRef<int64_t> shape = shapeOf(getX());
  Type type = computeType(elementOf(getX()));
  int64_t size = getSize();
  // Of an even number of neighbours the larger part lies behind.
  int64_t before = (size - 1) / 2, after = size - 1 - before;
  Value zero = scalar::constant(b, type, 0);
  Value offset = scalar::constant(b, type, getBias().convertToDouble());
  Value factor = scalar::constant(b, type, getAlpha().convertToDouble() / size);
  Value exponent = scalar::constant(b, type, getBeta().convertToDouble());
  loops::forEach(b, shape, [&](ValueRange at) {
    Span neighbours{
        loops::maximum(b, indexing::add(b, at[1], -before), indexing::constant(b, 0)),
        loops::minimum(b, indexing::add(b, at[1], after + 1), indexing::constant(b, shape[1]))};
    Carried energy =
        loops::reduceRange(b, neighbours, zero, [&](Value c, ValueRange carried) -> Carried {
          Value x = io.read(0, join({at[0], c}, at.drop_front(2)));
          return {loops::sumOfProducts(b, carried[0], x, x)};
        });
    Value base = scalar::mulAdd(b, factor, energy[0], offset);
    Value power = b.create<math::PowFOp>(base, exponent);
    io.write(0, at, b.create<arith::DivFOp>(io.read(0, at), power));
  });
}
