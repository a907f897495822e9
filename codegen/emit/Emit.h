//===- Emit.h - From a compiled model to the files of a library -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_EMIT_H
#define MODELC_CODEGEN_EMIT_EMIT_H

#include "codegen/check/RealTime.h"
#include "codegen/emit/CompiledModel.h"

namespace modelc {

struct EmitOptions {
  /// Version of the compiler, in header, manifest, .pc and CMake package.
  std::string version = "0.1.0";
  /// Debug information: one line per layer in run.
  bool debugInfo = true;
  /// Visibility of the NAME_* functions. Hidden, a shared library that links
  /// the archive does not export them by accident.
  bool exportSymbols = false;
};

/// The one object of a library, with a placeholder where the weights will be:
/// writeArchive streams the bytes behind it, LoadedModel passes them by pointer.
struct JoinedObject {
  llvm::SmallVector<char, 0> bytes;
  uint64_t codeBytes = 0;           // executable sections
  uint64_t readOnlyBytes = 0;       // allocated, not executable, without the weights
  std::vector<std::string> imports; // symbols that the product's linker defines
};

/// Joins runtime, schedule, info table and kernels, makes everything but the
/// NAME_* interface local, and checks the promises of an emitted library: no
/// undefined symbol, no writable section, no relocation in read-only data.
///
/// Runs lld in process: never while another thread generates code, because lld
/// resets every command-line option of LLVM (calls of this function itself may
/// overlap, they wait for one another).
llvm::Expected<JoinedObject> joinObject(const CompiledModel &model, const Target &target,
                                        const EmitOptions &options = {});

/// Writes libNAME.a, NAME.h, NAME.json, NAME.pc and NAMEConfig.cmake to
/// `directory`, which is created if need be. The files appear by rename at the
/// end; a failure leaves none. Their bytes depend on the arguments only.
llvm::Error emitLibrary(const CompiledModel &model, const Target &target, llvm::StringRef directory,
                        const EmitOptions &options = {});

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_EMIT_H
