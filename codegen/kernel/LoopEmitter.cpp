//===- LoopEmitter.cpp - any kernel as plain loops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/kernel/LoopEmitter.h"
#include "codegen/kernel/ElementAccess.h"
#include "ir/ConstantData.h"
#include "ir/ops/IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace modelc;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

MemRefType modelc::storageType(RankedTensorType type) {
  Type element = type.getElementType();
  if (element.isInteger(1)) {
    element = IntegerType::get(type.getContext(), 8);
  } else if (element.isUnsignedInteger()) {
    element = IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  }
  // An empty tensor is never read; its memory has a type all the same.
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape) {
    extent = std::max<int64_t>(extent, 1);
  }
  return MemRefType::get(shape, element);
}

namespace {
class LoopEmitter {
public:
  LoopEmitter(KernelOp kernel, func::FuncOp function, Block &entry)
      : kernel(kernel), function(function), b(kernel.getLoc(), OpBuilder::atBlockBegin(&entry)),
        access(b) {}

  void run(KernelCode &code);

private:
  class LoopIO;

  Value argument(MemRefType type);
  /// A buffer of one `i32`, 0 from the kernel's start on.
  Value makeStatus();
  void bindArguments();
  void emitLoopOp(LoopOpInterface op);
  /// The elementwise ops that are computed where `op` writes result `number`.
  SmallVector<Operation *> epilogueOf(OpResult result);
  bool needsMemory(Value value, ArrayRef<Operation *> epilogue);
  /// The last op with loops of its own that `value` is computed from.
  Operation *anchorOf(Value value);
  void provideBuffer(Value value);
  /// Stores all elements of `value` to `buffer`, shifted by `offsets`.
  void fill(Value value, Value buffer, ArrayRef<int64_t> offsets);
  void fillBox(Type element, Value buffer, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
               llvm::function_ref<Value(ValueRange)> at);

  KernelOp kernel;
  func::FuncOp function;
  ImplicitLocOpBuilder b;
  ElementAccess access;
  DenseMap<Value, Value> outputs; ///< results to their buffers
  DenseSet<Value> stored;
  SmallVector<uint64_t, 2> scratchBytes;
  /// What `anchorOf` found out.
  DenseMap<Operation *, Operation *> anchors;
};

/// What an op with loops of its own sees.
class LoopEmitter::LoopIO : public KernelIO {
public:
  LoopIO(LoopEmitter &emitter, Operation *op) : emitter(emitter), op(op) {
    for (OpResult result : op->getResults()) {
      epilogues.push_back(emitter.epilogueOf(result));
      for (Operation *next : epilogues.back()) {
        addSink(next->getResult(0), epilogues.back());
      }
      addSink(result, epilogues.back());
    }
  }
  Value read(unsigned operand, ValueRange indices) override {
    return emitter.access.read(op->getOperand(operand), indices);
  }
  void write(unsigned number, ValueRange indices, Value value) override {
    OpResult result = op->getResult(number);
    emitter.access.remember(result, indices, value);
    auto store = [&](Value tensor) {
      if (Value buffer = sinks.lookup(tensor)) {
        emitter.access.store(typeOf(tensor).getElementType(), emitter.access.read(tensor, indices),
                             buffer, indices);
      }
    };
    store(result);
    for (Operation *next : epilogues[number]) {
      store(next->getResult(0));
    }
  }
  Value scratch(MemRefType type) override { return emitter.argument(type); }
  void reportBadIndex(Value condition) override { emitter.access.reportBadIndex(condition); }
  /// After the loops, what they stored is read from memory.
  void finish() {
    for (auto [tensor, buffer] : sinks) {
      emitter.access.bind(tensor, buffer);
      emitter.stored.insert(tensor);
    }
  }

private:
  void addSink(Value tensor, ArrayRef<Operation *> epilogue) {
    if (Value output = emitter.outputs.lookup(tensor)) {
      sinks[tensor] = output;
    } else if (emitter.needsMemory(tensor, epilogue)) {
      sinks[tensor] = emitter.argument(storageType(typeOf(tensor)));
    }
  }
  LoopEmitter &emitter;
  Operation *op;
  SmallVector<SmallVector<Operation *>> epilogues;
  llvm::MapVector<Value, Value> sinks;
};
} // namespace

Value LoopEmitter::argument(MemRefType type) {
  uint64_t bytes = storageBytes(type);
  // Compute types such as i1 are stored in whole bytes.
  if (type.getElementType().isInteger(1)) {
    type = MemRefType::get(type.getShape(), b.getI8Type());
  }
  scratchBytes.push_back(bytes);
  unsigned number = function.getNumArguments();
  function.insertArgument(number, type, {}, b.getLoc());
  return function.getArgument(number);
}

