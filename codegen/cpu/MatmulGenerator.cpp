//===- MatmulGenerator.cpp - matrix products in vector registers ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/MatmulGenerator.h"
#include "codegen/cpu/DotProduct.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

static MatmulOp anchorOf(KernelOp kernel) {
  auto anchors = kernel.getBody().front().getOps<MatmulOp>();
  return anchors.empty() ? MatmulOp() : *anchors.begin();
}

static int64_t lanesOf(Type element, TargetAttr target) {
  return target.getVectorBytes() / elementStorageBytes(element);
}

/// The extents of a product, without the memory. Nothing if the batches of the
/// operands are not the same, or one of them; nor for a vector on the right,
/// which leaves no columns for the lanes.
static std::optional<Product> productOf(MatmulOp op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  auto y = cast<RankedTensorType>(op.getY().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Product p{};
  p.element = result.getElementType();
  p.depth = x.getShape().back();
  p.rows = x.getRank() == 1 ? 1 : x.getDimSize(x.getRank() - 2);
  p.columns = y.getShape().back();
  if (y.getRank() == 1 || result.getNumElements() == 0 || p.depth == 0) {
    return std::nullopt;
  }
  p.batch = result.getNumElements() / (p.rows * p.columns);
  int64_t xBatch = x.getNumElements() / (p.rows * p.depth);
  int64_t yBatch = y.getNumElements() / (p.depth * p.columns);
  if ((xBatch != 1 && xBatch != p.batch) || (yBatch != 1 && yBatch != p.batch)) {
    return std::nullopt;
  }
  p.xStep = xBatch == 1 ? 0 : p.rows * p.depth;
  p.weightStep = yBatch == 1 ? 0 : p.depth * p.columns;
  if (yBatch == 1 && xBatch == p.batch) {
    // One matrix for the whole batch: its entries are just more rows.
    p.rows *= p.batch;
    p.batch = 1;
  }
  return p;
}

bool MatmulGenerator::supports(KernelOp kernel, TargetAttr target) const {
  MatmulOp op = anchorOf(kernel);
  if (!op || target.getVectorBytes() < 16 || !Epilogue::supports(kernel, op)) {
    return false;
  }
  Type element = getElementTypeOrSelf(op.getResult().getType());
  return (element.isF32() || element.isF64()) && isa<BlockArgument>(op.getX()) &&
         isa<BlockArgument>(op.getY()) && productOf(op);
}

double MatmulGenerator::cost(KernelOp kernel, TargetAttr) const {
  return cast<RankedTensorType>(anchorOf(kernel).getResult().getType()).getNumElements();
}

SmallVector<OperandPacking> MatmulGenerator::packings(KernelOp kernel, TargetAttr target) const {
  MatmulOp op = anchorOf(kernel);
  Product p = *productOf(op);
  int64_t lanes = lanesOf(p.element, target);
  TileShape tile = chooseTile(target, lanes, p.rows, p.columns);
  int64_t rank = cast<RankedTensorType>(op.getY().getType()).getRank();
  unsigned number = cast<BlockArgument>(op.getY()).getArgNumber();
  if (op.getX() == op.getY()) {
    return {};
  }
  OperandPacking packing;
  packing.operand = number;
  packing.leading = rank - 2;
  packing.blocked = rank - 1;
  packing.inner = {rank - 2};
  packing.block = tile.vectors * lanes;
  return {packing};
}

FailureOr<KernelCode> MatmulGenerator::emit(KernelOp kernel, StringRef symbol,
                                            TargetAttr target) const {
  MatmulOp op = anchorOf(kernel);
  Product p = *productOf(op);
  KernelBuilder k(kernel, symbol, target);
  p.x = k.memoryOf(op.getX());
  p.weights = k.memoryOf(op.getY());
  p.packed = isPacked(kernel, cast<BlockArgument>(op.getY()).getArgNumber());
  TileShape tile = chooseTile(target, k.lanes(p.element), p.rows, p.columns);
  Epilogue epilogue(k, kernel, op);
  if (isDotProduct(p, k.lanes(p.element))) {
    emitDotProducts(k, p, epilogue);
    return k.finish();
  }
  emitProduct(k, p, tile, ColumnBias(k, {}, p.element), epilogue);
  return k.finish();
}
