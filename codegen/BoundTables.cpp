// The two tables in an object that say what its machine code cannot: how often loops run, and how
// much stack functions need. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/BoundTables.h"
#include "codegen/TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace modelc {

/// The innermost loop of the IR that holds all blocks of `loop`, and the loops inside it around
/// the head of `loop`, innermost first; empty if there is no such loop.
static SmallVector<const Loop *, 4> originOf(const MachineLoop &loop, const LoopInfo &loops) {
  SmallVector<const Loop *, 4> path;
  const BasicBlock *head = loop.getHeader()->getBasicBlock();
  for (const Loop *around = head ? loops.getLoopFor(head) : nullptr; around;
       around = around->getParentLoop()) {
    path.push_back(around);
    // Blocks without one in the IR stand for an edge between two others.
    bool holds = all_of(loop.blocks(), [&](const MachineBasicBlock *block) {
      return !block->getBasicBlock() || around->contains(block->getBasicBlock());
    });
    if (holds) {
      return path;
    }
  }
  return {};
}

/// How often the head of `loop` runs at most each time the loop is entered.
static std::optional<uint64_t> headCount(const MachineLoop &loop, const LoopInfo &loops) {
  SmallVector<const Loop *, 4> path = originOf(loop, loops);
  if (path.empty()) {
    return std::nullopt;
  }
  if (const MachineLoop *outer = loop.getParentLoop()) {
    SmallVector<const Loop *, 4> outerPath = originOf(*outer, loops);
    if (!outerPath.empty() && outerPath.back() == path.back()) {
      return std::nullopt;
    }
  }
  uint64_t count = 1;
  const BasicBlock *head = loop.getHeader()->getBasicBlock();
  for (const Loop *around : path) {
    std::optional<uint64_t> factor = notedTripCount(*around);
    if (!factor) {
      return std::nullopt;
    }
    // What lies behind the only exit runs once less than the exit: such is the head of a machine
    // loop whose test was moved to its end.
    bool isBehindExit =
        around->getHeader() != head && around->getExitingBlock() == around->getHeader();
    count = SaturatingMultiply(count, std::max<uint64_t>(*factor - isBehindExit, 1));
  }
  return count;
}

/// Objects of the frame are placed relative to the stack pointer on entry. Their extent counts what
/// the frame's size leaves out: the return address where a call pushes it, and memory below the
/// stack pointer that leaf functions may use (the red zone).
static std::optional<uint64_t> stackBytes(const MachineFunction &function) {
  const MachineFrameInfo &frame = function.getFrameInfo();
  const TargetFrameLowering &lowering = *function.getSubtarget().getFrameLowering();
  if (frame.hasVarSizedObjects() || frame.hasOpaqueSPAdjustment()) {
    return std::nullopt;
  }
  int64_t returnAddress = -lowering.getOffsetOfLocalArea();
  int64_t extent = static_cast<int64_t>(frame.getStackSize()) + returnAddress;
  for (int i = frame.getObjectIndexBegin(); i < frame.getObjectIndexEnd(); ++i) {
    if (frame.isDeadObjectIndex(i)) {
      continue;
    }
    if (frame.getStackID(i) != TargetStackID::Default) {
      return std::nullopt; // of a size that only the processor knows
    }
    extent = std::max(extent, -frame.getObjectOffset(i));
  }
  uint64_t bytes = extent;
  if (!lowering.hasReservedCallFrame(function)) {
    bytes += frame.getMaxCallFrameSize();
  }
  if (function.getSubtarget().getRegisterInfo()->hasStackRealignment(function)) {
    bytes += frame.getMaxAlign().value();
  }
  return bytes;
}

namespace {

class BoundTablesPass : public MachineFunctionPass {
public:
  static char ID;

  explicit BoundTablesPass(MCStreamer &streamer) : MachineFunctionPass(ID), streamer(streamer) {}

  StringRef getPassName() const override { return "tables of loop bounds and stack sizes"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<LoopInfoWrapperPass>();
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    unsigned pointerBytes = function.getDataLayout().getPointerSize();
    streamer.pushSection();
    enterSection(kLoopSection);
    auto &machineLoops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    auto &loops = getAnalysis<LoopInfoWrapperPass>().getLoopInfo();
    for (const MachineLoop *loop : machineLoops.getLoopsInPreorder()) {
      std::optional<uint64_t> count = headCount(*loop, loops);
      const MCSymbol *head = loop->getHeader()->getSymbol();
      if (count && head->isDefined()) {
        emit(head, *count, pointerBytes);
      }
    }
    enterSection(kStackSection);
    if (std::optional<uint64_t> bytes = stackBytes(function)) {
      emit(function.getTarget().getSymbol(&function.getFunction()), *bytes, pointerBytes);
    }
    streamer.popSection();
    return false;
  }

private:
  void enterSection(StringRef name) {
    streamer.switchSection(
        streamer.getContext().getELFSection(name, ELF::SHT_PROGBITS, ELF::SHF_EXCLUDE));
  }

  void emit(const MCSymbol *address, uint64_t value, unsigned pointerBytes) {
    streamer.emitValue(MCSymbolRefExpr::create(address, streamer.getContext()), pointerBytes);
    streamer.emitIntValue(value, 8);
  }

  MCStreamer &streamer;
};

char BoundTablesPass::ID;

} // namespace

FunctionPass *createBoundTablesPass(MCStreamer &streamer) {
  return new BoundTablesPass(streamer);
}

} // namespace modelc
