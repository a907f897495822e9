//===- ReuseOperands.cpp - results that take the place of operands --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/MemoryAlias.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_REUSEOPERANDSPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {
struct ReuseOperandsPass : modelc::impl::ReuseOperandsPassBase<ReuseOperandsPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// Whether the kernel reads `argument` only at the position of the result that
/// it writes: every use is elementwise, of one shape, up to the result. `seen`
/// keeps values with several uses from being followed again.
static bool readsAtPosition(Value value, Value result, DenseSet<Value> &seen) {
  if (value == result || !seen.insert(value).second) {
    return true;
  }
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return isa<ElementwiseOpInterface>(user) &&
           cast<RankedTensorType>(user->getResult(0).getType()).getShape() ==
               cast<RankedTensorType>(value.getType()).getShape() &&
           readsAtPosition(user->getResult(0), result, seen);
  });
}

/// Whether nothing reads the memory of `value` after `launch`, and nobody but
/// kernels of this model owns it.
static bool diesAt(Value value, LaunchOp launch) {
  auto [root, offset] = memoryRoot(value);
  if (!root.getDefiningOp<LaunchOp>()) {
    return false;
  }
  SmallVector<Value> work{root};
  unsigned readsHere = 0;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (aliasOffset(user)) {
        work.push_back(user->getResult(0));
      } else if (user == launch) {
        ++readsHere;
      } else if (!isa<LaunchOp>(user) || launch->isBeforeInBlock(user)) {
        return false;
      }
    }
  }
  return readsHere == 1;
}

void ReuseOperandsPass::runOnOperation() {
  SymbolTable symbols(getOperation());
  OpBuilder b(&getContext());
  SmallVector<LaunchOp> launches;
  getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
  for (LaunchOp launch : launches) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    Block &body = kernel.getBody().front();
    auto yield = cast<YieldOp>(body.getTerminator());
    if (yield.getValues().size() != 1 || llvm::any_of(body, [](Operation &op) {
          return isa<LoopOpInterface, ElementOpInterface>(op);
        })) {
      continue;
    }
    Value result = yield.getValues().front();
    for (auto [i, operand] : llvm::enumerate(launch.getInputs())) {
      auto type = cast<RankedTensorType>(operand.getType());
      auto resultType = cast<RankedTensorType>(result.getType());
      bool fits = type.getShape() == resultType.getShape() &&
                  type.getElementType() == resultType.getElementType();
      DenseSet<Value> seen;
      if (!fits || !readsAtPosition(body.getArgument(i), result, seen) ||
          !diesAt(operand, launch)) {
        continue;
      }
      kernel->setAttr("in_place", b.getDenseI64ArrayAttr({static_cast<int64_t>(i)}));
      ++numInPlace;
      break;
    }
  }
}
