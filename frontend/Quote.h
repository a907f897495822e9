// Text from a model file made fit for a message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_QUOTE_H
#define MODELC_FRONTEND_QUOTE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace modelc {

/// `text` without effect on a terminal or its reader: control characters, those
/// that reorder or hide others, and bytes that are not UTF-8 are escaped.
std::string printable(llvm::StringRef text);

/// Returns `text` in single quotes, printable, with quotes escaped, and cut to
/// `maxBytes` bytes. A model's names reach the terminal only through this: they
/// may hold escape sequences.
std::string quoted(llvm::StringRef text, size_t maxBytes = 80);

/// `text` as it can stand in a command line: as it is if it is plain, else
/// quoted.
std::string flagText(llvm::StringRef text);

} // namespace modelc

#endif // MODELC_FRONTEND_QUOTE_H
