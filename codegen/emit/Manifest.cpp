//===- Manifest.cpp - NAME.json, what a library is made of ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Manifest.h"
#include "codegen/Target.h"
#include "codegen/emit/Layout.h"
#include "codegen/emit/ObjectCheck.h"
#include "codegen/emit/Schedule.h"
#include "codegen/emit/Text.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static json::Array shapeOf(ArrayRef<int64_t> shape) {
  json::Array extents;
  for (int64_t extent : shape) {
    extents.push_back(extent);
  }
  return extents;
}

static json::Array tensorsOf(ArrayRef<TensorInfo> tensors) {
  json::Array list;
  for (const TensorInfo &tensor : tensors) {
    list.push_back(json::Object{{"bytes", tensor.bytes()},
                                {"c_name", tensor.cName},
                                {"name", escapeForJson(tensor.name)},
                                {"shape", shapeOf(tensor.shape)},
                                {"type", elementName(tensor.type)}});
  }
  return list;
}

static StringRef spaceName(Space space) {
  static const StringRef names[] = {"input", "output", "scratch", "weights", "state", "flush"};
  return names[static_cast<size_t>(space)];
}

static json::Object placeOf(const CompiledModel &model, const Place &place) {
  json::Object object{{"offset", place.offset}, {"space", spaceName(place.space)}};
  if (place.space == Space::Input || place.space == Space::Output) {
    const auto &tensors = place.space == Space::Input ? model.inputs : model.outputs;
    object["tensor"] = tensors[place.index].cName;
  }
  return object;
}

/// Every call in order; `layer` is an index into the list of layers.
static json::Array callsOf(const CompiledModel &model) {
  StringMap<int64_t> layers;
  for (StringRef layer : layersOf(model)) {
    layers.try_emplace(layer, layers.size());
  }
  json::Array list;
  for (const ScheduleCall &call : model.calls) {
    json::Array operands;
    for (const Place &place : call.operands) {
      operands.push_back(placeOf(model, place));
    }
    json::Object object{{"kernel", model.kernels[call.kernel].symbol},
                        {"layer", layers.lookup(call.layer)},
                        {"operands", std::move(operands)}};
    if (call.hasScratch) {
      object["scratch_offset"] = call.scratchOffset;
    }
    list.push_back(std::move(object));
  }
  return list;
}

static json::Array layersIn(const CompiledModel &model) {
  json::Array list;
  for (auto [i, layer] : enumerate(layersOf(model))) {
    list.push_back(json::Object{{"line", static_cast<int64_t>(firstLayerLine + i)},
                                {"name", escapeForJson(layer)}});
  }
  return list;
}

