//===- PlanMemory.cpp - give every value a place in memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/FinalValues.h"
#include "passes/MemoryAlias.h"
#include "passes/Passes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

namespace modelc {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Weights lie at multiples of this on every target: one file serves all.
static constexpr uint64_t weightAlignment = 64;

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
  uint64_t scratchBytes = 0, lowerBound = 0, weightBytes = 0, stateBytes = 0;

private:
  void placeStates();
  void numberLaunches();
  void placeConstants();
  void placeLaunches();
  void assignOffsets();
  void setPlaces();
  unsigned lastUse(Value root);
  PlaceAttr place(MemorySpace space, uint32_t number, uint64_t offset) {
    return PlaceAttr::get(function.getContext(), space, number, offset);
  }

  func::FuncOp function;
  uint64_t alignment;
  SymbolTable symbols;
  SmallVector<LaunchOp> launches;
  DenseMap<Operation *, unsigned> step;
  FinalValues final;
  DenseMap<Value, unsigned> blockOf; ///< results in scratch
  DenseMap<Operation *, SmallVector<unsigned, 2>> temporaries;
  SmallVector<ScratchBlock> blocks;
};
} // namespace

/// States lie behind each other in the order of the module.
void Planner::placeStates() {
  for (auto state : function->getParentOfType<ModuleOp>().getOps<StateOp>()) {
    stateBytes = llvm::alignTo(stateBytes, alignment);
    state->setAttr("place", place(MemorySpace::State, 0, stateBytes));
    stateBytes += storageBytes(cast<RankedTensorType>(state.getInitial().getType()));
  }
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
  // Loops that were written out compute and pack their weights again and again:
  // equal bytes have one place, by their hash and then themselves.
  DenseMap<uint64_t, SmallVector<ConstantOp, 1>> byHash;
  for (auto constant : function.front().getOps<ConstantOp>()) {
    PlaceAttr &at = known[constant.getValue()];
    std::optional<ArrayRef<char>> bytes;
    if (!at && (bytes = constantBytes(constant.getValue()))) {
      SmallVector<ConstantOp, 1> &alike = byHash[llvm::xxh3_64bits(
          ArrayRef(reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size()))];
      auto equal = llvm::find_if(
          alike, [&](ConstantOp other) { return constantBytes(other.getValue()) == bytes; });
      if (equal != alike.end()) {
        at = (*equal)->getAttrOfType<PlaceAttr>("place");
      } else {
        alike.push_back(constant);
      }
    }
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
      if (final.outputOf.count(result) || final.stateOf.count(result) ||
          (!inPlace.empty() && inPlace[i] >= 0)) {
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
    } else if (auto read = root.getDefiningOp<StateReadOp>()) {
      at = symbols.lookup(read.getState())->getAttrOfType<PlaceAttr>("place");
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
      } else if (auto output = final.outputOf.find(result); output != final.outputOf.end()) {
        at = place(MemorySpace::Output, output->second, 0);
      } else if (StateOp state = final.stateOf.lookup(result)) {
        at = state->getAttrOfType<PlaceAttr>("place");
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
  final = placeFinalValues(function, symbols);
  numberLaunches();
  placeStates();
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
    module->setAttr("modelc.state_bytes", b.getI64IntegerAttr(planner.stateBytes));
    module->setAttr("modelc.weight_bytes", b.getI64IntegerAttr(planner.weightBytes));
  }
}
