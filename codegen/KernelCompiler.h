// Compiles kernels, each one MLIR module with one function, to objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_KERNELCOMPILER_H
#define MODELC_CODEGEN_KERNELCOMPILER_H

#include "codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace modelc {

/// Argument attribute (unit): what is written through another argument may be reached through this
/// one, as when a result takes an operand's place. Without it the compiler assumes that arguments
/// do not overlap.
inline constexpr llvm::StringLiteral kMayAliasAttrName = "modelc.may_alias";

/// Argument attribute (integer, bytes): the pointer's alignment. Without it a pointer has its
/// element's alignment: callers' buffers promise no more.
inline constexpr llvm::StringLiteral kAlignAttrName = "llvm.align";

enum class KernelOutput { Object, Assembly, LlvmIR };

/// One kernel to compile. `build` makes the module in the given context, which belongs to one
/// worker thread: it must not touch MLIR objects of another context. It reports failure by a
/// diagnostic and a null result.
struct KernelSource {
  std::string symbol; ///< the function's name in the module and in the object
  std::function<mlir::OwningOpRef<mlir::ModuleOp>(mlir::MLIRContext &)> build;
  bool scalarLoops = false; ///< plain loops that LLVM's loop vectorizer should widen (O2)
};

struct KernelOptions {
  bool scalarLoops = false;
  KernelOutput output = KernelOutput::Object;
};

using KernelBytes = llvm::SmallVector<char, 0>;

/// Lowers `module` (consumed: its content is undefined afterwards) and generates code for its one
/// public function. The module's context must have the dialects of registerKernelDialects and is
/// used by this thread only.
llvm::Expected<KernelBytes> compileKernel(mlir::ModuleOp module, const Target &target,
                                          const KernelOptions &options = {});

/// Compiles all kernels on `threads` threads; results in the order of `sources`, whatever the
/// number of threads. On failure the error is that of the first kernel that fails, with its name
/// and its diagnostics.
llvm::Expected<std::vector<KernelBytes>> compileKernels(llvm::ArrayRef<KernelSource> sources,
                                                        const Target &target, unsigned threads,
                                                        KernelOutput output = KernelOutput::Object);

} // namespace modelc

#endif // MODELC_CODEGEN_KERNELCOMPILER_H
