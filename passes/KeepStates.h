//===- KeepStates.h - states that a model passes through its interface ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_KEEPSTATES_H
#define MODELC_PASSES_KEEPSTATES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace modelc {

/// An argument that receives, in the next run, what a result was in this one.
struct StatePair {
  unsigned argument, result;
};

/// Pairs of one type whose names say that they are one state before and after
/// a run: `cache_in` and `cache_out`, `stateN` and `state`, `h0` and `h1`. An
/// argument or result that fits several others is left out.
llvm::SmallVector<StatePair> findStatePairs(mlir::func::FuncOp function);

/// What `--state` says: pairs as `INPUT=OUTPUT`, and `auto` for findStatePairs.
std::unique_ptr<mlir::Pass> createKeepStatesPass(llvm::ArrayRef<std::string> states);

} // namespace modelc

#endif // MODELC_PASSES_KEEPSTATES_H
