//===- Failure.cpp - how commands end when something is wrong -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Failure.h"
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace modelc;

namespace {

class ReportedError : public ErrorInfo<ReportedError> {
public:
  static char ID;
  void log(raw_ostream &os) const override { os << "reported"; }
  std::error_code convertToErrorCode() const override { return inconvertibleErrorCode(); }
};

class BugError : public ErrorInfo<BugError> {
public:
  static char ID;
  explicit BugError(std::string text) : text(std::move(text)) {}
  void log(raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override { return inconvertibleErrorCode(); }

private:
  std::string text;
};

char ReportedError::ID;
char BugError::ID;

/// The hint that follows a bug's message. Filled at the start: a crash handler
/// must not allocate.
std::string bugHint;

} // namespace

Error modelc::wrong(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), "%s", message.str().c_str());
}

Error modelc::alreadyReported() {
  return make_error<ReportedError>();
}

Error modelc::asBug(Error error) {
  if (!error) {
    return error;
  }
  return make_error<BugError>(toString(std::move(error)));
}

Error modelc::asBugUnlessFile(Error error) {
  bool isFile = false;
  std::string text;
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    isFile |= info.isA<FileError>() || info.isA<ECError>();
    text += (text.empty() ? "" : ": ") + info.message();
  });
  if (text.empty()) {
    return Error::success();
  }
  return isFile ? wrong(text) : Error(make_error<BugError>(text));
}

void modelc::printMessage(StringRef kind, StringRef text) {
  std::string out;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    out += (out.empty() ? "" : "\n") + printable(line);
    text = rest;
  }
  errs() << "modelc: " << kind << ": " << out << '\n';
}

int modelc::report(Error error) {
  int code = exitWrong;
  outs().flush();
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    if (info.isA<ReportedError>()) {
      return;
    }
    printMessage("error", info.message());
    if (info.isA<BugError>()) {
      code = exitBug;
      errs() << bugHint;
    }
  });
  return code;
}

/// Runs on the signal stack, after LLVM has removed unfinished files.
static void dieOfCrash(void *) {
  constexpr StringLiteral text = "modelc: error: the compiler crashed\n";
  for (StringRef part : {StringRef(text), StringRef(bugHint)}) {
    if (write(STDERR_FILENO, part.data(), part.size()) < 0) {
      break;
    }
  }
  _exit(exitBug);
}

void modelc::installCrashHandler(int argc, char **argv) {
  bugHint = "modelc: this is a bug of modelc; please report it with the model and this "
            "command:\n  modelc";
  for (int i = 1; i < argc; ++i) {
    bugHint += ' ' + flagText(argv[i]);
  }
  bugHint += '\n';
  sys::AddSignalHandler(dieOfCrash, nullptr);
}

bool modelc::finishOutput() {
  outs().flush();
  if (!outs().has_error()) {
    return true;
  }
  printMessage("error", "cannot write to standard output: " + outs().error().message());
  outs().clear_error();
  return false;
}
