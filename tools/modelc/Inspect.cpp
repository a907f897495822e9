//===- Inspect.cpp - modelc inspect ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/Layout.h"
#include "codegen/emit/Text.h"
#include "frontend/Quote.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/ModelSummary.h"
#include "tools/modelc/Npy.h"
#include "tools/modelc/Session.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

namespace {
/// What is known only of a model that can be imported.
struct Plan {
  std::vector<std::string> inputShapes, outputShapes; ///< after all flags
  uint64_t multiplyAdds = 0, scratchBytes = 0, stateBytes = 0, weightBytes = 0;
  int64_t kernels = 0, launches = 0;
};

struct Inspection {
  ModelSummary summary;
  std::optional<Plan> plan;
  std::vector<std::string> notes, problems;
  std::vector<std::string> neededFlags;
};
} // namespace

static std::vector<std::string> shapesOf(mlir::TypeRange types) {
  std::vector<std::string> texts;
  for (mlir::Type type : types) {
    texts.push_back(shapeText(cast<mlir::RankedTensorType>(type).getShape()));
  }
  return texts;
}

static Expected<std::optional<Plan>> planOf(Session &session) {
  Error imported = session.import();
  if (imported) {
    consumeError(std::move(imported)); // the diagnostics say it
    return std::nullopt;
  }
  auto main = session.module().lookupSymbol<mlir::func::FuncOp>("main");
  Plan plan;
  plan.inputShapes = shapesOf(main.getArgumentTypes());
  plan.outputShapes = shapesOf(main.getResultTypes());
  plan.multiplyAdds = session.multiplyAdds;
  if (Error error = session.plan()) {
    if (session.context.errors().empty()) {
      return std::move(error);
    }
    consumeError(std::move(error));
    return std::nullopt;
  }
  plan.scratchBytes = session.plannedBytes("scratch");
  plan.weightBytes = session.plannedBytes("weight");
  CompiledModel sized;
  sized.stateBytes = session.plannedBytes("state");
  plan.stateBytes = stateMemoryBytes(sized, session.target);
  auto kernels = session.module().getOps<KernelOp>();
  plan.kernels = std::distance(kernels.begin(), kernels.end());
  main.walk([&](LaunchOp) { ++plan.launches; });
  return plan;
}

/// The importer ends a message about something left open with the flags that
/// settle it.
static void collectFlags(StringRef message, std::vector<std::string> &flags) {
  size_t at = message.find("; add --");
  while (at != StringRef::npos) {
    StringRef rest = message.drop_front(at).drop_front(message[at] == ';' ? 6 : 1);
    size_t next = rest.find(" --");
    flags.push_back(rest.take_front(next).str());
    at = next == StringRef::npos ? next : rest.data() + next - message.data();
  }
}

static Expected<Inspection> inspect(const Arguments &arguments) {
  auto session = Session::create(arguments, arguments.positional.front());
  if (!session) {
    return session.takeError();
  }
  Inspection result;
  auto summary = summarizeModel((*session)->path, (*session)->context.get());
  if (!summary) {
    return summary.takeError();
  }
  result.summary = std::move(*summary);
  (*session)->context.setSilent(true);
  auto plan = planOf(**session);
  if (!plan) {
    return plan.takeError();
  }
  result.plan = std::move(*plan);
  result.notes = (*session)->context.notes();
  result.problems = (*session)->context.errors();
  for (StringRef problem : result.problems) {
    collectFlags(problem, result.neededFlags);
  }
  return result;
}

static json::Array valuesJson(ArrayRef<ModelSummary::Value> values) {
  json::Array list;
  for (const ModelSummary::Value &value : values) {
    json::Object object{{"name", escapeForJson(value.name)}, {"type", value.type}};
    if (value.hasShape) {
      json::Array dims;
      for (StringRef dim : value.dims) {
        int64_t extent;
        dims.push_back(dim.getAsInteger(10, extent) ? json::Value(escapeForJson(dim))
                                                    : json::Value(extent));
      }
      object["shape"] = std::move(dims);
    }
    list.push_back(std::move(object));
  }
  return list;
}

static json::Array textsJson(ArrayRef<std::string> texts) {
  json::Array list;
  for (const std::string &text : texts) {
    list.push_back(escapeForJson(text));
  }
  return list;
}

