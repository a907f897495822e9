//===- FormKernels.cpp - group ops into kernels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcOps.h"
#include "ir/Shapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/MemoryAlias.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace modelc {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Trees beyond this many ops are cut: code that no register file holds.
static constexpr size_t maxTreeOps = 48;

static bool isInlineable(Operation *op) {
  return op && isa<ElementwiseOpInterface, ElementOpInterface>(op);
}

/// Whether a loop reads each element of its operand once, so that a producer
/// costs no more inside than outside.
static bool readsOnce(Operation *op) {
  return isa<ReduceOp>(op);
}

static bool isSplat(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

namespace {
/// Decides which values are in memory and which kernel computes each.
class Grouping {
public:
  explicit Grouping(func::FuncOp function);

  bool inMemory(Value value) const { return !owner.count(value); }
  /// The values in memory that kernels compute, in program order; several of
  /// one op are neighbours.
  ArrayRef<Value> roots() const { return rootsInOrder.getArrayRef(); }
  /// The op with loops whose result `root` is computed from in registers.
  Operation *fusedLoop(Value root) const { return loopOf.lookup(root); }

private:
  void decideInlineable(Operation *op);
  void decideLoop(Operation *op);
  Value commonOwner(Value value);
  bool isChainTo(Value value, Value root, ArrayRef<int64_t> shape, DenseSet<Value> &seen);
  bool recomputable(Operation *op);
  void keepInMemory(Value value) { rootsReversed.push_back(value); }

  /// For each value that is not in memory, the value in memory that it is
  /// computed for.
  DenseMap<Value, Value> owner;
  DenseMap<Value, size_t> treeSize;
  DenseMap<Value, Operation *> loopOf;
  SmallVector<Value> rootsReversed;
  SetVector<Value> rootsInOrder;
};
} // namespace

Grouping::Grouping(func::FuncOp function) {
  for (Operation &op : llvm::reverse(function.front())) {
    if (isa<ConstantOp, func::ReturnOp>(op)) {
      continue;
    }
    if (isa<LoopOpInterface>(op)) {
      decideLoop(&op);
    } else if (isInlineable(&op)) {
      decideInlineable(&op);
    }
  }
  rootsInOrder.insert(rootsReversed.rbegin(), rootsReversed.rend());
}

/// The one value in memory that all uses of `value` serve, if there is one.
Value Grouping::commonOwner(Value value) {
  Value common;
  for (Operation *user : value.getUsers()) {
    Value target;
    if (aliasOffset(user)) {
      return {}; // the user only names this value's memory
    }
    if (isInlineable(user)) {
      Value result = user->getResult(0);
      target = inMemory(result) ? result : owner.lookup(result);
    } else if (readsOnce(user)) {
      Value result = user->getResult(0);
      target = inMemory(result) ? result : owner.lookup(result);
    } else {
      return {};
    }
    if (common && common != target) {
      return {};
    }
    common = target;
  }
  return common;
}

/// Movement of a value that surely is in memory costs no arithmetic, so every
/// reader may do it again.
bool Grouping::recomputable(Operation *op) {
  return isa<BroadcastOp, TransposeOp, SliceOp>(op) &&
         !isInlineable(op->getOperand(0).getDefiningOp()) &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isInlineable(user) && !aliasOffset(user); });
}

void Grouping::decideInlineable(Operation *op) {
  Value result = op->getResult(0);
  if (result.use_empty()) {
    return;
  }
  // A reshape or contiguous slice names the memory of its operand.
  if (aliasOffset(op)) {
    return;
  }
  Value common = commonOwner(result);
  bool amplified = llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isa<BroadcastOp>(user) ||
           (isa<ElementwiseOpInterface>(user) &&
            cast<RankedTensorType>(user->getResult(0).getType()).getNumElements() >
                cast<RankedTensorType>(result.getType()).getNumElements());
  });
  bool computes = isa<ElementwiseOpInterface>(op);
  if (common && !(amplified && computes) && treeSize[common] < maxTreeOps) {
    owner[result] = common;
    ++treeSize[common];
    return;
  }
  if (!common && recomputable(op)) {
    // Any owner will do: the ops are cloned into each reader's kernel.
    owner[result] = op->use_begin()->getOwner()->getResult(0);
    return;
  }
  treeSize[result] = 1;
  keepInMemory(result);
}

/// Whether every way from `value` to `root` is through elementwise ops of one
/// shape, so that `root` can be computed where `value` is written.
/// `seen` keeps values with several uses from being followed again.
bool Grouping::isChainTo(Value value, Value root, ArrayRef<int64_t> shape, DenseSet<Value> &seen) {
  if (value == root || !seen.insert(value).second) {
    return true;
  }
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (!isa<ElementwiseOpInterface>(user) || shapeOf(user->getResult(0)) != shape) {
      return false;
    }
    return isChainTo(user->getResult(0), root, shape, seen);
  });
}

