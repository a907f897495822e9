//===- Streaming.cpp - sessions of models that are made streaming ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/FoldConstants.h"
#include "passes/Passes.h"
#include "passes/stream/Passes.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Session.h"

using namespace llvm;
using namespace modelc;

/// Samples and runs that an offline model has at least where the length of time
/// is open: beyond the reach of what streams, so that no part of time that an
/// op takes is most of it by chance.
static constexpr int64_t offlineSamples = 2048, fewestRuns = 8;

Error Session::readStreams(const Arguments &arguments) {
  append_range(streams, arguments.all("stream"));
  if (streams.empty()) {
    return arguments.has("lookahead") ? wrong("--lookahead needs --stream") : Error::success();
  }
  if (!states.empty()) {
    return wrong("--stream excludes --state: a model that passes its state is a streaming one");
  }
  if (arguments.get("lookahead") == "any") {
    lookahead = -1;
    return Error::success();
  }
  auto number = arguments.number("lookahead", 0);
  if (!number) {
    return number.takeError();
  }
  lookahead = static_cast<int64_t>(std::min<uint64_t>(*number, INT64_MAX));
  return Error::success();
}

/// `time=160` stands for every dimension of that name.
static std::vector<std::string> expanded(const ModelSummary &summary, StringRef stream) {
  std::vector<std::string> result;
  auto [name, hop] = stream.rsplit('=');
  for (const ModelSummary::Value &input : summary.inputs) {
    for (auto [axis, dim] : enumerate(input.dims)) {
      if (dim == name) {
        result.push_back((input.name + ":" + Twine(axis) + "=" + hop).str());
      }
    }
  }
  return result;
}

/// Where the model leaves the length of time open, a length that is long enough.
Error Session::bindTime(const ModelSummary::Value &input, const StreamSpec &spec) {
  bool isGiven =
      any_of(importOptions.shapes, [&](auto &shape) { return shape.first == input.name; });
  if (isGiven || spec.axis >= static_cast<int64_t>(input.dims.size())) {
    return Error::success();
  }
  StringRef dim = input.dims[spec.axis];
  int64_t extent;
  if (!dim.getAsInteger(10, extent) ||
      any_of(importOptions.dims, [&](auto &known) { return known.first == dim; })) {
    return Error::success();
  }
  int64_t runs = std::max<int64_t>(offlineRuns, fewestRuns);
  if (spec.hop > (int64_t(1) << 40) / runs) {
    return wrong("--stream: a hop of " + Twine(spec.hop) + " samples is too long");
  }
  runs = std::max(runs, (offlineSamples + spec.hop - 1) / spec.hop);
  if (dim != "?") {
    importOptions.dims.emplace_back(dim.str(), runs * spec.hop);
    return Error::success();
  }
  SmallVector<int64_t> shape;
  for (auto [axis, other] : enumerate(input.dims)) {
    if (static_cast<int64_t>(axis) == spec.axis) {
      shape.push_back(runs * spec.hop);
    } else if (StringRef(other).getAsInteger(10, shape.emplace_back())) {
      if (axis != 0) {
        return wrong("--stream: input " + quoted(input.name) + " has other open dimensions; " +
                     "give its full shape with --shape");
      }
      shape.back() = 1;
    }
  }
  importOptions.shapes.emplace_back(input.name, shape);
  return Error::success();
}

Error Session::resolveStreams() {
  if (streams.empty()) {
    return Error::success();
  }
  auto summary = summarizeModel(path, context.get());
  if (!summary) {
    return summary.takeError();
  }
  std::vector<std::string> resolved;
  for (const std::string &stream : streams) {
    if (parseStreamSpec(stream)) {
      resolved.push_back(stream);
    } else {
      std::vector<std::string> found = expanded(*summary, stream);
      if (found.empty()) {
        return wrong("expected --stream=INPUT:AXIS=HOP, or NAME=HOP with the name of an input's " +
                     Twine("dimension, got ") + quoted(stream));
      }
      append_range(resolved, found);
    }
  }
  for (const std::string &stream : resolved) {
    std::optional<StreamSpec> spec = parseStreamSpec(stream);
    if (!spec) {
      return wrong("expected a whole number of samples after --stream=NAME=, got " +
                   quoted(stream));
    }
    for (const ModelSummary::Value &input : summary->inputs) {
      if (input.name == spec->input) {
        if (Error error = bindTime(input, *spec)) {
          return error;
        }
      }
    }
  }
  streams = std::move(resolved);
  return Error::success();
}

/// On a module in which what is constant is a constant, and slices are slices.
Error Session::makeStreaming() {
  foldConstants(*imported, *evaluator);
  mlir::PassManager manager(&context.get());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(createScatterNdToConcatPass());
  manager.addPass(createSimplifyPass());
  StreamPassOptions stream;
  stream.inputs = streams;
  stream.lookahead = lookahead;
  manager.addPass(createStreamPass(stream));
  return failed(manager.run(*imported)) ? alreadyReported() : Error::success();
}
