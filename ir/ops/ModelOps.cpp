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

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel) {
    return emitOpError("'") << getKernel() << "' is not a kernel";
  }
  Block &body = kernel.getBody().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || TypeRange(body.getArgumentTypes()) != getInputs().getTypes() ||
      yield.getValues().getTypes() != getResultTypes()) { // C1
    return emitOpError("operand or result types differ from those of '")
           << getKernel() << "'";
  }
  return success();
}
