//===- MergeKernels.cpp - let launches of equal kernels share one ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcOps.h"
#include "mlir/IR/OperationSupport.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {
struct MergeKernelsPass : modelc::impl::MergeKernelsPassBase<MergeKernelsPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

static llvm::hash_code hashOf(KernelOp kernel) {
  llvm::hash_code hash = llvm::hash_value(0);
  for (Operation &op : kernel.getBody().front()) {
    hash = llvm::hash_combine(hash, op.getName(), op.getAttrDictionary());
    for (Type type : op.getResultTypes()) {
      hash = llvm::hash_combine(hash, type);
    }
  }
  return hash;
}

static bool areEqual(KernelOp x, KernelOp y) {
  return inPlaceOperands(x) == inPlaceOperands(y) &&
         OperationEquivalence::isRegionEquivalentTo(&x.getBody(), &y.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

void MergeKernelsPass::runOnOperation() {
  DenseMap<size_t, SmallVector<KernelOp, 1>> byHash;
  DenseMap<StringAttr, FlatSymbolRefAttr> renamed;
  for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
    auto &candidates = byHash[hashOf(kernel)];
    auto *same = llvm::find_if(candidates, [&](KernelOp other) { return areEqual(kernel, other); });
    if (same == candidates.end()) {
      candidates.push_back(kernel);
      continue;
    }
    renamed[kernel.getSymNameAttr()] = FlatSymbolRefAttr::get(same->getSymNameAttr());
    kernel.erase();
    ++numMerged;
  }
  getOperation().walk([&](LaunchOp launch) {
    auto found = renamed.find(launch.getKernelAttr().getAttr());
    if (found != renamed.end()) {
      launch.setKernelAttr(found->second);
    }
  });
}
