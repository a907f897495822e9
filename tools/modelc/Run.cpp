//===- Run.cpp - modelc run -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/WriteFiles.h"
#include "frontend/Quote.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Inputs.h"
#include "tools/modelc/Session.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static Error runModel(const Arguments &arguments) {
  auto session = Session::create(arguments, arguments.positional.front());
  if (!session) {
    return session.takeError();
  }
  auto loaded = (*session)->importAndLoad();
  if (!loaded) {
    return loaded.takeError();
  }
  const CompiledModel &model = (*session)->model;
  auto inputs = readInputs(arguments, model, /*mayBeRandom=*/false);
  if (!inputs) {
    return inputs.takeError();
  }
  std::vector<Tensor> outputs = makeTensors(model.outputs);
  if (Error error = runOnce(*loaded, *inputs, outputs)) {
    return error;
  }
  StringRef directory = arguments.get("o", ".");
  FileSet files(directory);
  for (auto [tensor, info] : zip(outputs, model.outputs)) {
    const Tensor &value = tensor;
    if (Error error = files.add(info.cName + ".npy", [&](raw_ostream &os) {
          writeNpy(os, value.type, value.shape, value.bytes);
          return Error::success();
        })) {
      return error;
    }
  }
  if (Error error = files.commit()) {
    return error;
  }
  for (const TensorInfo &info : model.outputs) {
    outs() << quoted(info.name) << ' ' << elementName(info.type) << ' ' << shapeText(info.shape)
           << " -> " << directory << '/' << info.cName << ".npy\n";
  }
  return Error::success();
}

int modelc::runRun(ArrayRef<const char *> words) {
  static constexpr Flag flags[] = {{"o", "DIR", "where OUTPUT.npy go (default: .)"}};
  return runModelCommand(words,
                         {"run MODEL -i INPUT=FILE.npy -o DIR [flags]",
                          "Compiles for this machine, runs once and writes one .npy per output.",
                          {flags, inputFlags(), importFlags(), targetFlags()}},
                         runModel);
}
