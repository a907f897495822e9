//===- MultiplyAdds.cpp - the arithmetic that a model costs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/MultiplyAdds.h"
#include "ir/ModelcOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelc;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Large shapes come from the model's author: no overflow.
static uint64_t times(uint64_t x, uint64_t y) {
  return llvm::SaturatingMultiply(x, y);
}

static uint64_t elementsOf(Value value) {
  uint64_t count = 1;
  for (int64_t extent : shapeOf(value)) {
    count = times(count, extent);
  }
  return count;
}

static uint64_t countEinsum(EinsumOp op) {
  llvm::DenseMap<int64_t, int64_t> extents;
  for (auto [input, attr] : llvm::zip(op.getInputs(), op.getOperandLabels())) {
    for (auto [extent, label] :
         llvm::zip(shapeOf(input), cast<DenseI64ArrayAttr>(attr).asArrayRef())) {
      int64_t &known = extents[label];
      known = std::max(known, extent);
    }
  }
  uint64_t count = op.getInputs().size() < 2 ? 0 : op.getInputs().size() - 1;
  for (auto [label, extent] : extents) {
    count = times(count, extent);
  }
  return count;
}

template <typename CellOp> static uint64_t countCell(CellOp op) {
  // Every step of every sequence uses each weight once.
  ArrayRef<int64_t> x = shapeOf(op.getX());
  return times(times(x[0], x[1]), elementsOf(op.getW()) + elementsOf(op.getR()));
}

uint64_t modelc::countMultiplyAdds(ModuleOp module) {
  uint64_t total = 0;
  module.walk([&](Operation *op) {
    uint64_t count = llvm::TypeSwitch<Operation *, uint64_t>(op)
                         .Case([](MatmulOp op) {
                           return times(elementsOf(op.getResult()), shapeOf(op.getX()).back());
                         })
                         .Case([](EinsumOp op) { return countEinsum(op); })
                         .Case([](ConvOp op) {
                           return times(elementsOf(op.getResult()),
                                        elementsOf(op.getFilter()) /
                                            std::max<int64_t>(shapeOf(op.getFilter())[0], 1));
                         })
                         .Case([](ConvTransposeOp op) {
                           return times(elementsOf(op.getX()),
                                        elementsOf(op.getFilter()) /
                                            std::max<int64_t>(shapeOf(op.getFilter())[0], 1));
                         })
                         .Case([](GruOp op) { return countCell(op); })
                         .Case([](LstmOp op) { return countCell(op); })
                         .Case([](RnnOp op) { return countCell(op); })
                         .Default(uint64_t(0));
    total = llvm::SaturatingAdd(total, count);
  });
  return total;
}
