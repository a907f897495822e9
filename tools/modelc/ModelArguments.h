//===- ModelArguments.h - flags of all commands that read a model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_MODELARGUMENTS_H
#define MODELC_TOOLS_MODELC_MODELARGUMENTS_H

#include "codegen/Target.h"
#include "frontend/Importer.h"
#include "tools/modelc/Arguments.h"
#include "mlir/IR/MLIRContext.h"

namespace modelc {

/// --shape, --dim, --const.
llvm::ArrayRef<Flag> importFlags();
/// --target, --os, --float-abi, --threads, --denormals, --name.
llvm::ArrayRef<Flag> targetFlags();

llvm::Expected<ImportOptions> importOptions(const Arguments &arguments);
llvm::Expected<Target> targetOf(const Arguments &arguments);
/// --name, or the model file's name made an identifier.
llvm::Expected<std::string> libraryName(const Arguments &arguments,
                                        llvm::StringRef modelPath);

/// A context with the dialects of modules and kernels, whose diagnostics are
/// printed as one line each.
class ToolContext {
public:
  ToolContext();
  mlir::MLIRContext &get() { return context; }

private:
  mlir::MLIRContext context;
};

/// Prints an error in the form of all others and returns the exit code.
int report(llvm::Error error);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_MODELARGUMENTS_H
