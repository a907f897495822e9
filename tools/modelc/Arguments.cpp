//===- Arguments.cpp - the command line of one command --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Arguments.h"
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

/// The spelling of a flag: one letter after one dash, a word after two.
static std::string spelling(const Flag &flag) {
  return (flag.name.size() == 1 ? "-" : "--") + flag.name.str();
}

static Error unknownFlag(StringRef word, ArrayRef<Flag> flags) {
  const Flag *nearest = nullptr;
  unsigned best = 4;
  for (const Flag &flag : flags) {
    unsigned distance = word.ltrim('-').split('=').first.edit_distance(flag.name);
    if (distance < best) {
      best = distance;
      nearest = &flag;
    }
  }
  return wrong("unknown flag " + quoted(word) +
               (nearest ? "; did you mean " + spelling(*nearest) + "?" : std::string()));
}

Expected<Arguments> Arguments::parse(ArrayRef<const char *> words, ArrayRef<Flag> flags) {
  Arguments result;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-") || word == "-") {
      result.positional.push_back(word.str());
      continue;
    }
    auto [name, value] = word.split('=');
    bool hasValue = word.contains('=');
    const Flag *found =
        find_if(flags, [&, name = name](const Flag &flag) { return name == spelling(flag); });
    if (found == flags.end()) {
      return unknownFlag(word, flags);
    }
    if (found->value.empty() && hasValue) {
      return wrong("flag " + spelling(*found) + " takes no value");
    }
    if (!found->value.empty() && !hasValue) {
      if (i + 1 == words.size()) {
        return wrong("flag " + spelling(*found) + " needs a value (" + found->value + ")");
      }
      value = words[++i];
    }
    std::vector<std::string> &slot = result.values[found->name.str()];
    if (!slot.empty() && !found->repeated) {
      return wrong("flag " + spelling(*found) + " is given twice");
    }
    slot.push_back(value.str());
  }
  return result;
}

StringRef Arguments::get(StringRef flag, StringRef otherwise) const {
  auto found = values.find(flag.str());
  return found == values.end() ? otherwise : StringRef(found->second.front());
}

ArrayRef<std::string> Arguments::all(StringRef flag) const {
  auto found = values.find(flag.str());
  return found == values.end() ? ArrayRef<std::string>() : ArrayRef<std::string>(found->second);
}

Expected<uint64_t> Arguments::number(StringRef flag, uint64_t otherwise, uint64_t low) const {
  if (!has(flag)) {
    return otherwise;
  }
  uint64_t value;
  if (get(flag).getAsInteger(10, value) || value < low) {
    return wrong("expected a whole number of at least " + Twine(low) + " after --" + flag +
                 ", got '" + get(flag) + "'");
  }
  return value;
}

void modelc::printHelp(StringRef usage, StringRef summary, ArrayRef<Flag> flags) {
  outs() << "usage: modelc " << usage << "\n\n" << summary << "\n\n";
  for (const Flag &flag : flags) {
    std::string left = spelling(flag);
    if (!flag.value.empty()) {
      left += (flag.name.size() == 1 ? " " : "=") + flag.value.str();
    }
    outs() << "  " << left_justify(left, 28) << ' ' << flag.help << '\n';
  }
}

static Error runParsed(ArrayRef<const char *> words, const ModelCommand &command,
                       function_ref<Error(const Arguments &)> run) {
  SmallVector<Flag> flags;
  for (ArrayRef<Flag> group : command.flags) {
    append_range(flags, group);
  }
  flags.push_back({"help", "", "this text"});
  auto arguments = Arguments::parse(words, flags);
  if (!arguments) {
    return arguments.takeError();
  }
  if (arguments->has("help")) {
    printHelp(command.usage, command.summary, flags);
    return Error::success();
  }
  if (arguments->positional.size() != 1) {
    return wrong("expected one model file, got " + Twine(arguments->positional.size()));
  }
  return run(*arguments);
}

int modelc::runModelCommand(ArrayRef<const char *> words, const ModelCommand &command,
                            function_ref<Error(const Arguments &)> run) {
  Error error = runParsed(words, command, run);
  return error ? report(std::move(error)) : exitOk;
}
