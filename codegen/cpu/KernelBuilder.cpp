//===- KernelBuilder.cpp - writes vector kernels by hand ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/KernelBuilder.h"
#include "codegen/kernel/LoopEmitter.h"
#include "ir/ConstantData.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

KernelBuilder::KernelBuilder(KernelOp kernel, StringRef symbol, TargetAttr target)
    : b(kernel.getLoc(), kernel.getContext()), facts(target) {
  kernel.getContext()->getOrLoadDialect<vector::VectorDialect>();
  Block &body = kernel.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  ArrayRef<int64_t> places = inPlaceOperands(kernel);
  auto placeOf = [&](size_t result) { return places.empty() ? -1 : places[result]; };

  SmallVector<Type> types;
  for (Type type : body.getArgumentTypes()) {
    types.push_back(storageType(cast<RankedTensorType>(type)));
  }
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    if (placeOf(i) < 0) {
      types.push_back(storageType(cast<RankedTensorType>(value.getType())));
    }
  }
  code.module = ModuleOp::create(kernel.getLoc());
  code.scalarLoops = false;
  b.setInsertionPointToEnd(code.module->getBody());
  function = b.create<func::FuncOp>(symbol, b.getFunctionType(types, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  unsigned number = 0;
  for (; number < body.getNumArguments(); ++number) {
    operands.push_back(flat(function.getArgument(number)));
  }
  for (size_t i = 0; i < yield.getValues().size(); ++i) {
    int64_t place = placeOf(i);
    results.push_back(place < 0 ? flat(function.getArgument(number++)) : operands[place]);
  }
  b.setInsertionPoint(b.create<func::ReturnOp>());
}

KernelCode KernelBuilder::finish() {
  return std::move(code);
}

int64_t KernelBuilder::lanes(Type element) const {
  unsigned bytes = elementStorageBytes(element);
  return std::max<int64_t>(1, facts.getVectorBytes() / std::max(bytes, 1u));
}

Value KernelBuilder::flat(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  if (type.getRank() == 1) {
    return memory;
  }
  int64_t count = type.getNumElements();
  auto row = MemRefType::get({count}, type.getElementType());
  return b.create<memref::ReinterpretCastOp>(row, memory, /*offset=*/0, ArrayRef<int64_t>{count},
                                             ArrayRef<int64_t>{1});
}

Value KernelBuilder::scratch(int64_t count, Type element) {
  auto type = MemRefType::get({count}, element);
  code.scratchBytes.push_back(storageBytes(type));
  unsigned number = function.getNumArguments();
  function.insertArgument(number, type, {}, b.getLoc());
  return function.getArgument(number);
}

Value KernelBuilder::table(ArrayRef<double> values, Type element) {
  OpBuilder::InsertionGuard guard(b);
  enterConstants();
  return constantTable(b, values, element);
}

Value KernelBuilder::load(Value memory, Value at) {
  return b.create<memref::LoadOp>(memory, at);
}

Value KernelBuilder::mask(int64_t lanes, int64_t active) {
  SmallVector<bool> bits(lanes, false);
  std::fill_n(bits.begin(), active, true);
  return constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), bits));
}

Value KernelBuilder::loadVector(Value memory, Value at, int64_t lanes, int64_t active) {
  auto type = VectorType::get({lanes}, cast<MemRefType>(memory.getType()).getElementType());
  if (active < 0 || active >= lanes) {
    return b.create<vector::LoadOp>(type, memory, at);
  }
  return b.create<vector::MaskedLoadOp>(type, memory, at, mask(lanes, active), constant(type, 0));
}

void KernelBuilder::store(Value value, Value memory, Value at, int64_t active) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    b.create<memref::StoreOp>(value, memory, at);
  } else if (active < 0 || active >= type.getDimSize(0)) {
    b.create<vector::StoreOp>(value, memory, at);
  } else {
    b.create<vector::MaskedStoreOp>(memory, at, mask(type.getDimSize(0), active), value);
  }
}

/// `element`, or a vector of it with the lanes of `shape`.
static Type withElement(Type shape, Type element) {
  auto vector = dyn_cast<VectorType>(shape);
  return vector ? VectorType::get(vector.getShape(), element) : element;
}

