//===- FlowGraph.cpp - The blocks of one function of machine code ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/check/FlowGraph.h"

using namespace llvm;
using namespace modelc;

/// What is known of one instruction that was reached.
namespace {
struct Step {
  SmallVector<unsigned, 2> next; // indices of instructions
  std::optional<CodePlace> call;
  bool returns = false; // also on a condition, or by the callee of a jump to another function
};
} // namespace

struct FlowGraphBuilder::Walk {
  CodePlace entry;
  Section &section;
  FlowGraph graph;
  std::map<unsigned, Step> steps; // by index of the instruction
  DenseSet<unsigned> leaders;
  std::vector<unsigned> open;
};

static StringRef describe(Forbidden forbidden) {
  switch (forbidden) {
  case Forbidden::Nothing:
    return "";
  case Forbidden::SystemCall:
    return "makes a system call";
  case Forbidden::Atomic:
    return "locks memory or orders it between processors";
  case Forbidden::Repeats:
    return "repeats itself an unknown number of times";
  case Forbidden::Privileged:
    return "is for operating systems only";
  }
  llvm_unreachable("all kinds are listed");
}

FlowGraphBuilder::Section &FlowGraphBuilder::sectionOf(unsigned number) {
  auto [found, isNew] = decoded.try_emplace(number);
  if (isNew) {
    found->second.instructions = decoder.decode(code.sections[number]);
    for (const auto &[i, instruction] : enumerate(found->second.instructions)) {
      found->second.at[instruction.offset] = i;
    }
  }
  return found->second;
}

void FlowGraphBuilder::fault(Walk &walk, const MachineStep &instruction, const Twine &what) {
  unsigned section = walk.entry.first;
  std::string text = decoder.print(code.sections[section], instruction);
  walk.graph.faults.push_back({{section, instruction.offset}, ("'" + text + "' " + what).str()});
}

/// Where a jump or call with a relocation goes: the bytes hold the distance as it would be if the
/// symbol were at address zero and the instruction too, or the relocation does. On x86 the field is
/// relative to the end of the instruction.
static int64_t relocatedDistance(const ObjectCode &code, const ObjectSection &section,
                                 const MachineStep &instruction,
                                 const ObjectRelocation &relocation) {
  if (section.hasImplicitAddends) {
    return instruction.distance;
  }
  int64_t afterField =
      code.machine == Machine::X86
          ? static_cast<int64_t>(instruction.offset + instruction.size - relocation.offset)
          : 0;
  return relocation.addend + afterField;
}

/// Reports a target that is not there; then the result is nothing.
std::optional<CodePlace> FlowGraphBuilder::targetOf(Walk &walk, const MachineStep &instruction) {
  const ObjectSection &section = code.sections[walk.entry.first];
  CodePlace place{walk.entry.first, instruction.offset};
  ArrayRef<ObjectRelocation> relocations = code.relocationsAt(place, instruction.size);
  if (relocations.empty()) {
    return CodePlace(walk.entry.first, instruction.offset + instruction.distance);
  }
  const ObjectRelocation &relocation = relocations.front();
  const ObjectSymbol &symbol = code.definition(code.symbols[relocation.symbol]);
  if (!symbol.section) {
    fault(walk, instruction, "goes to '" + symbol.name + "', which the library does not define");
    return std::nullopt;
  }
  return CodePlace(*symbol.section,
                   symbol.value + relocatedDistance(code, section, instruction, relocation));
}

/// References to memory: only to what the library defines, and nothing that it could write.
void FlowGraphBuilder::checkData(Walk &walk, const MachineStep &instruction) {
  CodePlace place{walk.entry.first, instruction.offset};
  for (const ObjectRelocation &relocation : code.relocationsAt(place, instruction.size)) {
    const ObjectSymbol &symbol = code.definition(code.symbols[relocation.symbol]);
    if (symbol.common || (symbol.section && code.sections[*symbol.section].writable)) {
      StringRef name =
          symbol.name.empty() && symbol.section ? code.sections[*symbol.section].name : symbol.name;
      fault(walk, instruction, "refers to the writable global '" + name + "'");
    } else if (symbol.undefined) {
      fault(walk, instruction,
            "refers to '" + symbol.name + "', which the library does not define");
    }
  }
}

