//===- DepthwiseGenerator.cpp - convolutions of single channels -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/DepthwiseGenerator.h"
#include "codegen/cpu/ConvGeometry.h"
#include "codegen/cpu/MatmulProduct.h"
#include "codegen/cpu/PackedOperand.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

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

/// Results of a tile: sums, a row of weights and the inputs that the tile's
/// windows share stay in registers.
static int64_t tileWidth(const ConvGeometry &g, TargetAttr target) {
  int64_t most = target.getVectorRegisters() >= 32 ? 8 : 4;
  int64_t best = 1, bestTiles = g.columns.count;
  for (int64_t width = 2; width <= std::min(most, g.columns.count); ++width) {
    int64_t tiles = llvm::divideCeil(g.columns.count, width);
    if (tiles < bestTiles) {
      best = width;
      bestTiles = tiles;
    }
  }
  return best;
}

bool DepthwiseGenerator::supports(KernelOp kernel, TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  if (!op || target.getVectorBytes() < 16 || !(elementOf(op).isF32() || elementOf(op).isF64()) ||
      !Epilogue::supports(kernel, op) || !isa<BlockArgument>(op.getX()) ||
      !isa<BlockArgument>(op.getFilter()) || op.getX() == op.getFilter() ||
      !ColumnBias::supports(op.getBias())) {
    return false;
  }
  std::optional<ConvGeometry> g = ConvGeometry::of(op);
  return g && g->groups == g->inputs && g->inputs == g->outputs && g->inputs > 1 &&
         g->columns.kernel <= 16 && countBorderTiles(*g, tileWidth(*g, target)) <= maxBorderTiles;
}

double DepthwiseGenerator::cost(KernelOp kernel, TargetAttr) const {
  return cast<RankedTensorType>(anchorOf(kernel).getResult().getType()).getNumElements();
}

static OperandPacking packingOf(ConvOp op, TargetAttr target) {
  OperandPacking packing;
  packing.operand = cast<BlockArgument>(op.getFilter()).getArgNumber();
  packing.leading = 0;
  packing.blocked = 0;
  llvm::append_range(
      packing.inner,
      llvm::seq<int64_t>(1, cast<RankedTensorType>(op.getFilter().getType()).getRank()));
  packing.block = lanesOf(op, target);
  return packing;
}

SmallVector<OperandPacking> DepthwiseGenerator::packings(KernelOp kernel, TargetAttr target) const {
  return {packingOf(anchorOf(kernel), target)};
}

namespace {
class DepthwiseEmitter {
public:
  DepthwiseEmitter(KernelBuilder &k, const ConvGeometry &g, Type element, Value x, Value filter,
                   const ColumnBias &bias, Epilogue &epilogue)
      : k(k), g(g), lanes(k.lanes(element)), element(element), x(x), filter(filter), bias(bias),
        epilogue(epilogue), rest(g.outputs % lanes) {}

  void run();

private:
  void emitTile(Value batch, Value row, Value column, const WindowTiles &tiles, Value channel,
                Value weights, int64_t width);

  KernelBuilder &k;
  const ConvGeometry &g;
  int64_t lanes;
  Type element;
  Value x, filter;
  const ColumnBias &bias;
  Epilogue &epilogue;
  int64_t rest; ///< channels that do not fill a vector
};
} // namespace

void DepthwiseEmitter::emitTile(Value batch, Value row, Value column, const WindowTiles &tiles,
                                Value channel, Value weights, int64_t width) {
  const ConvAxis &across = g.columns;
  int64_t active = width == lanes ? -1 : width;
  int64_t rowElements = across.extent * g.inputs;
  Value inputRow = k.add(k.mul(row, g.rows.stride), -g.rows.pad);
  Value start = k.add(k.mul(column, across.stride * g.inputs), -across.pad * g.inputs);
  start = k.add(start, channel);
  Values initial = bias.load(channel, 1, lanes, active);
  Value zero = k.constant(VectorType::get({lanes}, element), 0);
  Values sums(tiles.width, initial.empty() ? zero : initial.front());
  auto kernelRow = [&](Value kernel, const Values &carried) {
    Value source =
        k.add(k.add(k.mul(batch, g.rows.extent), inputRow), k.mul(kernel, g.rows.dilation));
    Value at = k.add(k.mul(source, rowElements), start);
    Value weightsAt = k.add(weights, k.mul(kernel, across.kernel * width));
    Values next = carried;
    DenseMap<int64_t, Value> inputs; // windows overlap
    for (int64_t kx = 0; kx < across.kernel; ++kx) {
      Value weight = k.loadVector(filter, k.add(weightsAt, kx * width), lanes, active);
      for (int64_t r = 0; r < tiles.width; ++r) {
        if (!tiles.inside && !across.exists(tiles.first + r, kx)) {
          continue;
        }
        int64_t distance = r * across.stride + kx * across.dilation;
        Value &input = inputs[distance];
        if (!input) {
          input = k.loadVector(x, k.add(at, distance * g.inputs), lanes, active);
        }
        next[r] = k.fma(input, weight, next[r]);
      }
    }
    return next;
  };
  if (g.rows.isInside()) {
    sums = k.loop(0, g.rows.kernel, 1, sums, kernelRow);
  } else {
    KernelRows rows = kernelRows(k, g.rows, row);
    sums = k.loop(rows.first, rows.last, 1, sums, kernelRow);
  }
  Value position = k.add(k.mul(k.add(k.mul(batch, g.rows.count), row), across.count), column);
  for (int64_t r = 0; r < tiles.width; ++r) {
    epilogue.store(sums[r], k.add(position, r), channel, active);
  }
}

void DepthwiseEmitter::run() {
  int64_t taps = g.rows.kernel * g.columns.kernel;
  int64_t whole = g.outputs - rest;
  SmallVector<WindowTiles> tiles = g.tiles(tileWidth(g, k.target()));
  auto emitChannels = [&](Value batch, Value row, Value column, const WindowTiles &tile) {
    if (rest > 0) {
      emitTile(batch, row, column, tile, k.index(whole), k.index(0), rest);
    }
    k.loop(0, whole, lanes, [&](Value channel) {
      emitTile(batch, row, column, tile, channel, k.add(k.mul(channel, taps), rest * taps), lanes);
    });
  };
  k.loop(0, g.batch, 1, [&](Value batch) {
    k.loop(0, g.rows.count, 1, [&](Value row) {
      for (const WindowTiles &tile : tiles) {
        k.loop(tile.first, tile.last, tile.width,
               [&](Value column) { emitChannels(batch, row, column, tile); });
      }
    });
  });
}

FailureOr<KernelCode> DepthwiseGenerator::emit(KernelOp kernel, StringRef symbol,
                                               TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  ConvGeometry g = *ConvGeometry::of(op);
  Type element = elementOf(op);
  KernelBuilder k(kernel, symbol, target);
  Value filter = packedOperand(k, kernel, op.getFilter(), packingOf(op, target));
  ColumnBias bias(k, op.getBias(), element);
  Epilogue epilogue(k, kernel, op);
  DepthwiseEmitter(k, g, element, k.memoryOf(op.getX()), filter, bias, epilogue).run();
  return k.finish();
}
