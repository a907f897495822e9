//===- FoldConstants.cpp - what is known at compile time is computed then -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/FoldConstants.h"
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace modelc;

/// Results up to this size are folded whatever they are made from.
static constexpr uint64_t smallBytes = 64 << 10;

static uint64_t bytesOf(TypeRange types) {
  uint64_t bytes = 0;
  for (Type type : types) {
    bytes += storageBytes(cast<RankedTensorType>(type));
  }
  return bytes;
}

/// The values of all operands, if they are constants and folding pays.
static FailureOr<SmallVector<ElementsAttr>> foldableOperands(Operation &op) {
  if (op.getNumOperands() == 0 || isa<ConstantOp, DequantizeOp>(op) ||
      !isa<ElementwiseOpInterface, ElementOpInterface, LoopOpInterface>(op)) {
    return failure();
  }
  SmallVector<ElementsAttr> values;
  for (Value operand : op.getOperands()) {
    values.push_back(constantValue(operand));
    if (!values.back()) {
      return failure();
    }
  }
  if (bytesOf(op.getResultTypes()) > std::max(smallBytes, 2 * bytesOf(op.getOperandTypes()))) {
    return failure();
  }
  return values;
}

void modelc::foldConstants(ModuleOp module, ConstantEvaluator &evaluator) {
  for (auto function : module.getOps<func::FuncOp>()) {
    for (Operation &op : llvm::make_early_inc_range(function.front())) {
      FailureOr<SmallVector<ElementsAttr>> operands = foldableOperands(op);
      if (failed(operands)) {
        continue;
      }
      FailureOr<SmallVector<ElementsAttr>> values = evaluator.evaluate(&op, *operands);
      if (failed(values)) {
        continue;
      }
      OpBuilder b(&op);
      for (auto [result, value] : llvm::zip(op.getResults(), *values)) {
        result.replaceAllUsesWith(b.create<ConstantOp>(op.getLoc(), result.getType(), value));
      }
      op.erase();
    }
  }
}
