//===- Text.h - Text of a model inside generated files --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models come from strangers. Names and other texts of a model may hold any
// byte: the end of a comment, a line break, a macro or CMake variable, an
// escape sequence of the terminal, a character that reorders what a reviewer
// sees. What goes through these functions can do nothing of the kind.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_TEXT_H
#define MODELC_CODEGEN_EMIT_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace modelc {

/// For a comment in C or CMake and for a line of a .pc file: letters, digits,
/// blanks and the signs _ - . : , ; = + ( ) [ ] < > / stay, every other byte
/// becomes \xNN. At most `limit` bytes are shown, then "...".
std::string escapeForComment(llvm::StringRef text, size_t limit = 200);

/// Valid UTF-8 for a JSON string, whose writer escapes the rest. Bytes that are
/// no UTF-8 become U+FFFD.
std::string escapeForJson(llvm::StringRef text);

/// JSON in ASCII: what is beyond, and the control character DEL, becomes \uNNNN,
/// so that a terminal or a reviewer sees what is there.
std::string asciiJson(llvm::StringRef json);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_TEXT_H
