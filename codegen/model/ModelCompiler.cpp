//===- ModelCompiler.cpp - a module becomes a compiled model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model/ModelCompiler.h"
#include "codegen/emit/Identifier.h"
#include "codegen/model/KernelSelection.h"
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/FoldConstants.h"
#include "passes/PackWeights.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

using namespace mlir;
using namespace modelc;

/// Runs passes; diagnostics of a failure become the error, others are the
/// caller's.
static llvm::Error runPasses(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  std::string messages;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() != DiagnosticSeverity::Error) {
      return failure();
    }
    messages += (messages.empty() ? "" : "; ") + d.str();
    return success();
  });
  PassManager manager(module.getContext());
  build(manager);
  if (failed(manager.run(module))) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", messages.c_str());
  }
  return llvm::Error::success();
}

/// What a kernel does, as part of its symbol: its main op and result shape.
static std::string describe(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *main = body.getTerminator();
  for (Operation &op : body) {
    if (isa<LoopOpInterface>(op)) {
      main = &op;
    }
  }
  auto yield = cast<YieldOp>(body.getTerminator());
  if (main == yield) {
    Operation *last = yield.getValues().front().getDefiningOp();
    main = last ? last : main;
  }
  std::string text(main == yield ? "copy" : main->getName().stripDialect().str());
  auto type = cast<RankedTensorType>(yield.getValues().front().getType());
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    text += (i == 0 ? "_" : "x") + std::to_string(extent);
  }
  return text;
}

llvm::Error modelc::planModule(ModuleOp module, const Target &target, const CompileOptions &options,
                               ConstantEvaluator &evaluator) {
  module->setAttr("modelc.target", targetAttr(target, module.getContext()));
  if (llvm::Error error =
          runPasses(module, [](OpPassManager &manager) { buildPreparePipeline(manager); })) {
    return error;
  }
  foldConstants(module, evaluator);
  if (llvm::Error error = runPasses(module, [&](OpPassManager &manager) {
        buildOptimizePipeline(manager, options.dftTolerance);
      })) {
    return error;
  }
  TargetAttr facts = targetAttr(target, module.getContext());
  if (llvm::Error error = runPasses(module, [&](OpPassManager &manager) {
        manager.addPass(
            createPackWeightsPass([&](KernelOp kernel) { return packingsOf(kernel, facts); }));
      })) {
    return error;
  }
  // Names that say what the kernels do, and the temporaries that they need.
  SymbolTable symbols(module);
  Builder b(module.getContext());
  for (auto [number, kernel] : llvm::enumerate(module.getOps<KernelOp>())) {
    std::string name = describe(kernel) + "_" + std::to_string(number);
    if (failed(symbols.rename(kernel, name))) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot name kernel '%s'",
                                     name.c_str());
    }
    FailureOr<KernelCode> code = generateKernel(kernel, name, facts);
    if (failed(code)) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot generate kernel '%s'",
                                     name.c_str());
    }
    SmallVector<int64_t> scratch(code->scratchBytes.begin(), code->scratchBytes.end());
    kernel->setAttr("scratch_bytes", b.getDenseI64ArrayAttr(scratch));
    if (code->returnsStatus) {
      kernel->setAttr("returns_status", b.getUnitAttr());
    }
  }
  return runPasses(module, [&](OpPassManager &manager) {
    PlanMemoryPassOptions planOptions;
    planOptions.alignment = std::max(target.align, 16u);
    manager.addPass(createPlanMemoryPass(planOptions));
  });
}

static ElementType elementType(Type type) {
  if (type.isF32()) {
    return ElementType::F32;
  }
  if (type.isF64()) {
    return ElementType::F64;
  }
  if (type.isF16()) {
    return ElementType::F16;
  }
  if (type.isBF16()) {
    return ElementType::BF16;
  }
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::Bool;
  case 8:
    return isUnsigned ? ElementType::U8 : ElementType::I8;
  case 16:
    return isUnsigned ? ElementType::U16 : ElementType::I16;
  case 32:
    return isUnsigned ? ElementType::U32 : ElementType::I32;
  default:
    return isUnsigned ? ElementType::U64 : ElementType::I64;
  }
}

