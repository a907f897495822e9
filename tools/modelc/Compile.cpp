//===- Compile.cpp - modelc compile ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/Adapter.h"
#include "codegen/emit/Archive.h"
#include "codegen/emit/WriteFiles.h"
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Session.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static constexpr Flag ownFlags[] = {
    {"o", "DIR", "where the library goes (default: .)"},
    {"emit", "lib|obj|asm|llvm|mlir", "what to write (default: lib)"},
    {"stop-after", "import|optimize", "print the IR there"},
    {"adapter", "FRAMES", "with the host adapter, for frames of up to FRAMES samples"},
    {"latency", "SAMPLES", "that a model with states lags, for the adapter (0)"},
    {"depfile", "FILE", "write the files that were read, for Make and Ninja"},
};

/// The files that the library was made from: the model, its external data, and
/// constants from files.
static std::vector<std::string> sourcesOf(const Arguments &arguments, Session &session) {
  std::vector<std::string> sources = {session.path};
  if (auto files = session.module()->getAttrOfType<mlir::ArrayAttr>("modelc.external_files")) {
    for (auto file : files.getAsRange<mlir::StringAttr>()) {
      SmallString<128> path(sys::path::parent_path(session.path));
      sys::path::append(path, file.getValue());
      sources.push_back(path.str().str());
    }
  }
  for (StringRef text : arguments.all("const")) {
    StringRef value = text.split('=').second;
    if (value.consume_front("@")) {
      sources.push_back(value.str());
    }
  }
  return sources;
}

/// What Make reads: the library depends on these files.
static std::string depfileText(StringRef target, ArrayRef<std::string> sources) {
  auto escape = [](StringRef text) {
    std::string result;
    for (char c : text) {
      if (c == ' ' || c == '#' || c == '\\') {
        result += '\\';
      }
      result += c == '$' ? "$$" : std::string(1, c);
    }
    return result;
  };
  std::string text = escape(target) + ":";
  for (StringRef source : sources) {
    text += " " + escape(source);
  }
  return text + "\n";
}

/// Said before minutes of work: the nearest existing part of the path must be
/// a folder that can be written to.
static Error checkDirectory(StringRef directory) {
  StringRef path = directory;
  while (!path.empty() && !sys::fs::exists(path)) {
    path = sys::path::parent_path(path);
  }
  path = path.empty() ? "." : path;
  if (!sys::fs::is_directory(path)) {
    return wrong("cannot write to " + quoted(directory, 400) + ": " + quoted(path, 400) +
                 " is not a folder");
  }
  if (std::error_code code = sys::fs::access(path, sys::fs::AccessMode::Write)) {
    return wrong("cannot write to " + quoted(directory, 400) + ": " + code.message());
  }
  return Error::success();
}

/// The intermediate forms, printed to standard output.
static Expected<bool> printForm(Session &session, StringRef form) {
  if (form == "mlir") {
    mlir::OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16);
    flags.elideLargeResourceString(64);
    session.module().print(outs(), flags);
    return true;
  }
  if (form != "asm" && form != "llvm") {
    return false;
  }
  auto text = printKernels(session.module(), session.target, session.options,
                           form == "asm" ? KernelOutput::Assembly : KernelOutput::LlvmIR);
  if (!text) {
    return asBug(text.takeError());
  }
  outs() << *text;
  return true;
}

/// The host adapter, if it is asked for.
static Error addAdapter(const Arguments &arguments, CompiledModel &model) {
  if (!arguments.has("adapter")) {
    return arguments.has("latency") ? wrong("--latency needs --adapter") : Error::success();
  }
  auto frames = arguments.number("adapter", 0, 1);
  auto latency = arguments.number("latency", 0);
  if (!frames || !latency) {
    return joinErrors(frames.takeError(), latency.takeError());
  }
  auto adapter = planAdapter(model, *frames,
                             arguments.has("latency") ? std::optional(*latency) : std::nullopt);
  if (!adapter) {
    return wrong(toString(adapter.takeError()));
  }
  model.adapter = *adapter;
  return Error::success();
}

/// The files that `--emit=lib` and `--emit=obj` write.
static Error writeLibrary(const Arguments &arguments, Session &session) {
  StringRef directory = arguments.get("o", ".");
  const std::string &name = session.options.name;
  StringRef depfile = arguments.get("depfile");
  StringRef depfolder = sys::path::parent_path(depfile);
  FileSet depfiles(depfolder.empty() ? "." : depfolder);
  bool isObject = arguments.get("emit") == "obj";
  SmallString<128> product(directory);
  sys::path::append(product, isObject ? name + ".o" : "lib" + name + ".a");
  if (!depfile.empty()) {
    if (Error error = depfiles.add(sys::path::filename(depfile), [&](raw_ostream &os) {
          os << depfileText(product, sourcesOf(arguments, session));
          return Error::success();
        })) {
      return error;
    }
  }
  if (isObject) {
    auto object = joinObject(session.model, session.target, session.emitOptions);
    if (!object) {
      return object.takeError();
    }
    FileSet files(directory);
    if (Error error = files.add(name + ".o", [&](raw_ostream &os) {
          return writeObject(os, *object, session.model, session.target);
        })) {
      return error;
    }
    if (Error error = files.commit()) {
      return error;
    }
  } else if (Error error =
                 emitLibrary(session.model, session.target, directory, session.emitOptions)) {
    return error;
  }
  return depfiles.commit();
}

static Error compile(const Arguments &arguments) {
  StringRef emit = arguments.get("emit", "lib");
  if (!is_contained({"lib", "obj", "asm", "llvm", "mlir"}, emit)) {
    return wrong("expected --emit=lib, obj, asm, llvm or mlir, got '" + emit + "'");
  }
  StringRef stop = arguments.get("stop-after");
  if (!stop.empty() && stop != "import" && stop != "optimize") {
    return wrong("expected --stop-after=import or optimize, got '" + stop + "'");
  }
  auto created = Session::create(arguments, arguments.positional.front());
  if (!created) {
    return created.takeError();
  }
  Session &session = **created;
  bool writesFiles = stop.empty() && (emit == "lib" || emit == "obj");
  if (writesFiles) {
    if (Error error = checkDirectory(arguments.get("o", "."))) {
      return error;
    }
    StringRef depfile = arguments.get("depfile");
    if (!depfile.empty() && sys::fs::is_directory(depfile)) {
      return wrong("cannot write " + quoted(depfile, 400) + ": it is a folder");
    }
  }
  if (Error error = session.import()) {
    return error;
  }
  if (stop == "import") {
    return printForm(session, "mlir").takeError();
  }
  if (Error error = session.plan()) {
    return error;
  }
  auto printed = printForm(session, stop == "optimize" ? "mlir" : emit);
  if (!printed || *printed) {
    return printed.takeError();
  }
  if (Error error = session.compile()) {
    return error;
  }
  if (Error error = addAdapter(arguments, session.model)) {
    return error;
  }
  return asBugUnlessFile(writeLibrary(arguments, session));
}

int modelc::runCompile(ArrayRef<const char *> words) {
  return runModelCommand(words,
                         {"compile MODEL -o DIR [flags]",
                          "Writes libNAME.a, NAME.h, NAME.json and packages to DIR.",
                          {ownFlags, importFlags(), targetFlags()}},
                         compile);
}
