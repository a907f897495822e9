//===- Identifier.h - Names of a model as C identifiers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_IDENTIFIER_H
#define MODELC_CODEGEN_EMIT_IDENTIFIER_H

#include "codegen/emit/CompiledModel.h"
#include "llvm/ADT/StringSet.h"

namespace modelc {

/// Letters, digits and underscores, no leading digit, at least one character,
/// no keyword of C or C++ and no common macro.
bool isIdentifier(llvm::StringRef text);

/// The identifier closest to `text`: runs of other characters become one '_';
/// '_' is put before a digit, a keyword of C or C++, a common macro, and a name
/// of the compiler's kind (two underscores first, hence three). At most 63
/// characters, which every C compiler tells apart.
std::string makeIdentifier(llvm::StringRef text);

/// Makes identifiers that differ from one another: the second "x" becomes "x_2".
class IdentifierTable {
public:
  std::string add(llvm::StringRef text);

private:
  llvm::StringSet<> used;
  llvm::StringMap<unsigned> next;
};

/// Fills the cName of every tensor; the tensors of one list share a struct.
void assignIdentifiers(llvm::MutableArrayRef<TensorInfo> tensors);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_IDENTIFIER_H
