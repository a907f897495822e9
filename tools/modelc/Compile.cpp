//===- Compile.cpp - modelc compile ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/Emit.h"
#include "codegen/model/Evaluator.h"
#include "codegen/model/ModelCompiler.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/ModelArguments.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static constexpr Flag ownFlags[] = {
    {"o", "DIR", "where the library goes (default: .)"},
    {"emit", "lib|obj|asm|llvm|mlir", "what to write (default: lib)"},
    {"stop-after", "import|optimize", "print the IR there"},
    {"depfile", "FILE", "write the files that were read, for Make and Ninja"},
    {"quiet", "", "no notes"},
    {"help", "", "this text"},
};

static SmallVector<Flag> compileFlags() {
  SmallVector<Flag> flags(std::begin(ownFlags), std::end(ownFlags));
  append_range(flags, importFlags());
  append_range(flags, targetFlags());
  return flags;
}

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), "%s",
                           message.str().c_str());
}

static std::string hashOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer) {
    return "";
  }
  auto digest = SHA256::hash(arrayRefFromStringRef((*buffer)->getBuffer()));
  return toHex(digest, /*LowerCase=*/true);
}

static Error writeText(StringRef path, StringRef text) {
  std::error_code code;
  raw_fd_ostream os(path, code);
  if (code) {
    return fail("cannot write '" + path + "': " + code.message());
  }
  os << text;
  return Error::success();
}

static Error writeDepfile(StringRef path, StringRef target, StringRef source) {
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
  return writeText(path, escape(target) + ": " + escape(source) + "\n");
}

/// The intermediate forms, printed to standard output.
static Expected<bool> printForm(mlir::ModuleOp module, const modelc::Target &target,
                                const CompileOptions &options,
                                StringRef form) {
  if (form == "mlir") {
    mlir::OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16);
    flags.elideLargeResourceString(64);
    module.print(outs(), flags);
    return true;
  }
  if (form != "asm" && form != "llvm") {
    return false;
  }
  auto text = printKernels(module, target, options,
                           form == "asm" ? KernelOutput::Assembly
                                         : KernelOutput::LlvmIR);
  if (!text) {
    return text.takeError();
  }
  outs() << *text;
  return true;
}

static Error compile(const Arguments &arguments, ToolContext &context,
                     bool &imported) {
  StringRef path = arguments.positional.front();
  auto target = targetOf(arguments);
  if (!target) {
    return target.takeError();
  }
  CompileOptions options;
  auto name = libraryName(arguments, path);
  if (!name) {
    return name.takeError();
  }
  options.name = *name;
  auto threads = arguments.number("threads", llvm::hardware_concurrency().compute_thread_count(), 1);
  if (!threads) {
    return threads.takeError();
  }
  options.threads = *threads;
  StringRef denormals = arguments.get("denormals", "flush");
  if (denormals != "keep" && denormals != "flush") {
    return fail("expected --denormals=keep or flush, got '" + denormals + "'");
  }
  options.keepDenormals = denormals == "keep";
  StringRef emit = arguments.get("emit", "lib");
  if (!is_contained({"lib", "obj", "asm", "llvm", "mlir"}, emit)) {
    return fail("expected --emit=lib, obj, asm, llvm or mlir, got '" + emit + "'");
  }
  StringRef stop = arguments.get("stop-after");
  if (!stop.empty() && stop != "import" && stop != "optimize") {
    return fail("expected --stop-after=import or optimize, got '" + stop + "'");
  }
  auto import = importOptions(arguments);
  if (!import) {
    return import.takeError();
  }
  auto maxBytes = arguments.number("max-constant-bytes", uint64_t(2) << 30, 1);
  if (!maxBytes) {
    return maxBytes.takeError();
  }
  KernelEvaluator evaluator(uint64_t(1) << 32, *maxBytes);
  import->evaluator = &evaluator;

  auto module = importModel(path, *import, context.get());
  if (failed(module)) {
    imported = false;
    return Error::success();
  }
  if (stop == "import") {
    return printForm(**module, *target, options, "mlir").takeError();
  }
  if (Error error = planModule(**module, *target, options)) {
    return error;
  }
  auto printed = printForm(**module, *target, options,
                           stop == "optimize" ? "mlir" : emit);
  if (!printed || *printed) {
    return printed.takeError();
  }
  auto model = compilePlanned(**module, *target, options);
  if (!model) {
    return model.takeError();
  }
  model->sourceFormat = "onnx";
  model->sourceHash = hashOf(path);
  EmitOptions emitOptions;
  emitOptions.version = MODELC_VERSION;
  StringRef directory = arguments.get("o", ".");
  if (emit == "obj") {
    auto object = joinObject(*model, *target, emitOptions);
    if (!object) {
      return object.takeError();
    }
    return writeText((directory + "/" + options.name + ".o").str(),
                     StringRef(object->bytes.data(), object->bytes.size()));
  }
  if (Error error = emitLibrary(*model, *target, directory, emitOptions)) {
    return error;
  }
  if (arguments.has("depfile")) {
    return writeDepfile(arguments.get("depfile"),
                        (directory + "/lib" + options.name + ".a").str(), path);
  }
  return Error::success();
}

int modelc::runCompile(ArrayRef<const char *> words) {
  SmallVector<Flag> flags = compileFlags();
  auto arguments = Arguments::parse(words, flags);
  if (!arguments) {
    return report(arguments.takeError());
  }
  if (arguments->has("help")) {
    printHelp("compile MODEL -o DIR [flags]",
              "Writes libNAME.a, NAME.h, NAME.json and packages to DIR.", flags);
    return exitOk;
  }
  if (arguments->positional.size() != 1) {
    return report(fail("expected one model file, got " +
                       Twine(arguments->positional.size())));
  }
  ToolContext context;
  bool imported = true;
  if (Error error = compile(*arguments, context, imported)) {
    return report(std::move(error));
  }
  return imported ? exitOk : exitWrong;
}
