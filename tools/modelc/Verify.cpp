//===- Verify.cpp - modelc verify -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Verify.h"
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Compare.h"
#include "tools/modelc/DataSet.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Inputs.h"
#include "tools/modelc/ModelSummary.h"
#include "tools/modelc/Reference.h"
#include "tools/modelc/Session.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static constexpr Flag ownFlags[] = {
    {"data", "DIR", "stored inputs and outputs: input_0.pb, output_0.pb, ... (ONNX test data)"},
    {"layers", "", "find the first node whose value differs from the reference engine's"},
    {"rtol", "X", "relative tolerance (default: 1e-3, of integers 0)"},
    {"atol", "X", "absolute tolerance (default: 1e-5, of integers 0)"},
};

namespace {
/// Tolerances given by flags; negative: the default of the type.
struct Tolerances {
  double relative = -1, absolute = -1;

  Tolerance of(ElementType type) const {
    Tolerance result = defaultTolerance(type);
    result.relative = relative < 0 ? result.relative : relative;
    result.absolute = absolute < 0 ? result.absolute : absolute;
    return result;
  }
};
} // namespace

static Expected<Tolerances> parseTolerances(const Arguments &arguments) {
  Tolerances result;
  for (auto [flag, value] :
       {std::pair("rtol", &result.relative), std::pair("atol", &result.absolute)}) {
    if (arguments.has(flag) && (arguments.get(flag).getAsDouble(*value) || !(*value >= 0))) {
      return wrong("expected a number of at least 0 after --" + Twine(flag) + ", got '" +
                   arguments.get(flag) + "'");
    }
  }
  return result;
}

/// Prints one line per output; returns whether all are equal.
static bool compareOutputs(ArrayRef<TensorInfo> infos, ArrayRef<Tensor> got,
                           ArrayRef<std::optional<Tensor>> expected, const Tolerances &tolerances) {
  bool allEqual = true;
  for (auto [i, info] : enumerate(infos)) {
    outs() << "output " << quoted(info.name) << ": ";
    if (!expected[i]) {
      outs() << "the reference engine has no such value\n";
      allEqual = false;
      continue;
    }
    Comparison comparison = compareTensors(got[i], *expected[i], tolerances.of(info.type));
    outs() << (comparison.isEqual() ? "ok, " : "differs: ") << describe(comparison, got[i]) << '\n';
    allEqual &= comparison.isEqual();
  }
  return allEqual;
}

static Expected<bool> verifyData(const Arguments &arguments, Session &session, LoadedModel &loaded,
                                 const Tolerances &tolerances) {
  const CompiledModel &model = session.model;
  auto sets =
      readDataSets(arguments.get("data"), model.inputs, model.outputs, session.context.get());
  if (!sets) {
    return sets.takeError();
  }
  bool allEqual = true;
  for (const DataSet &set : *sets) {
    for (auto [tensor, info] : zip(set.inputs, model.inputs)) {
      if (Error error = checkFits(tensor, info)) {
        return std::move(error);
      }
    }
    std::vector<Tensor> outputs = makeTensors(model.outputs);
    loaded.reset();
    if (Error error = runOnce(loaded, set.inputs, outputs)) {
      return std::move(error);
    }
    outs() << "data " << quoted(set.folder, 400) << '\n';
    std::vector<std::optional<Tensor>> expected(set.outputs.begin(), set.outputs.end());
    allEqual &= compareOutputs(model.outputs, outputs, expected, tolerances);
  }
  return allEqual;
}

static Expected<bool> verifyReference(const Arguments &arguments, Session &session,
                                      LoadedModel &loaded, const Tolerances &tolerances) {
  const CompiledModel &model = session.model;
  auto inputs = readInputs(arguments, model, /*mayBeRandom=*/true);
  if (!inputs) {
    return inputs.takeError();
  }
  std::vector<Tensor> outputs = makeTensors(model.outputs);
  if (Error error = runOnce(loaded, *inputs, outputs)) {
    return std::move(error);
  }
  auto expected = runReference(arguments, session.path, model.inputs, *inputs, model.outputs);
  if (!expected) {
    return expected.takeError();
  }
  return compareOutputs(model.outputs, outputs, *expected, tolerances);
}

