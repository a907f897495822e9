//===- Decoder.cpp - What one machine instruction does to the flow --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/check/Decoder.h"
#include "codegen/Target.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace modelc;

namespace {

/// The widest reading of each machine's code: what one processor of the family lacks is decoded
/// all the same.
struct MachineRow {
  StringRef triple, features;
  unsigned invalidBytes; // how far to go on behind what is no instruction
};

class McDecoder : public Decoder {
public:
  Error open(Machine which);
  std::vector<MachineStep> decode(const ObjectSection &section) override;
  std::string print(const ObjectSection &section, const MachineStep &instruction) override;

private:
  struct OpcodeFacts {
    bool known = false;
    Forbidden forbidden = Forbidden::Nothing;
  };

  Forbidden forbiddenBy(const MCInst &inst, ArrayRef<uint8_t> bytes);
  Forbidden forbiddenByName(StringRef name) const;
  void classify(const MCInst &inst, MachineStep &instruction) const;
  bool isRegister(const MCOperand &operand, StringRef name) const;
  bool writesProgramCounter(const MCInst &inst) const;
  bool isReturn(const MCInst &inst) const;
  bool isPredicated(const MCInst &inst) const;
  std::optional<int64_t> distanceOf(const MCInst &inst, unsigned size) const;

  Machine machine = Machine::X86;
  unsigned invalidBytes = 1;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembly;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  std::vector<OpcodeFacts> facts;
};

} // namespace

static MachineRow rowOf(Machine machine) {
  switch (machine) {
  case Machine::X86:
    return {"x86_64-unknown-linux-gnu", "", 1};
  case Machine::AArch64:
    return {"aarch64-unknown-linux-gnu", "+all", 4};
  case Machine::Thumb:
    return {"thumbv7em-none-unknown-eabihf", "+vfp4,+fp-armv8d16,+fp64,+dsp,+hwdiv", 2};
  }
  llvm_unreachable("all machines are listed");
}

Error McDecoder::open(Machine which) {
  initializeTargets();
  machine = which;
  MachineRow row = rowOf(machine);
  invalidBytes = row.invalidBytes;
  Triple triple(row.triple);
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(row.triple, message);
  if (!target) {
    return createStringError(inconvertibleErrorCode(), message);
  }
  registers.reset(target->createMCRegInfo(row.triple));
  assembly.reset(registers ? target->createMCAsmInfo(*registers, row.triple, options) : nullptr);
  subtarget.reset(target->createMCSubtargetInfo(row.triple, "", row.features));
  instructions.reset(target->createMCInstrInfo());
  if (assembly && subtarget) {
    context = std::make_unique<MCContext>(triple, assembly.get(), registers.get(), subtarget.get());
    disassembler.reset(target->createMCDisassembler(*subtarget, *context));
  }
  if (!disassembler || !instructions) {
    return createStringError(inconvertibleErrorCode(), "LLVM was built without a disassembler");
  }
  printer.reset(target->createMCInstPrinter(triple, assembly->getAssemblerDialect(), *assembly,
                                            *instructions, *registers));
  facts.resize(instructions->getNumOpcodes());
  return Error::success();
}

