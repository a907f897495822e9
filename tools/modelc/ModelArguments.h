//===- ModelArguments.h - flags of all commands that read a model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_MODELARGUMENTS_H
#define MODELC_TOOLS_MODELC_MODELARGUMENTS_H

#include "codegen/Target.h"
#include "frontend/Importer.h"
#include "mlir/IR/MLIRContext.h"
#include "tools/modelc/Arguments.h"

namespace modelc {

/// --shape, --dim, --const, --state.
llvm::ArrayRef<Flag> importFlags();
/// --target, --os, --float-abi, --threads, --denormals, --name.
llvm::ArrayRef<Flag> targetFlags();

/// Constants from files become tensors of `context`.
llvm::Expected<ImportOptions> importOptions(const Arguments &arguments, mlir::MLIRContext &context);
llvm::Expected<Target> targetOf(const Arguments &arguments);
/// --name, or the model file's name made an identifier.
llvm::Expected<std::string> libraryName(const Arguments &arguments, llvm::StringRef modelPath);

/// A context with the dialects of modules and kernels, whose diagnostics are
/// printed as one line each, or kept for a report.
class ToolContext {
public:
  ToolContext();
  mlir::MLIRContext &get() { return context; }

  /// No notes on the terminal.
  void setQuiet(bool value) { isQuiet = value; }
  /// Nothing on the terminal.
  void setSilent(bool value) { isSilent = value; }
  /// Choices that were made for the user, and what was wrong.
  const std::vector<std::string> &notes() const { return noteTexts; }
  const std::vector<std::string> &errors() const { return errorTexts; }

private:
  mlir::MLIRContext context;
  bool isQuiet = false, isSilent = false;
  std::vector<std::string> noteTexts, errorTexts;
};

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_MODELARGUMENTS_H
