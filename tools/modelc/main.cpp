//===- main.cpp - modelc: compiles trained models to libraries ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Commands.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace modelc;

static constexpr Command commands[] = {
    {"compile", "compile a model to a static library", runCompile},
    {"ops", "list the operators that can be imported", runOps},
    {"targets", "list the targets", runTargets},
};

static void printUsage(llvm::raw_ostream &os) {
  os << "usage: modelc <command> [flags]\n\n";
  for (const Command &command : commands) {
    os << "  " << llvm::left_justify(command.name, 10) << command.summary
       << '\n';
  }
  os << "\n`modelc <command> --help` lists the flags of a command.\n";
}

int main(int argc, char **argv) {
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--version") {
    llvm::outs() << "modelc " MODELC_VERSION " (LLVM " MODELC_LLVM_VERSION ")\n";
    return exitOk;
  }
  if (name == "--help" || name == "-h") {
    printUsage(llvm::outs());
    return exitOk;
  }
  for (const Command &command : commands) {
    if (name == command.name) {
      return command.run(llvm::ArrayRef<const char *>(argv + 2, argv + argc));
    }
  }
  if (!name.empty()) {
    llvm::errs() << "modelc: unknown command '" << name << "'\n";
  }
  printUsage(llvm::errs());
  return exitWrong;
}
