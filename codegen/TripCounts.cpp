// How often a loop's head can run: what is known of the IR, noted so that it outlives the IR
// passes of code generation. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace modelc {

static constexpr StringLiteral kTripCountName = "modelc.trip_count";
static constexpr StringLiteral kNoRuntimeUnrollName = "llvm.loop.unroll.runtime.disable";

static std::optional<uint64_t> constantTripCount(const Loop &loop, ScalarEvolution &evolution) {
  auto *count = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(&loop));
  // A count that large comes from the width of the induction variable, not from the program.
  if (!count || count->getAPInt().getActiveBits() > 48) {
    return std::nullopt;
  }
  return count->getAPInt().getZExtValue() + 1;
}

/// Appends to what the loop's metadata already says. The first operand of such a node is the node
/// itself, which makes it distinct.
static void note(Loop &loop, uint64_t count, bool isExact) {
  LLVMContext &context = loop.getHeader()->getContext();
  Type *type = Type::getInt64Ty(context);
  Metadata *entry = MDNode::get(context, {MDString::get(context, kTripCountName),
                                          ConstantAsMetadata::get(ConstantInt::get(type, count))});
  SmallVector<Metadata *, 4> operands = {nullptr};
  MDNode *before = findOptionMDForLoop(&loop, kTripCountName);
  if (MDNode *old = loop.getLoopID()) {
    copy_if(drop_begin(old->operands()), std::back_inserter(operands),
            [&](const MDOperand &operand) { return operand.get() != before; });
  }
  operands.push_back(entry);
  // Where the count differs from time to time, unrolling makes two loops whose shares of it scalar
  // evolution does not find.
  if (!isExact && !findOptionMDForLoop(&loop, kNoRuntimeUnrollName)) {
    operands.push_back(MDNode::get(context, MDString::get(context, kNoRuntimeUnrollName)));
  }
  MDNode *node = MDNode::getDistinct(context, operands);
  node->replaceOperandWith(0, node);
  loop.setLoopID(node);
}

void noteTripCounts(Module &module, FunctionAnalysisManager &functions) {
  for (Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    auto &evolution = functions.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : functions.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      std::optional<uint64_t> count = constantTripCount(*loop, evolution);
      if (count && *count < notedTripCount(*loop).value_or(UINT64_MAX)) {
        note(*loop, *count, isa<SCEVConstant>(evolution.getBackedgeTakenCount(loop)));
      }
    }
  }
}

std::optional<uint64_t> notedTripCount(const Loop &loop) {
  MDNode *entry = findOptionMDForLoop(&loop, kTripCountName);
  auto *count = entry && entry->getNumOperands() == 2
                    ? mdconst::dyn_extract<ConstantInt>(entry->getOperand(1))
                    : nullptr;
  return count ? std::optional<uint64_t>(count->getZExtValue()) : std::nullopt;
}

} // namespace modelc
