//===- RecurrentGenerator.cpp - GRU and LSTM with packed weights ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/RecurrentGenerator.h"
#include "codegen/cpu/RecurrentEmitter.h"

using namespace mlir;
using namespace modelc;

/// The recurrent op of a kernel that has nothing else but constants.
static Operation *cellOf(KernelOp kernel) {
  Operation *cell = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<GruOp, LstmOp>(op) && !cell) {
      cell = &op;
    } else if (!isa<ConstantOp>(op)) {
      return nullptr;
    }
  }
  return cell;
}

bool RecurrentGenerator::supports(KernelOp kernel, TargetAttr target) const {
  Operation *cell = cellOf(kernel);
  if (!cell || !cell->hasAttr("packed") || target.getVectorBytes() < 16) {
    return false;
  }
  auto packed = cell->getAttrOfType<IntegerAttr>("packed");
  auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
  DenseSet<Value> seen;
  for (Value value : yield.getValues()) {
    if (value.getDefiningOp() != cell || !seen.insert(value).second) {
      return false;
    }
  }
  auto isKnown = [](Value value) {
    auto constant = value.getDefiningOp<ConstantOp>();
    return isa<BlockArgument>(value) || (constant && isa<SplatElementsAttr>(constant.getValue()));
  };
  // A product with a splat state is left out: it has to be zero.
  auto isState = [&](Value value) {
    auto constant = value.getDefiningOp<ConstantOp>();
    return isKnown(value) &&
           (!constant ||
            cast<SplatElementsAttr>(constant.getValue()).getSplatValue<APFloat>().isZero());
  };
  return packed.getInt() > 0 && isa<BlockArgument>(cell->getOperand(0)) &&
         isa<BlockArgument>(cell->getOperand(1)) && isa<BlockArgument>(cell->getOperand(2)) &&
         isKnown(cell->getOperand(3)) && isState(cell->getOperand(5)) &&
         (isa<GruOp>(cell) || isKnown(cell->getOperand(6)));
}

double RecurrentGenerator::cost(KernelOp kernel, TargetAttr) const {
  // Far below that of scalar loops.
  double total = 0;
  for (Value result : cellOf(kernel)->getResults()) {
    total += cast<RankedTensorType>(result.getType()).getNumElements();
  }
  return total;
}

FailureOr<KernelCode> RecurrentGenerator::emit(KernelOp kernel, StringRef symbol,
                                               TargetAttr target) const {
  RecurrentEmitter emitter(kernel, cellOf(kernel), symbol, target);
  return emitter.run();
}