Value KernelBuilder::read(Type element, Value memory, Value at, int64_t lanes, int64_t active) {
  Value value = lanes == 0 ? load(memory, at) : loadVector(memory, at, lanes, active);
  if (element.isInteger(1)) {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, value, constant(value.getType(), 0));
  }
  Type compute = withElement(value.getType(), computeType(element));
  return value.getType() == compute ? value : b.create<arith::ExtFOp>(compute, value);
}

void KernelBuilder::write(Type element, Value value, Value memory, Value at, int64_t active) {
  Type stored = withElement(value.getType(), cast<MemRefType>(memory.getType()).getElementType());
  if (element.isInteger(1)) {
    value = b.create<arith::ExtUIOp>(stored, value);
  } else if (value.getType() != stored) {
    value = b.create<arith::TruncFOp>(stored, value);
  }
  store(value, memory, at, active);
}

void KernelBuilder::enterConstants() {
  b.setInsertionPointToStart(&function.getBody().front());
}

Value KernelBuilder::index(int64_t value) {
  Value &known = indices[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    enterConstants();
    known = b.create<arith::ConstantIndexOp>(value);
  }
  return known;
}

Value KernelBuilder::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    enterConstants();
    known = b.create<arith::ConstantOp>(value);
  }
  return known;
}

/// `element` in all lanes of `type`, a vector or scalar type.
static TypedAttr inLanes(Type type, TypedAttr element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(element))) : element;
}

Value KernelBuilder::constant(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  return constant(inLanes(type, isa<FloatType>(element)
                                    ? TypedAttr(b.getFloatAttr(element, value))
                                    : b.getIntegerAttr(element, static_cast<int64_t>(value))));
}

Value KernelBuilder::splat(Value tensor, int64_t lanes) {
  auto dense = cast<DenseElementsAttr>(tensor.getDefiningOp<ConstantOp>().getValue());
  Type compute = computeType(dense.getElementType());
  Type type = lanes == 0 ? compute : VectorType::get({lanes}, compute);
  auto element = dense.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(element);
  if (!number) {
    return constant(
        inLanes(type, b.getIntegerAttr(compute, cast<IntegerAttr>(element).getValue())));
  }
  APFloat wide = number.getValue();
  bool losesInfo;
  wide.convert(cast<FloatType>(compute).getFloatSemantics(), APFloat::rmNearestTiesToEven,
               &losesInfo);
  return constant(inLanes(type, b.getFloatAttr(compute, wide)));
}

Value KernelBuilder::add(Value x, Value y) {
  return b.create<arith::AddIOp>(x, y);
}

Value KernelBuilder::add(Value x, int64_t y) {
  return y == 0 ? x : add(x, index(y));
}

Value KernelBuilder::mul(Value x, int64_t y) {
  return y == 1 ? x : b.create<arith::MulIOp>(x, index(y)).getResult();
}

Value KernelBuilder::broadcast(Value scalar, int64_t lanes) {
  if (lanes == 0) {
    return scalar;
  }
  return b.create<vector::BroadcastOp>(VectorType::get({lanes}, scalar.getType()), scalar);
}

Value KernelBuilder::fma(Value x, Value y, Value z) {
  return b.create<vector::FMAOp>(x, y, z);
}

Values KernelBuilder::loop(Value lower, Value upper, int64_t step, const Values &carried,
                           LoopBody body) {
  auto loop = b.create<scf::ForOp>(lower, upper, index(step), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), Values(loop.getRegionIterArgs()));
  // scf.for makes its own terminator only without carried values.
  if (!carried.empty()) {
    b.create<scf::YieldOp>(next);
  }
  return Values(loop.getResults());
}

Values KernelBuilder::loop(int64_t lower, int64_t upper, int64_t step, const Values &carried,
                           LoopBody body) {
  if (lower >= upper) {
    return carried;
  }
  if (lower + step >= upper) {
    return body(index(lower), carried);
  }
  return loop(index(lower), index(upper), step, carried, body);
}

void KernelBuilder::loop(int64_t lower, int64_t upper, int64_t step,
                         function_ref<void(Value)> body) {
  loop(lower, upper, step, Values(), [&](Value at, const Values &) {
    body(at);
    return Values();
  });
}

void KernelBuilder::loop(Value lower, Value upper, int64_t step, function_ref<void(Value)> body) {
  loop(lower, upper, step, Values(), [&](Value at, const Values &) {
    body(at);
    return Values();
  });
}
