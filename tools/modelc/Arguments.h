//===- Arguments.h - the command line of one command ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_ARGUMENTS_H
#define MODELC_TOOLS_MODELC_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace modelc {

/// A flag that a command takes. `value` names what follows `=` in the help;
/// empty for a switch. Flags of one letter take their value as the next word.
struct Flag {
  llvm::StringLiteral name;
  llvm::StringLiteral value;
  llvm::StringLiteral help;
  bool repeated = false;
};

/// Flags and positional words of one call.
class Arguments {
public:
  /// Refuses unknown flags (naming the nearest), missing and repeated values.
  static llvm::Expected<Arguments> parse(llvm::ArrayRef<const char *> words,
                                         llvm::ArrayRef<Flag> flags);

  bool has(llvm::StringRef flag) const { return values.count(flag.str()); }
  llvm::StringRef get(llvm::StringRef flag, llvm::StringRef otherwise = "") const;
  llvm::ArrayRef<std::string> all(llvm::StringRef flag) const;
  /// A whole number of at least `low`.
  llvm::Expected<uint64_t> number(llvm::StringRef flag, uint64_t otherwise, uint64_t low = 0) const;

  std::vector<std::string> positional;

private:
  std::map<std::string, std::vector<std::string>> values;
};

/// A command that reads one model: what its help says, and its flags, beside
/// --help, in groups.
struct ModelCommand {
  llvm::StringLiteral usage;
  llvm::StringLiteral summary;
  llvm::SmallVector<llvm::ArrayRef<Flag>, 5> flags;
};

/// Reads the words, answers --help, expects one model, and calls `run`. Reports
/// the error; returns the exit code.
int runModelCommand(llvm::ArrayRef<const char *> words, const ModelCommand &command,
                    llvm::function_ref<llvm::Error(const Arguments &)> run);

/// The help text of a command.
void printHelp(llvm::StringRef usage, llvm::StringRef summary, llvm::ArrayRef<Flag> flags);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_ARGUMENTS_H
