// The decoded form of a kernel function: a flat register program that Execute.cpp runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_PROGRAM_H
#define MODELC_CODEGEN_EVAL_PROGRAM_H

#include "mlir/IR/OperationSupport.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace modelc::eval {

enum class Opcode : uint16_t {
#define MODELC_EVAL_OPCODE(NAME) NAME,
#include "codegen/eval/Opcodes.def"
};

/// How two floats compare; a set of these is the immediate of a float comparison.
enum FloatOrder : unsigned { OrderEqual = 1, OrderGreater = 2, OrderLess = 4, OrderNone = 8 };

/// One instruction. dst, a and b are registers unless Opcodes.def says otherwise.
struct Instruction {
  Opcode opcode;
  uint8_t shift = 0; // 64 minus the width of the integers it works on
  uint32_t dst = 0, a = 0, b = 0;
  uint64_t imm = 0;
};

/// One index of an access to a memref of rank 0 or above 1.
struct IndexTerm {
  uint32_t slot;
  uint64_t extent;
};

/// Where a memref lives. `offset` counts from the start of the argument or of the local block.
struct Region {
  enum Kind : uint8_t { Argument, Local, Constant } kind;
  uint32_t argument = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  const char *data = nullptr; // Constant: lives in the MLIR context or in Program::constants
};

struct Program {
  std::vector<Instruction> code;
  std::vector<mlir::OperationName> origins; // parallel to code, for messages
  std::vector<uint64_t> registers;          // first values: constants, else 0
  std::vector<IndexTerm> indexTerms;
  std::vector<Region> regions;
  std::vector<std::unique_ptr<char[]>> constants; // expanded splats and booleans
  uint64_t localBytes = 0;                        // allocas together
  uint32_t arguments = 0;
};

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_PROGRAM_H
