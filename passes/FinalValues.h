//===- FinalValues.h - values that outlive the run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_FINALVALUES_H
#define MODELC_PASSES_FINALVALUES_H

#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace modelc {

/// Results of launches that are written to where the caller or the next run
/// reads them. Every value that the function returns is a result in
/// `outputOf` when placeFinalValues is done, every new state one in `stateOf`.
struct FinalValues {
  llvm::DenseMap<mlir::Value, unsigned> outputOf;
  llvm::DenseMap<mlir::Value, StateOp> stateOf;
};

/// Decides which launches write the caller's memory and the states themselves,
/// and adds copies at the end of the function for all others. Copies to states
/// have the attribute `commits` where a run can fail: they are left out then.
FinalValues placeFinalValues(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

} // namespace modelc

#endif // MODELC_PASSES_FINALVALUES_H
