// Constants during the import: shape arithmetic must be known at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/TensorBytes.h"
#include "frontend/onnx/GraphImporter.h"
#include "ir/ConstantData.h"
#include "ir/ConstantEvaluator.h"
#include "ir/ModelcOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace modelc {

Value GraphImporter::createConstant(Location location, ElementsAttr value) {
  return builder.create<ConstantOp>(location, value.getType(), value);
}

/// The values of all operands, if all are constants.
static std::optional<llvm::SmallVector<ElementsAttr>> constantOperands(Operation *op) {
  llvm::SmallVector<ElementsAttr> values;
  for (Value operand : op->getOperands()) {
    ElementsAttr value = constantValue(operand);
    if (!value) {
      return std::nullopt;
    }
    values.push_back(value);
  }
  return values;
}

llvm::SmallVector<Value> GraphImporter::foldOrKeep(Operation *op, uint64_t maxBytes) {
  llvm::SmallVector<Value> results(op->getResults());
  // Dequantized weights stay as they are stored: integer kernels want them.
  if (!options.evaluator || isa<DequantizeOp>(op)) {
    return results;
  }
  for (Type type : op->getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    std::optional<uint64_t> bytes = storedBytes(tensor.getShape(), tensor.getElementType());
    if (!bytes || *bytes > maxBytes) {
      return results;
    }
  }
  auto operands = constantOperands(op);
  if (!operands) {
    return results;
  }
  FailureOr<llvm::SmallVector<ElementsAttr>> values = options.evaluator->evaluate(op, *operands);
  if (failed(values)) {
    return results;
  }
  for (auto [result, value] : llvm::zip(results, *values)) {
    result = createConstant(op->getLoc(), value);
  }
  op->replaceAllUsesWith(results);
  // Callers may hold the op: it goes only if it was just built, which is the
  // case for every op that is offered for folding here.
  op->erase();
  return results;
}

ElementsAttr GraphImporter::requireConstant(Value value) {
  if (ElementsAttr known = constantValue(value)) {
    return known;
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    return {};
  }
  if (type.getNumElements() == 0) {
    return DenseElementsAttr::get(type, llvm::ArrayRef<Attribute>());
  }
  // Large intermediate constants are left to a later pass; here one of them is
  // needed after all. Operands first, without recursion: chains are long.
  llvm::SetVector<Operation *> pending;
  if (Operation *op = value.getDefiningOp()) {
    pending.insert(op);
  }
  for (size_t i = 0; i < pending.size(); ++i) {
    for (Value operand : pending[i]->getOperands()) {
      if (constantValue(operand)) {
        continue;
      }
      Operation *producer = operand.getDefiningOp();
      if (!producer) {
        return {};
      }
      pending.insert(producer);
    }
  }
  if (!options.evaluator) {
    return {};
  }
  // Values of this pass over the chain; the ops stay as they are.
  llvm::DenseMap<Value, ElementsAttr> values;
  auto get = [&](Value operand) {
    ElementsAttr known = constantValue(operand);
    return known ? known : values.lookup(operand);
  };
  bool progress = true;
  while (!get(value) && progress) {
    progress = false;
    for (Operation *op : llvm::reverse(pending)) {
      llvm::SmallVector<ElementsAttr> operands;
      for (Value operand : op->getOperands()) {
        if (ElementsAttr known = get(operand)) {
          operands.push_back(known);
        }
      }
      if (values.count(op->getResult(0)) || operands.size() != op->getNumOperands()) {
        continue;
      }
      FailureOr<llvm::SmallVector<ElementsAttr>> results =
          options.evaluator->evaluate(op, operands);
      if (failed(results)) {
        return {};
      }
      for (auto [result, known] : llvm::zip(op->getResults(), *results)) {
        values[result] = known;
      }
      progress = true;
    }
  }
  return get(value);
}

std::string GraphImporter::describeSources(ValueRange values) {
  llvm::SetVector<Value> pending(values.begin(), values.end());
  llvm::SetVector<unsigned> arguments;
  for (size_t i = 0; i < pending.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(pending[i])) {
      arguments.insert(argument.getArgNumber());
    } else {
      for (Value operand : pending[i].getDefiningOp()->getOperands()) {
        pending.insert(operand);
      }
    }
  }
  if (arguments.empty()) {
    return "";
  }
  std::string names, flags;
  for (unsigned number : arguments) {
    names += (names.empty() ? "" : ", ") + quoted(inputNames[number]);
    flags += " --const " + flagText(inputNames[number]) + "=VALUE";
  }
  bool isOne = arguments.size() == 1;
  return "; computing " + std::string(values.size() == 1 ? "it" : "them") +
         (isOne ? " from the input " : " from the inputs ") + names + " is unsupported, add" +
         flags + (isOne ? " if it never changes" : " if they never change");
}

} // namespace modelc
