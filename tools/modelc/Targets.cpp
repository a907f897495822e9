//===- Targets.cpp - modelc targets ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "tools/modelc/Arguments.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

int modelc::runTargets(ArrayRef<const char *> words) {
  static constexpr Flag flags[] = {{"all", "", "every name that --target takes"},
                                   {"help", "", "this text"}};
  auto arguments = Arguments::parse(words, flags);
  if (!arguments) {
    return report(arguments.takeError());
  }
  if (arguments->has("help")) {
    printHelp("targets [flags]", "Lists what --target takes.", flags);
    return exitOk;
  }
  if (!arguments->positional.empty()) {
    return report(wrong("targets takes no names; see 'modelc targets --help'"));
  }
  if (arguments->has("all")) {
    for (const std::string &name : targetNames()) {
      outs() << name << '\n';
    }
    return exitOk;
  }
  outs() << "name            vector  registers  fma  os     about\n";
  for (const TargetRow &row : targetRows()) {
    auto target = parseTarget(row.name);
    if (!target) {
      consumeError(target.takeError());
      continue;
    }
    outs() << left_justify(row.name, 15) << ' '
           << format("%4u B  %9u  %-3s  %-5s  ", target->vectorBytes, target->vectorRegisters,
                     target->hasFma ? "yes" : "no", target->os.c_str())
           << row.summary << '\n';
  }
  return exitOk;
}
