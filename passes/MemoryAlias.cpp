//===- MemoryAlias.cpp - ops that only name memory ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/MemoryAlias.h"
#include "ir/ConstantData.h"

using namespace mlir;

std::optional<uint64_t> modelc::aliasOffset(Operation *op) {
  if (isa<ReshapeOp>(op)) {
    return 0;
  }
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice) {
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(slice.getX().getType());
  // Contiguous: single positions, then one run, then whole dimensions.
  int64_t stride = type.getNumElements(), offset = 0;
  bool partial = false;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t extent = type.getDimSize(d), size = slice.getSizes()[d];
    if (extent == 0 || size == 0) {
      return std::nullopt;
    }
    stride /= extent;
    if (size == extent && slice.getSteps()[d] == 1) {
      partial |= extent != 1;
      continue;
    }
    if (partial || (size != 1 && slice.getSteps()[d] != 1)) {
      return std::nullopt;
    }
    offset += slice.getStarts()[d] * stride;
    partial = size != 1;
  }
  return offset * elementStorageBytes(type.getElementType());
}

std::pair<Value, uint64_t> modelc::memoryRoot(Value value) {
  uint64_t offset = 0;
  while (Operation *op = value.getDefiningOp()) {
    std::optional<uint64_t> part = aliasOffset(op);
    if (!part) {
      break;
    }
    offset += *part;
    value = op->getOperand(0);
  }
  return {value, offset};
}