static TensorInfo tensorInfo(Type type, Attribute name, StringRef fallback) {
  auto tensor = cast<RankedTensorType>(type);
  TensorInfo info;
  auto text = dyn_cast_or_null<StringAttr>(name);
  info.name = text ? text.str() : fallback.str();
  info.type = elementType(tensor.getElementType());
  info.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return info;
}

static Place placeOf(Attribute attr) {
  auto place = cast<PlaceAttr>(attr);
  // The enumerations of the dialect and of emission have the same order.
  return {static_cast<modelc::Space>(place.getSpace()), place.getNumber(), place.getOffset()};
}

static std::string layerName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    return name.getName().str();
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    return layerName(fused.getLocations().front());
  }
  return "";
}

namespace {
/// The kernels of a planned module, ready for the kernel compiler.
struct KernelSources {
  std::vector<KernelSource> sources;
  std::vector<bool> returnsStatus;
  DenseMap<StringAttr, unsigned> numberOf;
};
} // namespace

/// Code is generated in the module's context and moves to the worker threads
/// as bytecode: no two threads share a context.
static llvm::Expected<KernelSources> generateAll(ModuleOp module, const Target &target,
                                                 const CompileOptions &options) {
  KernelSources result;
  TargetAttr facts = targetAttr(target, module.getContext());
  for (auto kernel : module.getOps<KernelOp>()) {
    std::string symbol = options.name + "_" + kernel.getSymName().str();
    FailureOr<KernelCode> code = generateKernel(kernel, symbol, facts);
    if (failed(code)) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot generate kernel '%s'",
                                     symbol.c_str());
    }
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    if (failed(writeBytecodeToFile(*code->module, os))) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot serialize kernel '%s'",
                                     symbol.c_str());
    }
    os.flush();
    result.numberOf[kernel.getSymNameAttr()] = result.sources.size();
    result.returnsStatus.push_back(code->returnsStatus);
    KernelSource source;
    source.symbol = symbol;
    source.scalarLoops = code->scalarLoops;
    source.build = [bytes = std::move(bytes)](MLIRContext &context) {
      return parseSourceString<ModuleOp>(bytes, &context);
    };
    result.sources.push_back(std::move(source));
  }
  return result;
}

static void addWeights(ModuleOp module, func::FuncOp main, CompiledModel &model) {
  DenseSet<uint64_t> seen;
  for (auto constant : main.front().getOps<ConstantOp>()) {
    uint64_t offset = constant->getAttrOfType<PlaceAttr>("place").getOffset();
    auto type = cast<RankedTensorType>(constant.getType());
    // One without elements has the offset of the next.
    if (type.getNumElements() == 0 || !seen.insert(offset).second) {
      continue;
    }
    model.parameters += type.getNumElements();
    ElementsAttr value = constant.getValue();
    std::optional<ArrayRef<char>> bytes = constantBytes(value);
    if (!bytes) {
      // Splats and booleans are expanded once, into the context's resources.
      auto expanded = HeapAsmResourceBlob::allocate(storageBytes(type), 64, true);
      copyConstant(value, expanded.getMutableData());
      auto resource = DenseResourceElementsAttr::get(type, "expanded", std::move(expanded));
      constant.setValueAttr(resource);
      bytes = constantBytes(resource);
    }
    model.weights.push_back({offset, *bytes});
  }
  llvm::sort(model.weights,
             [](const WeightPiece &x, const WeightPiece &y) { return x.offset < y.offset; });
}

static void addStates(ModuleOp module, CompiledModel &model) {
  for (auto state : module.getOps<StateOp>()) {
    auto type = cast<RankedTensorType>(state.getInitial().getType());
    TensorInfo info = tensorInfo(type, state.getSymNameAttr(), "");
    uint64_t offset = state->getAttrOfType<PlaceAttr>("place").getOffset();
    model.states.push_back({info.name, info.type, info.shape, offset});
    std::vector<char> initial(storageBytes(type));
    copyConstant(state.getInitial(), initial);
    model.initialState.resize(offset);
    llvm::append_range(model.initialState, initial);
  }
  // Reset clears what is behind the given bytes.
  while (!model.initialState.empty() && model.initialState.back() == 0) {
    model.initialState.pop_back();
  }
}

