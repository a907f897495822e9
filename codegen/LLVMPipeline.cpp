// LLVM's half of a kernel's way to an object: attributes, optimization, emission and the check of
// what came out. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LLVMPipeline.h"
#include "codegen/EmitCode.h"
#include "codegen/KernelCompiler.h"
#include "codegen/TripCounts.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace modelc {

/// Enough for kernels whose loops are already unrolled and vectorized: the run time of O3 in a
/// fifth of its time. No pass here invents a call (memset, memcpy).
static constexpr StringLiteral kShortPipeline =
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-"
    "simplify,lcssa,"
    "loop-mssa(licm),early-cse)";

static void setAttributes(Function &function, const Target &target, const TargetMachine &machine) {
  // Without no-builtins the loop idiom pass makes calls of memset and memcpy; without nounwind ARM
  // objects refer to the unwinder; jump tables need relocations in read-only data.
  function.addFnAttr("no-builtins");
  function.addFnAttr("no-jump-tables", "true");
  function.addFnAttr(Attribute::NoUnwind);
  function.removeFnAttr(Attribute::UWTable);
  function.setUWTableKind(UWTableKind::None);
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  if (target.family == TargetFamily::X86) {
    // LLVM prefers 256 bits on most AVX-512 processors, a choice made for code that is vectorized
    // by accident.
    function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
  }
}

static void setArgumentAttributes(Function &function, ArrayRef<ArgumentFacts> facts) {
  for (auto [argument, fact] : zip(function.args(), facts)) {
    if (!argument.getType()->isPointerTy()) {
      continue;
    }
    if (!fact.mayAlias) {
      argument.addAttr(Attribute::NoAlias);
    }
    if (fact.align != 0) {
      argument.addAttr(Attribute::getWithAlignment(function.getContext(), Align(fact.align)));
    }
  }
}

Error prepareModule(Module &module, const Target &target, TargetMachine &machine, StringRef symbol,
                    ArrayRef<ArgumentFacts> arguments) {
  module.setTargetTriple(target.triple);
  module.setDataLayout(machine.createDataLayout());
  module.setSourceFileName("");
  for (Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    setAttributes(function, target, machine);
    if (function.getName() == symbol) {
      function.setLinkage(GlobalValue::ExternalLinkage);
      function.setVisibility(GlobalValue::HiddenVisibility);
      setArgumentAttributes(function, arguments);
    } else {
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  for (GlobalVariable &global : module.globals()) {
    if (!global.isConstant() || !global.hasInitializer()) {
      return createStringError(inconvertibleErrorCode(), "global '%s' is not constant",
                               global.getName().str().c_str());
    }
    global.setLinkage(GlobalValue::InternalLinkage);
  }
  // MLIR declares malloc for allocations that it converts, and nothing else should be left.
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration() && !function.isIntrinsic()) {
      if (!function.use_empty()) {
        return createStringError(inconvertibleErrorCode(), "calls '%s', which nothing defines",
                                 function.getName().str().c_str());
      }
      function.eraseFromParent();
    }
  }
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream)) {
    return createStringError(inconvertibleErrorCode(), "invalid LLVM IR: %s", message.c_str());
  }
  return Error::success();
}

Error optimizeModule(Module &module, TargetMachine &machine, bool scalarLoops) {
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
  ModulePassManager shortPasses;
  if (Error error = builder.parsePassPipeline(shortPasses, kShortPipeline)) {
    return error;
  }
  shortPasses.run(module, modules);
  noteTripCounts(module, functions);
  if (scalarLoops) {
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
    noteTripCounts(module, functions);
  }
  return Error::success();
}

/// A kernel stands alone: what LLVM could not select as an instruction it turns into a call of a
/// library that the product may not have.
static Error checkUndefinedSymbols(ArrayRef<char> object) {
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), "kernel"));
  if (!file) {
    return file.takeError();
  }
  SmallVector<std::string> undefined;
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      return flags.takeError();
    }
    Expected<StringRef> name = symbol.getName();
    if (!name) {
      return name.takeError();
    }
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty()) {
      undefined.push_back(name->str());
    }
  }
  if (undefined.empty()) {
    return Error::success();
  }
  llvm::sort(undefined);
  return createStringError(
      inconvertibleErrorCode(),
      "needs the library function%s '%s': the target has no instruction for an operation that "
      "was not lowered",
      undefined.size() == 1 ? "" : "s", join(undefined, "', '").c_str());
}

Expected<SmallVector<char, 0>> emitModule(Module &module, TargetMachine &machine,
                                          KernelOutput output) {
  if (output == KernelOutput::LlvmIR) {
    SmallVector<char, 0> text;
    raw_svector_ostream stream(text);
    module.print(stream, nullptr);
    return text;
  }
  if (output == KernelOutput::Assembly) {
    return emitAssembly(module, machine);
  }
  Expected<SmallVector<char, 0>> object = emitObject(module, machine);
  if (object) {
    if (Error error = checkUndefinedSymbols(*object)) {
      return std::move(error);
    }
  }
  return object;
}

} // namespace modelc