/// Compares the values of all nodes, in the order of computation, in a build of
/// the model that keeps them all.
static Expected<bool> verifyLayers(const Arguments &arguments, const Tolerances &tolerances) {
  auto session = Session::create(arguments, arguments.positional.front());
  if (!session) {
    return session.takeError();
  }
  (*session)->context.setQuiet(true);
  (*session)->importOptions.returnAllValues = true;
  auto summary = summarizeModel((*session)->path, (*session)->context.get());
  if (!summary) {
    return summary.takeError();
  }
  auto loaded = (*session)->importAndLoad();
  if (!loaded) {
    return loaded.takeError();
  }
  const CompiledModel &model = (*session)->model;
  auto inputs = readInputs(arguments, model, /*mayBeRandom=*/true);
  if (!inputs) {
    return inputs.takeError();
  }
  std::vector<Tensor> values = makeTensors(model.outputs);
  if (Error error = runOnce(*loaded, *inputs, values)) {
    return std::move(error);
  }
  auto expected = runReference(arguments, (*session)->path, model.inputs, *inputs, model.outputs);
  if (!expected) {
    return expected.takeError();
  }
  StringMap<size_t> numberOf;
  for (auto [i, info] : enumerate(model.outputs)) {
    numberOf.try_emplace(info.name, i);
  }
  size_t compared = 0;
  for (const ModelSummary::Node &node : summary->nodes) {
    for (const std::string &name : node.results) {
      auto found = numberOf.find(name);
      if (found == numberOf.end() || !(*expected)[found->second]) {
        continue;
      }
      ++compared;
      size_t i = found->second;
      Comparison comparison =
          compareTensors(values[i], *(*expected)[i], tolerances.of(model.outputs[i].type));
      if (comparison.isEqual()) {
        continue;
      }
      outs() << "first difference: " << node.description << ", value " << quoted(name) << ": "
             << describe(comparison, values[i]) << '\n';
      return false;
    }
  }
  // Values that the reference engine does not give are not compared.
  outs() << "layers: " << compared << " values of " << summary->nodes.size()
         << " nodes compared, all agree\n";
  return compared > 0 || summary->nodes.empty();
}

static Expected<bool> verify(const Arguments &arguments) {
  auto tolerances = parseTolerances(arguments);
  if (!tolerances) {
    return tolerances.takeError();
  }
  if (arguments.has("stream")) {
    if (arguments.has("data") || arguments.has("layers")) {
      return wrong("--stream excludes --data and --layers");
    }
    return verifyStream(arguments);
  }
  if (arguments.has("data") && (arguments.has("layers") || arguments.has("i"))) {
    return wrong("--data excludes --layers and -i");
  }
  auto session = Session::create(arguments, arguments.positional.front());
  if (!session) {
    return session.takeError();
  }
  auto loaded = (*session)->importAndLoad();
  if (!loaded) {
    return loaded.takeError();
  }
  if (arguments.has("data")) {
    return verifyData(arguments, **session, *loaded, *tolerances);
  }
  auto isEqual = verifyReference(arguments, **session, *loaded, *tolerances);
  if (!isEqual || !arguments.has("layers")) {
    return isEqual;
  }
  auto layersEqual = verifyLayers(arguments, *tolerances);
  if (!layersEqual) {
    return layersEqual;
  }
  if (*layersEqual && !*isEqual) {
    outs() << "layers: the outputs differ only where nodes share a kernel\n";
  }
  return *isEqual && *layersEqual;
}

int modelc::runVerify(ArrayRef<const char *> words) {
  return runModelCommand(words,
                         {"verify MODEL [--data=DIR] [flags]",
                          "Compares with stored data or, on random inputs, with a reference "
                          "engine; with --stream the\n"
                          "streamed model with the offline one.",
                          {ownFlags, inputFlags(), referenceFlags(), importFlags(), targetFlags()}},
                         [](const Arguments &arguments) -> Error {
                           auto isEqual = verify(arguments);
                           if (!isEqual) {
                             return isEqual.takeError();
                           }
                           // The differences are printed.
                           return *isEqual ? Error::success() : alreadyReported();
                         });
}
