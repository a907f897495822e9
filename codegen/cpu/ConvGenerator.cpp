//===- ConvGenerator.cpp - convolutions in vector registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ConvGenerator.h"
#include "codegen/cpu/ConvGeometry.h"
#include "codegen/cpu/MatmulProduct.h"
#include "codegen/cpu/PackedOperand.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

/// Weights that stay in the second-level cache are read again for every row of
/// results; larger ones block by block, for all rows.
static constexpr int64_t cachedBytes = 512 << 10;

static ConvOp anchorOf(KernelOp kernel) {
  auto anchors = kernel.getBody().front().getOps<ConvOp>();
  return anchors.empty() ? ConvOp() : *anchors.begin();
}

static Type elementOf(ConvOp op) {
  return getElementTypeOrSelf(op.getResult().getType());
}

static int64_t lanesOf(ConvOp op, TargetAttr target) {
  return target.getVectorBytes() / elementStorageBytes(elementOf(op));
}

/// Every result depends on one position of the input: a matrix product.
static bool isPointwise(const ConvGeometry &g) {
  auto trivial = [](const ConvAxis &axis) {
    return axis.kernel == 1 && axis.stride == 1 && axis.pad == 0 && axis.count == axis.extent;
  };
  return trivial(g.rows) && trivial(g.columns);
}

static TileShape tileOf(const ConvGeometry &g, int64_t lanes, TargetAttr target) {
  int64_t rows = isPointwise(g) ? g.batch * g.rows.count * g.columns.count : g.columns.count;
  return chooseTile(target, lanes, rows, g.outputs);
}

bool ConvGenerator::supports(KernelOp kernel, TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  if (!op || target.getVectorBytes() < 16 || op.getGroups() != 1 ||
      !(elementOf(op).isF32() || elementOf(op).isF64()) || !Epilogue::supports(kernel, op) ||
      !isa<BlockArgument>(op.getX()) || !isa<BlockArgument>(op.getFilter()) ||
      op.getX() == op.getFilter() || !ColumnBias::supports(op.getBias())) {
    return false;
  }
  std::optional<ConvGeometry> g = ConvGeometry::of(op);
  if (!g) {
    return false;
  }
  return isPointwise(*g) ||
         countBorderTiles(*g, tileOf(*g, lanesOf(op, target), target).rows) <= maxBorderTiles;
}

double ConvGenerator::cost(KernelOp kernel, TargetAttr) const {
  return cast<RankedTensorType>(anchorOf(kernel).getResult().getType()).getNumElements();
}

static OperandPacking packingOf(ConvOp op, const ConvGeometry &g, TargetAttr target) {
  int64_t lanes = lanesOf(op, target);
  OperandPacking packing;
  packing.operand = cast<BlockArgument>(op.getFilter()).getArgNumber();
  packing.leading = 0;
  packing.blocked = 0;
  int64_t rank = cast<RankedTensorType>(op.getFilter().getType()).getRank();
  for (int64_t d = 2; d < rank; ++d) {
    packing.inner.push_back(d);
  }
  packing.inner.push_back(1);
  packing.block = tileOf(g, lanes, target).vectors * lanes;
  return packing;
}

SmallVector<OperandPacking> ConvGenerator::packings(KernelOp kernel, TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  return {packingOf(op, *ConvGeometry::of(op), target)};
}

namespace {
class ConvEmitter {
public:
  ConvEmitter(KernelBuilder &k, const ConvGeometry &g, Type element, TileShape tile, Value x,
              Value filter, const ColumnBias &bias, Epilogue &epilogue)
      : k(k), g(g), element(element), tile(tile), lanes(k.lanes(element)), x(x), filter(filter),
        bias(bias), epilogue(epilogue), blocks(g.outputs, lanes, tile.vectors),
        depth(g.rows.kernel * g.columns.kernel * g.inputs) {}

  void run();

private:
  /// A block of output channels: its packed weights, first channel and width.
  struct Block {
    Value weights, channel;
    int64_t width;
  };
  void forBlocks(function_ref<void(const Block &)> body);
  void emitRow(Value batch, Value row, const Block &block);
  void emitTile(Value batch, Value row, Value column, const WindowTiles &tiles, const Block &block);

  KernelBuilder &k;
  const ConvGeometry &g;
  Type element;
  TileShape tile;
  int64_t lanes;
  Value x, filter;
  const ColumnBias &bias;
  Epilogue &epilogue;
  ColumnBlocks blocks;
  int64_t depth; ///< products per result
};
} // namespace

void ConvEmitter::forBlocks(function_ref<void(const Block &)> body) {
  if (blocks.rest > 0) {
    body({k.index(0), k.index(blocks.full * blocks.width), blocks.rest});
  }
  k.loop(0, blocks.full, 1, [&](Value number) {
    Value weights = k.add(k.mul(number, blocks.width * depth), blocks.restElements(depth));
    body({weights, k.mul(number, blocks.width), blocks.width});
  });
}

