//===- StatePairs.cpp - which inputs and outputs are one state ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/KeepStates.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace modelc;

/// The words of a name: runs of letters of one case (a capital may begin one)
/// and runs of digits, in lower case.
static SmallVector<std::string> wordsOf(StringRef name) {
  SmallVector<std::string> words;
  char last = '_';
  for (char c : name) {
    bool continues =
        (llvm::isDigit(c) && llvm::isDigit(last)) ||
        (llvm::isAlpha(c) && llvm::isAlpha(last) && !(llvm::isUpper(c) && llvm::isLower(last)));
    last = c;
    if (!llvm::isAlnum(c)) {
      continue;
    }
    if (!continues) {
      words.emplace_back();
    }
    words.back() += llvm::toLower(c);
  }
  return words;
}

/// The name without the words that tell before from after.
static std::string stem(StringRef name) {
  static const llvm::StringSet<> sides{"in",      "input",   "out",  "output",   "new",
                                       "next",    "n",       "prev", "previous", "past",
                                       "present", "updated", "old"};
  SmallVector<std::string> words = wordsOf(name);
  llvm::erase_if(words, [](const std::string &word) { return sides.contains(word); });
  return llvm::join(words, "_");
}

/// `h0` and `h1`, as recurrent layers are exported: names that differ in a
/// last number, 0 before and 1 after (but not 10 and 11).
static bool countsUp(StringRef before, StringRef after) {
  return before.consume_back("0") && after.consume_back("1") && !before.empty() &&
         !llvm::isDigit(before.back()) && before == after;
}

static StringRef nameOf(Attribute attribute) {
  auto name = dyn_cast_or_null<StringAttr>(attribute);
  return name ? name.getValue() : StringRef();
}

static bool areOneState(func::FuncOp function, StatePair pair) {
  StringRef before = nameOf(function.getArgAttr(pair.argument, "modelc.name"));
  StringRef after = nameOf(function.getResultAttr(pair.result, "modelc.name"));
  if (function.getArgumentTypes()[pair.argument] != function.getResultTypes()[pair.result]) {
    return false;
  }
  std::string common = stem(before);
  return (!common.empty() && common == stem(after)) || countsUp(before, after);
}

SmallVector<StatePair> modelc::findStatePairs(func::FuncOp function) {
  SmallVector<StatePair> pairs;
  SmallVector<unsigned> timesArgument(function.getNumArguments()),
      timesResult(function.getNumResults());
  for (unsigned argument = 0; argument < function.getNumArguments(); ++argument) {
    for (unsigned result = 0; result < function.getNumResults(); ++result) {
      if (areOneState(function, {argument, result})) {
        pairs.push_back({argument, result});
        ++timesArgument[argument];
        ++timesResult[result];
      }
    }
  }
  llvm::erase_if(pairs, [&](StatePair pair) {
    return timesArgument[pair.argument] != 1 || timesResult[pair.result] != 1;
  });
  return pairs;
}
