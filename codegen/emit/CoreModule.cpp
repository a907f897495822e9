//===- CoreModule.cpp - Everything of a library but kernels and weights ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/CoreModule.h"
#include "codegen/EmitCode.h"
#include "codegen/Target.h"
#include "codegen/TripCounts.h"
#include "codegen/emit/Layout.h"
#include "codegen/emit/Schedule.h"
#include "runtime/RuntimeBitcode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace modelc;

/// From here on a signed 32-bit distance on x86-64 may not reach from a product's
/// code to its own constants once the linker has put the weights between them.
static constexpr uint64_t largeWeights = uint64_t(1) << 30;

static bool isLarge(const CompiledModel &model, const modelc::Target &target) {
  return target.family == TargetFamily::X86 && model.weightBytes >= largeWeights;
}

std::string modelc::weightSection(const CompiledModel &model, const modelc::Target &target) {
  return (isLarge(model, target) ? ".lrodata." : ".rodata.") + model.name + ".weights";
}

std::vector<std::string> modelc::interfaceSymbols(const CompiledModel &model) {
  std::vector<std::string> symbols;
  auto add = [&](ArrayRef<StringRef> names) {
    for (StringRef name : names) {
      symbols.push_back(model.name + "_" + name.str());
    }
  };
  add({"flush", "info", "init", "reset", "run", "weights"});
  if (model.adapter) {
    add({"adapter_bypass", "adapter_delay", "adapter_init", "adapter_mix", "adapter_reset", "pull",
         "pull_i16", "push", "push_i16"});
  }
  return symbols;
}

/// modelc_x becomes NAME_x. LLVM appends a number to a name that is taken, hence
/// the check.
static Error renameRuntime(Module &module, StringRef name) {
  for (GlobalValue &value : module.global_values()) {
    if (!value.getName().starts_with("modelc_")) {
      continue;
    }
    std::string renamed = (name + "_" + value.getName().drop_front(strlen("modelc_"))).str();
    if (renamed == value.getName()) {
      continue;
    }
    value.setName(renamed);
    if (value.getName() != renamed) {
      return createStringError(inconvertibleErrorCode(), "the name '%s' is taken", renamed.c_str());
    }
  }
  return Error::success();
}

/// Replaces the runtime's declaration of a table by its bytes.
static GlobalVariable *define(Module &module, StringRef name, Constant *bytes, uint64_t align,
                              StringRef section) {
  GlobalVariable *declaration = module.getGlobalVariable(name);
  auto *variable = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                      GlobalValue::ExternalLinkage, bytes);
  if (declaration) {
    declaration->replaceAllUsesWith(variable);
    variable->takeName(declaration);
    declaration->eraseFromParent();
  } else {
    variable->setName(name);
  }
  variable->setVisibility(GlobalValue::HiddenVisibility);
  variable->setDSOLocal(true);
  variable->setAlignment(Align(align));
  variable->setSection(section);
  return variable;
}

static void defineTables(Module &module, const CompiledModel &model, const modelc::Target &target) {
  LLVMContext &context = module.getContext();
  std::string table = infoTable(model, target);
  define(module, model.name + "__model",
         ConstantDataArray::getString(context, table, /*AddNull=*/false), 8,
         ".rodata." + model.name + ".info");
  if (model.adapter) {
    define(module, model.name + "__adapter",
           ConstantDataArray::getString(context, adapterTable(*model.adapter), /*AddNull=*/false),
           4, ".rodata." + model.name + ".info");
  }
  auto *placeholder =
      ConstantAggregateZero::get(ArrayType::get(Type::getInt8Ty(context), weightAlign));
  GlobalVariable *weights = define(module, model.name + "_weights", placeholder, weightAlign,
                                   weightSection(model, target));
  // The zeros are not what it holds in the end: nothing may be folded from them.
  weights->setExternallyInitialized(true);
  if (isLarge(model, target)) {
    weights->setCodeModel(CodeModel::Large);
  }
}

/// Attributes of every function that is emitted, whatever made its body.
static void setAttributes(Module &module, const TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isIntrinsic()) {
      continue;
    }
    for (StringRef clangs : {"tune-cpu", "target-cpu", "target-features", "no-jump-tables"}) {
      function.removeFnAttr(clangs);
    }
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // No calls of memcpy and the like that nobody wrote.
    function.addFnAttr("no-builtins");
    // Jump tables are relocations in read-only data.
    function.addFnAttr("no-jump-tables", "true");
    function.addFnAttr(Attribute::NoUnwind);
    function.setUWTableKind(UWTableKind::None);
  }
}

static void optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
  noteTripCounts(module, functions);
}

static void setInterfaceVisibility(Module &module, const CompiledModel &model, bool exported) {
  for (const std::string &symbol : interfaceSymbols(model)) {
    if (Function *function = module.getFunction(symbol)) {
      function->setVisibility(exported ? GlobalValue::DefaultVisibility
                                       : GlobalValue::HiddenVisibility);
      function->setDSOLocal(true);
    }
  }
}

static Expected<std::unique_ptr<Module>> buildCore(LLVMContext &context, const CompiledModel &model,
                                                   const modelc::Target &target,
                                                   const EmitOptions &options,
                                                   TargetMachine &machine) {
  StringRef bitcode = runtimeBitcode(target.runtimeClass);
  if (bitcode.empty()) {
    return createStringError(inconvertibleErrorCode(), "no runtime for targets of class '%s'",
                             target.runtimeClass.c_str());
  }
  auto module = parseBitcodeFile(MemoryBufferRef(bitcode, "runtime"), context);
  if (!module) {
    return module.takeError();
  }
  Module &core = **module;
  core.setTargetTriple(target.triple);
  core.setDataLayout(machine.createDataLayout());
  // Both names would end up in the object.
  core.setModuleIdentifier("");
  core.setSourceFileName("");
  if (Error error = renameRuntime(core, model.name)) {
    return std::move(error);
  }
  defineTables(core, model, target);
  addSchedule(core, model, target, options.debugInfo);
  setInterfaceVisibility(core, model, options.exportSymbols);
  setAttributes(core, machine);
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(core, &stream)) {
    return createStringError(inconvertibleErrorCode(), "the schedule is invalid: %s",
                             stream.str().c_str());
  }
  return module;
}

Expected<SmallVector<char, 0>> modelc::compileCore(const CompiledModel &model,
                                                   const modelc::Target &target,
                                                   const EmitOptions &options,
                                                   const StringSet<> &needed) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  if (!machine) {
    return createStringError(inconvertibleErrorCode(), "LLVM has no back end for '%s'",
                             target.triple.c_str());
  }
  LLVMContext context;
  auto module = buildCore(context, model, target, options, *machine);
  if (!module) {
    return module.takeError();
  }
  std::vector<std::string> interface = interfaceSymbols(model);
  internalizeModule(**module, [&](const GlobalValue &value) {
    return is_contained(interface, value.getName()) || needed.contains(value.getName());
  });
  optimize(**module, *machine);
  return emitObject(**module, *machine);
}
