//===- CoreModule.h - Everything of a library but kernels and weights -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_COREMODULE_H
#define MODELC_CODEGEN_EMIT_COREMODULE_H

#include "codegen/emit/Emit.h"
#include "llvm/ADT/StringSet.h"

namespace modelc {

/// The symbols that stay global: NAME_init, run, reset, info and weights, and those
/// of the parts that the model has.
std::vector<std::string> interfaceSymbols(const CompiledModel &model);

/// The section of the weights. It is read-only data like any other, except that
/// on x86-64 a blob near 2 GiB must lie where other code does not have to reach
/// across it.
std::string weightSection(const CompiledModel &model, const Target &target);

/// Compiles runtime, info table, schedule and a placeholder for the weights as
/// one module into an object. What is neither part of the interface nor in
/// `needed` (symbols that kernels refer to) is inlined or dropped.
llvm::Expected<llvm::SmallVector<char, 0>> compileCore(const CompiledModel &model,
                                                       const Target &target,
                                                       const EmitOptions &options,
                                                       const llvm::StringSet<> &needed);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_COREMODULE_H
