// From LLVM IR to assembly text or an object that carries the bound tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/EmitCode.h"
#include "codegen/BoundTables.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace modelc {

static Error cannotEmit(const Module &module) {
  return createStringError(inconvertibleErrorCode(), "LLVM cannot emit code for '%s'",
                           module.getTargetTriple().c_str());
}

/// What LLVMTargetMachine::addPassesToEmitFile does, and one pass behind the printer, which that
/// function has no place for. False if the target does not support it.
static bool addPasses(legacy::PassManager &passes, LLVMTargetMachine &machine,
                      raw_pwrite_stream &stream) {
  auto *moduleInfo = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig *config = machine.createPassConfig(passes);
  passes.add(config);
  passes.add(moduleInfo);
  if (config->addISelPasses()) {
    return false;
  }
  config->addMachinePasses();
  config->setInitialized();
  Expected<std::unique_ptr<MCStreamer>> created = machine.createMCStreamer(
      stream, nullptr, CodeGenFileType::ObjectFile, moduleInfo->getMMI().getContext());
  if (!created) {
    consumeError(created.takeError());
    return false;
  }
  MCStreamer &streamer = **created;
  AsmPrinter *printer = machine.getTarget().createAsmPrinter(machine, std::move(*created));
  if (!printer) {
    return false;
  }
  passes.add(printer);
  passes.add(createBoundTablesPass(streamer));
  passes.add(createFreeMachineFunctionPass());
  return true;
}

Expected<SmallVector<char, 0>> emitObject(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  // Every back end of the table's families generates code the usual way.
  if (!addPasses(passes, static_cast<LLVMTargetMachine &>(machine), stream)) {
    return cannotEmit(module);
  }
  passes.run(module);
  return bytes;
}

Expected<SmallVector<char, 0>> emitAssembly(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile)) {
    return cannotEmit(module);
  }
  passes.run(module);
  return bytes;
}

} // namespace modelc