Value LoopEmitter::makeStatus() {
  Value status = argument(MemRefType::get({1}, b.getI32Type()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  b.create<memref::StoreOp>(b.create<arith::ConstantIntOp>(0, 32), status,
                            indexing::constant(b, 0));
  return status;
}

void LoopEmitter::bindArguments() {
  Block &body = kernel.getBody().front();
  unsigned number = 0;
  for (BlockArgument operand : body.getArguments()) {
    access.bind(operand, function.getArgument(number++));
  }
  ArrayRef<int64_t> places = inPlaceOperands(kernel);
  for (auto [i, value] : llvm::enumerate(cast<YieldOp>(body.getTerminator()).getValues())) {
    int64_t operand = places.empty() ? -1 : places[i];
    Value buffer =
        operand < 0 ? Value(function.getArgument(number++)) : Value(function.getArgument(operand));
    // A result named twice, or an operand that is a result, is copied at the
    // end from where it was stored first.
    outputs.try_emplace(value, buffer);
  }
}

Operation *LoopEmitter::anchorOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    return nullptr;
  }
  if (isa<LoopOpInterface>(op)) {
    return op;
  }
  // Remembered: a value has as many paths to its anchors as 2 to the depth.
  if (auto known = anchors.find(op); known != anchors.end()) {
    return known->second;
  }
  Operation *last = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *anchor = anchorOf(operand);
    if (anchor && (!last || last->isBeforeInBlock(anchor))) {
      last = anchor;
    }
  }
  return anchors[op] = last;
}

SmallVector<Operation *> LoopEmitter::epilogueOf(OpResult result) {
  SmallVector<Operation *> epilogue;
  SmallVector<Value> work{result};
  DenseSet<Operation *> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (isa<ElementwiseOpInterface>(user) &&
          typeOf(user->getResult(0)).getShape() == typeOf(result).getShape() &&
          typeOf(value).getShape() == typeOf(result).getShape() && !seen.contains(user) &&
          anchorOf(user->getResult(0)) == result.getOwner()) {
        seen.insert(user);
        epilogue.push_back(user);
        work.push_back(user->getResult(0));
      }
    }
  }
  // An op whose other operands come from another result of the same loops, or
  // from the same result at other places, has to wait for memory.
  DenseSet<Value> available{result};
  llvm::sort(epilogue, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  SmallVector<Operation *> ready;
  for (Operation *op : epilogue) {
    bool ok = llvm::all_of(op->getOperands(), [&](Value operand) {
      return available.contains(operand) || anchorOf(operand) != result.getOwner();
    });
    if (ok) {
      ready.push_back(op);
      available.insert(op->getResult(0));
    }
  }
  return ready;
}

bool LoopEmitter::needsMemory(Value value, ArrayRef<Operation *> epilogue) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !isa<YieldOp>(user) && !llvm::is_contained(epilogue, user);
  });
}

void LoopEmitter::emitLoopOp(LoopOpInterface op) {
  LoopIO io(*this, op);
  OpBuilder::InsertionGuard guard(b);
  Location before = b.getLoc();
  b.setLoc(op.getLoc());
  op.buildLoops(b, io);
  b.setLoc(before);
  io.finish();
}

void LoopEmitter::fillBox(Type element, Value buffer, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                          llvm::function_ref<Value(ValueRange)> at) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> indices;
  for (auto [from, to] : llvm::zip(low, high)) {
    if (to - from == 1) {
      indices.push_back(indexing::constant(b, from));
      continue;
    }
    auto loop = b.create<scf::ForOp>(indexing::constant(b, from), indexing::constant(b, to),
                                     indexing::constant(b, 1));
    b.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  access.store(element, at(indices), buffer, indices);
}

