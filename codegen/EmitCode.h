// From LLVM IR to assembly text or an object that carries the bound tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EMITCODE_H
#define MODELC_CODEGEN_EMITCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace modelc {

/// Generates an object with the tables of BoundTables.h; the loops of `module` carry the notes of
/// noteTripCounts.
llvm::Expected<llvm::SmallVector<char, 0>> emitObject(llvm::Module &module,
                                                      llvm::TargetMachine &machine);

/// The same code as text, without the tables.
llvm::Expected<llvm::SmallVector<char, 0>> emitAssembly(llvm::Module &module,
                                                        llvm::TargetMachine &machine);

} // namespace modelc

#endif // MODELC_CODEGEN_EMITCODE_H