static void printJson(StringRef path, const Inspection &inspection) {
  const ModelSummary &summary = inspection.summary;
  json::Object ops, opsets;
  for (const auto &[name, count] : summary.opCounts) {
    ops[json::ObjectKey(escapeForJson(name))] = count;
  }
  for (const auto &[domain, version] : summary.opsets) {
    opsets[json::ObjectKey(escapeForJson(domain))] = version;
  }
  json::Object result{{"format", summary.format},
                      {"inputs", valuesJson(summary.inputs)},
                      {"model", escapeForJson(sys::path::filename(path))},
                      {"needs", textsJson(inspection.neededFlags)},
                      {"notes", textsJson(inspection.notes)},
                      {"ops", std::move(ops)},
                      {"opsets", std::move(opsets)},
                      {"outputs", valuesJson(summary.outputs)},
                      {"parameters", summary.parameters},
                      {"problems", textsJson(inspection.problems)},
                      {"producer", escapeForJson(summary.producer)}};
  if (inspection.plan) {
    const Plan &plan = *inspection.plan;
    result["plan"] = json::Object{{"input_shapes", textsJson(plan.inputShapes)},
                                  {"kernels", plan.kernels},
                                  {"launches", plan.launches},
                                  {"memory_bytes", json::Object{{"scratch", plan.scratchBytes},
                                                                {"state", plan.stateBytes},
                                                                {"weights", plan.weightBytes}}},
                                  {"multiply_adds", plan.multiplyAdds},
                                  {"output_shapes", textsJson(plan.outputShapes)}};
  }
  std::string text;
  raw_string_ostream(text) << formatv("{0:2}", json::Value(std::move(result)));
  outs() << asciiJson(text) << '\n';
}

static void printValues(StringRef title, ArrayRef<ModelSummary::Value> values) {
  for (const ModelSummary::Value &value : values) {
    outs() << title << ' ' << quoted(value.name) << ' ' << value.type;
    if (!value.hasShape) {
      outs() << " of unknown shape";
    }
    for (auto [i, dim] : enumerate(value.dims)) {
      outs() << (i == 0 ? " " : "x") << (dim == "?" ? dim : flagText(dim));
    }
    outs() << '\n';
  }
}

static void printText(StringRef path, const Inspection &inspection) {
  const ModelSummary &summary = inspection.summary;
  outs() << "model " << quoted(sys::path::filename(path)) << ", " << summary.format;
  for (const auto &[domain, version] : summary.opsets) {
    outs() << ", " << flagText(domain) << " opset " << version;
  }
  if (!summary.producer.empty()) {
    outs() << ", made by " << quoted(summary.producer);
  }
  outs() << '\n';
  printValues("input", summary.inputs);
  printValues("output", summary.outputs);
  outs() << "parameters " << summary.parameters << '\n';
  if (inspection.plan) {
    const Plan &plan = *inspection.plan;
    outs() << "multiply-adds " << plan.multiplyAdds << '\n'
           << "kernels " << plan.kernels << ", calls " << plan.launches << '\n'
           << "memory: weights " << plan.weightBytes << ", scratch " << plan.scratchBytes
           << ", state " << plan.stateBytes << " bytes\n";
  }
  outs() << "operators\n";
  for (const auto &[name, count] : summary.opCounts) {
    outs() << "  " << count << ' ' << name << '\n';
  }
  for (const std::string &note : inspection.notes) {
    outs() << "note: " << note << '\n';
  }
  for (const std::string &problem : inspection.problems) {
    outs() << "problem: " << problem << '\n';
  }
  for (const std::string &flag : inspection.neededFlags) {
    outs() << "needs " << flag << '\n';
  }
}

static Error inspectAndPrint(const Arguments &arguments) {
  auto inspection = inspect(arguments);
  if (!inspection) {
    return inspection.takeError();
  }
  (arguments.has("json") ? printJson : printText)(arguments.positional.front(), *inspection);
  return Error::success();
}

int modelc::runInspect(ArrayRef<const char *> words) {
  static constexpr Flag flags[] = {{"json", "", "print as JSON"}};
  return runModelCommand(words,
                         {"inspect MODEL [flags]",
                          "Tells what is in a model, what it costs, and which flags it needs.",
                          {flags, importFlags(), targetFlags()}},
                         inspectAndPrint);
}