void LoopEmitter::fill(Value value, Value buffer, ArrayRef<int64_t> offsets) {
  auto type = typeOf(value);
  ArrayRef<int64_t> shape = type.getShape();
  if (type.getNumElements() == 0) {
    return;
  }
  // Joined tensors are stored part by part: loops without branches.
  if (auto concat = value.getDefiningOp<ConcatOp>(); concat && !access.isBound(value)) {
    SmallVector<int64_t> at(offsets);
    for (Value input : concat.getInputs()) {
      fill(input, buffer, at);
      at[concat.getAxis()] += typeOf(input).getDimSize(concat.getAxis());
    }
    return;
  }
  auto pad = value.getDefiningOp<PadOp>();
  if (pad && !access.isBound(value) && pad.getMode() == PadMode::Constant &&
      llvm::all_of(pad.getBefore(), [](int64_t v) { return v >= 0; }) &&
      llvm::all_of(pad.getAfter(), [](int64_t v) { return v >= 0; })) {
    SmallVector<int64_t> low(offsets), high(offsets), inner(offsets);
    for (size_t d = 0; d < shape.size(); ++d) {
      high[d] += shape[d];
      inner[d] += pad.getBefore()[d];
    }
    auto constant = [&](ValueRange) {
      SmallVector<Value> origin(typeOf(pad.getValue()).getRank(), indexing::constant(b, 0));
      return access.read(pad.getValue(), origin);
    };
    // The border: per dimension two slabs, narrowed to what is left inside.
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t start = inner[d], end = start + typeOf(pad.getX()).getDimSize(d);
      SmallVector<int64_t> slabHigh(high), slabLow(low);
      if (low[d] < start) {
        slabHigh[d] = start;
        fillBox(type.getElementType(), buffer, low, slabHigh, constant);
      }
      if (end < high[d]) {
        slabLow[d] = end;
        fillBox(type.getElementType(), buffer, slabLow, high, constant);
      }
      low[d] = start;
      high[d] = end;
    }
    fill(pad.getX(), buffer, inner);
    return;
  }
  SmallVector<int64_t> low(offsets), high(offsets);
  for (size_t d = 0; d < shape.size(); ++d) {
    high[d] += shape[d];
  }
  fillBox(type.getElementType(), buffer, low, high, [&](ValueRange indices) {
    SmallVector<Value> source;
    for (auto [i, offset] : llvm::zip(indices, offsets)) {
      source.push_back(indexing::add(b, i, -offset));
    }
    return access.read(value, source);
  });
}

void LoopEmitter::run(KernelCode &code) {
  Block &body = kernel.getBody().front();
  bindArguments();
  access.makeStatus = [&] { return makeStatus(); };
  for (Operation &op : body) {
    if (auto loops = dyn_cast<LoopOpInterface>(op)) {
      emitLoopOp(loops);
    }
  }
  auto yield = cast<YieldOp>(body.getTerminator());
  ArrayRef<int64_t> places = inPlaceOperands(kernel);
  unsigned number = body.getNumArguments();
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    int64_t operand = places.empty() ? -1 : places[i];
    Value buffer =
        operand < 0 ? Value(function.getArgument(number++)) : Value(function.getArgument(operand));
    if (access.isBound(value) && access.buffer(value) == buffer) {
      continue;
    }
    fill(value, buffer, SmallVector<int64_t>(typeOf(value).getRank(), 0));
  }
  if (access.status) {
    Value status = b.create<memref::LoadOp>(access.status, indexing::constant(b, 0));
    b.create<func::ReturnOp>(status);
    function.setFunctionType(
        b.getFunctionType(function.getFunctionType().getInputs(), {b.getI32Type()}));
  } else {
    b.create<func::ReturnOp>();
  }
  code.returnsStatus = static_cast<bool>(access.status);
  code.scratchBytes = scratchBytes;
}

bool LoopGenerator::supports(KernelOp kernel, TargetAttr) const {
  if (kernel->hasAttr("packed")) {
    return false; // the order of the operands is another generator's
  }
  return llvm::all_of(kernel.getBody().front(), [](Operation &op) {
    return isa<ElementwiseOpInterface, ElementOpInterface, LoopOpInterface, YieldOp>(op) ||
           (isa<ConstantOp>(op) && isa<SplatElementsAttr>(cast<ConstantOp>(op).getValue()));
  });
}

double LoopGenerator::cost(KernelOp kernel, TargetAttr) const {
  // Scalar code: the price against which other generators compete.
  double total = 0;
  for (Operation &op : kernel.getBody().front()) {
    for (Value result : op.getResults()) {
      total += typeOf(result).getNumElements();
    }
  }
  return total * 16;
}

FailureOr<KernelCode> LoopGenerator::emit(KernelOp kernel, StringRef symbol, TargetAttr) const {
  MLIRContext *context = kernel.getContext();
  Block &body = kernel.getBody().front();
  OpBuilder builder(context);
  KernelCode code;
  code.module = ModuleOp::create(kernel.getLoc());
  SmallVector<Type> inputs;
  for (Type type : body.getArgumentTypes()) {
    inputs.push_back(storageType(cast<RankedTensorType>(type)));
  }
  ArrayRef<int64_t> places = inPlaceOperands(kernel);
  for (auto [i, value] : llvm::enumerate(cast<YieldOp>(body.getTerminator()).getValues())) {
    if (places.empty() || places[i] < 0) {
      inputs.push_back(storageType(typeOf(value)));
    }
  }
  builder.setInsertionPointToEnd(code.module->getBody());
  auto function =
      builder.create<func::FuncOp>(kernel.getLoc(), symbol, builder.getFunctionType(inputs, {}));
  LoopEmitter emitter(kernel, function, *function.addEntryBlock());
  emitter.run(code);
  return code;
}
