//===- ConvGenerator.cpp - convolutions in vector registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ConvGenerator.h"
#include "codegen/cpu/ConvAnchor.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

/// Weights that stay in the second-level cache are read again for every row of
/// results; larger ones block by block, for all rows.
static constexpr int64_t cachedBytes = 512 << 10;

static TileShape tileOf(const ConvAnchor &anchor, TargetAttr target) {
  const ConvGeometry &g = anchor.geometry;
  int64_t rows = g.isPointwise() ? g.batch * g.rows[0].count * g.columns[0].count : g.width();
  return chooseTile(target, anchor.lanes, rows, g.outputsPerGroup());
}

static OperandPacking packingOf(const ConvAnchor &anchor, TargetAttr target) {
  return anchor.packing(tileOf(anchor, target).vectors * anchor.lanes);
}

bool ConvGenerator::supports(KernelOp kernel, TargetAttr target) const {
  std::optional<ConvAnchor> anchor = ConvAnchor::of(kernel, target);
  // Groups of one channel leave no lanes.
  return anchor && (anchor->geometry.groups == 1 || anchor->geometry.outputsPerGroup() > 1) &&
         (anchor->geometry.isPointwise() ||
          anchor->geometry.fitsTiles(tileOf(*anchor, target).rows));
}

double ConvGenerator::cost(KernelOp kernel, TargetAttr target) const {
  return ConvAnchor::of(kernel, target)->cost();
}

SmallVector<OperandPacking> ConvGenerator::packings(KernelOp kernel, TargetAttr target) const {
  return {packingOf(*ConvAnchor::of(kernel, target), target)};
}

namespace {
/// The windows that one tile belongs to.
struct Line {
  const ConvAxis &down, &across;
  Value batch, row;
};

class ConvEmitter {
public:
  ConvEmitter(ConvParts &parts, TileShape tile)
      : parts(parts), k(parts.k), g(parts.g), tile(tile),
        blocks(g.outputsPerGroup(), parts.lanes, tile.vectors) {}

  void run();

private:
  /// A block of output channels: its packed weights, first channel and width,
  /// and the first input channel of its group.
  struct Block {
    Value weights, channel, input;
    int64_t width;
  };
  void forBlocks(function_ref<void(const Block &)> body);
  void emitRow(const Line &line, const Block &block);
  void emitTile(const Line &line, Value column, const WindowTiles &tiles, const Block &block);
  Values addKernelRow(MatmulTile &sums, const Values &carried, const Line &line,
                      const WindowTiles &tiles, Value at, TileWeights weights);

  ConvParts &parts;
  KernelBuilder &k;
  const ConvGeometry &g;
  TileShape tile;
  ColumnBlocks blocks; ///< of one group
};
} // namespace

void ConvEmitter::forBlocks(function_ref<void(const Block &)> body) {
  int64_t depth = g.depth();
  k.loop(0, g.groups, 1, [&](Value group) {
    Value weights = k.mul(group, g.outputsPerGroup() * depth);
    Value channel = k.mul(group, g.outputsPerGroup());
    Value input = k.mul(group, g.inputsPerGroup());
    if (blocks.rest > 0) {
      body({weights, k.add(channel, blocks.full * blocks.width), input, blocks.rest});
    }
    k.loop(0, blocks.full, 1, [&](Value number) {
      Value at = k.add(k.mul(number, blocks.width * depth), blocks.restElements(depth));
      body({k.add(weights, at), k.add(channel, k.mul(number, blocks.width)), input, blocks.width});
    });
  });
}

/// Adds the products of one row of the kernel; `at` is the first position of
/// the first window, `weights` those of the filter's row.
Values ConvEmitter::addKernelRow(MatmulTile &sums, const Values &carried, const Line &line,
                                 const WindowTiles &tiles, Value at, TileWeights weights) {
  const ConvAxis &across = line.across;
  int64_t depth = g.inputsPerGroup(), rowOfWeights = depth * weights.stride;
  SmallVector<int64_t> offsets;
  for (int64_t r = 0; r < tiles.width; ++r) {
    offsets.push_back(r * across.stride * g.inputs);
  }
  Value filterRow = weights.at;
  if (tiles.inside && across.isContiguous() && (g.groups == 1 || across.kernel == 1)) {
    // Kernel columns and channels are one row.
    weights.at = k.add(filterRow, across.firstTap * rowOfWeights);
    return sums.accumulate(carried, parts.x, at, offsets, weights, across.kernel * depth);
  }
  if (tiles.inside) {
    return k.loop(0, across.kernel, 1, carried, [&](Value kx, const Values &inner) {
      weights.at = k.add(filterRow, k.mul(across.tapAt(k, kx), rowOfWeights));
      Value source = k.add(at, k.mul(kx, across.dilation * g.inputs));
      return sums.accumulate(inner, parts.x, source, offsets, weights, depth);
    });
  }
  Values next = carried;
  for (int64_t kx = 0; kx < across.kernel; ++kx) {
    bool any = false;
    SmallVector<int64_t> shifted;
    for (int64_t r = 0; r < tiles.width; ++r) {
      bool exists = across.exists(tiles.first + r, kx);
      shifted.push_back(exists ? offsets[r] + kx * across.dilation * g.inputs : -1);
      any |= exists;
    }
    if (any) {
      int64_t tap = across.firstTap + kx * across.tapStep;
      weights.at = k.add(filterRow, tap * rowOfWeights);
      next = sums.accumulate(next, parts.x, at, shifted, weights, depth);
    }
  }
  return next;
}