static bool beginsWithOneOf(StringRef name, ArrayRef<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// LLVM's names of opcodes, whose headers it does not install.
Forbidden McDecoder::forbiddenByName(StringRef name) const {
  switch (machine) {
  case Machine::X86:
    if (name == "SYSCALL" || name == "SYSENTER" || name == "INT" || name == "INT3" ||
        name == "INTO" || beginsWithOneOf(name, {"VMCALL", "VMMCALL"})) {
      return Forbidden::SystemCall;
    }
    // An exchange with memory locks the bus without being told to.
    if (name == "LOCK_PREFIX" || name == "MFENCE" ||
        (name.starts_with("XCHG") && name.ends_with("rm"))) {
      return Forbidden::Atomic;
    }
    if (beginsWithOneOf(name, {"REP_", "REPNE_"})) {
      return Forbidden::Repeats;
    }
    return name == "HLT" || name == "CLI" || name == "STI" ||
                   beginsWithOneOf(name, {"IN8", "IN16", "IN32", "OUT8", "OUT16", "OUT32", "IRET"})
               ? Forbidden::Privileged
               : Forbidden::Nothing;
  case Machine::AArch64:
    if (name == "SVC" || name == "HVC" || name == "SMC") {
      return Forbidden::SystemCall;
    }
    if (beginsWithOneOf(name, {"LDXR",   "LDXP",   "LDAXR", "LDAXP", "STXR",  "STXP",   "STLXR",
                               "STLXP",  "LDAR",   "LDAPR", "LDLAR", "STLR",  "STLLR",  "CAS",
                               "SWP",    "LDADD",  "LDCLR", "LDEOR", "LDSET", "LDSMAX", "LDSMIN",
                               "LDUMAX", "LDUMIN", "RCW",   "DMB",   "DSB",   "CLREX"})) {
      return Forbidden::Atomic;
    }
    // Copies and sets of memory by FEAT_MOPS.
    if (beginsWithOneOf(name, {"CPYF", "CPYM", "CPYE", "CPYP", "SETM", "SETE", "SETP", "SETG"})) {
      return Forbidden::Repeats;
    }
    return Forbidden::Nothing;
  case Machine::Thumb:
    if (name == "tSVC" || name == "t2SMC" || name == "t2HVC") {
      return Forbidden::SystemCall;
    }
    if (beginsWithOneOf(name,
                        {"t2LDREX", "t2STREX", "t2LDA", "t2STL", "t2DMB", "t2DSB", "t2CLREX"})) {
      return Forbidden::Atomic;
    }
    return name == "tCPS" || name.starts_with("t2CPS") || name.starts_with("t2MSR")
               ? Forbidden::Privileged
               : Forbidden::Nothing;
  }
  llvm_unreachable("all machines are listed");
}

Forbidden McDecoder::forbiddenBy(const MCInst &inst, ArrayRef<uint8_t> bytes) {
  if (machine == Machine::X86) {
    // The disassembler folds a lock prefix into the instruction.
    static constexpr uint8_t prefixes[] = {0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e,
                                           0x36, 0x3e, 0x26, 0x64, 0x65};
    for (uint8_t byte : bytes) {
      if (byte == 0xf0) {
        return Forbidden::Atomic;
      }
      if (!is_contained(prefixes, byte)) {
        break;
      }
    }
  }
  OpcodeFacts &known = facts[inst.getOpcode()];
  if (!known.known) {
    known = {true, forbiddenByName(instructions->getName(inst.getOpcode()))};
  }
  return known.forbidden;
}

bool McDecoder::isRegister(const MCOperand &operand, StringRef name) const {
  return operand.isReg() && operand.getReg() && name == registers->getName(operand.getReg());
}

bool McDecoder::isPredicated(const MCInst &inst) const {
  constexpr int64_t always = 14;
  int index = instructions->get(inst.getOpcode()).findFirstPredOperandIdx();
  return machine == Machine::Thumb && index >= 0 && unsigned(index) < inst.getNumOperands() &&
         inst.getOperand(index).isImm() && inst.getOperand(index).getImm() != always;
}

/// On Thumb any instruction with the program counter among its results jumps. Loads of several
/// registers list their results behind the address.
bool McDecoder::writesProgramCounter(const MCInst &inst) const {
  if (machine != Machine::Thumb) {
    return false;
  }
  const MCInstrDesc &description = instructions->get(inst.getOpcode());
  if (description.mayStore() && !description.mayLoad()) {
    return false;
  }
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    bool result = i < description.getNumDefs() || i >= description.getNumOperands() ||
                  (description.isVariadic() && i + 1 >= description.getNumOperands());
    if (result && isRegister(inst.getOperand(i), "PC")) {
      return true;
    }
  }
  return false;
}

/// Returns to the address that the caller left in the link register or on the stack.
bool McDecoder::isReturn(const MCInst &inst) const {
  StringRef name = instructions->getName(inst.getOpcode());
  switch (machine) {
  case Machine::X86:
    return name.starts_with("RET") || name.starts_with("LRET");
  case Machine::AArch64:
    return (name == "RET" && isRegister(inst.getOperand(0), "LR")) || name == "RETAA" ||
           name == "RETAB";
  case Machine::Thumb:
    if (name == "tBX") {
      return isRegister(inst.getOperand(0), "LR");
    }
    return writesProgramCounter(inst) &&
           (name == "tPOP" ||
            ((name == "t2LDMIA_UPD" || name == "t2LDR_POST") &&
             any_of(inst, [&](const MCOperand &operand) { return isRegister(operand, "SP"); })));
  }
  llvm_unreachable("all machines are listed");
}

