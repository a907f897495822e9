//===- ElementAccess.cpp - values of a kernel, element by element ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/kernel/ElementAccess.h"
#include "ir/ConstantData.h"
#include "ir/ops/IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace modelc;

/// The status that a kernel returns for an index out of range (E_INDEX).
static constexpr int32_t badIndexStatus = 7;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

ElementAccess::Key ElementAccess::keyOf(Value tensor, ValueRange indices) {
  Key key;
  key.first = tensor.getAsOpaquePointer();
  // A dimension of extent 1 has one position, whichever value names it.
  for (auto [i, extent] : llvm::zip(indices, typeOf(tensor).getShape())) {
    key.second.push_back(extent == 1 ? nullptr : i.getAsOpaquePointer());
  }
  return key;
}

void ElementAccess::remember(Value tensor, ValueRange indices, Value value) {
  known[keyOf(tensor, indices)] = value;
}

/// Whether a value of `block`, computed before, may be used at the insertion
/// point.
static bool encloses(Block *block, OpBuilder &b) {
  for (Block *at = b.getInsertionBlock(); at;
       at = at->getParentOp() ? at->getParentOp()->getBlock() : nullptr) {
    if (at == block) {
      return true;
    }
  }
  return false;
}

Value ElementAccess::read(Value tensor, ValueRange indices) {
  Key key = keyOf(tensor, indices);
  auto found = known.find(key);
  if (found != known.end() && encloses(found->second.getParentBlock(), b)) {
    return found->second;
  }
  Value bufferOf = buffers.lookup(tensor);
  if (bufferOf) {
    return load(tensor, bufferOf, indices);
  }
  Value value = compute(tensor, indices);
  known[key] = value;
  return value;
}

Value ElementAccess::load(Value tensor, Value buffer, ValueRange indices) {
  Type element = typeOf(tensor).getElementType();
  Value value = b.create<memref::LoadOp>(buffer, indices);
  if (element.isInteger(1)) {
    Value zero = b.create<arith::ConstantIntOp>(0, 8);
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, value, zero);
  }
  Type compute = computeType(element);
  if (value.getType() == compute) {
    return value;
  }
  return b.create<arith::ExtFOp>(compute, value);
}

void ElementAccess::store(Type elementType, Value value, Value buffer, ValueRange indices) {
  Type stored = cast<MemRefType>(buffer.getType()).getElementType();
  if (elementType.isInteger(1)) {
    value = b.create<arith::ExtUIOp>(stored, value);
  } else if (value.getType() != stored) {
    value = b.create<arith::TruncFOp>(stored, value);
  }
  b.create<memref::StoreOp>(value, buffer, indices);
}

void ElementAccess::reportBadIndex(Value condition) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)) && constant.isZero()) {
    return;
  }
  if (!status) {
    status = makeStatus();
  }
  Value zero = indexing::constant(b, 0);
  Value before = b.create<memref::LoadOp>(status, zero);
  Value bad = b.create<arith::ConstantIntOp>(badIndexStatus, 32);
  Value after = b.create<arith::SelectOp>(condition, bad, before);
  b.create<memref::StoreOp>(after, status, zero);
}

namespace {
/// What a data movement op sees: its operands, by way of the access.
class ElementIO : public KernelIO {
public:
  ElementIO(ElementAccess &access, Operation *op) : access(access), op(op) {}
  Value read(unsigned operand, ValueRange indices) override {
    return access.read(op->getOperand(operand), indices);
  }
  void write(unsigned, ValueRange, Value) override {
    llvm_unreachable("element ops return their element");
  }
  Value scratch(MemRefType) override { llvm_unreachable("element ops need no memory"); }
  void reportBadIndex(Value condition) override { access.reportBadIndex(condition); }

private:
  ElementAccess &access;
  Operation *op;
};
} // namespace

Value ElementAccess::compute(Value tensor, ValueRange indices) {
  Operation *op = tensor.getDefiningOp();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    // Only tensors of equal elements stay inside kernels.
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    auto value = dense.getSplatValue<Attribute>();
    Type element = typeOf(tensor).getElementType();
    Type compute = computeType(element);
    if (auto number = dyn_cast<FloatAttr>(value)) {
      APFloat wide = number.getValue();
      bool losesInfo;
      wide.convert(cast<FloatType>(compute).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      return b.create<arith::ConstantOp>(b.getFloatAttr(compute, wide));
    }
    return b.create<arith::ConstantOp>(
        b.getIntegerAttr(compute, cast<IntegerAttr>(value).getValue()));
  }
  if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      ArrayRef<int64_t> shape = typeOf(operand).getShape();
      SmallVector<Value> at(indices.take_back(shape.size()));
      for (auto [i, extent] : llvm::zip(at, shape)) {
        if (extent == 1) {
          i = indexing::constant(b, 0);
        }
      }
      operands.push_back(read(operand, at));
    }
    return elementwise.buildScalar(b, operands);
  }
  auto element = cast<ElementOpInterface>(op);
  ElementIO io(*this, op);
  return element.buildElement(b, cast<OpResult>(tensor).getResultNumber(), indices, io);
}
