//===- DepthwiseGenerator.cpp - convolutions of single channels -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/DepthwiseGenerator.h"
#include "codegen/cpu/ConvAnchor.h"

using namespace mlir;
using namespace modelc;

/// Kernels up to this wide are unrolled, so that windows share what they read.
static constexpr int64_t maxUnrolledKernel = 16;

/// Results of a tile: sums, a row of weights and the inputs that the tile's
/// windows share stay in registers.
static int64_t tileWidth(const ConvGeometry &g, TargetAttr target) {
  int64_t most = target.getVectorRegisters() >= 32 ? 8 : 4;
  int64_t best = 1, bestTiles = g.width();
  for (int64_t width = 2; width <= std::min(most, g.width()); ++width) {
    int64_t tiles = llvm::divideCeil(g.width(), width);
    if (tiles < bestTiles) {
      best = width;
      bestTiles = tiles;
    }
  }
  return best;
}

bool DepthwiseGenerator::supports(KernelOp kernel, TargetAttr target) const {
  std::optional<ConvAnchor> anchor = ConvAnchor::of(kernel, target);
  if (!anchor) {
    return false;
  }
  const ConvGeometry &g = anchor->geometry;
  bool isInside = llvm::all_of(g.columns, [](const ConvAxis &axis) { return axis.isInside(); });
  return g.isDepthwise() && g.inputs > 1 && g.fitsTiles(tileWidth(g, target)) &&
         (isInside || g.kernelWidth() <= maxUnrolledKernel);
}

double DepthwiseGenerator::cost(KernelOp kernel, TargetAttr target) const {
  return ConvAnchor::of(kernel, target)->cost();
}

/// Channels are groups of one: the packing of a filter in one part.
static OperandPacking packingOf(const ConvAnchor &anchor) {
  OperandPacking packing = anchor.packing(anchor.lanes);
  packing.parts = 1;
  packing.blocked = 0;
  packing.inner.back() = 1;
  return packing;
}

SmallVector<OperandPacking> DepthwiseGenerator::packings(KernelOp kernel, TargetAttr target) const {
  return {packingOf(*ConvAnchor::of(kernel, target))};
}

namespace {
class DepthwiseEmitter {
public:
  explicit DepthwiseEmitter(ConvParts &parts)
      : parts(parts), k(parts.k), g(parts.g), lanes(parts.lanes), rest(g.outputs % lanes) {}

  void run();

private:
  /// A vector of channels and its weights.
  struct Channels {
    Value first, weights;
    int64_t width;
  };
  void emitRow(Value batch, const ConvAxis &down, Value row, const ConvAxis &across);
  void emitTile(Value batch, const ConvAxis &down, Value row, const ConvAxis &across, Value column,
                const WindowTiles &tiles, const Channels &channels);
  Values addKernelRow(Values sums, const ConvAxis &across, const WindowTiles &tiles, Value at,
                      Value weights, int64_t width);

  ConvParts &parts;
  KernelBuilder &k;
  const ConvGeometry &g;
  int64_t lanes, rest; ///< channels that do not fill a vector
};
} // namespace

/// Adds the products of one row of the kernel; `at` is the first position of
/// the first window, `weights` that of the filter's row.
Values DepthwiseEmitter::addKernelRow(Values sums, const ConvAxis &across, const WindowTiles &tiles,
                                      Value at, Value weights, int64_t width) {
  int64_t active = width == lanes ? -1 : width;
  auto load = [&](Value memory, Value from) { return k.loadVector(memory, from, lanes, active); };
  if (across.kernel > maxUnrolledKernel) {
    return k.loop(0, across.kernel, 1, sums, [&](Value kx, const Values &carried) {
      Values next = carried;
      Value weight = load(parts.filter, k.add(weights, k.mul(across.tapAt(k, kx), width)));
      Value source = k.add(at, k.mul(kx, across.dilation * g.inputs));
      for (int64_t r = 0; r < tiles.width; ++r) {
        Value input = load(parts.x, k.add(source, r * across.stride * g.inputs));
        next[r] = k.fma(input, weight, next[r]);
      }
      return next;
    });
  }
  DenseMap<int64_t, Value> inputs; // windows overlap
  for (int64_t kx = 0; kx < across.kernel; ++kx) {
    int64_t tap = across.firstTap + kx * across.tapStep;
    Value weight = load(parts.filter, k.add(weights, tap * width));
    for (int64_t r = 0; r < tiles.width; ++r) {
      if (!tiles.inside && !across.exists(tiles.first + r, kx)) {
        continue;
      }
      int64_t distance = r * across.stride + kx * across.dilation;
      Value &input = inputs[distance];
      if (!input) {
        input = load(parts.x, k.add(at, distance * g.inputs));
      }
      sums[r] = k.fma(input, weight, sums[r]);
    }
  }
  return sums;
}

void DepthwiseEmitter::emitTile(Value batch, const ConvAxis &down, Value row,
                                const ConvAxis &across, Value column, const WindowTiles &tiles,
                                const Channels &channels) {
  int64_t width = channels.width, active = width == lanes ? -1 : width;
  Values initial = parts.bias.load(channels.first, 1, lanes, active);
  Value zero = k.constant(VectorType::get({lanes}, parts.element), 0);
  Values sums(tiles.width, initial.empty() ? zero : initial.front());
  auto kernelRow = [&](Value kernel, const Values &carried) {
    Value at = g.inputAt(k, batch, down, row, kernel, across, column);
    Value weights = k.add(channels.weights, k.mul(down.tapAt(k, kernel), across.taps * width));
    return addKernelRow(carried, across, tiles, k.add(at, channels.first), weights, width);
  };
  sums = down.forKernel(k, row, sums, kernelRow);
  Value position = g.resultAt(k, batch, down.resultAt(k, row), across.resultAt(k, column));
  for (int64_t r = 0; r < tiles.width; ++r) {
    parts.epilogue.store(sums[r], k.add(position, r * across.resultStep), channels.first, active);
  }
}

void DepthwiseEmitter::emitRow(Value batch, const ConvAxis &down, Value row,
                               const ConvAxis &across) {
  int64_t taps = g.depth(), whole = g.outputs - rest;
  for (const WindowTiles &tiles : across.tiles(tileWidth(g, k.target()))) {
    k.loop(tiles.first, tiles.last, tiles.width, [&](Value column) {
      auto emit = [&](const Channels &channels) {
        emitTile(batch, down, row, across, column, tiles, channels);
      };
      if (rest > 0) {
        emit({k.index(whole), k.index(0), rest});
      }
      k.loop(0, whole, lanes, [&](Value channel) {
        emit({channel, k.add(k.mul(channel, taps), rest * taps), lanes});
      });
    });
  }
}

void DepthwiseEmitter::run() {
  k.loop(0, g.batch, 1, [&](Value batch) {
    for (const ConvAxis &down : g.rows) {
      k.loop(0, down.count, 1, [&](Value row) {
        for (const ConvAxis &across : g.columns) {
          emitRow(batch, down, row, across);
        }
      });
    }
  });
}

FailureOr<KernelCode> DepthwiseGenerator::emit(KernelOp kernel, StringRef symbol,
                                               TargetAttr target) const {
  ConvAnchor anchor = *ConvAnchor::of(kernel, target);
  KernelBuilder k(kernel, symbol, target);
  ConvParts parts(k, kernel, anchor, packingOf(anchor));
  DepthwiseEmitter(parts).run();
  return k.finish();
}
