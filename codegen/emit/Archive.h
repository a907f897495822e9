//===- Archive.h - The library file ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_ARCHIVE_H
#define MODELC_CODEGEN_EMIT_ARCHIVE_H

#include "codegen/emit/Emit.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace modelc {

/// Writes libNAME.a with the member NAME.o: the object, then the weights. They
/// are streamed from where they are: 300 MB take the time to write the file,
/// not the seconds and copies of an assembler and a linker.
llvm::Error writeArchive(llvm::raw_ostream &out, const JoinedObject &object,
                         const CompiledModel &model, const Target &target);

/// Writes that member alone: the object, then the weights.
llvm::Error writeObject(llvm::raw_ostream &out, const JoinedObject &object,
                        const CompiledModel &model, const Target &target);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_ARCHIVE_H