void Grouping::decideLoop(Operation *op) {
  SmallVector<Value> used;
  llvm::copy_if(op->getResults(), std::back_inserter(used),
                [](Value result) { return !result.use_empty(); });
  // A recurrent cell reads what it has written and stays alone; the code of a
  // Fourier transform writes its result in an order of its own.
  if (used.size() == 1 && !isa<GruOp, LstmOp, DftOp, StftOp, IstftOp>(op)) {
    Value result = used.front();
    Value common = commonOwner(result);
    DenseSet<Value> seen;
    if (common && !loopOf.count(common) && !isa<LoopOpInterface>(common.getDefiningOp()) &&
        isChainTo(result, common, shapeOf(result), seen)) {
      owner[result] = common;
      loopOf[common] = op;
      ++treeSize[common];
      return;
    }
  }
  for (Value result : llvm::reverse(used)) {
    treeSize[result] = 1;
    keepInMemory(result);
  }
}

namespace {
struct FormKernelsPass : modelc::impl::FormKernelsPassBase<FormKernelsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  void formKernels(func::FuncOp function);
  void formKernel(const Grouping &grouping, ArrayRef<Value> results, IRMapping &inMemory);
};
} // namespace

/// Copies into `kernel` the ops that compute `value`; values in memory become
/// arguments.
static Value cloneTree(const Grouping &grouping, Value value, bool isResult, OpBuilder &b,
                       Block &body, IRMapping &map, SmallVectorImpl<Value> &operands) {
  if (Value known = map.lookupOrNull(value)) {
    return known;
  }
  Operation *op = value.getDefiningOp();
  if (isSplat(value)) {
    return b.clone(*op, map)->getResult(0);
  }
  bool inside = isResult || (op && !isa<ConstantOp>(op) && !grouping.inMemory(value));
  if (!inside) {
    Value argument = body.addArgument(value.getType(), value.getLoc());
    operands.push_back(value);
    map.map(value, argument);
    return argument;
  }
  for (Value operand : op->getOperands()) {
    cloneTree(grouping, operand, false, b, body, map, operands);
  }
  b.clone(*op, map);
  return map.lookup(value);
}

void FormKernelsPass::formKernel(const Grouping &grouping, ArrayRef<Value> results,
                                 IRMapping &inMemory) {
  Operation *op = results.front().getDefiningOp();
  OpBuilder b(op);
  Operation *named = grouping.fusedLoop(results.front());
  named = named ? named : op;
  b.setInsertionPoint(op->getParentOp());
  auto kernel =
      b.create<KernelOp>(named->getLoc(), ("kernel_" + Twine(numKernels.getValue())).str());
  ++numKernels;
  Block &body = kernel.getBody().emplaceBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  IRMapping map;
  SmallVector<Value> operands, yielded;
  for (Value result : results) {
    yielded.push_back(cloneTree(grouping, result, true, inner, body, map, operands));
  }
  inner.create<YieldOp>(op->getLoc(), yielded);
  numFused += body.getOperations().size() - 2;
  b.setInsertionPoint(op);
  for (Value &operand : operands) {
    operand = inMemory.lookupOrDefault(operand);
  }
  auto launch = b.create<LaunchOp>(named->getLoc(), ValueRange(results).getTypes(),
                                   FlatSymbolRefAttr::get(kernel.getSymNameAttr()), operands);
  for (auto [result, launched] : llvm::zip(results, launch.getResults())) {
    inMemory.map(result, launched);
  }
}

void FormKernelsPass::formKernels(func::FuncOp function) {
  Grouping grouping(function);
  IRMapping inMemory;
  ArrayRef<Value> roots = grouping.roots();
  while (!roots.empty()) {
    // All results of one op come from one kernel.
    Operation *op = roots.front().getDefiningOp();
    size_t count = llvm::find_if(roots, [&](Value value) { return value.getDefiningOp() != op; }) -
                   roots.begin();
    formKernel(grouping, roots.take_front(count), inMemory);
    roots = roots.drop_front(count);
  }
  for (Value root : grouping.roots()) {
    root.replaceUsesWithIf(inMemory.lookup(root),
                           [](OpOperand &use) { return !isa<LaunchOp>(use.getOwner()); });
  }
  // What is left without users was copied into kernels.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    if (op.use_empty() && !isa<func::ReturnOp, StateWriteOp>(op)) {
      op.erase();
    }
  }
}

void FormKernelsPass::runOnOperation() {
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
    formKernels(function);
  }
}