std::optional<int64_t> McDecoder::distanceOf(const MCInst &inst, unsigned size) const {
  const MCInstrDesc &description = instructions->get(inst.getOpcode());
  for (auto [i, operand] : enumerate(inst)) {
    bool relative = i < description.getNumOperands() &&
                    description.operands()[i].OperandType == MCOI::OPERAND_PCREL;
    if (!relative || !operand.isImm()) {
      continue;
    }
    switch (machine) {
    case Machine::X86:
      return operand.getImm() + size;
    case Machine::AArch64:
      return operand.getImm() * 4;
    case Machine::Thumb:
      return operand.getImm() + 4; // the program counter is two instructions ahead
    }
  }
  return std::nullopt;
}

void McDecoder::classify(const MCInst &inst, MachineStep &instruction) const {
  const MCInstrDesc &description = instructions->get(inst.getOpcode());
  instruction.conditional = isPredicated(inst);
  if (isReturn(inst)) {
    instruction.flow = Flow::Return;
    return;
  }
  bool call = description.isCall();
  bool jump = description.isBranch() || description.isIndirectBranch() || description.isReturn() ||
              writesProgramCounter(inst);
  if (!call && !jump) {
    StringRef name = instructions->getName(inst.getOpcode());
    bool traps = description.isTrap() || name == "TRAP" || name.starts_with("UD1") ||
                 name == "BRK" || name == "HLT" || name == "UDF" || name == "tUDF" ||
                 name == "t2UDF" || name == "tBKPT";
    instruction.flow = traps ? Flow::Stop : Flow::Next;
    return;
  }
  std::optional<int64_t> distance = distanceOf(inst, instruction.size);
  if (!distance) {
    instruction.flow = call ? Flow::IndirectCall : Flow::IndirectJump;
    return;
  }
  instruction.distance = *distance;
  instruction.flow = call ? Flow::Call : Flow::Jump;
  instruction.conditional |= !call && !description.isBarrier();
}

std::vector<MachineStep> McDecoder::decode(const ObjectSection &section) {
  std::vector<MachineStep> list;
  auto mark = section.data.begin();
  bool isData = false;
  for (uint64_t offset = 0; offset < section.bytes.size();) {
    for (; mark != section.data.end() && mark->first <= offset; ++mark) {
      isData = mark->second;
    }
    uint64_t end = mark == section.data.end()
                       ? section.bytes.size()
                       : std::min<uint64_t>(mark->first, section.bytes.size());
    if (isData) {
      offset = end;
      continue;
    }
    MachineStep instruction;
    instruction.offset = offset;
    ArrayRef<uint8_t> bytes = section.bytes.slice(offset, end - offset);
    MCInst inst;
    uint64_t size = 0;
    auto status = disassembler->getInstruction(inst, size, bytes, offset, nulls());
    if (status == MCDisassembler::Success && size > 0 && size <= bytes.size()) {
      instruction.size = size;
      instruction.forbidden = forbiddenBy(inst, bytes.take_front(size));
      classify(inst, instruction);
    } else {
      instruction.size = std::min<uint64_t>(invalidBytes, bytes.size());
      instruction.flow = Flow::Invalid;
    }
    offset += instruction.size;
    list.push_back(instruction);
  }
  return list;
}

std::string McDecoder::print(const ObjectSection &section, const MachineStep &instruction) {
  ArrayRef<uint8_t> bytes = section.bytes.slice(instruction.offset, instruction.size);
  MCInst inst;
  uint64_t size = 0;
  std::string text;
  raw_string_ostream out(text);
  if (disassembler->getInstruction(inst, size, bytes, instruction.offset, nulls()) ==
      MCDisassembler::Success) {
    printer->printInst(&inst, instruction.offset, "", *subtarget, out);
  }
  std::replace(text.begin(), text.end(), '\t', ' ');
  return StringRef(text).trim().str();
}

Expected<std::unique_ptr<Decoder>> Decoder::create(Machine machine) {
  auto decoder = std::make_unique<McDecoder>();
  if (Error error = decoder->open(machine)) {
    return std::move(error);
  }
  return std::unique_ptr<Decoder>(std::move(decoder));
}
