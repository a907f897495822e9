//===- ObjectCheck.h - What an emitted object promises --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_OBJECTCHECK_H
#define MODELC_CODEGEN_EMIT_OBJECTCHECK_H

#include "codegen/emit/Emit.h"

namespace modelc {

/// Reads sizes and imports of a joined ELF object into `object`, and fails if it
/// has an undefined symbol, a writable section, a relocation in read-only data,
/// or a global symbol outside `interface`. `weights` names the section that
/// counts for none of the sizes.
llvm::Error checkObject(JoinedObject &object, llvm::ArrayRef<std::string> interface,
                        llvm::StringRef weights);

/// Undefined symbols of a kernel's object.
llvm::Expected<std::vector<std::string>> undefinedSymbols(llvm::ArrayRef<char> object,
                                                          llvm::StringRef name);

/// Size of the executable sections of a kernel's object.
llvm::Expected<uint64_t> codeBytes(llvm::ArrayRef<char> object, llvm::StringRef name);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_OBJECTCHECK_H
