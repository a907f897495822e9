//===- ModelCompiler.h - a module becomes a compiled model ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_MODEL_MODELCOMPILER_H
#define MODELC_CODEGEN_MODEL_MODELCOMPILER_H

#include "codegen/KernelCompiler.h"
#include "codegen/Target.h"
#include "codegen/emit/CompiledModel.h"
#include "ir/ConstantEvaluator.h"
#include "mlir/IR/BuiltinOps.h"

namespace modelc {

struct CompileOptions {
  std::string name;     ///< prefix of all symbols, a C identifier
  unsigned threads = 1; ///< for code generation; the output is the same
  bool keepDenormals = false;
  /// How far weights may be from a Fourier basis to be taken for one; 0: no
  /// product becomes a transform.
  double dftTolerance = 1e-4;
};

/// Groups the ops of an imported module into kernels and gives every value a
/// place. `module` afterwards holds kernels, launches and places. `evaluator`
/// folds weights, within its bounds.
llvm::Error planModule(mlir::ModuleOp module, const Target &target, const CompileOptions &options,
                       ConstantEvaluator &evaluator);

/// Generates code for a planned module. The weights of the result are views of
/// the module's constants, which must outlive it.
llvm::Expected<CompiledModel> compilePlanned(mlir::ModuleOp module, const Target &target,
                                             const CompileOptions &options);

/// The code of all kernels of a planned module as text, in order.
llvm::Expected<std::string> printKernels(mlir::ModuleOp module, const Target &target,
                                         const CompileOptions &options, KernelOutput output);

} // namespace modelc

#endif // MODELC_CODEGEN_MODEL_MODELCOMPILER_H
