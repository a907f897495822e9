// Compiles kernels, each one MLIR module with one function, to objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/KernelCompiler.h"
#include "codegen/FatalErrors.h"
#include "codegen/LLVMPipeline.h"
#include "codegen/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <atomic>
#include <optional>
#include <thread>

using namespace llvm;

namespace modelc {

/// Checking the IR after each pass takes a fifth of the time; released compilers check the
/// generator's output and what goes to LLVM.
#ifdef MODELC_VERIFY_EACH_PASS
static constexpr bool kVerifyEachPass = true;
#else
static constexpr bool kVerifyEachPass = false;
#endif

namespace {

/// Collects MLIR's and LLVM's errors instead of printing them.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
            add(diagnostic.str());
            for (mlir::Diagnostic &note : diagnostic.getNotes()) {
              add("note: " + note.str());
            }
          }
          return mlir::success();
        }) {}

  /// `context` must not emit diagnostics after the end of this object.
  void listen(LLVMContext &context) {
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *info, void *self) {
          if (info->getSeverity() == DS_Error) {
            std::string message;
            raw_string_ostream stream(message);
            DiagnosticPrinterRawOStream printer(stream);
            info->print(printer);
            static_cast<DiagnosticText *>(self)->add(message);
          }
        },
        this);
  }

  bool empty() const { return text.empty(); }

  /// The error "kernel 'symbol': what: diagnostics".
  Error error(StringRef symbol, StringRef what) const {
    std::string message = ("kernel '" + symbol + "': " + what).str();
    if (!text.empty()) {
      message += ": " + text;
    }
    return createStringError(inconvertibleErrorCode(), message.c_str());
  }

private:
  void add(const std::string &message) { text += (text.empty() ? "" : "; ") + message; }

  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace

static mlir::func::FuncOp publicFunction(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isPublic() && !function.isExternal()) {
      return function;
    }
  }
  return nullptr;
}

/// Reads the facts about arguments from their attributes and removes these: they mean nothing to
/// MLIR's lowering.
static SmallVector<ArgumentFacts> takeArgumentFacts(mlir::func::FuncOp function) {
  SmallVector<ArgumentFacts> facts(function.getNumArguments());
  for (auto [index, fact] : llvm::enumerate(facts)) {
    auto align = function.getArgAttrOfType<mlir::IntegerAttr>(index, kAlignAttrName);
    if (align && isPowerOf2_64(align.getInt()) && align.getInt() <= 4096) {
      fact.align = static_cast<unsigned>(align.getInt());
    }
    fact.mayAlias = function.getArgAttr(index, kMayAliasAttrName) != nullptr;
    function.setArgAttrs(index, ArrayRef<mlir::NamedAttribute>());
  }
  return facts;
}

/// LLVM's half of the way: from the module in the LLVM dialect to code.
static Expected<KernelBytes> generateCode(Module &module, const Target &target,
                                          const KernelOptions &options, TargetMachine &machine,
                                          StringRef symbol, ArrayRef<ArgumentFacts> facts) {
  if (Error error = prepareModule(module, target, machine, symbol, facts)) {
    return std::move(error);
  }
  if (Error error = optimizeModule(module, machine, options.scalarLoops)) {
    return std::move(error);
  }
  return emitModule(module, machine, options.output);
}

