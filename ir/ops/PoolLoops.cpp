//===- PoolLoops.cpp - loops of pools -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/WindowLoops.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;
using loops::Window;

namespace {
/// What a pool does with the elements of a window.
struct Reduction {
  Value initial;
  llvm::function_ref<Value(Value total, Value x)> combine;
  /// The result of the window at the given spatial position.
  llvm::function_ref<Value(Value total, ValueRange spatial)> finish;
};

class Pool {
public:
  template <typename OpTy>
  Pool(ImplicitLocOpBuilder &b, KernelIO &io, OpTy op, bool channelsLast)
      : b(b), io(io), layout{channelsLast}, input(shapeOf(op.getX())),
        result(shapeOf(op.getResult())), channels(layout.channels(input)) {
    ArrayRef<int64_t> from = layout.spatial(input);
    for (size_t d = 0; d < from.size(); ++d) {
      windows.push_back({from[d], op.getSizes()[d], op.getKernel()[d], op.getStrides()[d],
                         op.getDilations()[d], op.getPadsBegin()[d]});
    }
  }

  void build(const Reduction &reduction) {
    if (layout.channelsLast && channels >= loops::shortestRow) {
      buildRows(reduction);
      return;
    }
    forWindows([&](ValueRange at, Value channel, ValueRange spatial) {
      Carried total = loops::reduceEach(
          b, kernelRanges(spatial), reduction.initial,
          [&](ValueRange kernel, ValueRange carried) -> Carried {
            return {reduction.combine(carried[0], read(at[0], channel, source(spatial, kernel)))};
          });
      write(0, at[0], channel, spatial, reduction.finish(total[0], spatial));
    });
  }

  /// Runs `body` for each window of each channel; `at` starts with the batch index.
  void forWindows(llvm::function_ref<void(ValueRange at, Value channel, ValueRange spatial)> body) {
    loops::forEach(b, result, [&](ValueRange at) {
      bool last = layout.channelsLast;
      body(at, last ? at.back() : at[1], last ? at.drop_front().drop_back() : at.drop_front(2));
    });
  }
  SmallVector<Span> kernelRanges(ValueRange spatial) {
    SmallVector<Span> ranges;
    for (auto [o, window] : llvm::zip(spatial, windows)) {
      ranges.push_back(loops::kernelRange(b, window, o));
    }
    return ranges;
  }
  SmallVector<Value> source(ValueRange spatial, ValueRange kernel) {
    SmallVector<Value> positions;
    for (auto [o, k, window] : llvm::zip(spatial, kernel, windows)) {
      positions.push_back(loops::positionIn(b, window, o, k));
    }
    return positions;
  }
  Value read(Value batch, Value channel, ValueRange position) {
    return io.read(0, layout.indices(batch, channel, position));
  }
  void write(unsigned number, Value batch, Value channel, ValueRange spatial, Value value) {
    io.write(number, layout.indices(batch, channel, spatial), value);
  }

  ImplicitLocOpBuilder &b;
  KernelIO &io;
  loops::Layout layout;
  ArrayRef<int64_t> input, result;
  int64_t channels;
  SmallVector<Window> windows;

private:
  /// A row of accumulators along the channels, which are contiguous.
  void buildRows(const Reduction &reduction) {
    loops::Buffer row(b, io, {channels}, reduction.initial.getType());
    Span all = loops::rangesOf(b, channels)[0];
    loops::forEach(b, result.drop_back(), [&](ValueRange at) {
      ValueRange spatial = at.drop_front();
      loops::forRange(b, all, [&](Value c) { row.store(b, c, reduction.initial); });
      loops::forEach(b, kernelRanges(spatial), [&](ValueRange kernel) {
        SmallVector<Value> position = source(spatial, kernel);
        loops::forRange(b, all, [&](Value c) {
          row.store(b, c, reduction.combine(row.load(b, c), read(at[0], c, position)));
        });
      });
      loops::forRange(b, all, [&](Value c) {
        write(0, at[0], c, spatial, reduction.finish(row.load(b, c), spatial));
      });
    });
  }
};
} // namespace