void ConvEmitter::emitTile(Value batch, Value row, Value column, const WindowTiles &tiles,
                           const Block &block) {
  int64_t vectors = llvm::divideCeil(block.width, lanes);
  int64_t active = activeLanes(block.width, vectors, lanes);
  int64_t lastActive = active == lanes ? -1 : active;
  // Beyond a row of the rest lies the next one, or the first full block.
  int64_t readable = blocks.full == 0 ? lastActive : -1;
  const ConvAxis &across = g.columns;
  int64_t rowElements = across.extent * g.inputs;
  int64_t kernelRow = across.kernel * g.inputs * block.width;
  TileShape usual{tiles.width, blocks.full != 0 ? blocks.width / lanes : vectors};
  MatmulTile sums(k, element, {tiles.width, vectors}, usual, g.inputs * across.kernel);
  Value inputRow = k.add(k.mul(row, g.rows.stride), -g.rows.pad);
  Value start = k.add(k.mul(column, across.stride * g.inputs), -across.pad * g.inputs);
  KernelRows rows = kernelRows(k, g.rows, row);
  auto kernelRowBody = [&](Value kernel, const Values &carried) {
    Value source =
        k.add(k.add(k.mul(batch, g.rows.extent), inputRow), k.mul(kernel, g.rows.dilation));
    Value at = k.add(k.mul(source, rowElements), start);
    Value weights = k.add(block.weights, k.mul(kernel, kernelRow));
    SmallVector<int64_t> offsets;
    for (int64_t r = 0; r < tiles.width; ++r) {
      offsets.push_back(r * across.stride * g.inputs);
    }
    if (tiles.inside && across.dilation == 1) {
      // Neighbouring positions: kernel columns and channels are one row.
      return sums.accumulate(carried, x, at, offsets, {filter, weights, block.width, readable},
                             across.kernel * g.inputs);
    }
    if (tiles.inside) {
      return k.loop(0, across.kernel, 1, carried, [&](Value kx, const Values &inner) {
        return sums.accumulate(
            inner, x, k.add(at, k.mul(kx, across.dilation * g.inputs)), offsets,
            {filter, k.add(weights, k.mul(kx, g.inputs * block.width)), block.width, readable},
            g.inputs);
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
        next = sums.accumulate(
            next, x, at, shifted,
            {filter, k.add(weights, kx * g.inputs * block.width), block.width, readable}, g.inputs);
      }
    }
    return next;
  };
  Values results = sums.start(bias.load(block.channel, vectors, lanes, lastActive));
  results = g.rows.isInside() ? k.loop(0, g.rows.kernel, 1, results, kernelRowBody)
                              : k.loop(rows.first, rows.last, 1, results, kernelRowBody);
  results = sums.finish(results);
  Value position = k.add(k.mul(k.add(k.mul(batch, g.rows.count), row), across.count), column);
  for (int64_t r = 0; r < tiles.width; ++r) {
    for (int64_t v = 0; v < vectors; ++v) {
      epilogue.store(results[r * vectors + v], k.add(position, r), k.add(block.channel, v * lanes),
                     v == vectors - 1 ? lastActive : -1);
    }
  }
}

void ConvEmitter::emitRow(Value batch, Value row, const Block &block) {
  for (const WindowTiles &tiles : g.tiles(tile.rows)) {
    k.loop(tiles.first, tiles.last, tiles.width,
           [&](Value column) { emitTile(batch, row, column, tiles, block); });
  }
}

void ConvEmitter::run() {
  auto forRows = [&](function_ref<void(Value)> body) { k.loop(0, g.rows.count, 1, body); };
  int64_t bytes = depth * g.outputs * elementStorageBytes(element);
  k.loop(0, g.batch, 1, [&](Value batch) {
    if (bytes <= cachedBytes) {
      forRows(
          [&](Value row) { forBlocks([&](const Block &block) { emitRow(batch, row, block); }); });
    } else {
      forBlocks(
          [&](const Block &block) { forRows([&](Value row) { emitRow(batch, row, block); }); });
    }
  });
}

FailureOr<KernelCode> ConvGenerator::emit(KernelOp kernel, StringRef symbol,
                                          TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  ConvGeometry g = *ConvGeometry::of(op);
  Type element = elementOf(op);
  KernelBuilder k(kernel, symbol, target);
  TileShape tile = tileOf(g, k.lanes(element), target);
  Value filter = packedOperand(k, kernel, op.getFilter(), packingOf(op, g, target));
  ColumnBias bias(k, op.getBias(), element);
  Epilogue epilogue(k, kernel, op);
  if (isPointwise(g)) {
    Product p{};
    p.element = element;
    p.batch = 1;
    p.rows = g.batch * g.rows.count * g.columns.count;
    p.depth = g.inputs;
    p.columns = g.outputs;
    p.x = k.memoryOf(op.getX());
    p.weights = filter;
    p.packed = true;
    emitProduct(k, p, tile, bias, epilogue);
  } else {
    ConvEmitter(k, g, element, tile, k.memoryOf(op.getX()), filter, bias, epilogue).run();
  }
  return k.finish();
}
