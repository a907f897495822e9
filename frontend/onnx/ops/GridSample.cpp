// ONNX GridSample: interpolation at positions that a tensor holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"

using namespace mlir;

namespace modelc {

namespace {

enum class Padding { Zeros, Border, Reflection };

/// Elementwise arithmetic on one float type.
struct FloatMath {
  NodeBinder &b;
  Type type;

  Value number(double value) { return b.splat(type, value); }
  Value add(Value x, Value y) { return b.create<AddOp>({x, y}); }
  Value sub(Value x, Value y) { return b.create<SubOp>({x, y}); }
  Value mul(Value x, Value y) { return b.create<MulOp>({x, y}); }
  Value scaled(Value x, double factor, double offset) {
    return add(mul(x, number(factor)), number(offset));
  }
  Value select(Value condition, Value x, Value y) { return b.create<SelectOp>({condition, x, y}); }
  Value isInside(Value x, double low, double high) {
    return b.create<AndOp>(
        {b.create<GreaterEqualOp>({x, number(low)}), b.create<LessEqualOp>({x, number(high)})});
  }
  Value clamp(Value x, double low, double high) {
    return b.create<ClipOp>({x, number(low), number(high)});
  }
  /// Mirrored at both ends until it lies between them.
  Value reflect(Value x, double low, double high) {
    double range = high - low;
    if (range <= 0) {
      return mul(x, number(0.0));
    }
    Value phase = b.create<ModOp>({sub(x, number(low)), number(2 * range)});
    Value distance = b.create<AbsOp>(sub(phase, number(range)));
    return select(isInside(x, low, high), x, sub(number(low + range), distance));
  }
};

/// What the sampling reads along one dimension: [batch, points, taps].
struct Taps {
  Value index;  ///< i64, inside the dimension
  Value weight; ///< the element type of the data
};

class GridSampler {
public:
  GridSampler(NodeBinder &b, unsigned mode, Padding padding, bool alignCorners)
      : math{b, b.elementType(0)}, mode(mode), padding(padding), alignCorners(alignCorners) {}

  Taps taps(Value coordinate, int64_t extent);

private:
  Value weights(Value distance, Value isNear);

