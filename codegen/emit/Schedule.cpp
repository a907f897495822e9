//===- Schedule.cpp - NAME_run: the order of the kernels ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Schedule.h"
#include "codegen/Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace modelc;

std::vector<StringRef> modelc::layersOf(const CompiledModel &model) {
  SetVector<StringRef> layers;
  for (const ScheduleCall &call : model.calls) {
    layers.insert(call.layer);
  }
  return {layers.begin(), layers.end()};
}

namespace {

class ScheduleBuilder {
public:
  ScheduleBuilder(Module &module, const CompiledModel &model, const modelc::Target &target)
      : module(module), model(model), target(target), builder(module.getContext()) {}

  void build(bool debugInfo);

private:
  Function *runtime(StringRef name) { return module.getFunction((model.name + "__" + name).str()); }
  void beginDebugInfo(Function *run);
  void setLine(unsigned line);
  void loadTensors(Value *fields, Space space, size_t count);
  FunctionCallee declareKernel(const CompiledKernel &kernel, size_t pointers);
  Value *address(const Place &place);
  void emitCalls();
  void beginCommit();
  void endCommit();
  Function *addFunction(StringRef suffix, ArrayRef<Type *> arguments, bool isExported);
  void buildEntry(Function *step, StringRef suffix, int32_t flushing);

  Module &module;
  const CompiledModel &model;
  const modelc::Target &target;
  IRBuilder<> builder;
  DISubprogram *subprogram = nullptr;
  SmallVector<Value *, 8> inputs, outputs;
  Value *scratch = nullptr, *weights = nullptr, *states = nullptr, *flush = nullptr;
  Value *status = nullptr;
  BasicBlock *commit = nullptr, *end = nullptr;
};

} // namespace

