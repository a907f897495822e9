//===- Join.cpp - The one object of a library -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Target.h"
#include "codegen/emit/CoreModule.h"
#include "codegen/emit/ObjectCheck.h"
#include "codegen/emit/ObjectLink.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace modelc;

/// What the kernels expect from the runtime: arithmetic that the processor lacks.
static Expected<StringSet<>> symbolsNeeded(const CompiledModel &model) {
  StringSet<> needed;
  for (const CompiledKernel &kernel : model.kernels) {
    auto undefined = undefinedSymbols(kernel.object, kernel.symbol);
    if (!undefined) {
      return undefined.takeError();
    }
    for (const std::string &symbol : *undefined) {
      needed.insert(symbol);
    }
  }
  return needed;
}

Expected<JoinedObject> modelc::joinObject(const CompiledModel &model, const modelc::Target &target,
                                          const EmitOptions &options) {
  if (!Triple(target.triple).isOSBinFormatELF()) {
    return createStringError(inconvertibleErrorCode(),
                             "the object format of '%s' is not ELF, the only one that libraries "
                             "are emitted in",
                             target.triple.c_str());
  }
  if (Error error = verifyModel(model, target)) {
    return std::move(error);
  }
  auto needed = symbolsNeeded(model);
  if (!needed) {
    return needed.takeError();
  }
  auto core = compileCore(model, target, options, *needed);
  if (!core) {
    return core.takeError();
  }
  // By name, so that the object does not depend on the order in which kernels
  // were found or compiled.
  std::vector<const CompiledKernel *> sorted;
  for (const CompiledKernel &kernel : model.kernels) {
    sorted.push_back(&kernel);
  }
  llvm::sort(sorted, [](const CompiledKernel *a, const CompiledKernel *b) {
    return a->symbol < b->symbol;
  });
  std::vector<ArrayRef<char>> objects = {*core};
  for (const CompiledKernel *kernel : sorted) {
    objects.push_back(kernel->object);
  }
  auto linked = linkRelocatable(objects);
  if (!linked) {
    return linked.takeError();
  }
  std::vector<std::string> interface = interfaceSymbols(model);
  auto localized = localizeSymbols(*linked, interface);
  if (!localized) {
    return localized.takeError();
  }
  JoinedObject joined;
  joined.bytes = std::move(*localized);
  if (Error error = checkObject(joined, interface, weightSection(model, target))) {
    return std::move(error);
  }
  return joined;
}
