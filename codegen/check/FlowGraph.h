//===- FlowGraph.h - The blocks of one function of machine code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code is followed from a function's first instruction along jumps, so that
// only what can run is looked at, and symbols are not needed.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_CHECK_FLOWGRAPH_H
#define MODELC_CODEGEN_CHECK_FLOWGRAPH_H

#include "codegen/check/Decoder.h"
#include <map>

namespace modelc {

/// What breaks the contract, and where.
struct RealTimeFault {
  CodePlace place;
  std::string what;
};

struct CodeBlock {
  uint64_t offset = 0; // of its first instruction
  uint64_t instructions = 0;
  llvm::SmallVector<unsigned, 2> successors;
  llvm::SmallVector<CodePlace, 1> calls; // also jumps to other functions
  bool returns = false;                  // the function may end behind it
};

/// Block 0 is the entry.
struct FlowGraph {
  unsigned section = 0;
  std::vector<CodeBlock> blocks;
  std::vector<RealTimeFault> faults;
};

class FlowGraphBuilder {
public:
  FlowGraphBuilder(const ObjectCode &code, Decoder &decoder) : code(code), decoder(decoder) {}

  FlowGraph build(CodePlace entry);

private:
  struct Section {
    std::vector<MachineStep> instructions;
    llvm::DenseMap<uint64_t, unsigned> at; // offset to index
  };
  struct Walk; // the state of one function

  Section &sectionOf(unsigned number);
  std::optional<CodePlace> targetOf(Walk &walk, const MachineStep &instruction);
  void follow(Walk &walk, unsigned index);
  bool step(Walk &walk, unsigned index);
  void checkData(Walk &walk, const MachineStep &instruction);
  void fault(Walk &walk, const MachineStep &instruction, const llvm::Twine &what);
  void makeBlocks(Walk &walk);

  const ObjectCode &code;
  Decoder &decoder;
  std::map<unsigned, Section> decoded;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CHECK_FLOWGRAPH_H
