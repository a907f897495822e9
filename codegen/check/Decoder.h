//===- Decoder.h - What one machine instruction does to the flow ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_CHECK_DECODER_H
#define MODELC_CODEGEN_CHECK_DECODER_H

#include "codegen/check/ObjectCode.h"
#include <memory>

namespace modelc {

enum class Flow : uint8_t {
  Next,
  Jump, // to a known place; conditional ones go on as well
  Call, // of a known place
  Return,
  IndirectJump, // to a place that a register or memory says
  IndirectCall,
  Stop,   // traps
  Invalid // no instruction, or one of a processor that is not known here
};

/// What a library with a real-time contract must not do.
enum class Forbidden : uint8_t { Nothing, SystemCall, Atomic, Repeats, Privileged };

struct MachineStep {
  uint64_t offset = 0; // in the section
  uint8_t size = 0;
  Flow flow = Flow::Next;
  bool conditional = false;
  Forbidden forbidden = Forbidden::Nothing;
  /// Jumps and calls: the distance from the instruction to what its bytes say.
  int64_t distance = 0;
};

class Decoder {
public:
  static llvm::Expected<std::unique_ptr<Decoder>> create(Machine machine);
  virtual ~Decoder() = default;

  /// Decodes a section from its start to its end; data among the code are left out.
  virtual std::vector<MachineStep> decode(const ObjectSection &section) = 0;
  /// The text of an instruction.
  virtual std::string print(const ObjectSection &section, const MachineStep &instruction) = 0;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CHECK_DECODER_H
