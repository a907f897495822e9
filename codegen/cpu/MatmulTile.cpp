//===- MatmulTile.cpp - register blocks of matrix products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/MatmulTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

/// Independent additions that keep two units of four cycles' latency busy.
static constexpr int64_t wantedSums = 8;
/// Bodies beyond this many multiply-adds only cost code.
static constexpr int64_t maxUnrolled = 64;

/// NEON multiplies by one lane of a register: one load brings the factors of
/// several steps.
static bool multipliesByLane(TargetAttr target) {
  return target.getVectorBytes() == 16 && target.getVectorRegisters() >= 32;
}

static bool fits(TargetAttr target, TileShape tile) {
  int64_t registers = target.getVectorRegisters();
  int64_t sums = tile.rows * tile.vectors;
  if (multipliesByLane(target)) {
    return sums + tile.rows + tile.vectors <= registers;
  }
  // One register for the broadcast factor; without fused multiply-add the
  // product needs another.
  int64_t others = tile.vectors + (target.getHasFma() ? 1 : 2);
  return sums + others <= registers;
}

/// Cycles per step of k, with two multiply-adds and two loads per cycle. A
/// vector of weights comes from the second-level cache at best.
static double cycles(int64_t rows, int64_t vectors) {
  double multiply = rows * vectors / 2.0;
  double load = (rows + vectors) / 2.0;
  // Small tiles pay for the loop as well.
  return std::max({multiply, load, vectors * 1.25}) + 0.04 * load + 0.5;
}

TileShape modelc::chooseTile(TargetAttr target, int64_t lanes, int64_t rows, int64_t columns) {
  int64_t vectors = llvm::divideCeil(columns, lanes);
  TileShape best{1, 1};
  double lowest = 0;
  for (int64_t v = 1; v <= std::min<int64_t>(vectors, 8); ++v) {
    for (int64_t r = 1; r <= std::min<int64_t>(rows, 16); ++r) {
      if (!fits(target, {r, v})) {
        break;
      }
      auto columnCost = [&](int64_t tileRows) {
        double cost = vectors / v * cycles(tileRows, v);
        return vectors % v == 0 ? cost : cost + cycles(tileRows, vectors % v);
      };
      double cost = rows / r * columnCost(r) + (rows % r == 0 ? 0 : columnCost(rows % r));
      if (lowest == 0 || cost < lowest) {
        lowest = cost;
        best = {r, v};
      }
    }
  }
  return best;
}

MatmulTile::MatmulTile(KernelBuilder &k, Type element, TileShape shape, TileShape usual,
                       int64_t depth)
    : k(k), element(element), tile(shape), lanes(k.lanes(element)), splits(1) {
  int64_t sums = usual.rows * usual.vectors;
  while (sums * splits < wantedSums && splits * 2 <= depth) {
    splits *= 2;
  }
}

Values MatmulTile::start(const Values &initial) {
  Values sums(splits * tile.rows * tile.vectors, k.constant(VectorType::get({lanes}, element), 0));
  if (!initial.empty()) {
    for (int64_t r = 0; r < tile.rows; ++r) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        sum(sums, 0, r, v) = initial[v];
      }
    }
  }
  return sums;
}

Values MatmulTile::step(Values sums, Value x, Value at, ArrayRef<int64_t> offsets,
                        const TileWeights &weights, Value position, int64_t count, int64_t phase) {
  Value xAt = k.add(at, position);
  Value wAt = k.add(weights.at, k.mul(position, weights.stride));
  bool byLane = multipliesByLane(k.target()) && count == lanes;
  Values factors(tile.rows);
  if (byLane) {
    for (int64_t r = 0; r < tile.rows; ++r) {
      if (offsets[r] >= 0) {
        factors[r] = k.loadVector(x, k.add(xAt, offsets[r]), lanes);
      }
    }
  }
  for (int64_t u = 0; u < count; ++u) {
    int64_t split = (phase + u) % splits;
    Values row;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      row.push_back(k.loadVector(weights.memory, k.add(wAt, u * weights.stride + v * lanes), lanes,
                                 v == tile.vectors - 1 ? weights.lastActive : -1));
    }
    for (int64_t r = 0; r < tile.rows; ++r) {
      if (offsets[r] < 0) {
        continue;
      }
      Value factor = byLane ? k.builder().create<vector::ExtractOp>(factors[r], u).getResult()
                            : k.load(x, k.add(xAt, offsets[r] + u));
      factor = k.broadcast(factor, lanes);
      for (int64_t v = 0; v < tile.vectors; ++v) {
        Value &target = sum(sums, split, r, v);
        target = k.fma(row[v], factor, target);
      }
    }
  }
  return sums;
}

Values MatmulTile::accumulate(Values sums, Value x, Value at, ArrayRef<int64_t> offsets,
                              TileWeights weights, int64_t depth) {
  int64_t perStep = tile.rows * tile.vectors;
  int64_t unroll = splits;
  if (multipliesByLane(k.target())) {
    unroll = std::max(unroll, lanes);
  } else {
    while (unroll * perStep * 2 <= wantedSums * 2) {
      unroll *= 2;
    }
  }
  // Short loops cost more than they save.
  if (depth * perStep <= maxUnrolled && !multipliesByLane(k.target())) {
    unroll = depth;
  }
  int64_t main = depth / unroll * unroll;
  sums = k.loop(0, main, unroll, sums, [&](Value position, const Values &carried) {
    Values next = carried;
    int64_t width = multipliesByLane(k.target()) ? lanes : unroll;
    for (int64_t u = 0; u < unroll; u += width) {
      next = step(next, x, at, offsets, weights, k.add(position, u), width, u);
    }
    return next;
  });
  if (main < depth) {
    // A remainder as long as half a vector or more is still a loop of its own.
    int64_t rest = depth - main;
    if (rest * perStep <= maxUnrolled) {
      return step(sums, x, at, offsets, weights, k.index(main), rest, 0);
    }
    return k.loop(main, depth, 1, sums, [&](Value position, const Values &carried) {
      return step(carried, x, at, offsets, weights, position, 1, 0);
    });
  }
  return sums;
}

Values MatmulTile::finish(const Values &sums) {
  int64_t count = tile.rows * tile.vectors;
  Values results = sums;
  for (int64_t width = splits / 2; width >= 1; width /= 2) {
    for (int64_t i = 0; i < width * count; ++i) {
      results[i] = k.builder().create<arith::AddFOp>(results[i], results[i + width * count]);
    }
  }
  results.resize(count);
  return results;
}