  FloatMath math;
  unsigned mode; ///< 0 linear, 1 nearest, 2 cubic
  Padding padding;
  bool alignCorners;
};

Value GridSampler::weights(Value distance, Value isNear) {
  if (mode == 0) {
    return math.sub(math.number(1.0), distance);
  }
  // Keys' cubic convolution with a = -0.75.
  const double a = -0.75;
  Value square = math.mul(distance, distance);
  Value close =
      math.add(math.mul(math.scaled(distance, a + 2, -(a + 3)), square), math.number(1.0));
  Value inner = math.mul(math.scaled(distance, a, -5 * a), distance);
  Value apart =
      math.add(math.mul(math.add(inner, math.number(8 * a)), distance), math.number(-4 * a));
  return math.select(isNear, close, apart);
}

Taps GridSampler::taps(Value coordinate, int64_t extent) {
  NodeBinder &b = math.b;
  double last = static_cast<double>(extent - 1);
  double low = alignCorners ? 0.0 : -0.5, high = alignCorners ? last : last + 0.5;
  // From -1 .. 1 to positions of elements.
  Value x = alignCorners ? math.scaled(coordinate, last / 2, last / 2)
                         : math.scaled(coordinate, extent / 2.0, (extent - 1) / 2.0);
  if (mode == 1) {
    x = b.create<RoundOp>(x);
  }
  if (padding == Padding::Border) {
    x = math.select(math.isInside(x, low, high), x, math.clamp(x, 0, last));
  } else if (padding == Padding::Reflection) {
    x = math.reflect(x, low, high);
  }
  Value base = mode == 1 ? x : b.create<FloorOp>(x);
  Value at = base, weight;
  if (mode == 1) {
    weight = math.add(math.mul(x, math.number(0.0)), math.number(1.0));
  } else {
    int64_t count = mode == 0 ? 2 : 4;
    Type i64 = IntegerType::get(b.context(), 64);
    Value number = positions(b, {count}, 0);
    if (mode == 2) {
      number = b.create<SubOp>({number, b.splat(i64, 1)});
    }
    Value offset = b.cast(number, math.type);
    at = math.add(base, offset);
    Value isNear = b.create<AndOp>({b.create<GreaterEqualOp>({number, b.splat(i64, 0)}),
                                    b.create<LessEqualOp>({number, b.splat(i64, 1)})});
    weight = weights(b.create<AbsOp>(math.sub(math.sub(x, base), offset)), isNear);
  }
  if (padding == Padding::Zeros) {
    weight = math.select(math.isInside(at, 0, last), weight, math.number(0.0));
  } else if (padding == Padding::Reflection) {
    at = math.reflect(at, low, high);
  }
  return {b.cast(math.clamp(at, 0, last), IntegerType::get(b.context(), 64)), weight};
}

} // namespace

static LogicalResult importGridSample(NodeBinder &b) {
  llvm::ArrayRef<int64_t> data = b.shape(0), grid = b.shape(1);
  int64_t rank = b.rank(0) - 2;
  if (rank < 1 || b.rank(1) != b.rank(0) || grid[0] != data[0] || grid.back() != rank) {
    return b.error("expected data [batch, channels, spatial...] and a grid [batch, spatial..., "
                   "number of spatial dimensions]");
  }
  if (!isa<FloatType>(b.elementType(0)) || b.type(0).getNumElements() == 0) {
    return b.error("unsupported element type or empty data");
  }
  FailureOr<unsigned> mode =
      b.choiceAttr("mode", {"linear", "nearest", "cubic", "bilinear", "bicubic"}, "linear");
  FailureOr<unsigned> padding =
      b.choiceAttr("padding_mode", {"zeros", "border", "reflection"}, "zeros");
  if (failed(mode) || failed(padding)) {
    return failure();
  }
  // Before opset 20 the names said how many dimensions there are.
  unsigned kind = *mode == 3 ? 0 : *mode == 4 ? 2 : *mode;
  GridSampler sampler(b, kind, static_cast<Padding>(*padding), b.flagAttr("align_corners"));

  int64_t batch = data[0], channels = data[1];
  int64_t points = 1, elements = 1;
  for (int64_t d = 0; d < rank; ++d) {
    points *= grid[d + 1];
    elements *= data[d + 2];
  }
  // All combinations of taps: one dimension each behind [batch, points].
  int64_t perDimension = kind == 0 ? 2 : kind == 1 ? 1 : 4, combinations = 1;
  Value index, weight;
  Value flatGrid = b.cast(b.reshape(b.input(1), {batch, points, rank}), b.elementType(0));
  for (int64_t d = 0; d < rank; ++d) {
    combinations *= perDimension;
    // The grid names the last dimension first.
    Taps taps = sampler.taps(sliceAxis(b, flatGrid, 2, rank - 1 - d, 1), data[d + 2]);
    llvm::SmallVector<int64_t> shape(rank + 2, 1);
    shape[0] = batch;
    shape[1] = points;
    shape[d + 2] = perDimension;
    Value step = b.reshape(taps.index, shape), part = b.reshape(taps.weight, shape);
    if (d > 0) {
      Value rows = b.create<MulOp>({index, intScalar(b, data[d + 2])});
      step = b.create<AddOp>({rows, step});
      part = b.create<MulOp>({weight, part});
    }
    index = step;
    weight = part;
  }
  Value rows = b.transpose(b.reshape(b.input(0), {batch, channels, elements}), {0, 2, 1});
  Value found = b.create<GatherNdOp>({rows, b.reshape(index, {batch, points * combinations, 1})},
                                     b.named("batch_dims", 1));
  Value weighted = b.create<MulOp>({b.reshape(found, {batch, points, combinations, channels}),
                                    b.reshape(weight, {batch, points, combinations, 1})});
  Value sum = b.reshape(reduceKeep(b, ReduceKind::Sum, weighted, {2}), {batch, points, channels});
  llvm::SmallVector<int64_t> shape = {batch, channels};
  shape.append(grid.begin() + 1, grid.end() - 1);
  return b.setResult(0, b.reshape(b.transpose(sum, {0, 2, 1}), shape));
}

void registerGridSampleOps(OpRegistry &ops) {
  ops.add("GridSample", 1, importGridSample);
}

} // namespace modelc
