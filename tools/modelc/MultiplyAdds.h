//===- MultiplyAdds.h - the arithmetic that a model costs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_MULTIPLYADDS_H
#define MODELC_TOOLS_MODELC_MULTIPLYADDS_H

#include "mlir/IR/BuiltinOps.h"

namespace modelc {

/// Multiply-adds of one run of an imported module: those of products,
/// convolutions and recurrent cells, as model cards count them.
uint64_t countMultiplyAdds(mlir::ModuleOp module);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_MULTIPLYADDS_H