/// Row-major position in x of an element, or with its spatial dimensions in column-major order.
static Value flatPosition(Pool &pool, bool columnMajor, Value batch, Value channel,
                          ValueRange position) {
  ImplicitLocOpBuilder &b = pool.b;
  if (!columnMajor) {
    return indexing::linearize(b, pool.layout.indices(batch, channel, position), pool.input);
  }
  SmallVector<Value> spatial(llvm::reverse(position));
  SmallVector<int64_t> extents(llvm::reverse(pool.layout.spatial(pool.input)));
  int64_t count = 1;
  for (int64_t extent : extents) {
    count *= extent;
  }
  Value inChannel = indexing::linearize(b, spatial, extents);
  if (pool.layout.channelsLast) {
    return indexing::linearize(b, {batch, inChannel, channel},
                               {pool.input[0], count, pool.channels});
  }
  return indexing::linearize(b, {batch, channel, inChannel}, {pool.input[0], pool.channels, count});
}

void MaxPoolOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Pool pool(b, io, *this, getChannelsLast());
  bool unsignedX = isUnsigned(getX());
  Value lowest = scalar::lowest(b, computeType(elementOf(getX())), unsignedX);
  if (getIndices().use_empty()) {
    pool.build({lowest, [&](Value total, Value x) { return scalar::max(b, total, x, unsignedX); },
                [](Value total, ValueRange) { return total; }});
    return;
  }
  pool.forWindows([&](ValueRange at, Value channel, ValueRange spatial) {
    auto flat = [&](ValueRange kernel) {
      return flatPosition(pool, getColumnMajor(), at[0], channel, pool.source(spatial, kernel));
    };
    // The first element that exists, for windows where nothing exceeds the lowest value.
    SmallVector<Span> ranges = pool.kernelRanges(spatial);
    SmallVector<Value> first;
    for (const Span &range : ranges) {
      first.push_back(range.lower);
    }
    Carried best = loops::reduceEach(
        b, ranges, {lowest, flat(first)}, [&](ValueRange kernel, ValueRange carried) -> Carried {
          Value x = pool.read(at[0], channel, pool.source(spatial, kernel));
          Value larger = scalar::compare(b, scalar::Predicate::gt, x, carried[0], unsignedX);
          return {scalar::max(b, carried[0], x, unsignedX),
                  indexing::select(b, larger, flat(kernel), carried[1])};
        });
    pool.write(0, at[0], channel, spatial, best[0]);
    pool.write(1, at[0], channel, spatial, loops::toI64(b, best[1]));
  });
}

void AveragePoolOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Pool pool(b, io, *this, getChannelsLast());
  Type type = computeType(elementOf(getX()));
  // The windows that give the divisor.
  SmallVector<Window> counted = pool.windows;
  if (getCountPads()) {
    for (auto [window, begin, end] : llvm::zip(counted, getPadsBegin(), getPadsEnd())) {
      window.extent += begin + end;
      window.pad = 0;
    }
  }
  // Windows of less than 2^31 elements are counted in 32 bits: small cores
  // convert no wider integers.
  APInt most(128, 1);
  for (int64_t extent : getKernel()) {
    most *= APInt(128, extent);
  }
  Type counter = most.ult(APInt(128, 1) << 31) ? b.getI32Type() : b.getI64Type();
  auto divisor = [&](ValueRange spatial) {
    Value count = indexing::constant(b, 1);
    for (auto [o, window] : llvm::zip(spatial, counted)) {
      Span range = loops::kernelRange(b, window, o);
      count = b.createOrFold<arith::MulIOp>(count, indexing::sub(b, range.upper, range.lower));
    }
    Value wide = b.createOrFold<arith::IndexCastOp>(counter, count);
    return b.createOrFold<arith::UIToFPOp>(type, wide);
  };
  pool.build({scalar::constant(b, type, 0),
              [&](Value total, Value x) { return loops::sum(b, total, x); },
              [&](Value total, ValueRange spatial) -> Value {
                return b.create<arith::DivFOp>(total, divisor(spatial));
              }});
}

void LpPoolOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Pool pool(b, io, *this, /*channelsLast=*/false);
  int64_t p = getP();
  Type type = computeType(elementOf(getX()));
  auto power = [&](Value x) -> Value {
    if (p == 2) {
      return scalar::mul(b, x, x);
    }
    Value magnitude = scalar::abs(b, x, false);
    return p == 1 ? magnitude
                  : b.create<math::PowFOp>(magnitude, scalar::constant(b, type, p)).getResult();
  };
  pool.build({scalar::constant(b, type, 0),
              [&](Value total, Value x) { return loops::sum(b, total, power(x)); },
              [&](Value total, ValueRange) -> Value {
                if (p == 1) {
                  return total;
                }
                if (p == 2) {
                  return b.create<math::SqrtOp>(total);
                }
                return b.create<math::PowFOp>(total, scalar::constant(b, type, 1.0 / p));
              }});
}
