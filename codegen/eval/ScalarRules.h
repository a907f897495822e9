// How each scalar operation becomes instructions: one table for arith and math.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_SCALARRULES_H
#define MODELC_CODEGEN_EVAL_SCALARRULES_H

#include "codegen/eval/Program.h"
#include "mlir/IR/Types.h"

namespace modelc::eval {

/// The scalar types that a register can hold.
struct ScalarType {
  enum Kind : uint8_t { None, Integer, F16, BF16, F32, F64 } kind = None;
  unsigned bits = 0; // index counts as 64

  bool isFloat() const { return kind >= F16; }
  bool isNarrow() const { return kind == F16 || kind == BF16; }
  uint8_t shift() const { return uint8_t(64 - bits); }
  uint64_t mask() const { return ~uint64_t(0) >> shift(); }
};
ScalarType scalarType(mlir::Type type);

enum class Form : uint8_t {
  Plain,       // operands in a, b, imm; the type of the first operand decides
  Rounded,     // the same, and a narrow result is rounded
  CompareInts, // the rest differ in operand order, immediates or types
  CompareFloats,
  Select,
  Extended, // two results
  Copy,     // bits stay as they are
  SignExtend,
  Truncate,
  IndexCast,
  IntToFloat,
  FloatToInt,
  Bitcast,
  ExtendFloat,
  TruncateFloat
};

struct ScalarRule {
  Form form;
  Opcode opcode;   // on integers, float, half, bfloat
  Opcode opcode64; // on doubles; the same for integers
};

/// The rule of an operation, or null. Thread-safe.
const ScalarRule *findScalarRule(mlir::OperationName name);

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_SCALARRULES_H
