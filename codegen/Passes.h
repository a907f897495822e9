// Passes that take one kernel function from loops and vectors to the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_PASSES_H
#define MODELC_CODEGEN_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace modelc {

struct Target;

#define GEN_PASS_DECL
#include "codegen/Passes.h.inc"

/// Adds the passes that lower one kernel module (see modelc-verify-kernel) to the LLVM dialect for
/// `target`.
void buildKernelLoweringPipeline(mlir::OpPassManager &pm, const Target &target);

/// The dialects that kernel modules may use, and their translations to LLVM IR.
void registerKernelDialects(mlir::DialectRegistry &registry);

#define GEN_PASS_REGISTRATION
#include "codegen/Passes.h.inc"

} // namespace modelc

#endif // MODELC_CODEGEN_PASSES_H
