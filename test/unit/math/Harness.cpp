//===- Harness.cpp - Runs expanded math functions on arrays ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Harness.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolicFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace modelc::test {

static std::string sourceText(ArrayRef<MathFunction> functions, StringRef element,
                              bool useVectors) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string memory = llvm::formatv("memref<{0}x{1}>", CompiledMath::kBlock, element);
  std::string type = useVectors ? llvm::formatv("vector<8x{0}>", element).str() : element.str();
  for (const auto &[index, function] : llvm::enumerate(functions)) {
    os << llvm::formatv("func.func @f{0}(%a0: {1}, %a1: {1}, %a2: {1}, %out: {1}) {{\n"
                        "  %zero = arith.constant 0 : index\n"
                        "  %end = arith.constant {2} : index\n"
                        "  %step = arith.constant {3} : index\n"
                        "  scf.for %i = %zero to %end step %step {{\n",
                        index, memory, CompiledMath::kBlock, useVectors ? 8 : 1);
    std::string operands;
    for (unsigned i = 0; i < function.operands; ++i) {
      os << llvm::formatv("    %v{0} = {1} %a{0}[%i] : {2}{3}\n", i,
                          useVectors ? "vector.load" : "memref.load", memory,
                          useVectors ? ", " + type : "");
      operands += (i ? ", %v" : "%v") + std::to_string(i);
    }
    std::string types = type;
    if (!function.exponentType.empty()) {
      std::string integer =
          useVectors ? "vector<8x" + function.exponentType + ">" : function.exponentType;
      os << llvm::formatv("    %exponent = arith.fptosi %v1 : {0} to {1}\n", type, integer);
      operands = "%v0, %exponent";
      types += ", " + integer;
    }
    os << llvm::formatv("    %r = {0} {1} : {2}\n    {3} %r, %out[%i] : {4}{5}\n"
                        "  }\n  return\n}\n",
                        function.op, operands, types, useVectors ? "vector.store" : "memref.store",
                        memory, useVectors ? ", " + type : "");
  }
  return text;
}

static LogicalResult lower(ModuleOp module, const MathOptions &options) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandMathPass(options));
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions funcOptions;
  funcOptions.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(funcOptions));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

static std::unique_ptr<llvm::Module>
compileToLLVM(llvm::LLVMContext &llvmContext, ArrayRef<MathFunction> functions, StringRef element,
              bool useVectors, const MathOptions &options, llvm::TargetMachine &machine) {
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, func::FuncDialect, mlir::math::MathDialect,
              memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect, LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(sourceText(functions, element, useVectors), &context);
  if (!module || failed(lower(*module, options))) {
    ADD_FAILURE() << "the functions do not lower";
    return nullptr;
  }
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(*module, llvmContext);
  result->setTargetTriple(machine.getTargetTriple().str());
  result->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *result) {
    if (function.isDeclaration()) {
      EXPECT_TRUE(function.isIntrinsic()) << function.getName().str() << " is called";
      continue;
    }
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    for (unsigned i = 0; i < 4; ++i) {
      function.addParamAttr(i, llvm::Attribute::NoAlias);
    }
  }
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder passes(&machine);
  passes.registerModuleAnalyses(mam);
  passes.registerCGSCCAnalyses(cgam);
  passes.registerFunctionAnalyses(fam);
  passes.registerLoopAnalyses(lam);
  passes.crossRegisterProxies(lam, fam, cgam, mam);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*result, mam);
  return result;
}

CompiledMath::CompiledMath(llvm::ArrayRef<MathFunction> functions, llvm::StringRef elementType,
                           bool useVectors, const MathOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::ExitOnError check("compiling math functions: ");
  auto builder = check(llvm::orc::JITTargetMachineBuilder::detectHost());
  auto machine = check(builder.createTargetMachine());
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      compileToLLVM(*context, functions, elementType, useVectors, options, *machine);
  compiled.resize(functions.size());
  if (!module) {
    return;
  }
  jit = check(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create());
  check(jit->addIRModule({std::move(module), std::move(context)}));
  for (size_t i = 0; i < functions.size(); ++i) {
    compiled[i] = check(jit->lookup("f" + std::to_string(i))).toPtr<Function>();
  }
}

CompiledMath::Function CompiledMath::function(size_t index) const {
  return compiled[index];
}

std::vector<std::string> undefinedSymbols(llvm::ArrayRef<MathFunction> functions,
                                          llvm::StringRef elementType, const MathOptions &options,
                                          llvm::StringRef triple, llvm::StringRef cpu,
                                          llvm::StringRef features) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (!target) {
    ADD_FAILURE() << error;
    return {};
  }
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, llvm::TargetOptions(), llvm::Reloc::Static));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      compileToLLVM(context, functions, elementType, /*useVectors=*/false, options, *machine);
  if (!module) {
    return {};
  }
  SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, os, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    ADD_FAILURE() << "no object files for " << triple.str();
    return {};
  }
  emission.run(*module);
  llvm::ExitOnError check("reading the object: ");
  auto object =
      check(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object")));
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : object->symbols()) {
    if (check(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined) {
      StringRef name = check(symbol.getName());
      if (!name.empty()) {
        names.push_back(name.str());
      }
    }
  }
  return names;
}

} // namespace modelc::test
