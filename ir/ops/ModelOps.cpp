//===- ModelOps.cpp - constants, state, kernels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;
using namespace modelc;

MODELC_INFER(ConstantOp) {
  Adaptor op(operands, attributes);
  ElementsAttr value = op.getValue();
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type || !isa<DenseElementsAttr, DenseResourceElementsAttr>(value)) {
    return emitOptionalError(location, "expected a dense tensor"); // C1
  }
  types.push_back(type);
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

LogicalResult StateOp::verify() {
  if (!isa<RankedTensorType>(getInitial().getType()) ||
      !isa<DenseElementsAttr, DenseResourceElementsAttr>(getInitial())) { // C1
    return emitOpError("expected a dense tensor as initial value");
  }
  return success();
}

/// C1 of state_read and state_write.
static LogicalResult verifyState(Operation *op, FlatSymbolRefAttr name, Type type,
                                 SymbolTableCollection &symbols) {
  auto state = symbols.lookupNearestSymbolFrom<StateOp>(op, name);
  if (!state) {
    return op->emitOpError("'") << name.getValue() << "' is not a state";
  }
  if (state.getInitial().getType() != type) {
    return op->emitOpError("expected the type of state '")
           << name.getValue() << "', " << state.getInitial().getType() << ", got " << type;
  }
  return success();
}

LogicalResult StateReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyState(*this, getStateAttr(), getType(), symbols);
}

LogicalResult StateWriteOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyState(*this, getStateAttr(), getValue().getType(), symbols);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel) {
    return emitOpError("'") << getKernel() << "' is not a kernel";
  }
  Block &body = kernel.getBody().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || TypeRange(body.getArgumentTypes()) != getInputs().getTypes() ||
      yield.getValues().getTypes() != getResultTypes()) { // C1
    return emitOpError("operand or result types differ from those of '") << getKernel() << "'";
  }
  return success();
}
