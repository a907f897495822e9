//===- Transposition.cpp - square tiles turned in registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Squares of 4 x 4 elements of 32 bits by unpack instructions, which stay inside
// 16-byte parts of a vector; then block by block: the tile is a matrix of blocks
// of half its size, of which those off the diagonal change places.
//
#include "codegen/cpu/Transposition.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

/// Pairs of `width` neighbours from the low or high half of each part of 4
/// lanes, alternately from `x` and `y`.
static Value unpack(KernelBuilder &k, Value x, Value y, int64_t width, bool high) {
  int64_t size = cast<VectorType>(x.getType()).getDimSize(0);
  SmallVector<int64_t> lanes;
  for (int64_t part = 0; part < size; part += 4) {
    for (int64_t i = 0; i < 2; i += width) {
      for (int64_t source : {int64_t(0), size}) {
        for (int64_t j = 0; j < width; ++j) {
          lanes.push_back(source + part + (high ? 2 : 0) + i + j);
        }
      }
    }
  }
  return k.builder().create<vector::ShuffleOp>(x, y, lanes);
}

static void transposeParts(KernelBuilder &k, Values &tile) {
  for (size_t row = 0; row < tile.size(); row += 4) {
    Value *r = &tile[row];
    Value low01 = unpack(k, r[0], r[1], 1, false), high01 = unpack(k, r[0], r[1], 1, true);
    Value low23 = unpack(k, r[2], r[3], 1, false), high23 = unpack(k, r[2], r[3], 1, true);
    r[0] = unpack(k, low01, low23, 2, false);
    r[1] = unpack(k, low01, low23, 2, true);
    r[2] = unpack(k, high01, high23, 2, false);
    r[3] = unpack(k, high01, high23, 2, true);
  }
}

static void swapBlocks(KernelBuilder &k, Values &tile, int64_t block) {
  auto size = static_cast<int64_t>(tile.size());
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < size; ++lane) {
    // Lanes of the second row follow those of the first in a shuffle's numbers.
    bool second = lane & block;
    low.push_back(second ? lane - block + size : lane);
    high.push_back(second ? lane + size : lane + block);
  }
  for (int64_t row = 0; row < size; ++row) {
    if (!(row & block)) {
      Value upper = tile[row], lower = tile[row + block];
      tile[row] = k.builder().create<vector::ShuffleOp>(upper, lower, low);
      tile[row + block] = k.builder().create<vector::ShuffleOp>(upper, lower, high);
    }
  }
}

Values modelc::transposeTile(KernelBuilder &k, const Values &rows) {
  Values tile = rows;
  bool hasParts = getElementTypeOrSelf(rows.front().getType()).getIntOrFloatBitWidth() == 32;
  if (hasParts) {
    transposeParts(k, tile);
  }
  for (auto block = static_cast<int64_t>(rows.size()) / 2; block >= (hasParts ? 4 : 1);
       block /= 2) {
    swapBlocks(k, tile, block);
  }
  return tile;
}
