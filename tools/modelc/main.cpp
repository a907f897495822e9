//===- main.cpp - modelc: compiles trained models to libraries ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace modelc;

static constexpr Command commands[] = {
    {"bench", "measure a model's time per run on this machine", runBench},
    {"compile", "compile a model to a static library", runCompile},
    {"inspect", "what is in a model, and what it needs", runInspect},
    {"ops", "list the operators that can be imported", runOps},
    {"rt-check", "check the real-time contract of a library", runRtCheck},
    {"run", "compile for this machine and run once", runRun},
    {"targets", "list the targets", runTargets},
    {"verify", "compare with stored data or a reference engine", runVerify},
};

static void printUsage(llvm::raw_ostream &os) {
  os << "usage: modelc <command> [flags]\n\n";
  for (const Command &command : commands) {
    os << "  " << llvm::left_justify(command.name, 10) << command.summary << '\n';
  }
  os << "\n`modelc <command> --help` lists the flags of a command.\n";
}

int main(int argc, char **argv) {
  installCrashHandler(argc, argv);
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
      int code = command.run(llvm::ArrayRef<const char *>(argv + 2, argv + argc));
      return finishOutput() || code != exitOk ? code : exitWrong;
    }
  }
  if (!name.empty()) {
    llvm::errs() << "modelc: error: unknown command " << quoted(name) << '\n';
  }
  printUsage(llvm::errs());
  return exitWrong;
}
