//===- ModelArguments.cpp - flags of all commands that read a model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/ModelArguments.h"
#include "codegen/Passes.h"
#include "codegen/emit/Identifier.h"
#include "frontend/Quote.h"
#include "ir/ConstantData.h"
#include "ir/ModelcDialect.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Npy.h"
#include "tools/modelc/TensorTypes.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

ArrayRef<Flag> modelc::importFlags() {
  static constexpr Flag flags[] = {
      {"shape", "INPUT=1x3x224x224", "the full shape of an input", true},
      {"dim", "NAME=16", "the extent of a symbolic dimension", true},
      {"const", "INPUT=VALUE", "fix an input: a number, a list, or @file.npy", true},
      {"stream", "INPUT:AXIS=HOP", "take HOP samples of this dimension per run", true},
      {"lookahead", "N|any", "samples that outputs may wait for (0)"},
      {"state", "INPUT=OUTPUT|auto", "keep a state inside; auto: all that names tell", true},
      {"max-constant-bytes", "N", "bound of one folded constant (2 GiB)"},
      {"recover-dft", "TOLERANCE|off",
       "weights this near to a Fourier basis become transforms (1e-4)"},
      {"quiet", "", "no notes"},
  };
  return flags;
}

ArrayRef<Flag> modelc::targetFlags() {
  static constexpr Flag flags[] = {
      {"target", "CPU[+FEATURE]", "see `modelc targets` (default: native)"},
      {"os", "linux|none", "object format and ABI"},
      {"float-abi", "hard|softfp|soft", "of 32-bit ARM"},
      {"denormals", "keep|flush", "whether run keeps denormal numbers (flush)"},
      {"threads", "N", "of the compiler (default: all cores)"},
      {"name", "IDENTIFIER", "prefix of files and symbols"},
  };
  return flags;
}

static Expected<std::pair<StringRef, StringRef>> nameAndValue(StringRef text, StringRef flag) {
  // Names may hold '='; values do not.
  auto [name, value] = text.rsplit('=');
  if (name.empty() || value.empty() || !text.contains('=')) {
    return wrong("expected --" + flag + "=NAME=VALUE, got '" + text + "'");
  }
  return std::make_pair(name, value);
}

/// A constant read from a file. Its shape is the input's.
static Error addConstantFile(StringRef input, StringRef file, ImportOptions &options,
                             mlir::MLIRContext &context) {
  auto tensor = readNpy(file);
  if (!tensor) {
    return tensor.takeError();
  }
  mlir::Type element = elementTypeIn(context, tensor->type);
  auto type = mlir::RankedTensorType::get(tensor->shape, element);
  options.constantTensors.emplace_back(input.str(), makeConstant(type, tensor->bytes));
  bool hasShape = any_of(options.shapes, [&](const auto &shape) { return shape.first == input; });
  if (!hasShape) {
    options.shapes.emplace_back(input.str(), SmallVector<int64_t>(tensor->shape));
  }
  return Error::success();
}

Expected<ImportOptions> modelc::importOptions(const Arguments &arguments,
                                              mlir::MLIRContext &context) {
  ImportOptions options;
  for (StringRef text : arguments.all("shape")) {
    auto pair = nameAndValue(text, "shape");
    if (!pair) {
      return pair.takeError();
    }
    SmallVector<int64_t> shape;
    SmallVector<StringRef> extents;
    // A scalar's shape is spelled "scalar".
    if (pair->second != "scalar") {
      pair->second.split(extents, 'x');
    }
    for (StringRef extent : extents) {
      if (extent.getAsInteger(10, shape.emplace_back()) || shape.back() < 0) {
        return wrong("expected extents such as 1x3x224, got '" + pair->second + "'");
      }
    }
    options.shapes.emplace_back(pair->first.str(), shape);
  }
  for (StringRef text : arguments.all("dim")) {
    auto pair = nameAndValue(text, "dim");
    if (!pair) {
      return pair.takeError();
    }
    int64_t extent;
    if (pair->second.getAsInteger(10, extent) || extent < 0) {
      return wrong("expected a whole number after --dim=" + pair->first + "=, got '" +
                   pair->second + "'");
    }
    options.dims.emplace_back(pair->first.str(), extent);
  }
  for (StringRef text : arguments.all("const")) {
    auto pair = nameAndValue(text, "const");
    if (!pair) {
      return pair.takeError();
    }
    StringRef value = pair->second;
    if (value.consume_front("@")) {
      if (Error error = addConstantFile(pair->first, value, options, context)) {
        return std::move(error);
      }
      continue;
    }
    options.constants.emplace_back(pair->first.str(), pair->second.str());
  }
  return options;
}

Expected<modelc::Target> modelc::targetOf(const Arguments &arguments) {
  modelc::TargetOptions options;
  options.os = arguments.get("os").str();
  options.floatAbi = arguments.get("float-abi").str();
  return parseTarget(arguments.get("target", "native"), options);
}

Expected<std::string> modelc::libraryName(const Arguments &arguments, StringRef modelPath) {
  if (!arguments.has("name")) {
    return makeIdentifier(sys::path::stem(modelPath));
  }
  StringRef name = arguments.get("name");
  if (!isIdentifier(name)) {
    return wrong("expected a C identifier after --name, got " + quoted(name));
  }
  return name.str();
}

static mlir::DialectRegistry dialects() {
  mlir::DialectRegistry registry;
  registry.insert<ModelcDialect>();
  registerKernelDialects(registry);
  return registry;
}

/// The source position that a user can act on: "model.onnx: node 3 'conv1': ".
static void printLocation(mlir::Location loc, raw_ostream &os, StringRef name = "") {
  if (auto fused = dyn_cast<mlir::FusedLoc>(loc)) {
    printLocation(fused.getLocations().front(), os);
  } else if (auto named = dyn_cast<mlir::NameLoc>(loc)) {
    printLocation(named.getChildLoc(), os, named.getName());
  } else if (auto file = dyn_cast<mlir::FileLineColLoc>(loc)) {
    os << sys::path::filename(file.getFilename()) << ": ";
    if (file.getColumn() == nodeColumn) {
      os << "node " << file.getLine() << (name.empty() ? "" : " " + quoted(name)) << ": ";
    }
  }
}

ToolContext::ToolContext() : context(dialects(), mlir::MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    std::string text;
    raw_string_ostream os(text);
    printLocation(diagnostic.getLocation(), os);
    os << diagnostic.str();
    os.flush();
    if (!isSilent && (isError || !isQuiet)) {
      printMessage(isError ? "error" : "note", text);
    }
    (isError ? errorTexts : noteTexts).push_back(std::move(text));
    return mlir::success();
  });
}
