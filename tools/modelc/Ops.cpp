//===- Ops.cpp - modelc ops -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Importer.h"
#include "tools/modelc/Arguments.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static void printJson(ArrayRef<SupportedOp> ops) {
  json::OStream json(outs(), 2);
  json.object([&] {
    json.attributeArray("ops", [&] {
      for (const SupportedOp &op : ops) {
        json.object([&] {
          json.attribute("domain", op.domain);
          json.attribute("op", op.name);
          json.attribute("since_version", op.sinceVersion);
          json.attribute("through_function_body", op.throughFunctionBody);
          json.attributeArray("shape_operands", [&] {
            for (unsigned operand : op.shapeOperands) {
              json.value(static_cast<int64_t>(operand));
            }
          });
        });
      }
    });
  });
  outs() << '\n';
}

int modelc::runOps(ArrayRef<const char *> words) {
  static constexpr Flag flags[] = {{"format", "text|json", "how to print (default: text)"},
                                   {"help", "", "this text"}};
  auto arguments = Arguments::parse(words, flags);
  if (!arguments) {
    return report(arguments.takeError());
  }
  if (arguments->has("help")) {
    printHelp("ops [flags]", "Lists the operators that can be imported.", flags);
    return exitOk;
  }
  StringRef format = arguments->get("format", "text");
  if (!arguments->positional.empty() || !is_contained({"text", "json"}, format)) {
    return report(
        wrong("expected 'modelc ops' with --format=text or json; see 'modelc ops --help'"));
  }
  std::vector<SupportedOp> ops = supportedOnnxOps();
  if (format == "json") {
    printJson(ops);
    return exitOk;
  }
  for (const SupportedOp &op : ops) {
    outs() << (op.domain.empty() ? "ai.onnx" : op.domain) << "::" << op.name << " since "
           << op.sinceVersion << (op.throughFunctionBody ? " (function body)" : "") << '\n';
  }
  return exitOk;
}