llvm::Expected<CompiledModel> modelc::compilePlanned(ModuleOp module, const Target &target,
                                                     const CompileOptions &options) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  CompiledModel model;
  model.name = options.name;
  model.keepDenormals = options.keepDenormals;
  // The last argument may be the flag of a flush, which the caller does not see.
  unsigned numInputs = main.getNumArguments();
  if (numInputs > 0 && main.getArgAttr(numInputs - 1, "modelc.flush")) {
    --numInputs;
  }
  for (unsigned i = 0; i < numInputs; ++i) {
    model.inputs.push_back(tensorInfo(main.getArgumentTypes()[i], main.getArgAttr(i, "modelc.name"),
                                      ("input" + Twine(i)).str()));
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    model.outputs.push_back(tensorInfo(main.getResultTypes()[i],
                                       main.getResultAttr(i, "modelc.name"),
                                       ("output" + Twine(i)).str()));
  }
  assignIdentifiers(model.inputs);
  assignIdentifiers(model.outputs);

  auto number = [&](StringRef name) {
    auto attr = module->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getValue().getZExtValue() : 0;
  };
  if (uint64_t hop = number("modelc.hop")) {
    model.stream = StreamInfo{hop, number("modelc.latency"), number("modelc.drain")};
  }
  model.scratchBytes = number("modelc.scratch_bytes");
  model.scratchLowerBound = number("modelc.scratch_lower_bound");
  model.stateBytes = number("modelc.state_bytes");
  model.weightBytes = number("modelc.weight_bytes");
  addWeights(module, main, model);
  addStates(module, model);

  llvm::Expected<KernelSources> kernels = generateAll(module, target, options);
  if (!kernels) {
    return kernels.takeError();
  }
  auto objects = compileKernels(kernels->sources, target, options.threads);
  if (!objects) {
    return objects.takeError();
  }
  for (auto [i, source] : llvm::enumerate(kernels->sources)) {
    model.kernels.push_back({source.symbol, std::move((*objects)[i]), kernels->returnsStatus[i]});
  }
  for (auto launch : main.front().getOps<LaunchOp>()) {
    auto kernel = module.lookupSymbol<KernelOp>(launch.getKernel());
    ScheduleCall call;
    call.kernel = kernels->numberOf.lookup(kernel.getSymNameAttr());
    call.layer = layerName(launch.getLoc());
    call.commits = launch->hasAttr("commits");
    ArrayRef<int64_t> inPlace = inPlaceOperands(kernel);
    for (Attribute place : launch->getAttrOfType<ArrayAttr>("operand_places")) {
      call.operands.push_back(placeOf(place));
      Place &operand = call.operands.back();
      if (operand.space == Space::Input && operand.index == numInputs) {
        operand = {Space::Flush, 0, 0};
      }
    }
    auto results = launch->getAttrOfType<ArrayAttr>("result_places");
    for (auto [i, place] : llvm::enumerate(results)) {
      if (inPlace.empty() || inPlace[i] < 0) {
        call.operands.push_back(placeOf(place));
      }
    }
    for (Attribute place : launch->getAttrOfType<ArrayAttr>("scratch_places")) {
      call.operands.push_back(placeOf(place));
    }
    model.calls.push_back(std::move(call));
  }
  return model;
}

llvm::Expected<std::string> modelc::printKernels(ModuleOp module, const Target &target,
                                                 const CompileOptions &options,
                                                 KernelOutput output) {
  llvm::Expected<KernelSources> kernels = generateAll(module, target, options);
  if (!kernels) {
    return kernels.takeError();
  }
  auto texts = compileKernels(kernels->sources, target, options.threads, output);
  if (!texts) {
    return texts.takeError();
  }
  std::string result;
  for (const KernelBytes &text : *texts) {
    result.append(text.begin(), text.end());
  }
  return result;
}