static json::Value orNull(std::optional<uint64_t> number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

static FunctionBounds boundsOf(const RealTimeReport &realTime, const std::string &symbol) {
  auto found = realTime.functions.find(symbol);
  return found == realTime.functions.end() ? FunctionBounds() : found->second;
}

static Expected<json::Array> kernelsOf(const CompiledModel &model, const RealTimeReport &realTime) {
  std::vector<int64_t> calls(model.kernels.size());
  for (const ScheduleCall &call : model.calls) {
    ++calls[call.kernel];
  }
  std::vector<size_t> order(model.kernels.size());
  for (auto [i, index] : enumerate(order)) {
    index = i;
  }
  llvm::sort(order,
             [&](size_t a, size_t b) { return model.kernels[a].symbol < model.kernels[b].symbol; });
  json::Array list;
  for (size_t index : order) {
    const CompiledKernel &kernel = model.kernels[index];
    Expected<uint64_t> bytes = codeBytes(kernel.object, kernel.symbol);
    if (!bytes) {
      return bytes.takeError();
    }
    FunctionBounds bounds = boundsOf(realTime, kernel.symbol);
    list.push_back(json::Object{{"calls", calls[index]},
                                {"code_bytes", *bytes},
                                {"instructions_max", orNull(bounds.instructions)},
                                {"returns_status", kernel.returnsStatus},
                                {"stack_bytes", orNull(bounds.stackBytes)},
                                {"symbol", kernel.symbol}});
  }
  return list;
}

static json::Array statesOf(const CompiledModel &model) {
  json::Array list;
  for (const StateInfo &state : model.states) {
    list.push_back(json::Object{{"name", escapeForJson(state.name)},
                                {"offset", state.offset},
                                {"shape", shapeOf(state.shape)},
                                {"type", elementName(state.type)}});
  }
  return list;
}

static json::Array scratchOf(const CompiledModel &model) {
  json::Array list;
  for (const ScratchValue &value : model.scratchValues) {
    list.push_back(json::Object{{"bytes", value.bytes},
                                {"first_call", static_cast<int64_t>(value.firstCall)},
                                {"last_call", static_cast<int64_t>(value.lastCall)},
                                {"name", escapeForJson(value.name)},
                                {"offset", value.offset}});
  }
  return list;
}

static json::Object sourceOf(const CompiledModel &model) {
  return json::Object{{"format", escapeForJson(model.sourceFormat)},
                      {"multiply_adds", model.multiplyAdds},
                      {"parameters", model.parameters},
                      {"sha256", escapeForJson(model.sourceHash)}};
}

static json::Object targetOf(const modelc::Target &target) {
  return json::Object{{"cpu", target.cpu},
                      {"features", target.features},
                      {"float_abi", target.floatAbi},
                      {"name", target.name},
                      {"os", target.os},
                      {"triple", target.triple}};
}

Expected<std::string> modelc::manifest(const CompiledModel &model, const modelc::Target &target,
                                       const JoinedObject &object, const RealTimeReport &realTime,
                                       const EmitOptions &options) {
  Expected<json::Array> kernels = kernelsOf(model, realTime);
  if (!kernels) {
    return kernels.takeError();
  }
  json::Array notes, imports;
  for (const std::string &note : model.notes) {
    notes.push_back(escapeForJson(note));
  }
  for (const std::string &import : object.imports) {
    imports.push_back(import);
  }
  FunctionBounds run = boundsOf(realTime, model.name + "_run");
  json::Object root{{"abi", static_cast<int64_t>(abiVersion)},
                    {"align", static_cast<int64_t>(target.align)},
                    {"calls", callsOf(model)},
                    {"code_bytes", object.codeBytes},
                    {"compiler", "modelc " + escapeForJson(options.version)},
                    {"denormals", model.keepDenormals || !target.hasFpu ? "keep" : "flush"},
                    {"imports", std::move(imports)},
                    {"inputs", tensorsOf(model.inputs)},
                    {"kernels", std::move(*kernels)},
                    {"layers", layersIn(model)},
                    {"name", model.name},
                    {"notes", std::move(notes)},
                    {"outputs", tensorsOf(model.outputs)},
                    {"read_only_bytes", object.readOnlyBytes},
                    {"run_instructions_max", orNull(run.instructions)},
                    {"schema", 1},
                    {"scratch", scratchOf(model)},
                    {"scratch_bytes", model.scratchBytes},
                    {"scratch_lower_bound_bytes", model.scratchLowerBound},
                    {"source", sourceOf(model)},
                    {"stack_bytes", orNull(realTime.stackBytes)},
                    {"state_bytes", stateMemoryBytes(model, target)},
                    {"states", statesOf(model)},
                    {"states_bytes", model.stateBytes},
                    {"target", targetOf(target)},
                    {"weights_bytes", model.weightBytes}};
  if (model.stream) {
    root["stream"] = json::Object{{"flush_runs", model.stream->flushRuns()},
                                  {"hop_samples", model.stream->hopSamples},
                                  {"latency_samples", model.stream->latencySamples}};
  }
  if (model.adapter) {
    root["adapter"] = json::Object{{"bytes", model.adapter->bytes()},
                                   {"delay_samples_max", model.adapter->delaySamples()},
                                   {"frames_max", model.adapter->maxFrames},
                                   {"hop_samples", model.adapter->hopSamples},
                                   {"latency_samples", model.adapter->latencySamples}};
  }
  if (!run.missing.empty()) {
    root["bounds_missing"] = escapeForJson(run.missing);
  }
  std::string text;
  raw_string_ostream out(text);
  out << formatv("{0:2}", json::Value(std::move(root))) << "\n";
  return asciiJson(out.str());
}
