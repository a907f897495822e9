//===- Commands.h - the commands of modelc --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_COMMANDS_H
#define MODELC_TOOLS_MODELC_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace modelc {

/// Exit codes: the model, the data or the flags are wrong; a compiler bug.
enum ExitCode { exitOk = 0, exitWrong = 1, exitBug = 2 };

struct Command {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  int (*run)(llvm::ArrayRef<const char *> words);
};

int runBench(llvm::ArrayRef<const char *> words);
int runCompile(llvm::ArrayRef<const char *> words);
int runInspect(llvm::ArrayRef<const char *> words);
int runOps(llvm::ArrayRef<const char *> words);
int runRtCheck(llvm::ArrayRef<const char *> words);
int runRun(llvm::ArrayRef<const char *> words);
int runTargets(llvm::ArrayRef<const char *> words);
int runVerify(llvm::ArrayRef<const char *> words);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_COMMANDS_H
