//===- PoolGenerator.cpp - pools in vector registers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/PoolGenerator.h"
#include "codegen/cpu/ConvGeometry.h"
#include "codegen/cpu/Epilogue.h"
#include "ir/ConstantData.h"
#include "ir/Scalars.h"

using namespace mlir;
using namespace modelc;

/// Windows of a tile, which share what they read.
static constexpr int64_t tileWidth = 4;
/// Taps of a row of the kernel are code of their own.
static constexpr int64_t maxKernelWidth = 16;

static Operation *anchorOf(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    if (isa<MaxPoolOp, AveragePoolOp>(op)) {
      return &op;
    }
  }
  return nullptr;
}

static std::optional<ConvGeometry> geometryOf(Operation *op) {
  if (auto pool = dyn_cast<MaxPoolOp>(op)) {
    return ConvGeometry::of(pool);
  }
  std::optional<ConvGeometry> g = ConvGeometry::of(cast<AveragePoolOp>(op));
  // The number of elements in a window is the same everywhere.
  return g && g->rows[0].isInside() && g->columns[0].isInside() ? g : std::nullopt;
}

bool PoolGenerator::supports(KernelOp kernel, TargetAttr target) const {
  Operation *op = anchorOf(kernel);
  if (!op || target.getVectorBytes() < 16 || !isa<BlockArgument>(op->getOperand(0)) ||
      llvm::any_of(op->getResults().drop_front(), [](Value v) { return !v.use_empty(); }) ||
      !Epilogue::supports(kernel, op)) {
    return false;
  }
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  std::optional<ConvGeometry> g = geometryOf(op);
  return g && (element.isF32() || element.isF64()) && g->kernelWidth() <= maxKernelWidth &&
         g->fitsTiles(std::min(tileWidth, g->width()));
}

double PoolGenerator::cost(KernelOp kernel, TargetAttr) const {
  return cast<RankedTensorType>(anchorOf(kernel)->getResult(0).getType()).getNumElements();
}

namespace {
class PoolEmitter {
public:
  PoolEmitter(KernelBuilder &k, const ConvGeometry &g, Operation *op, Epilogue &epilogue)
      : k(k), g(g), isMax(isa<MaxPoolOp>(op)),
        element(getElementTypeOrSelf(op->getResult(0).getType())), lanes(k.lanes(element)),
        x(k.memoryOf(op->getOperand(0))), epilogue(epilogue) {}

  void run();

private:
  void emitTile(Value batch, Value row, Value column, const WindowTiles &tiles, Value channel,
                int64_t active);

  KernelBuilder &k;
  const ConvGeometry &g;
  bool isMax;
  Type element;
  int64_t lanes;
  Value x;
  Epilogue &epilogue;
};
} // namespace

void PoolEmitter::emitTile(Value batch, Value row, Value column, const WindowTiles &tiles,
                           Value channel, int64_t active) {
  ImplicitLocOpBuilder &b = k.builder();
  const ConvAxis &down = g.rows[0], &across = g.columns[0];
  auto type = VectorType::get({lanes}, element);
  Value initial = isMax ? scalar::lowest(b, type, false) : k.constant(type, 0);
  Values values(tiles.width, initial);
  auto kernelRow = [&](Value kernel, const Values &carried) {
    Value at = k.add(g.inputAt(k, batch, down, row, kernel, across, column), channel);
    Values next = carried;
    DenseMap<int64_t, Value> inputs; // windows overlap
    for (int64_t kx = 0; kx < across.kernel; ++kx) {
      for (int64_t r = 0; r < tiles.width; ++r) {
        if (!tiles.inside && !across.exists(tiles.first + r, kx)) {
          continue;
        }
        int64_t distance = r * across.stride + kx * across.dilation;
        Value &input = inputs[distance];
        if (!input) {
          input = k.loadVector(x, k.add(at, distance * g.inputs), lanes, active);
        }
        next[r] = isMax ? scalar::max(b, next[r], input, false) : scalar::add(b, next[r], input);
      }
    }
    return next;
  };
  values = down.forKernel(k, row, values, kernelRow);
  Value count = k.constant(type, static_cast<double>(down.kernel * across.kernel));
  Value position = g.resultAt(k, batch, row, column);
  for (int64_t r = 0; r < tiles.width; ++r) {
    Value value = isMax ? values[r] : scalar::div(b, values[r], count, false);
    epilogue.store(value, k.add(position, r), channel, active);
  }
}

void PoolEmitter::run() {
  int64_t whole = g.outputs / lanes * lanes;
  SmallVector<WindowTiles> tiles = g.columns[0].tiles(std::min(tileWidth, g.width()));
  k.loop(0, g.batch, 1, [&](Value batch) {
    k.loop(0, g.rows[0].count, 1, [&](Value row) {
      for (const WindowTiles &tile : tiles) {
        k.loop(tile.first, tile.last, tile.width, [&](Value column) {
          k.loop(0, whole, lanes,
                 [&](Value channel) { emitTile(batch, row, column, tile, channel, -1); });
          if (whole < g.outputs) {
            emitTile(batch, row, column, tile, k.index(whole), g.outputs - whole);
          }
        });
      }
    });
  });
}

FailureOr<KernelCode> PoolGenerator::emit(KernelOp kernel, StringRef symbol,
                                          TargetAttr target) const {
  Operation *op = anchorOf(kernel);
  KernelBuilder k(kernel, symbol, target);
  Epilogue epilogue(k, kernel, op);
  PoolEmitter(k, *geometryOf(op), op, epilogue).run();
  return k.finish();
}
