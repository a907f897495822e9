//===- PlanMemory.cpp - give every value a place in memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/MemoryAlias.h"
#include "passes/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace modelc {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Weights lie at multiples of this on every target: one file serves all.
static constexpr uint64_t weightAlignment = 64;

static uint64_t bytesOf(Value value) {
  return storageBytes(cast<RankedTensorType>(value.getType()));
}

namespace {
/// A piece of scratch memory and the launches between which it is in use.
struct ScratchBlock {
  uint64_t bytes;
  unsigned first, last;
  uint64_t offset = 0;
};

class Planner {
public:
  Planner(func::FuncOp function, uint64_t alignment)
      : function(function), alignment(alignment), symbols(function->getParentOfType<ModuleOp>()) {}

  void run();
  uint64_t scratchBytes = 0, lowerBound = 0, weightBytes = 0;

private:
  Value copyAtEnd(Value value);
  void saveReturnedInputs();
  void copyReturned();
  void numberLaunches();
  void placeConstants();
  void placeLaunches();
  void assignOffsets();
  void setPlaces();
  bool mayWriteOutput(LaunchOp launch, Value result);
  unsigned lastUse(Value root);
  PlaceAttr place(MemorySpace space, uint32_t number, uint64_t offset) {
    return PlaceAttr::get(function.getContext(), space, number, offset);
  }

  func::FuncOp function;
  uint64_t alignment;
  SymbolTable symbols;
  DenseMap<Type, KernelOp> copyKernels;
  SmallVector<LaunchOp> launches;
  DenseMap<Operation *, unsigned> step;
  DenseMap<Value, unsigned> blockOf;  ///< results in scratch
  DenseMap<Value, unsigned> outputOf; ///< results in the caller's memory
  DenseMap<Operation *, SmallVector<unsigned, 2>> temporaries;
  SmallVector<ScratchBlock> blocks;
};
} // namespace

/// A launch, at the end of the function, that copies `value`.
Value Planner::copyAtEnd(Value value) {
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
  OpBuilder b(function.front().getTerminator());
  auto name = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
  return b.create<LaunchOp>(loc, TypeRange{type}, name, ValueRange{value}).getResult(0);
}

/// A caller may pass one buffer as input and as output of the same size, so an
/// input that is returned may be lost when another output is written. Such an
/// input is copied to scratch first.
void Planner::saveReturnedInputs() {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  for (OpOperand &operand : ret->getOpOperands()) {
    Value root = memoryRoot(operand.get()).first;
    bool mayBeLost = llvm::any_of(ret->getOpOperands(), [&](OpOperand &other) {
      return &other != &operand && bytesOf(other.get()) == bytesOf(root);
    });
    if (isa<BlockArgument>(root) && mayBeLost) {
      operand.set(copyAtEnd(operand.get()));
    }
  }
}

/// Returned values that no launch of their own can write to the caller's
/// memory (inputs, constants, parts of other values, values that are returned
/// twice or written too early) are copied there at the end.
void Planner::copyReturned() {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  DenseSet<Value> seen;
  for (auto [i, operand] : llvm::enumerate(ret->getOpOperands())) {
    Value value = operand.get();
    auto [root, offset] = memoryRoot(value);
    auto launch = root.getDefiningOp<LaunchOp>();
    bool direct = launch && bytesOf(root) == bytesOf(value) && seen.insert(root).second &&
                  mayWriteOutput(launch, root);
    if (direct) {
      outputOf[root] = i;
      continue;
    }
    Value copy = copyAtEnd(value);
    outputOf[copy] = i;
    operand.set(copy);
  }
}

/// A caller may pass one buffer as input and as output of the same size. So a
/// result may go there only if no input of that size is read from then on. Nor
/// may a result take an operand's place and be an output.
bool Planner::mayWriteOutput(LaunchOp launch, Value result) {
  if (!inPlaceOperands(symbols.lookup<KernelOp>(launch.getKernel())).empty()) {
    return false;
  }
  for (Value input : function.getArguments()) {
    if (bytesOf(input) != bytesOf(result)) {
      continue;
    }
    SmallVector<Value> work{input};
    while (!work.empty()) {
      for (Operation *user : work.pop_back_val().getUsers()) {
        if (aliasOffset(user)) {
          work.push_back(user->getResult(0));
        } else if (!user->isBeforeInBlock(launch)) {
          return false;
        }
      }
    }
  }
  return true;
}

void Planner::numberLaunches() {
  for (auto launch : function.front().getOps<LaunchOp>()) {
    step[launch] = launches.size();
    launches.push_back(launch);
  }
}

/// The last launch that reads the memory of `root`; results that take its
/// place prolong its life.
unsigned Planner::lastUse(Value root) {
  unsigned last = 0;
  SmallVector<Value> work{root};
  while (!work.empty()) {
    for (OpOperand &use : work.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (aliasOffset(user)) {
        work.push_back(user->getResult(0));
      } else if (auto launch = dyn_cast<LaunchOp>(user)) {
        last = std::max(last, step[launch]);
        ArrayRef<int64_t> places = inPlaceOperands(symbols.lookup<KernelOp>(launch.getKernel()));
        for (auto [i, operand] : llvm::enumerate(places)) {
          if (operand == static_cast<int64_t>(use.getOperandNumber())) {
            work.push_back(launch.getResult(i));
          }
        }
      } else {
        last = launches.size();
      }
    }
  }
  return last;
}