/// The whole way of one kernel, in a context and with a target machine that this thread owns.
static Expected<KernelBytes> compileModule(mlir::ModuleOp module, const Target &target,
                                           const KernelOptions &options, TargetMachine &machine,
                                           DiagnosticText &diagnostics, StringRef expectedSymbol) {
  mlir::func::FuncOp function = publicFunction(module);
  std::string symbol = function ? function.getName().str() : expectedSymbol.str();
  if (!function || (!expectedSymbol.empty() && symbol != expectedSymbol)) {
    return diagnostics.error(expectedSymbol, "the module has no function of this name");
  }
  if (failed(mlir::verify(module))) {
    return diagnostics.error(symbol, "invalid kernel");
  }
  SmallVector<ArgumentFacts> facts = takeArgumentFacts(function);
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(kVerifyEachPass);
  buildKernelLoweringPipeline(passes, target);
  if (failed(passes.run(module))) {
    return diagnostics.error(symbol, "cannot be lowered");
  }
  // A fresh context for each kernel: types and constants of the kernels before would only cost
  // memory.
  auto llvmContext = std::make_unique<LLVMContext>();
  diagnostics.listen(*llvmContext);
  std::unique_ptr<Module> llvmModule = mlir::translateModuleToLLVMIR(module, *llvmContext, symbol);
  if (!llvmModule) {
    return diagnostics.error(symbol, "cannot be translated to LLVM IR");
  }
  std::optional<Expected<KernelBytes>> bytes;
  std::string fatal;
  bool survived = runCatchingFatalErrors(
      [&] { bytes.emplace(generateCode(*llvmModule, target, options, machine, symbol, facts)); },
      fatal);
  if (!survived) {
    // See runCatchingFatalErrors: abandoned analyses may refer to both.
    (void)llvmModule.release();
    (void)llvmContext.release();
    return diagnostics.error(symbol, "LLVM cannot generate code: " + fatal);
  }
  if (!*bytes) {
    return diagnostics.error(symbol, toString(bytes->takeError()));
  }
  if (!diagnostics.empty()) {
    return diagnostics.error(symbol, "code generation failed");
  }
  return std::move(*bytes);
}

static Error noBackend(const Target &target) {
  return createStringError(inconvertibleErrorCode(), "LLVM was built without a back end for '%s'",
                           target.triple.c_str());
}

Expected<KernelBytes> compileKernel(mlir::ModuleOp module, const Target &target,
                                    const KernelOptions &options) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  if (!machine) {
    return noBackend(target);
  }
  DiagnosticText diagnostics(*module.getContext());
  return compileModule(module, target, options, *machine, diagnostics, "");
}

namespace {

/// The shared state of one call of compileKernels.
struct Work {
  Work(ArrayRef<KernelSource> sources, const Target &target, KernelOutput output)
      : sources(sources), target(target), output(output), results(sources.size()),
        errors(sources.size()) {}

  ArrayRef<KernelSource> sources;
  const Target &target;
  KernelOutput output;
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::vector<KernelBytes> results;
  std::vector<std::string> errors; ///< by kernel; empty: none
};

} // namespace

static Expected<KernelBytes> compileSource(const KernelSource &source, const Work &work,
                                           mlir::MLIRContext &context, TargetMachine &machine) {
  DiagnosticText diagnostics(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = source.build(context);
  if (!module) {
    return diagnostics.error(source.symbol, "cannot be built");
  }
  return compileModule(*module, work.target, {source.scalarLoops, work.output}, machine,
                       diagnostics, source.symbol);
}

static void runWorker(Work &work) {
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::unique_ptr<TargetMachine> machine = createTargetMachine(work.target);
  // Indices are handed out in order and a failure stops only later ones: all kernels before the
  // first failing one are compiled, so the reported error does not depend on the number of threads.
  while (!work.failed) {
    size_t index = work.next++;
    if (index >= work.sources.size()) {
      return;
    }
    Expected<KernelBytes> bytes = compileSource(work.sources[index], work, context, *machine);
    if (bytes) {
      work.results[index] = std::move(*bytes);
    } else {
      work.errors[index] = toString(bytes.takeError());
      work.failed = true;
    }
  }
}

Expected<std::vector<KernelBytes>> compileKernels(ArrayRef<KernelSource> sources,
                                                  const Target &target, unsigned threads,
                                                  KernelOutput output) {
  if (!createTargetMachine(target)) {
    return noBackend(target);
  }
  Work work(sources, target, output);
  size_t workers = std::max<size_t>(1, std::min<size_t>(threads, sources.size()));
  std::vector<std::thread> others;
  for (size_t i = 1; i < workers; ++i) {
    others.emplace_back([&work] { runWorker(work); });
  }
  runWorker(work);
  for (std::thread &other : others) {
    other.join();
  }
  for (const std::string &error : work.errors) {
    if (!error.empty()) {
      return createStringError(inconvertibleErrorCode(), error.c_str());
    }
  }
  return std::move(work.results);
}

} // namespace modelc
