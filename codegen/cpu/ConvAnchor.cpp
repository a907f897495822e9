//===- ConvAnchor.cpp - the convolution that a kernel is built around -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ConvAnchor.h"
#include "codegen/cpu/PackedOperand.h"
#include "ir/ConstantData.h"

using namespace mlir;
using namespace modelc;

template <typename OpTy> static std::optional<ConvAnchor> anchorOf(OpTy op, bool isTransposed) {
  std::optional<ConvGeometry> g = ConvGeometry::of(op);
  if (!g) {
    return std::nullopt;
  }
  Type element = getElementTypeOrSelf(op.getResult().getType());
  return ConvAnchor{op,      op.getX(),   op.getFilter(), op.getBias(),
                    element, /*lanes=*/1, isTransposed,   *g};
}

std::optional<ConvAnchor> ConvAnchor::of(KernelOp kernel, TargetAttr target) {
  std::optional<ConvAnchor> anchor;
  for (Operation &op : kernel.getBody().front()) {
    if (auto conv = dyn_cast<ConvOp>(op)) {
      anchor = anchorOf(conv, /*isTransposed=*/false);
      break;
    }
    if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
      anchor = anchorOf(conv, /*isTransposed=*/true);
      break;
    }
  }
  if (!anchor || target.getVectorBytes() < 16 ||
      !(anchor->element.isF32() || anchor->element.isF64()) ||
      !Epilogue::supports(kernel, anchor->op) || !isa<BlockArgument>(anchor->x) ||
      !isa<BlockArgument>(anchor->filter) || anchor->x == anchor->filter ||
      !ColumnBias::supports(anchor->bias)) {
    return std::nullopt;
  }
  anchor->lanes = target.getVectorBytes() / elementStorageBytes(anchor->element);
  return anchor;
}

double ConvAnchor::cost() const {
  return cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
}

OperandPacking ConvAnchor::packing(int64_t block) const {
  OperandPacking packing;
  packing.operand = cast<BlockArgument>(filter).getArgNumber();
  packing.leading = 0;
  packing.parts = geometry.groups;
  int64_t outputs = isTransposed ? 1 : 0;
  packing.blocked = outputs;
  int64_t rank = cast<RankedTensorType>(filter.getType()).getRank();
  llvm::append_range(packing.inner, llvm::seq<int64_t>(2, rank));
  packing.inner.push_back(1 - outputs);
  packing.block = block;
  return packing;
}

ConvParts::ConvParts(KernelBuilder &k, KernelOp kernel, const ConvAnchor &anchor,
                     const OperandPacking &packing)
    : k(k), g(anchor.geometry), element(anchor.element), lanes(anchor.lanes),
      x(k.memoryOf(anchor.x)), filter(packedOperand(k, kernel, anchor.filter, packing)),
      bias(k, anchor.bias, element), epilogue(k, kernel, anchor.op) {}