/// Only line tables: enough for stack traces, breakpoints and profilers. The
/// file has no directory, so that no path of the build machine gets in.
void ScheduleBuilder::beginDebugInfo(Function *run) {
  // DWARF 4: tools of embedded toolchains lag behind version 5.
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  module.addModuleFlag(Module::Max, "Dwarf Version", 4);
  DIBuilder debug(module);
  DIFile *file = debug.createFile(model.name + ".layers", "");
  DICompileUnit *unit = debug.createCompileUnit(
      dwarf::DW_LANG_C11, file, "modelc", /*isOptimized=*/true, "", 0, "",
      DICompileUnit::LineTablesOnly, 0, false, false, DICompileUnit::DebugNameTableKind::None);
  (void)unit;
  DISubroutineType *type = debug.createSubroutineType(debug.getOrCreateTypeArray({}));
  subprogram = debug.createFunction(file, run->getName(), "", file, 1, type, 1, DINode::FlagZero,
                                    DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  run->setSubprogram(subprogram);
  debug.finalize();
}

void ScheduleBuilder::setLine(unsigned line) {
  if (subprogram) {
    builder.SetCurrentDebugLocation(DILocation::get(module.getContext(), line, 1, subprogram));
  }
}

/// The caller's struct holds one pointer per tensor and nothing else.
void ScheduleBuilder::loadTensors(Value *fields, Space space, size_t count) {
  auto &values = space == Space::Input ? inputs : outputs;
  for (size_t i = 0; i < count; ++i) {
    Value *field = builder.CreateConstInBoundsGEP1_32(builder.getPtrTy(), fields, i);
    values.push_back(builder.CreateLoad(builder.getPtrTy(), field));
  }
}

FunctionCallee ScheduleBuilder::declareKernel(const CompiledKernel &kernel, size_t pointers) {
  if (Function *known = module.getFunction(kernel.symbol)) {
    return known;
  }
  SmallVector<Type *, 8> arguments(pointers, builder.getPtrTy());
  Type *result = kernel.returnsStatus ? builder.getInt32Ty() : builder.getVoidTy();
  auto *function = Function::Create(FunctionType::get(result, arguments, false),
                                    GlobalValue::ExternalLinkage, kernel.symbol, module);
  // It ends up in the same object: no detour through a procedure linkage table.
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setDoesNotThrow();
  return function;
}

Value *ScheduleBuilder::address(const Place &place) {
  Value *base = nullptr;
  switch (place.space) {
  case Space::Input:
    base = inputs[place.index];
    break;
  case Space::Output:
    base = outputs[place.index];
    break;
  case Space::Scratch:
    base = scratch;
    break;
  case Space::Weights:
    base = weights;
    break;
  case Space::State:
    base = states;
    break;
  case Space::Flush:
    base = flush;
    break;
  }
  if (place.offset == 0) {
    return base;
  }
  // Not inbounds: an operand without elements may have a null base.
  Value *offset = ConstantInt::get(builder.getIntNTy(target.pointerBits), place.offset);
  return builder.CreateGEP(builder.getInt8Ty(), base, offset);
}

void ScheduleBuilder::emitCalls() {
  MapVector<StringRef, unsigned> lines;
  for (StringRef layer : layersOf(model)) {
    lines.insert({layer, firstLayerLine + lines.size()});
  }
  status = builder.getInt32(0);
  for (const ScheduleCall &call : model.calls) {
    const CompiledKernel &kernel = model.kernels[call.kernel];
    if (call.commits && !commit) {
      // Nothing behind this point can fail: the commits are the last calls.
      beginCommit();
    }
    setLine(lines.lookup(call.layer));
    SmallVector<Value *, 8> arguments;
    for (const Place &place : call.operands) {
      arguments.push_back(address(place));
    }
    if (call.hasScratch) {
      arguments.push_back(address({Space::Scratch, 0, call.scratchOffset}));
    }
    CallInst *result = builder.CreateCall(declareKernel(kernel, arguments.size()), arguments);
    result->setDoesNotThrow();
    if (kernel.returnsStatus) {
      // The first failure is reported; the calls behind it still run, so that
      // the outputs are always written.
      Value *fine = builder.CreateICmpEQ(status, builder.getInt32(0));
      status = builder.CreateSelect(fine, result, status);
    }
  }
}

/// A failed run leaves the states as they were.
void ScheduleBuilder::beginCommit() {
  Function *run = builder.GetInsertBlock()->getParent();
  commit = BasicBlock::Create(module.getContext(), "commit", run);
  end = BasicBlock::Create(module.getContext(), "end", run);
  builder.CreateCondBr(builder.CreateICmpEQ(status, builder.getInt32(0)), commit, end);
  builder.SetInsertPoint(commit);
}

void ScheduleBuilder::endCommit() {
  if (commit) {
    builder.CreateBr(end);
    builder.SetInsertPoint(end);
  }
}

void ScheduleBuilder::build(bool debugInfo) {
  Type *pointer = builder.getPtrTy();
  bool canFlush = model.stream && model.stream->hasFlush();
  SmallVector<Type *> arguments(canFlush ? 4 : 3, pointer);
  Function *run = addFunction(canFlush ? "__step" : "_run", arguments, !canFlush);
  if (canFlush) {
    flush = run->getArg(3);
  }
  if (debugInfo) {
    beginDebugInfo(run);
  }
  Value *self = run->getArg(0), *in = run->getArg(1), *out = run->getArg(2);
  BasicBlock *entry = BasicBlock::Create(module.getContext(), "entry", run);
  BasicBlock *refuse = BasicBlock::Create(module.getContext(), "refuse", run);
  BasicBlock *work = BasicBlock::Create(module.getContext(), "work", run);

  builder.SetInsertPoint(entry);
  setLine(1);
  Value *entered = builder.CreateCall(runtime("enter"), {self, in, out});
  builder.CreateCondBr(builder.CreateICmpEQ(entered, builder.getInt32(0)), work, refuse);
  builder.SetInsertPoint(refuse);
  builder.CreateRet(entered);

  builder.SetInsertPoint(work);
  loadTensors(in, Space::Input, model.inputs.size());
  loadTensors(out, Space::Output, model.outputs.size());
  scratch = builder.CreateCall(runtime("scratch"), {self});
  weights = builder.CreateCall(runtime("weights_of"), {self});
  states = builder.CreateCall(runtime("states"), {self});
  Value *mode = nullptr;
  if (target.hasFpu) {
    mode = builder.CreateCall(runtime("float_begin"), {builder.getInt32(model.keepDenormals)});
  }
  emitCalls();
  setLine(1);
  endCommit();
  if (mode) {
    builder.CreateCall(runtime("float_end"), {mode});
  }
  builder.CreateRet(status);
  if (canFlush) {
    // Only the schedule itself has lines.
    builder.SetCurrentDebugLocation(DebugLoc());
    buildEntry(run, "_run", 0);
    buildEntry(run, "_flush", 1);
  }
}

Function *ScheduleBuilder::addFunction(StringRef suffix, ArrayRef<Type *> arguments,
                                       bool isExported) {
  std::string name = model.name + suffix.str();
  // The runtime's host adapter declares NAME_run.
  Function *function = module.getFunction(name);
  if (!function) {
    function = Function::Create(
        FunctionType::get(builder.getInt32Ty(), arguments, false),
        isExported ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage, name, module);
  }
  function->setDSOLocal(true);
  return function;
}

/// NAME_run and NAME_flush differ in what the step's Space::Flush holds.
void ScheduleBuilder::buildEntry(Function *step, StringRef suffix, int32_t flushing) {
  Type *pointer = builder.getPtrTy();
  Function *function = addFunction(suffix, {pointer, pointer, pointer}, /*isExported=*/true);
  auto *flag = new GlobalVariable(module, builder.getInt32Ty(), /*isConstant=*/true,
                                  GlobalValue::InternalLinkage, builder.getInt32(flushing),
                                  model.name + "__flushing");
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", function));
  builder.CreateRet(builder.CreateCall(
      step, {function->getArg(0), function->getArg(1), function->getArg(2), flag}));
}

void modelc::addSchedule(Module &module, const CompiledModel &model, const modelc::Target &target,
                         bool debugInfo) {
  ScheduleBuilder(module, model, target).build(debugInfo);
}
