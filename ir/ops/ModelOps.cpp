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

/// Checks that `numbers`, but for -1 if `orNone`, are operands of `kernel`, each once.
static LogicalResult checkOperands(KernelOp kernel, StringRef name, ArrayRef<int64_t> numbers,
                                   bool orNone) {
  int64_t count = kernel.getBody().getNumArguments();
  SmallVector<bool> seen(count, false);
  for (int64_t number : numbers) {
    if (orNone && number == -1) {
      continue;
    }
    if (number < 0 || number >= count) {
      return kernel.emitOpError("expected numbers of its ")
             << count << " operands in '" << name << "', got " << number;
    }
    if (std::exchange(seen[number], true)) {
      return kernel.emitOpError("has operand ") << number << " twice in '" << name << "'";
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  auto listOf = [&](StringRef name) -> FailureOr<ArrayRef<int64_t>> {
    Attribute attr = (*this)->getAttr(name);
    auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attr);
    if (attr && !list) {
      return emitOpError("expected an array<i64> as '") << name << "', got " << attr;
    }
    return list ? list.asArrayRef() : ArrayRef<int64_t>();
  };
  FailureOr<ArrayRef<int64_t>> packed = listOf("packed"), inPlace = listOf("in_place");
  if (failed(packed) || failed(inPlace) ||
      failed(checkOperands(*this, "packed", *packed, /*orNone=*/false)) ||   // C2
      failed(checkOperands(*this, "in_place", *inPlace, /*orNone=*/true))) { // C3
    return failure();
  }
  size_t results = getBody().front().getTerminator()->getNumOperands();
  if (!inPlace->empty() && inPlace->size() != results) { // C3
    return emitOpError("expected an entry of 'in_place' for each of ")
           << results << " results, got " << inPlace->size();
  }
  return success();
}