void ConvEmitter::emitTile(const Line &line, Value column, const WindowTiles &tiles,
                           const Block &block) {
  int64_t lanes = parts.lanes;
  int64_t vectors = llvm::divideCeil(block.width, lanes);
  int64_t active = activeLanes(block.width, vectors, lanes);
  int64_t lastActive = active == lanes ? -1 : active;
  // Beyond a row of the rest lies the next one, or the first full block.
  int64_t readable = blocks.full == 0 ? lastActive : -1;
  const ConvAxis &across = line.across;
  TileShape usual{tiles.width, blocks.full != 0 ? blocks.width / lanes : vectors};
  MatmulTile sums(k, parts.element, {tiles.width, vectors}, usual,
                  g.inputsPerGroup() * g.kernelWidth());
  auto kernelRow = [&](Value kernel, const Values &carried) {
    Value at = g.inputAt(k, line.batch, line.down, line.row, kernel, across, column);
    int64_t filterRow = across.taps * g.inputsPerGroup() * block.width;
    Value weights = k.add(block.weights, k.mul(line.down.tapAt(k, kernel), filterRow));
    return addKernelRow(sums, carried, line, tiles, k.add(at, block.input),
                        {parts.filter, weights, block.width, readable});
  };
  Values results = sums.start(parts.bias.load(block.channel, vectors, lanes, lastActive));
  if (across.kernel > 0) {
    results = line.down.forKernel(k, line.row, results, kernelRow);
  }
  results = sums.finish(results);
  Value position =
      g.resultAt(k, line.batch, line.down.resultAt(k, line.row), across.resultAt(k, column));
  for (int64_t r = 0; r < tiles.width; ++r) {
    for (int64_t v = 0; v < vectors; ++v) {
      parts.epilogue.store(results[r * vectors + v], k.add(position, r * across.resultStep),
                           k.add(block.channel, v * lanes), v == vectors - 1 ? lastActive : -1);
    }
  }
}

void ConvEmitter::emitRow(const Line &line, const Block &block) {
  for (const WindowTiles &tiles : line.across.tiles(tile.rows)) {
    k.loop(tiles.first, tiles.last, tiles.width,
           [&](Value column) { emitTile(line, column, tiles, block); });
  }
}

void ConvEmitter::run() {
  int64_t bytes = g.depth() * g.outputs * elementStorageBytes(parts.element);
  auto forRows = [&](Value batch, function_ref<void(const Line &)> body) {
    for (const ConvAxis &down : g.rows) {
      k.loop(0, down.count, 1, [&](Value row) {
        for (const ConvAxis &across : g.columns) {
          body({down, across, batch, row});
        }
      });
    }
  };
  k.loop(0, g.batch, 1, [&](Value batch) {
    if (bytes <= cachedBytes) {
      forRows(batch, [&](const Line &line) {
        forBlocks([&](const Block &block) { emitRow(line, block); });
      });
    } else {
      forBlocks([&](const Block &block) {
        forRows(batch, [&](const Line &line) { emitRow(line, block); });
      });
    }
  });
}

FailureOr<KernelCode> ConvGenerator::emit(KernelOp kernel, StringRef symbol,
                                          TargetAttr target) const {
  ConvAnchor anchor = *ConvAnchor::of(kernel, target);
  const ConvGeometry &g = anchor.geometry;
  KernelBuilder k(kernel, symbol, target);
  TileShape tile = tileOf(anchor, target);
  ConvParts parts(k, kernel, anchor, packingOf(anchor, target));
  if (g.isPointwise()) {
    Product p{};
    p.element = anchor.element;
    p.batch = 1;
    p.rows = g.batch * g.rows[0].count * g.columns[0].count;
    p.depth = g.inputs;
    p.columns = g.outputs;
    p.x = parts.x;
    p.weights = parts.filter;
    p.packed = true;
    emitProduct(k, p, tile, parts.bias, parts.epilogue);
  } else {
    ConvEmitter(parts, tile).run();
  }
  return k.finish();
}
