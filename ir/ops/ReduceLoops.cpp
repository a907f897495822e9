//===- ReduceLoops.cpp - loops of reductions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"
#include "ir/ops/Reducer.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;

namespace {
/// Which dimensions of x are reduced.
struct Slices {
  explicit Slices(ReduceOp op)
      : shape(shapeOf(op.getX())), axes(op.getAxes()), keepDims(op.getKeepDims()) {
    for (size_t d = 0; d < shape.size(); ++d) {
      (llvm::is_contained(axes, d) ? reduced : kept).push_back(shape[d]);
    }
    for (int64_t extent : reduced) {
      count *= extent;
    }
  }
  bool isReduced(size_t d) const { return llvm::is_contained(axes, d); }

  /// The element of x at `outer` in the dimensions kept and `inner` in those reduced.
  SmallVector<Value> source(ValueRange outer, ValueRange inner) const {
    SmallVector<Value> indices;
    for (size_t d = 0; d < shape.size(); ++d) {
      ValueRange &from = isReduced(d) ? inner : outer;
      indices.push_back(from.front());
      from = from.drop_front();
    }
    return indices;
  }
  SmallVector<Value> target(ImplicitLocOpBuilder &b, ValueRange outer) const {
    SmallVector<Value> indices;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (!isReduced(d)) {
        indices.push_back(outer.front());
        outer = outer.drop_front();
      } else if (keepDims) {
        indices.push_back(indexing::constant(b, 0));
      }
    }
    return indices;
  }

  ArrayRef<int64_t> shape, axes;
  bool keepDims;
  SmallVector<int64_t> kept, reduced;
  int64_t count = 1;
};
} // namespace

/// The logarithm of the sum of exponentials, none of which overflows.
static void buildLogSumExp(ImplicitLocOpBuilder &b, KernelIO &io, Type type, const Slices &slices) {
  Value zero = scalar::constant(b, type, 0), lowest = scalar::lowest(b, type, false);
  loops::forEach(b, slices.kept, [&](ValueRange at) {
    auto reduce = [&](Value initial, llvm::function_ref<Value(Value, Value)> combine) {
      return loops::reduceEach(b, slices.reduced, initial,
                               [&](ValueRange in, ValueRange carried) -> Carried {
                                 return {combine(carried[0], io.read(0, slices.source(at, in)))};
                               })[0];
    };
    Value largest =
        reduce(lowest, [&](Value total, Value x) { return scalar::max(b, total, x, false); });
    // An infinite offset would give NaN where the sum is 0 or infinite.
    Value isInfinite = scalar::isInf(b, largest, true, true);
    Value offset = b.create<arith::SelectOp>(isInfinite, zero, largest);
    Value total = reduce(zero, [&](Value sum, Value x) {
      return loops::sum(b, sum, b.create<math::ExpOp>(scalar::sub(b, x, offset)));
    });
    Value result = scalar::add(b, b.create<math::LogOp>(total), offset);
    io.write(0, slices.target(b, at), result);
  });
}

void ReduceOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Slices slices(*this);
  if (getKind() == ReduceKind::LogSumExp) {
    buildLogSumExp(b, io, computeType(elementOf(getX())), slices);
    return;
  }
  Reducer reducer(b, *this, slices.count);
  bool hasRows = !slices.kept.empty() && !slices.isReduced(slices.shape.size() - 1) &&
                 slices.kept.back() >= loops::shortestRow && slices.count > 1;
  if (!hasRows) {
    loops::forEach(b, slices.kept, [&](ValueRange at) {
      Carried total = loops::reduceEach(
          b, slices.reduced, reducer.initial(), [&](ValueRange in, ValueRange carried) -> Carried {
            return {reducer.combine(carried[0], io.read(0, slices.source(at, in)))};
          });
      io.write(0, slices.target(b, at), reducer.finish(total[0]));
    });
    return;
  }

  // The last dimension, along which x is contiguous, is kept: a row of totals.
  int64_t length = slices.kept.back();
  loops::Buffer row(b, io, {std::min(length, loops::rowElements)}, reducer.totalType());
  loops::forEach(b, ArrayRef<int64_t>(slices.kept).drop_back(), [&](ValueRange outer) {
    loops::forBlocks(b, length, [&](Span block) {
      auto at = [&](Value j) {
        SmallVector<Value> all(outer);
        all.push_back(j);
        return all;
      };
      auto local = [&](Value j) { return indexing::sub(b, j, block.lower); };
      Value initial = reducer.initial();
      loops::forRange(b, block, [&](Value j) { row.store(b, local(j), initial); });
      loops::forEach(b, slices.reduced, [&](ValueRange in) {
        loops::forRange(b, block, [&](Value j) {
          Value x = io.read(0, slices.source(at(j), in));
          row.store(b, local(j), reducer.combine(row.load(b, local(j)), x));
        });
      });
      loops::forRange(b, block, [&](Value j) {
        io.write(0, slices.target(b, at(j)), reducer.finish(row.load(b, local(j))));
      });
    });
  });
}
