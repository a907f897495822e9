//===- Epilogue.cpp - elementwise ops in the registers of a tile ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/Epilogue.h"
#include "ir/ops/IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelc;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return typeOf(tensor).getShape();
}

/// Whether NumPy's broadcast of `from` to `to` repeats elements only.
static bool broadcastsTo(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from.size() > to.size()) {
    return false;
  }
  return llvm::all_of(llvm::zip(from, to.take_back(from.size())), [](auto pair) {
    return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair);
  });
}

bool Epilogue::supports(KernelOp kernel, Operation *anchor) {
  Block &body = kernel.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getValues().size() != 1 || !inPlaceOperands(kernel).empty()) {
    return false;
  }
  Value result = yield.getValues().front();
  ArrayRef<int64_t> shape = shapeOf(anchor->getResult(0));
  if (shapeOf(result) != shape || shape.empty()) {
    return false;
  }
  DenseSet<Operation *> above; // what the anchor reads is not part of the epilogue
  for (Value operand : anchor->getOperands()) {
    if (Operation *op = operand.getDefiningOp()) {
      above.insert(op);
    }
  }
  for (Operation &op : body.without_terminator()) {
    if (&op == anchor || above.contains(&op)) {
      continue;
    }
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      if (!isa<SplatElementsAttr>(constant.getValue())) {
        return false;
      }
      continue;
    }
    bool fits = isa<ElementwiseOpInterface>(op) && llvm::all_of(op.getOperands(), [&](Value value) {
                  return broadcastsTo(shapeOf(value), shape) &&
                         (!value.getDefiningOp() || !above.contains(value.getDefiningOp()));
                });
    if (!fits || !broadcastsTo(shapeOf(op.getResult(0)), shape)) {
      return false;
    }
  }
  return true;
}

Epilogue::Epilogue(KernelBuilder &k, KernelOp kernel, Operation *anchor)
    : k(k), anchorResult(anchor->getResult(0)),
      output(cast<YieldOp>(kernel.getBody().front().getTerminator()).getValues().front()),
      shape(typeOf(anchorResult)) {}

Value Epilogue::readOperand(Value tensor) {
  ArrayRef<int64_t> from = shapeOf(tensor), to = shape.getShape();
  Type element = typeOf(tensor).getElementType();
  Value memory = k.memoryOf(tensor);
  bool repeatsLast = from.empty() || (from.back() == 1 && to.back() != 1);
  int64_t width = from.empty() ? 1 : from.back();
  ArrayRef<int64_t> outer = from.empty() ? from : from.drop_back();
  Value at;
  if (llvm::all_of(outer, [](int64_t extent) { return extent == 1; })) {
    at = k.index(0);
  } else if (typeOf(tensor).getNumElements() / width == shape.getNumElements() / to.back()) {
    at = k.mul(row, width);
  } else {
    SmallVector<Value> positions = indexing::delinearize(k.builder(), row, to.drop_back());
    SmallVector<Value> own(ArrayRef<Value>(positions).take_back(outer.size()));
    for (auto [position, extent] : llvm::zip(own, outer)) {
      position = extent == 1 ? k.index(0) : position;
    }
    at = k.mul(indexing::linearize(k.builder(), own, outer), width);
  }
  if (repeatsLast) {
    return k.broadcast(k.read(element, memory, at, 0), lanes);
  }
  return k.read(element, memory, k.add(at, column), lanes, active);
}

Value Epilogue::evaluate(Value tensor) {
  if (Value value = known.lookup(tensor)) {
    return value;
  }
  Operation *op = tensor.getDefiningOp();
  Value result;
  if (!op) {
    result = readOperand(tensor);
  } else if (isa<ConstantOp>(op)) {
    result = k.splat(tensor, lanes);
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(evaluate(operand));
    }
    result = cast<ElementwiseOpInterface>(op).buildScalar(k.builder(), operands);
  }
  known[tensor] = result;
  return result;
}

void Epilogue::store(Value value, Value atRow, Value atColumn, int64_t activeLanes) {
  auto type = dyn_cast<VectorType>(value.getType());
  lanes = type ? type.getDimSize(0) : 0;
  active = activeLanes;
  row = atRow;
  column = atColumn;
  known.clear();
  known[anchorResult] = value;
  Value result = evaluate(output);
  Value at = k.add(k.mul(row, shape.getShape().back()), column);
  k.write(typeOf(output).getElementType(), result, k.result(0), at, active);
}
