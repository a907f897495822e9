//===- FftShuffles.cpp - pairs and transposes in registers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftShuffles.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelc;

static int64_t lanesOf(Value x) {
  auto type = dyn_cast<VectorType>(x.getType());
  return type ? type.getDimSize(0) : 1;
}

static Value shuffle(KernelBuilder &k, Value x, Value y, ArrayRef<int64_t> lanes) {
  return k.builder().create<vector::ShuffleOp>(x, y, lanes);
}

/// Lanes `first`, `first + step`, ... of a vector.
static Value everyLane(KernelBuilder &k, Value x, int64_t first, int64_t step, int64_t count) {
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < count; ++i) {
    lanes.push_back(first + i * step);
  }
  return shuffle(k, x, x, lanes);
}

Complex modelc::partPairs(KernelBuilder &k, Value pairs) {
  int64_t count = lanesOf(pairs) / 2;
  return {everyLane(k, pairs, 0, 2, count), everyLane(k, pairs, 1, 2, count)};
}

Complex modelc::loadPairs(KernelBuilder &k, Value memory, Value at, int64_t lanes, int64_t active) {
  if (lanes == 1) {
    return {k.load(memory, at), k.load(memory, k.add(at, 1))};
  }
  return partPairs(k, k.loadVector(memory, at, 2 * lanes, 2 * active));
}

Value modelc::joinPairs(KernelBuilder &k, Complex value, bool isReversed) {
  int64_t count = lanesOf(value.re);
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t lane = isReversed ? count - 1 - i : i;
    lanes.append({lane, lane + count});
  }
  return shuffle(k, value.re, value.im, lanes);
}

void modelc::storePairs(KernelBuilder &k, Complex value, Value memory, Value at, bool isReversed) {
  if (lanesOf(value.re) == 1) {
    k.store(value.re, memory, at);
    k.store(value.im, memory, k.add(at, 1));
    return;
  }
  k.store(joinPairs(k, value, isReversed), memory, at);
}

Value modelc::reversed(KernelBuilder &k, Value x) {
  int64_t count = lanesOf(x);
  return count == 1 ? x : everyLane(k, x, count - 1, -1, count);
}

/// Lanes of x and y in turn, of their lower or upper halves.
static Value zip(KernelBuilder &k, Value x, Value y, bool isUpper) {
  int64_t count = lanesOf(x), first = isUpper ? count / 2 : 0;
  SmallVector<int64_t> lanes;
  for (int64_t i = first; i < first + count / 2; ++i) {
    lanes.append({i, i + count});
  }
  return shuffle(k, x, y, lanes);
}

/// The elements of a power of two of rows, lane by lane: lane 0 of all rows,
/// then lane 1 of all rows, ...
static Values interleave(KernelBuilder &k, Values rows) {
  size_t count = rows.size();
  for (size_t level = count; level > 1; level /= 2) {
    Values next;
    for (size_t i = 0; i < count / 2; ++i) {
      next.push_back(zip(k, rows[i], rows[i + count / 2], false));
      next.push_back(zip(k, rows[i], rows[i + count / 2], true));
    }
    rows = next;
  }
  return rows;
}

Values modelc::transposed(KernelBuilder &k, const Values &rows) {
  return interleave(k, rows);
}

/// Four vectors of four lanes as one store, which machines with a store of four
/// registers in turn recognize.
static void storeFour(KernelBuilder &k, const Values &rows, Value memory, Value at) {
  SmallVector<int64_t> both = {0, 1, 2, 3, 4, 5, 6, 7}, across;
  for (int64_t lane = 0; lane < 4; ++lane) {
    for (int64_t row = 0; row < 4; ++row) {
      across.push_back(row * 4 + lane);
    }
  }
  Value low = shuffle(k, rows[0], rows[1], both), high = shuffle(k, rows[2], rows[3], both);
  k.store(shuffle(k, low, high, across), memory, at);
}

/// Fewer rows than lanes, and not a power of two: each group of lanes has some
/// elements too many, which the next one writes over.
static void storeFew(KernelBuilder &k, Values rows, Value memory, Value at, int64_t lanes,
                     int64_t active) {
  auto count = static_cast<int64_t>(rows.size());
  auto width = static_cast<int64_t>(llvm::PowerOf2Ceil(count));
  rows.resize(width, rows.back());
  Values packed = interleave(k, rows);
  for (int64_t lane = 0; lane < active; ++lane) {
    int64_t position = lane * width;
    Value part = packed[position / lanes];
    if (width < lanes) {
      part = everyLane(k, part, position % lanes, 1, width);
    }
    k.store(part, memory, k.add(at, lane * count));
  }
}

void modelc::storeAcross(KernelBuilder &k, const Values &rows, Value memory, Value at,
                         int64_t lanes, int64_t active) {
  auto count = static_cast<int64_t>(rows.size());
  if (lanes == 1) {
    for (auto [t, row] : llvm::enumerate(rows)) {
      k.store(row, memory, k.add(at, t));
    }
    return;
  }
  if (count == 4 && lanes == 4) {
    return storeFour(k, rows, memory, at);
  }
  if (count < lanes) {
    if (!llvm::isPowerOf2_64(count)) {
      return storeFew(k, rows, memory, at, lanes, active);
    }
    Values packed = interleave(k, rows);
    for (int64_t i = 0; i * lanes < active * count; ++i) {
      k.store(packed[i], memory, k.add(at, i * lanes));
    }
    return;
  }
  // Squares; the last one moves back to end with the last row.
  for (int64_t t = 0; t < count; t += lanes) {
    int64_t first = std::min(t, count - lanes);
    Values square(rows.begin() + first, rows.begin() + first + lanes);
    Values packed = interleave(k, square);
    for (int64_t lane = 0; lane < active; ++lane) {
      k.store(packed[lane], memory, k.add(at, lane * count + first));
    }
  }
}
