//===- RtCheck.cpp - modelc rt-check --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/check/RealTime.h"
#include "codegen/emit/Text.h"
#include "frontend/Quote.h"
#include "tools/modelc/Arguments.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

/// Which layers a kernel computes, as far as a manifest beside the library says.
static StringMap<std::string> layersBeside(StringRef library) {
  StringMap<std::string> layers;
  StringRef stem = sys::path::stem(library);
  stem.consume_front("lib");
  SmallString<128> path = sys::path::parent_path(library);
  sys::path::append(path, stem + ".json");
  auto file = MemoryBuffer::getFile(path);
  if (!file) {
    return layers;
  }
  Expected<json::Value> value = json::parse((*file)->getBuffer());
  if (!value) {
    consumeError(value.takeError());
    return layers;
  }
  const json::Object *manifest = value->getAsObject();
  const json::Array *names = manifest ? manifest->getArray("layers") : nullptr;
  const json::Array *calls = manifest ? manifest->getArray("calls") : nullptr;
  if (!names || !calls) {
    return layers;
  }
  for (const json::Value &entry : *calls) {
    const json::Object *call = entry.getAsObject();
    std::optional<StringRef> kernel = call ? call->getString("kernel") : std::nullopt;
    std::optional<int64_t> number = call ? call->getInteger("layer") : std::nullopt;
    if (!kernel || !number || *number < 0 || size_t(*number) >= names->size()) {
      continue;
    }
    const json::Object *layer = (*names)[*number].getAsObject();
    std::string &text = layers[*kernel];
    text += (text.empty() ? "" : ", ") + (layer ? layer->getString("name").value_or("") : "").str();
  }
  return layers;
}

static json::Value orNull(std::optional<uint64_t> number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

static void printJson(const RealTimeReport &report, const StringMap<std::string> &layers) {
  json::Array faults;
  for (const RealTimeReport::Fault &fault : report.faults) {
    json::Object object{{"place", escapeForJson(fault.place)}, {"what", escapeForJson(fault.what)}};
    auto layer = layers.find(fault.function);
    if (layer != layers.end()) {
      object["layer"] = escapeForJson(layer->second);
    }
    faults.push_back(std::move(object));
  }
  json::Object functions;
  for (const auto &[name, bounds] : report.functions) {
    json::Object object{{"global", bounds.global},
                        {"instructions_max", orNull(bounds.instructions)},
                        {"stack_bytes", orNull(bounds.stackBytes)}};
    if (!bounds.missing.empty()) {
      object["missing"] = escapeForJson(bounds.missing);
    }
    functions[escapeForJson(name)] = std::move(object);
  }
  json::Object root{{"faults", std::move(faults)},
                    {"functions", std::move(functions)},
                    {"instructions", report.instructions},
                    {"loops", report.loops},
                    {"stack_bytes", orNull(report.stackBytes)}};
  std::string text;
  raw_string_ostream(text) << formatv("{0:2}", json::Value(std::move(root)));
  outs() << asciiJson(text) << '\n';
}

static std::string numberOr(std::optional<uint64_t> number) {
  return number ? utostr(*number) : "unknown";
}

static void printText(StringRef library, const RealTimeReport &report,
                      const StringMap<std::string> &layers) {
  for (const RealTimeReport::Fault &fault : report.faults) {
    outs() << printable(fault.place) << ": " << printable(fault.what);
    auto layer = layers.find(fault.function);
    if (layer != layers.end()) {
      outs() << " (layer " << quoted(layer->second) << ')';
    }
    outs() << '\n';
  }
  outs() << "function                         instructions at most  stack bytes at most\n";
  for (const auto &[name, bounds] : report.functions) {
    if (bounds.global) {
      outs() << left_justify(printable(name), 32) << ' '
             << right_justify(numberOr(bounds.instructions), 20) << ' '
             << right_justify(numberOr(bounds.stackBytes), 20) << '\n';
    }
  }
  outs() << report.functions.size() << " functions, " << report.instructions << " instructions, "
         << report.loops << " loops can be reached\n";
  if (report.faults.empty()) {
    outs()
        << "no allocation, lock, system call, foreign function, call through a pointer, writable "
           "global, recursion or loop without a bound\n";
  }
}

static Error check(StringRef library, bool asJson) {
  auto file = MemoryBuffer::getFile(library, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) {
    return wrong("cannot read " + quoted(library) + ": " + file.getError().message());
  }
  Expected<RealTimeReport> report = checkRealTime((*file)->getMemBufferRef());
  if (!report) {
    return wrong(quoted(library) + " cannot be checked: " + quoted(toString(report.takeError())));
  }
  StringMap<std::string> layers = layersBeside(library);
  if (asJson) {
    printJson(*report, layers);
  } else {
    printText(library, *report, layers);
  }
  if (!report->faults.empty()) {
    return wrong(quoted(library) + " breaks the real-time contract at " +
                 Twine(report->faults.size()) + " place" + (report->faults.size() > 1 ? "s" : ""));
  }
  return Error::success();
}

int modelc::runRtCheck(ArrayRef<const char *> words) {
  static constexpr Flag flags[] = {{"json", "", "print the findings as JSON"},
                                   {"help", "", "this text"}};
  auto arguments = Arguments::parse(words, flags);
  if (!arguments) {
    return report(arguments.takeError());
  }
  if (arguments->has("help")) {
    printHelp("rt-check LIB [flags]",
              "Reads the machine code of a library: fails with the place if it can allocate, lock, "
              "call the system or\nanyone else, jump through a pointer, write a global, recurse or "
              "loop without a bound; else says how many\ninstructions and how much stack its "
              "functions need at most.",
              flags);
    return exitOk;
  }
  if (arguments->positional.size() != 1) {
    return report(wrong("rt-check takes one library; see 'modelc rt-check --help'"));
  }
  Error error = check(arguments->positional[0], arguments->has("json"));
  return error ? report(std::move(error)) : exitOk;
}
