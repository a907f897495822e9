//===- Failure.h - how commands end when something is wrong ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_FAILURE_H
#define MODELC_TOOLS_MODELC_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace modelc {

/// The model, the data or the flags are wrong: exit code 1.
llvm::Error wrong(const llvm::Twine &message);

/// Wrong, and told to the user already.
llvm::Error alreadyReported();

/// What went wrong is the compiler's fault: exit code 2 and a hint at how to
/// report it.
llvm::Error asBug(llvm::Error error);

/// As asBug, but an error of the file system stays the user's.
llvm::Error asBugUnlessFile(llvm::Error error);

/// Prints "modelc: KIND: TEXT" so that no character of the text, which may quote
/// a model or a flag, acts on the terminal.
void printMessage(llvm::StringRef kind, llvm::StringRef text);

/// Prints an error as one line and returns the exit code.
int report(llvm::Error error);

/// Makes crashes end with exit code 2 and a message that quotes the command.
/// Files that were being written are removed.
void installCrashHandler(int argc, char **argv);

/// Writes what is still buffered for standard output; false if that fails.
bool finishOutput();

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_FAILURE_H
