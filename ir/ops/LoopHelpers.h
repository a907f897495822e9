//===- LoopHelpers.h - loop nests of ops that need loops of their own -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_LOOPHELPERS_H
#define MODELC_IR_OPS_LOOPHELPERS_H

#include "ir/KernelIO.h"
#include "ir/ops/IndexMath.h"

namespace modelc {
namespace loops {

using Builder = mlir::ImplicitLocOpBuilder;
using mlir::Value;
using mlir::ValueRange;

/// Values that go around a loop.
using Carried = llvm::SmallVector<Value, 2>;

/// The positions lower .. upper-1, both of type `index`; none if upper is not above lower.
struct Span {
  Value lower, upper;
};

/// One range per extent, from 0.
llvm::SmallVector<Span> rangesOf(Builder &b, llvm::ArrayRef<int64_t> shape);

/// Runs `body` for every position. A single position known at compile time leaves no loop.
void forRange(Builder &b, Span range, llvm::function_ref<void(Value)> body);

/// Runs `body` for every index tuple of `shape`, the last index fastest.
void forEach(Builder &b, llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(ValueRange)> body);
void forEach(Builder &b, llvm::ArrayRef<Span> ranges, llvm::function_ref<void(ValueRange)> body);

/// As forRange and forEach, with values that `body` maps to their next ones; returns the last.
Carried reduceRange(Builder &b, Span range, ValueRange initial,
                    llvm::function_ref<Carried(Value, ValueRange)> body);
Carried reduceEach(Builder &b, llvm::ArrayRef<int64_t> shape, ValueRange initial,
                   llvm::function_ref<Carried(ValueRange, ValueRange)> body);
Carried reduceEach(Builder &b, llvm::ArrayRef<Span> ranges, ValueRange initial,
                   llvm::function_ref<Carried(ValueRange, ValueRange)> body);

/// Cuts 0 .. extent-1 into runs of at most `rowElements` and calls `body` with each run, so that
/// rows of accumulators stay in the first-level cache and scratch memory stays small.
void forBlocks(Builder &b, int64_t extent, llvm::function_ref<void(Span)> body);
constexpr int64_t rowElements = 1024;

/// From this extent on a loop that runs along a row of accumulators in memory is worth its loads
/// and stores: it fills at least one vector, which one accumulator per element does not.
constexpr int64_t shortestRow = 4;

/// Runs `body` where `condition` holds.
void when(Builder &b, Value condition, llvm::function_ref<void()> body);
/// `body()` where `condition` holds, else `otherwise`; `body` is not run elsewhere.
Carried carryWhen(Builder &b, Value condition, ValueRange otherwise,
                  llvm::function_ref<Carried()> body);

Value minimum(Builder &b, Value x, Value y); ///< of signed `index` values
Value maximum(Builder &b, Value x, Value y);
/// `x / y` rounded up, for x >= 0 and y > 0.
Value ceilDiv(Builder &b, Value x, int64_t y);
/// Type `index` to `i64`.
Value toI64(Builder &b, Value x);

/// Sums of many terms may be taken in any order: that is what lets them be vectorized.
Value sum(Builder &b, Value total, Value x);
Value sumOfProducts(Builder &b, Value total, Value x, Value y);

/// The part of `indices` that addresses an operand of `shape` which is broadcast to the space that
/// `indices` run over.
llvm::SmallVector<Value> broadcastIndices(Builder &b, ValueRange indices,
                                          llvm::ArrayRef<int64_t> shape);

/// Scratch memory of elements of a compute type; booleans are kept in bytes.
class Buffer {
public:
  Buffer(Builder &b, KernelIO &io, llvm::ArrayRef<int64_t> shape, mlir::Type element);
  Value load(Builder &b, ValueRange indices) const;
  void store(Builder &b, ValueRange indices, Value value) const;

private:
  Value memory;
  bool isBool;
};

} // namespace loops
} // namespace modelc

#endif // MODELC_IR_OPS_LOOPHELPERS_H
