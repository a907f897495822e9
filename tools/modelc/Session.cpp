//===- Session.cpp - a model on its way from a file to running code -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Session.h"
#include "codegen/model/MemoryLimit.h"
#include "frontend/Quote.h"
#include "mlir/Pass/PassManager.h"
#include "passes/KeepStates.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/MultiplyAdds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/Threading.h"

using namespace llvm;
using namespace modelc;

/// Operations that the evaluator may execute for one model.
static constexpr uint64_t foldSteps = uint64_t(1) << 32;

static Expected<std::string> hashOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return wrong("cannot read " + quoted(path, 400) + ": " + buffer.getError().message());
  }
  auto digest = SHA256::hash(arrayRefFromStringRef((*buffer)->getBuffer()));
  return toHex(digest, /*LowerCase=*/true);
}

Expected<std::unique_ptr<Session>> Session::create(const Arguments &arguments, StringRef path) {
  std::unique_ptr<Session> session(new Session);
  session->path = path.str();
  session->context.setQuiet(arguments.has("quiet"));
  session->emitOptions.version = MODELC_VERSION;
  auto target = targetOf(arguments);
  if (!target) {
    return target.takeError();
  }
  session->target = std::move(*target);
  auto name = libraryName(arguments, path);
  if (!name) {
    return name.takeError();
  }
  session->options.name = *name;
  auto threads = arguments.number("threads", hardware_concurrency().compute_thread_count(), 1);
  if (!threads) {
    return threads.takeError();
  }
  // More than there are cores only takes memory.
  session->options.threads = std::min<uint64_t>(*threads, 1024);
  StringRef denormals = arguments.get("denormals", "flush");
  if (denormals != "keep" && denormals != "flush") {
    return wrong("expected --denormals=keep or flush, got '" + denormals + "'");
  }
  session->options.keepDenormals = denormals == "keep";
  StringRef recover = arguments.get("recover-dft", "1e-4");
  if (recover == "off") {
    session->options.dftTolerance = 0;
  } else if (recover.getAsDouble(session->options.dftTolerance) ||
             !(session->options.dftTolerance > 0 && session->options.dftTolerance <= 1)) {
    return wrong("expected --recover-dft=off or a number above 0 and at most 1, got '" + recover +
                 "'");
  }
  auto maxBytes = arguments.number("max-constant-bytes", uint64_t(2) << 30, 1);
  if (!maxBytes) {
    return maxBytes.takeError();
  }
  session->evaluator = std::make_unique<KernelEvaluator>(foldSteps, *maxBytes);
  auto import = modelc::importOptions(arguments, session->context.get());
  if (!import) {
    return import.takeError();
  }
  session->importOptions = std::move(*import);
  append_range(session->states, arguments.all("state"));
  if (Error error = session->readStreams(arguments)) {
    return std::move(error);
  }
  session->importOptions.evaluator = session->evaluator.get();
  return session;
}

Error Session::import() {
  if (Error error = resolveStreams()) {
    return error;
  }
  auto module = importModel(path, importOptions, context.get());
  if (failed(module)) {
    return alreadyReported();
  }
  imported = std::move(*module);
  if (!states.empty()) {
    mlir::PassManager manager(&context.get());
    manager.addPass(createKeepStatesPass(states));
    if (failed(manager.run(*imported))) {
      return alreadyReported();
    }
  }
  if (!streams.empty() && !keepsOffline) {
    if (Error error = makeStreaming()) {
      return error;
    }
  }
  multiplyAdds = countMultiplyAdds(*imported);
  return Error::success();
}

Error Session::plan() {
  if (Error error = planModule(*imported, target, options, *evaluator)) {
    return asBug(std::move(error));
  }
  return failed(checkMemory(*imported, target)) ? alreadyReported() : Error::success();
}

Error Session::compile() {
  auto compiled = compilePlanned(*imported, target, options);
  if (!compiled) {
    return asBug(compiled.takeError());
  }
  model = std::move(*compiled);
  model.sourceFormat = "onnx";
  model.multiplyAdds = multiplyAdds;
  model.notes = context.notes();
  auto hash = hashOf(path);
  if (!hash) {
    return hash.takeError();
  }
  model.sourceHash = *hash;
  return Error::success();
}

Expected<LoadedModel> Session::load() {
  auto host = parseTarget("native");
  if (!host) {
    return host.takeError();
  }
  // An illegal instruction would look like a bug of the compiler.
  if (target.runtimeClass != host->runtimeClass || target.vectorBytes > host->vectorBytes ||
      (target.hasFma && !host->hasFma) || (target.hasMaskedMemory && !host->hasMaskedMemory) ||
      (target.hasF16Convert && !host->hasF16Convert)) {
    return wrong("code for '" + target.name + "' does not run on this machine");
  }
  auto loaded = LoadedModel::load(model, target, emitOptions);
  if (!loaded) {
    return asBug(loaded.takeError());
  }
  return loaded;
}

Expected<LoadedModel> Session::importAndLoad() {
  if (Error error = import()) {
    return std::move(error);
  }
  if (Error error = plan()) {
    return std::move(error);
  }
  if (Error error = compile()) {
    return std::move(error);
  }
  return load();
}

uint64_t Session::plannedBytes(StringRef memory) {
  auto bytes = module()->getAttrOfType<mlir::IntegerAttr>(("modelc." + memory + "_bytes").str());
  return bytes ? bytes.getValue().getZExtValue() : 0;
}
