//===- Evaluator.cpp - constants by running the emitted loops -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model/Evaluator.h"
#include "codegen/kernel/LoopEmitter.h"
#include "ir/ConstantData.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace modelc;

/// A kernel with `op` alone in it, in a module of its own.
static OwningOpRef<ModuleOp> kernelOf(Operation *op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  auto kernel = b.create<KernelOp>(op->getLoc(), "fold");
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping map;
  for (Value operand : op->getOperands()) {
    if (!map.contains(operand)) {
      map.map(operand, body.addArgument(operand.getType(), op->getLoc()));
    }
  }
  b.setInsertionPointToEnd(&body);
  Operation *copy = b.clone(*op, map);
  b.create<YieldOp>(op->getLoc(), copy->getResults());
  return module;
}

FailureOr<SmallVector<ElementsAttr>> KernelEvaluator::evaluate(Operation *op,
                                                               ArrayRef<ElementsAttr> operands) {
  SmallVector<RankedTensorType> resultTypes;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    unsigned element = tensor ? elementStorageBytes(tensor.getElementType()) : 0;
    if (element == 0 || tensor.getNumElements() > static_cast<int64_t>(maxBytes / element)) {
      return failure();
    }
    resultTypes.push_back(tensor);
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    // Only the type changes; the bytes are shared.
    ElementsAttr value = operands.front();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      return SmallVector<ElementsAttr>{dense.reshape(resultTypes.front())};
    }
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
      return SmallVector<ElementsAttr>{
          DenseResourceElementsAttr::get(resultTypes.front(), resource.getRawHandle())};
    }
  }
  OwningOpRef<ModuleOp> module = kernelOf(op);
  auto kernel = *module->getOps<KernelOp>().begin();
  LoopGenerator generator;
  if (!generator.supports(kernel, {})) {
    return failure();
  }
  FailureOr<KernelCode> code = generator.emit(kernel, "fold", {});
  if (failed(code)) {
    return failure();
  }
  SmallVector<std::vector<char>> buffers;
  DenseSet<Value> seen;
  for (auto [value, attr] : llvm::zip(op->getOperands(), operands)) {
    if (!seen.insert(value).second) {
      continue;
    }
    auto type = cast<RankedTensorType>(attr.getType());
    // A splat is a few bytes in the model and here as large as its shape.
    unsigned element = elementStorageBytes(type.getElementType());
    if (element == 0 || type.getNumElements() > static_cast<int64_t>(maxBytes / element)) {
      return failure();
    }
    buffers.emplace_back(storageBytes(storageType(type)));
    copyConstant(attr, MutableArrayRef<char>(buffers.back()).take_front(storageBytes(type)));
  }
  size_t firstResult = buffers.size();
  for (RankedTensorType type : resultTypes) {
    buffers.emplace_back(storageBytes(storageType(type)));
  }
  for (uint64_t bytes : code->scratchBytes) {
    if (bytes > maxBytes) {
      return failure();
    }
    buffers.emplace_back(bytes);
  }
  SmallVector<MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  auto function = *code->module->getOps<func::FuncOp>().begin();
  llvm::Expected<int32_t> status = interpret(function, views, budget);
  if (!status) {
    llvm::consumeError(status.takeError());
    return failure();
  }
  if (*status != 0) {
    return failure();
  }
  SmallVector<ElementsAttr> results;
  for (auto [i, type] : llvm::enumerate(resultTypes)) {
    ArrayRef<char> bytes(buffers[firstResult + i]);
    results.push_back(makeConstant(type, bytes.take_front(storageBytes(type))));
  }
  return results;
}
