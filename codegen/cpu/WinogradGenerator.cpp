//===- WinogradGenerator.cpp - 3x3 convolutions with fewer products -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/WinogradGenerator.h"
#include "codegen/cpu/PackedOperand.h"
#include "codegen/cpu/WinogradEmitter.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

/// The transformed filter stays in the second-level cache, ...
static constexpr int64_t filterBytes = 1 << 20;
/// ... as do the transformed inputs and the products of a group of tiles.
static constexpr int64_t groupBytes = 256 << 10;
/// Fewer products have to save at least this part of the time.
static constexpr double worthwhile = 0.75;

/// Of the extents up to `most`, the one whose multiple covers `count` with
/// least waste; the largest of several.
static int64_t evenPart(int64_t count, int64_t most) {
  int64_t best = 1, least = count;
  for (int64_t part = 1; part <= std::min(most, count); ++part) {
    int64_t covered = llvm::divideCeil(count, part) * part;
    if (covered <= least) {
      best = part;
      least = covered;
    }
  }
  return best;
}

std::optional<WinogradGeometry> WinogradGeometry::of(ConvOp op) {
  auto all = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  ArrayRef<int64_t> x = cast<RankedTensorType>(op.getX().getType()).getShape();
  ArrayRef<int64_t> filter = cast<RankedTensorType>(op.getFilter().getType()).getShape();
  ArrayRef<int64_t> result = op.getType().getShape();
  if (x.size() != 4 || !op.getChannelsLast() || op.getGroups() != 1 ||
      !all(filter.drop_front(2), 3) || !all(op.getStrides(), 1) || !all(op.getDilations(), 1) ||
      op.getType().getNumElements() == 0 || x[3] == 0) {
    return std::nullopt;
  }
  WinogradGeometry g{};
  g.batch = x[0];
  g.rows = x[1];
  g.columns = x[2];
  g.inputs = x[3];
  g.resultRows = result[1];
  g.resultColumns = result[2];
  g.outputs = result[3];
  g.rowPad = op.getPadsBegin()[0];
  g.columnPad = op.getPadsBegin()[1];
  int64_t perTile =
      products * (g.inputs + g.outputs) * elementStorageBytes(op.getType().getElementType());
  int64_t most = std::max<int64_t>(groupBytes / perTile, 4);
  if (g.tileColumns() < most) {
    g.groupRows = evenPart(g.tileRows(), most / g.tileColumns());
    g.groupColumns = g.tileColumns();
  } else {
    // A last group that is not full is moved back, and computes tiles again.
    g.groupRows = 1;
    g.groupColumns = llvm::divideCeil(g.tileColumns(), llvm::divideCeil(g.tileColumns(), most));
  }
  return g;
}

static ConvOp anchorOf(KernelOp kernel) {
  auto anchors = kernel.getBody().front().getOps<ConvOp>();
  return anchors.empty() ? ConvOp() : *anchors.begin();
}

static int64_t lanesOf(Type element, TargetAttr target) {
  return target.getVectorBytes() / elementStorageBytes(element);
}

static TileShape shapeOf(const WinogradGeometry &g, int64_t lanes, TargetAttr target) {
  return chooseTile(target, lanes, g.groupRows * g.groupColumns, g.outputs);
}

/// Cycles per tile with two multiply-adds, two loads and one store in each,
/// next to those of the sum of products.
static bool isFaster(const WinogradGeometry &g, int64_t lanes) {
  double inputVectors = llvm::divideCeil(g.inputs, lanes);
  double outputVectors = llvm::divideCeil(g.outputs, lanes);
  double tiles = g.batch * g.tileRows() * g.tileColumns();
  double perProduct = g.inputs * outputVectors / 2.0;
  double transform = 32 * inputVectors + 36 * outputVectors;
  double filter = 40.0 * g.inputs * outputVectors;
  double direct = 9.0 * perProduct * g.batch * g.resultRows * g.resultColumns;
  return tiles * (WinogradGeometry::products * perProduct + transform) + filter <
         worthwhile * direct;
}

bool WinogradGenerator::supports(KernelOp kernel, TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  if (!op || target.getVectorBytes() < 16 || !Epilogue::supports(kernel, op) ||
      !isa<BlockArgument>(op.getX()) || !isa<BlockArgument>(op.getFilter()) ||
      op.getX() == op.getFilter() || !ColumnBias::supports(op.getBias())) {
    return false;
  }
  Type element = op.getType().getElementType();
  std::optional<WinogradGeometry> g = WinogradGeometry::of(op);
  if (!g || !(element.isF32() || element.isF64()) || !isFaster(*g, lanesOf(element, target))) {
    return false;
  }
  // Temporaries are no larger than what the convolution reads and writes anyway.
  int64_t moved =
      cast<RankedTensorType>(op.getX().getType()).getNumElements() + op.getType().getNumElements();
  int64_t filter = g->filterElements();
  return filter * elementStorageBytes(element) <= filterBytes &&
         filter + g->groupElements() <= moved;
}

double WinogradGenerator::cost(KernelOp kernel, TargetAttr) const {
  // Below that of the sum of products, which every such convolution has.
  return 0.5 * anchorOf(kernel).getType().getNumElements();
}

static OperandPacking packingOf(ConvOp op, int64_t block) {
  OperandPacking packing;
  packing.operand = cast<BlockArgument>(op.getFilter()).getArgNumber();
  packing.leading = 0;
  packing.blocked = 0;
  packing.inner = {2, 3, 1};
  packing.block = block;
  return packing;
}

SmallVector<OperandPacking> WinogradGenerator::packings(KernelOp kernel, TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  int64_t lanes = lanesOf(op.getType().getElementType(), target);
  return {packingOf(op, shapeOf(*WinogradGeometry::of(op), lanes, target).vectors * lanes)};
}

FailureOr<KernelCode> WinogradGenerator::emit(KernelOp kernel, StringRef symbol,
                                              TargetAttr target) const {
  ConvOp op = anchorOf(kernel);
  WinogradGeometry g = *WinogradGeometry::of(op);
  Type element = op.getType().getElementType();
  KernelBuilder k(kernel, symbol, target);
  TileShape tile = shapeOf(g, k.lanes(element), target);
  OperandPacking packing = packingOf(op, tile.vectors * k.lanes(element));
  Value filter = packedOperand(k, kernel, op.getFilter(), packing);
  ColumnBias bias(k, op.getBias(), element);
  Epilogue epilogue(k, kernel, op);
  emitWinograd(k, g, element, tile, k.memoryOf(op.getX()), filter, bias, epilogue);
  return k.finish();
}
