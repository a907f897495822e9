//===- FinalValues.cpp - values that outlive the run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/FinalValues.h"
#include "ir/ConstantData.h"
#include "ir/Shapes.h"
#include "passes/MemoryAlias.h"

using namespace mlir;
using namespace modelc;

namespace {
class FinalPlacer {
public:
  FinalPlacer(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols),
        ret(cast<func::ReturnOp>(function.front().getTerminator())),
        writes(function.front().getOps<StateWriteOp>()) {}

  FinalValues run();

private:
  LaunchOp copyAtEnd(Value value);
  void saveReturnedInputs();
  void saveStateSources();
  void placeReturned();
  void placeStates();
  bool isReadFrom(Value memory, LaunchOp launch);
  bool mayWriteOutput(LaunchOp launch, Value result);
  bool mayWriteState(LaunchOp launch, Value result, StateOp state);
  StateOp stateOf(Operation *op) {
    return symbols.lookup<StateOp>(op->getAttrOfType<FlatSymbolRefAttr>("state").getValue());
  }
  bool isWholeOf(Value value, StateOp state);

  func::FuncOp function;
  SymbolTable &symbols;
  func::ReturnOp ret;
  SmallVector<StateWriteOp> writes;
  DenseMap<Type, KernelOp> copyKernels;
  bool canFail = false;
  FinalValues final;
};
} // namespace

LaunchOp FinalPlacer::copyAtEnd(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  KernelOp &kernel = copyKernels[type];
  if (!kernel) {
    auto module = function->getParentOfType<ModuleOp>();
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    kernel = b.create<KernelOp>(loc, "copy");
    Block &body = kernel.getBody().emplaceBlock();
    Value argument = body.addArgument(type, loc);
    b.setInsertionPointToEnd(&body);
    b.create<YieldOp>(loc, argument);
    symbols.insert(kernel);
  }
  OpBuilder b(ret);
  auto name = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
  return b.create<LaunchOp>(loc, TypeRange{type}, name, ValueRange{value});
}

/// A caller may pass one buffer as input and as output of the same size, so an
/// input that is returned may be lost when another output is written. Such an
/// input is copied to scratch first.
void FinalPlacer::saveReturnedInputs() {
  for (OpOperand &operand : ret->getOpOperands()) {
    Value root = memoryRoot(operand.get()).first;
    bool mayBeLost = llvm::any_of(ret->getOpOperands(), [&](OpOperand &other) {
      return &other != &operand && bytesOf(other.get()) == bytesOf(root);
    });
    if (isa<BlockArgument>(root) && mayBeLost) {
      operand.set(copyAtEnd(operand.get()).getResult(0));
    }
  }
}

/// Whether `value` is all of the old value of `state`.
bool FinalPlacer::isWholeOf(Value value, StateOp state) {
  Value root = memoryRoot(value).first;
  auto read = root.getDefiningOp<StateReadOp>();
  return read && stateOf(read) == state && bytesOf(root) == bytesOf(value);
}

/// New states that are (parts of) old ones may be lost when those are written,
/// and inputs when an output in the same memory is. They are copied to scratch
/// first.
void FinalPlacer::saveStateSources() {
  for (StateWriteOp write : writes) {
    Value root = memoryRoot(write.getValue()).first;
    bool mayBeLost =
        (root.getDefiningOp<StateReadOp>() && !isWholeOf(write.getValue(), stateOf(write))) ||
        (isa<BlockArgument>(root) && llvm::any_of(ret.getOperands(), [&](Value output) {
           return bytesOf(output) == bytesOf(root);
         }));
    if (mayBeLost) {
      write.getValueMutable().assign(copyAtEnd(write.getValue()).getResult(0));
      write->moveBefore(ret);
    }
  }
}

/// Whether `launch`, or an op behind it, reads the memory that `memory` names.
bool FinalPlacer::isReadFrom(Value memory, LaunchOp launch) {
  SmallVector<Value> work{memory};
  while (!work.empty()) {
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (aliasOffset(user)) {
        work.push_back(user->getResult(0));
      } else if (!user->isBeforeInBlock(launch)) {
        return true;
      }
    }
  }
  return false;
}

/// A caller may pass one buffer as input and as output of the same size. So a
/// result may go there only if no input of that size is read from then on. Nor
/// may a result take an operand's place and be an output.
bool FinalPlacer::mayWriteOutput(LaunchOp launch, Value result) {
  return inPlaceOperands(symbols.lookup<KernelOp>(launch.getKernel())).empty() &&
         llvm::none_of(function.getArguments(), [&](Value input) {
           return bytesOf(input) == bytesOf(result) && isReadFrom(input, launch);
         });
}

/// A run that fails leaves the states as they were.
bool FinalPlacer::mayWriteState(LaunchOp launch, Value result, StateOp state) {
  return !canFail && !final.outputOf.count(result) && !final.stateOf.count(result) &&
         inPlaceOperands(symbols.lookup<KernelOp>(launch.getKernel())).empty() &&
         llvm::none_of(function.front().getOps<StateReadOp>(), [&](StateReadOp read) {
           return stateOf(read) == state && isReadFrom(read, launch);
         });
}

/// Returned values that no launch of their own can write to the caller's
/// memory (inputs, constants, parts of other values, values that are returned
/// twice or written too early) are copied there at the end.
void FinalPlacer::placeReturned() {
  for (auto [i, operand] : llvm::enumerate(ret->getOpOperands())) {
    Value root = memoryRoot(operand.get()).first;
    auto launch = root.getDefiningOp<LaunchOp>();
    if (launch && bytesOf(root) == bytesOf(operand.get()) && !final.outputOf.count(root) &&
        mayWriteOutput(launch, root)) {
      final.outputOf[root] = i;
      continue;
    }
    Value copy = copyAtEnd(operand.get()).getResult(0);
    final.outputOf[copy] = i;
    operand.set(copy);
  }
}

void FinalPlacer::placeStates() {
  for (StateWriteOp write : writes) {
    StateOp state = stateOf(write);
    Value value = write.getValue(), root = memoryRoot(value).first;
    if (isWholeOf(value, state)) {
      write.erase(); // it keeps its value
      continue;
    }
    auto launch = root.getDefiningOp<LaunchOp>();
    if (launch && bytesOf(root) == bytesOf(value) && mayWriteState(launch, root, state)) {
      final.stateOf[root] = state;
      continue;
    }
    LaunchOp copy = copyAtEnd(value);
    if (canFail) {
      copy->setAttr("commits", UnitAttr::get(copy.getContext()));
    }
    final.stateOf[copy.getResult(0)] = state;
    write.getValueMutable().assign(copy.getResult(0));
    write->moveBefore(ret);
  }
}

FinalValues FinalPlacer::run() {
  canFail = llvm::any_of(function.front().getOps<LaunchOp>(), [&](LaunchOp launch) {
    return symbols.lookup(launch.getKernel())->hasAttr("returns_status");
  });
  saveReturnedInputs();
  saveStateSources();
  placeReturned();
  placeStates();
  return std::move(final);
}

FinalValues modelc::placeFinalValues(func::FuncOp function, SymbolTable &symbols) {
  return FinalPlacer(function, symbols).run();
}