void Planner::placeConstants() {
  DenseMap<Attribute, PlaceAttr> known;
  for (auto constant : function.front().getOps<ConstantOp>()) {
    PlaceAttr &at = known[constant.getValue()];
    if (!at) {
      weightBytes = llvm::alignTo(weightBytes, weightAlignment);
      at = place(MemorySpace::Weights, 0, weightBytes);
      weightBytes += bytesOf(constant);
    }
    constant->setAttr("place", at);
  }
}

void Planner::placeLaunches() {
  for (auto [number, launch] : llvm::enumerate(launches)) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    ArrayRef<int64_t> inPlace = inPlaceOperands(kernel);
    for (auto [i, result] : llvm::enumerate(launch.getResults())) {
      if (outputOf.count(result) || (!inPlace.empty() && inPlace[i] >= 0)) {
        continue;
      }
      blockOf[result] = blocks.size();
      blocks.push_back({std::max<uint64_t>(bytesOf(result), 1), static_cast<unsigned>(number),
                        std::max<unsigned>(lastUse(result), number)});
    }
    if (auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("scratch_bytes")) {
      for (int64_t bytes : sizes.asArrayRef()) {
        temporaries[launch].push_back(blocks.size());
        blocks.push_back({std::max<uint64_t>(bytes, 1), static_cast<unsigned>(number),
                          static_cast<unsigned>(number)});
      }
    }
  }
}

/// Largest first, each at the lowest offset where it meets no block that lives
/// at the same time.
void Planner::assignOffsets() {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return std::make_pair(blocks[x].bytes, y) > std::make_pair(blocks[y].bytes, x);
  });
  SmallVector<unsigned> placed;
  for (unsigned i : order) {
    ScratchBlock &block = blocks[i];
    SmallVector<std::pair<uint64_t, uint64_t>> taken;
    for (unsigned j : placed) {
      const ScratchBlock &other = blocks[j];
      if (other.first <= block.last && block.first <= other.last) {
        taken.push_back({other.offset, other.offset + other.bytes});
      }
    }
    llvm::sort(taken);
    uint64_t offset = 0;
    for (auto [from, to] : taken) {
      if (offset + block.bytes <= from) {
        break;
      }
      offset = std::max(offset, llvm::alignTo(to, alignment));
    }
    block.offset = offset;
    scratchBytes = std::max(scratchBytes, offset + block.bytes);
    placed.push_back(i);
  }
  for (unsigned at = 0; at <= launches.size(); ++at) {
    // The last block in memory needs no padding after it.
    uint64_t live = 0, padding = 0;
    for (const ScratchBlock &block : blocks) {
      if (block.first <= at && at <= block.last) {
        uint64_t padded = llvm::alignTo(block.bytes, alignment);
        live += padded;
        padding = std::max(padding, padded - block.bytes);
      }
    }
    lowerBound = std::max(lowerBound, live - padding);
  }
}

void Planner::setPlaces() {
  DenseMap<Value, PlaceAttr> places;
  Builder b(function.getContext());
  for (BlockArgument argument : function.getArguments()) {
    places[argument] = place(MemorySpace::Input, argument.getArgNumber(), 0);
  }
  auto placeOf = [&](Value value) {
    auto [root, offset] = memoryRoot(value);
    PlaceAttr at = places.lookup(root);
    if (auto constant = root.getDefiningOp<ConstantOp>()) {
      at = constant->getAttrOfType<PlaceAttr>("place");
    }
    return place(at.getSpace(), at.getNumber(), at.getOffset() + offset);
  };
  for (LaunchOp launch : launches) {
    ArrayRef<int64_t> inPlace = inPlaceOperands(symbols.lookup<KernelOp>(launch.getKernel()));
    SmallVector<Attribute> operands, results, scratch;
    for (Value operand : launch.getInputs()) {
      operands.push_back(placeOf(operand));
    }
    for (auto [i, result] : llvm::enumerate(launch.getResults())) {
      PlaceAttr at;
      if (!inPlace.empty() && inPlace[i] >= 0) {
        at = cast<PlaceAttr>(operands[inPlace[i]]);
      } else if (auto output = outputOf.find(result); output != outputOf.end()) {
        at = place(MemorySpace::Output, output->second, 0);
      } else {
        at = place(MemorySpace::Scratch, 0, blocks[blockOf.lookup(result)].offset);
      }
      places[result] = at;
      results.push_back(at);
    }
    for (unsigned temporary : temporaries.lookup(launch)) {
      scratch.push_back(place(MemorySpace::Scratch, 0, blocks[temporary].offset));
    }
    launch->setAttr("operand_places", b.getArrayAttr(operands));
    launch->setAttr("result_places", b.getArrayAttr(results));
    launch->setAttr("scratch_places", b.getArrayAttr(scratch));
  }
}

void Planner::run() {
  saveReturnedInputs();
  copyReturned();
  numberLaunches();
  placeConstants();
  placeLaunches();
  assignOffsets();
  setPlaces();
}

namespace {
struct PlanMemoryPass : modelc::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void PlanMemoryPass::runOnOperation() {
  ModuleOp module = getOperation();
  Builder b(&getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    Planner planner(function, alignment);
    planner.run();
    module->setAttr("modelc.scratch_bytes", b.getI64IntegerAttr(planner.scratchBytes));
    module->setAttr("modelc.scratch_lower_bound", b.getI64IntegerAttr(planner.lowerBound));
    module->setAttr("modelc.weight_bytes", b.getI64IntegerAttr(planner.weightBytes));
  }
}