/// Looks at one instruction; false if the walk does not go on to the next one.
bool FlowGraphBuilder::step(Walk &walk, unsigned index) {
  const MachineStep &instruction = walk.section.instructions[index];
  Step &result = walk.steps[index];
  if (instruction.forbidden != Forbidden::Nothing) {
    fault(walk, instruction, describe(instruction.forbidden));
  }
  bool goesOn = instruction.conditional;
  switch (instruction.flow) {
  case Flow::Next:
    checkData(walk, instruction);
    goesOn = true;
    break;
  case Flow::Call:
    result.call = targetOf(walk, instruction);
    goesOn = true;
    break;
  case Flow::Jump: {
    std::optional<CodePlace> target = targetOf(walk, instruction);
    if (!target) {
      break;
    }
    bool leaves = target->first != walk.entry.first ||
                  (*target != walk.entry && code.isFunctionStart(*target));
    if (leaves) {
      result.call = target;
      result.returns = true;
      break;
    }
    auto found = walk.section.at.find(target->second);
    if (found == walk.section.at.end()) {
      fault(walk, instruction, "jumps to where no instruction begins");
      break;
    }
    result.next.push_back(found->second);
    walk.leaders.insert(found->second);
    walk.open.push_back(found->second);
    break;
  }
  case Flow::Return:
    result.returns = true;
    break;
  case Flow::IndirectJump:
    fault(walk, instruction, "jumps through a pointer");
    break;
  case Flow::IndirectCall:
    fault(walk, instruction, "calls through a pointer");
    goesOn = true;
    break;
  case Flow::Stop:
    fault(walk, instruction, "stops the program");
    break;
  case Flow::Invalid:
    fault(walk, instruction, "is no instruction that is known");
    goesOn = false;
    break;
  }
  bool splits = instruction.flow != Flow::Next && instruction.flow != Flow::Call &&
                instruction.flow != Flow::IndirectCall;
  if (!goesOn) {
    return false;
  }
  const auto &all = walk.section.instructions;
  bool contiguous =
      index + 1 < all.size() && all[index + 1].offset == instruction.offset + instruction.size;
  if (!contiguous) {
    fault(walk, instruction, "is followed by no instruction");
    return false;
  }
  result.next.push_back(index + 1);
  if (splits) {
    walk.leaders.insert(index + 1);
  }
  return true;
}

void FlowGraphBuilder::follow(Walk &walk, unsigned index) {
  while (!walk.steps.count(index)) {
    if (!step(walk, index)) {
      return;
    }
    ++index;
  }
}

/// Every leader begins a block, which ends in front of the next leader or where the flow splits.
void FlowGraphBuilder::makeBlocks(Walk &walk) {
  DenseMap<unsigned, unsigned> blockOf;
  unsigned first = walk.section.at.lookup(walk.entry.second);
  std::vector<unsigned> order = {first};
  for (const auto &[index, reached] : walk.steps) {
    if (index != first && walk.leaders.contains(index)) {
      order.push_back(index);
    }
  }
  for (const auto &[number, index] : enumerate(order)) {
    blockOf[index] = number;
  }
  for (unsigned index : order) {
    CodeBlock block;
    block.offset = walk.section.instructions[index].offset;
    for (auto at = walk.steps.find(index);; ++at) {
      ++block.instructions;
      block.returns |= at->second.returns;
      if (at->second.call) {
        block.calls.push_back(*at->second.call);
      }
      ArrayRef<unsigned> next = at->second.next;
      bool inside = next.size() == 1 && next[0] == at->first + 1 && !blockOf.count(next[0]);
      if (!inside) {
        for (unsigned successor : next) {
          block.successors.push_back(blockOf.lookup(successor));
        }
        break;
      }
    }
    walk.graph.blocks.push_back(std::move(block));
  }
}

FlowGraph FlowGraphBuilder::build(CodePlace entry) {
  Walk walk{entry, sectionOf(entry.first), {}, {}, {}, {}};
  walk.graph.section = entry.first;
  auto found = walk.section.at.find(entry.second);
  if (found == walk.section.at.end()) {
    walk.graph.faults.push_back({entry, "no instruction begins where a function should"});
    return std::move(walk.graph);
  }
  walk.leaders.insert(found->second);
  walk.open.push_back(found->second);
  while (!walk.open.empty()) {
    unsigned index = walk.open.back();
    walk.open.pop_back();
    follow(walk, index);
  }
  makeBlocks(walk);
  return std::move(walk.graph);
}
