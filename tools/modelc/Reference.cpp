//===- Reference.cpp - another engine that runs the model -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Reference.h"
#include "codegen/emit/Text.h"
#include "frontend/Quote.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/ReferenceScript.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace modelc;

ArrayRef<Flag> modelc::referenceFlags() {
  static constexpr Flag flags[] = {
      {"reference-command", "COMMAND", "the reference engine (default: onnxruntime in Python)"},
      {"python", "PROGRAM", "the Python that has onnxruntime and onnx"},
  };
  return flags;
}

/// A folder that goes when this does.
namespace {
class TemporaryFolder {
public:
  static Expected<TemporaryFolder> create() {
    TemporaryFolder folder;
    if (std::error_code code = sys::fs::createUniqueDirectory("modelc-verify", folder.path)) {
      return wrong("cannot create a temporary folder: " + code.message());
    }
    return folder;
  }
  TemporaryFolder(TemporaryFolder &&other) : path(other.path) { other.path.clear(); }
  ~TemporaryFolder() {
    if (!path.empty()) {
      (void)sys::fs::remove_directories(path);
    }
  }
  std::string operator/(const Twine &name) const { return (path + "/" + name).str(); }

private:
  TemporaryFolder() = default;
  SmallString<128> path;
};
} // namespace

static Error writeFile(StringRef path, function_ref<void(raw_ostream &)> write) {
  std::error_code code;
  raw_fd_ostream os(path, code);
  if (!code) {
    write(os);
    os.flush();
    code = os.error();
    os.clear_error();
  }
  return code ? createFileError(path, code) : Error::success();
}

/// The interpreter of the set-up's virtual environment, or the one on the path.
static Expected<std::string> findPython(const Arguments &arguments) {
  if (arguments.has("python")) {
    return arguments.get("python").str();
  }
  SmallString<128> cache;
  if (const char *given = std::getenv("MODELC_CACHE")) {
    cache = given;
  } else if (sys::path::home_directory(cache)) {
    sys::path::append(cache, ".cache", "modelc");
  }
  sys::path::append(cache, "venv", "bin", "python");
  if (sys::fs::can_execute(cache)) {
    return cache.str().str();
  }
  auto found = sys::findProgramByName("python3");
  if (!found) {
    return wrong("no python3 found to run the reference engine; --python or "
                 "--reference-command names one");
  }
  return *found;
}

static Error execute(ArrayRef<StringRef> command, const TemporaryFolder &folder) {
  auto program = sys::findProgramByName(command.front());
  if (!program) {
    return wrong("cannot find the program " + quoted(command.front(), 400));
  }
  std::string log = folder / "log.txt";
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log), StringRef(log)};
  std::string message;
  int status = sys::ExecuteAndWait(*program, command, std::nullopt, redirects,
                                   /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status == 0) {
    return Error::success();
  }
  // The last line of a Python trace says what went wrong.
  if (auto buffer = MemoryBuffer::getFile(log)) {
    StringRef last = (*buffer)->getBuffer().rtrim().rsplit('\n').second;
    last = last.empty() ? (*buffer)->getBuffer().rtrim() : last;
    message = last.empty() ? message : quoted(last, 400);
  }
  return wrong("the reference engine failed with status " + Twine(status) + ": " + message);
}

/// The values of --const: the engine runs the model as it is in the file.
static json::Array constantsOf(const Arguments &arguments) {
  json::Array list;
  for (StringRef text : arguments.all("const")) {
    auto [name, value] = text.rsplit('=');
    bool isFile = value.consume_front("@");
    list.push_back(json::Object{{"name", escapeForJson(name)},
                                {isFile ? "file" : "text", escapeForJson(value)}});
  }
  return list;
}

static json::Object tensorJson(const TensorInfo &info, StringRef file) {
  return json::Object{{"file", escapeForJson(file)},
                      {"name", escapeForJson(info.name)},
                      {"type", elementName(info.type)}};
}

static Error callEngine(const Arguments &arguments, const TemporaryFolder &folder) {
  std::string request = folder / "request.json";
  SmallVector<StringRef> command;
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  if (arguments.has("reference-command")) {
    SmallVector<const char *> words;
    cl::TokenizeGNUCommandLine(arguments.get("reference-command"), saver, words);
    command.append(words.begin(), words.end());
    if (command.empty()) {
      return wrong("--reference-command is empty");
    }
  } else {
    auto python = findPython(arguments);
    if (!python) {
      return python.takeError();
    }
    std::string script = folder / "onnxruntime_run.py";
    if (Error error = writeFile(script, [](raw_ostream &os) { os << referenceScript; })) {
      return error;
    }
    command.push_back(saver.save(*python));
    command.push_back(saver.save(script));
  }
  command.push_back(request);
  return execute(command, folder);
}

Expected<std::vector<std::optional<Tensor>>> modelc::runReference(const Arguments &arguments,
                                                                  StringRef modelPath,
                                                                  ArrayRef<TensorInfo> inputInfos,
                                                                  ArrayRef<Tensor> inputs,
                                                                  ArrayRef<TensorInfo> outputs) {
  auto folder = TemporaryFolder::create();
  if (!folder) {
    return folder.takeError();
  }
  json::Array in, out;
  for (auto [i, info] : enumerate(inputInfos)) {
    std::string file = *folder / ("input_" + Twine(i) + ".npy");
    const Tensor &tensor = inputs[i];
    if (Error error = writeFile(file, [&](raw_ostream &os) {
          writeNpy(os, tensor.type, tensor.shape, tensor.bytes);
        })) {
      return std::move(error);
    }
    in.push_back(tensorJson(info, file));
  }
  std::vector<std::string> files;
  for (auto [i, info] : enumerate(outputs)) {
    files.push_back(*folder / ("output_" + Twine(i) + ".npy"));
    out.push_back(tensorJson(info, files.back()));
  }
  json::Object request{{"constants", constantsOf(arguments)},
                       {"inputs", std::move(in)},
                       {"model", escapeForJson(modelPath)},
                       {"outputs", std::move(out)}};
  if (Error error = writeFile(*folder / "request.json", [&](raw_ostream &os) {
        os << json::Value(std::move(request)) << '\n';
      })) {
    return std::move(error);
  }
  if (Error error = callEngine(arguments, *folder)) {
    return std::move(error);
  }
  std::vector<std::optional<Tensor>> results(outputs.size());
  for (auto [result, file] : zip(results, files)) {
    if (!sys::fs::exists(file)) {
      continue;
    }
    auto tensor = readNpy(file);
    if (!tensor) {
      return tensor.takeError();
    }
    result = std::move(*tensor);
  }
  return results;
}
