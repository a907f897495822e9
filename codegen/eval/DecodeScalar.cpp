// Decoding of constants and of scalar arith and math operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/Decoder.h"
#include "codegen/eval/FloatOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace modelc::eval {

/// The register content of a float attribute.
static uint64_t floatRegister(const APFloat &value, ScalarType type) {
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  if (type.kind == ScalarType::F16) {
    return f16FromBits(uint32_t(bits));
  }
  return type.kind == ScalarType::BF16 ? bf16FromBits(uint32_t(bits)) : bits;
}

llvm::Error Decoder::decodeConstant(Operation *op) {
  Attribute attribute = cast<arith::ConstantOp>(op).getValue();
  Value result = op->getResult(0);
  ScalarType type = scalarType(result.getType());
  uint64_t bits = 0;
  if (type.kind == ScalarType::None) {
    return unsupported(op, "the value is no scalar that the evaluator knows");
  }
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    bits = integer.getValue().getZExtValue();
  } else {
    bits = floatRegister(cast<FloatAttr>(attribute).getValue(), type);
  }
  uint32_t constant = newSlot(bits);
  // A constant costs nothing at run time, unless it is what a loop or branch hands on.
  if (auto shared = slots.find(result); shared != slots.end()) {
    emit(op, {Opcode::Move, 0, shared->second, constant});
  } else {
    slots[result] = constant;
  }
  return llvm::Error::success();
}

llvm::Error Decoder::decodeScalar(Operation *op, const ScalarRule &rule) {
  for (Type type : op->getOperandTypes()) {
    if (scalarType(type).kind == ScalarType::None) {
      return unsupported(op, "an operand is no scalar that the evaluator knows");
    }
  }
  if (llvm::Error error = checkScalars(op->getResults(), op)) {
    return error;
  }
  ScalarType from = scalarType(op->getOperand(0).getType());
  ScalarType to = scalarType(op->getResult(0).getType());
  switch (rule.form) {
  case Form::CompareInts:
    decodeCompareInts(op, from);
    break;
  case Form::CompareFloats:
    decodeCompareFloats(op, rule, from);
    break;
  case Form::Copy:
  case Form::SignExtend:
  case Form::Truncate:
  case Form::IndexCast:
    decodeIntegerCast(op, rule, from, to);
    break;
  case Form::Bitcast:
    decodeBitcast(op, from, to);
    break;
  case Form::IntToFloat:
  case Form::FloatToInt:
  case Form::ExtendFloat:
  case Form::TruncateFloat:
    return decodeFloatCast(op, rule, from, to);
  case Form::Plain:
  case Form::Rounded:
  case Form::Select:
  case Form::Extended:
    decodeSimple(op, rule, from);
    break;
  }
  return llvm::Error::success();
}

/// Operations whose operands map to a, b and imm in order. All instructions of an operation read
/// the operands before the first one writes: the result may share a slot with an operand.
void Decoder::decodeSimple(Operation *op, const ScalarRule &rule, ScalarType type) {
  Instruction instruction = {type.kind == ScalarType::F64 ? rule.opcode64 : rule.opcode};
  instruction.a = slot(op->getOperand(0));
  instruction.b = op->getNumOperands() > 1 ? slot(op->getOperand(1)) : 0;
  if (op->getNumOperands() > 2) {
    instruction.imm = slot(op->getOperand(2));
  } else if (type.kind == ScalarType::Integer) {
    instruction.shift = type.shift();
    instruction.imm = type.mask();
  }
  instruction.dst = define(op->getResult(0));
  if (rule.form == Form::Extended) {
    instruction.imm = define(op->getResult(1));
  }
  emit(op, instruction);
  if (rule.form == Form::Rounded) {
    emitRounding(instruction.dst, type, op);
  }
}

void Decoder::emitRounding(uint32_t slot, ScalarType type, Operation *op) {
  if (type.isNarrow()) {
    Opcode round = type.kind == ScalarType::F16 ? Opcode::RoundToF16 : Opcode::RoundToBF16;
    emit(op, {round, 0, slot, slot});
  }
}

void Decoder::decodeCompareInts(Operation *op, ScalarType type) {
  auto [opcode, swapped] = [&]() -> std::pair<Opcode, bool> {
    using Predicate = arith::CmpIPredicate;
    switch (cast<arith::CmpIOp>(op).getPredicate()) {
    case Predicate::eq:
      return {Opcode::Equal, false};
    case Predicate::ne:
      return {Opcode::NotEqual, false};
    case Predicate::slt:
      return {Opcode::LessSigned, false};
    case Predicate::sle:
      return {Opcode::LessEqualSigned, false};
    case Predicate::sgt:
      return {Opcode::LessSigned, true};
    case Predicate::sge:
      return {Opcode::LessEqualSigned, true};
    case Predicate::ult:
      return {Opcode::LessUnsigned, false};
    case Predicate::ule:
      return {Opcode::LessEqualUnsigned, false};
    case Predicate::ugt:
      return {Opcode::LessUnsigned, true};
    case Predicate::uge:
      return {Opcode::LessEqualUnsigned, true};
    }
    llvm_unreachable("a predicate that the dialect does not have");
  }();
  uint32_t a = slot(op->getOperand(swapped)), b = slot(op->getOperand(!swapped));
  emit(op, {opcode, type.shift(), define(op->getResult(0)), a, b});
}

void Decoder::decodeCompareFloats(Operation *op, const ScalarRule &rule, ScalarType type) {
  unsigned accepted = [&]() -> unsigned {
    using Predicate = arith::CmpFPredicate;
    switch (cast<arith::CmpFOp>(op).getPredicate()) {
    case Predicate::AlwaysFalse:
      return 0;
    case Predicate::OEQ:
      return OrderEqual;
    case Predicate::OGT:
      return OrderGreater;
    case Predicate::OGE:
      return OrderGreater | OrderEqual;
    case Predicate::OLT:
      return OrderLess;
    case Predicate::OLE:
      return OrderLess | OrderEqual;
    case Predicate::ONE:
      return OrderLess | OrderGreater;
    case Predicate::ORD:
      return OrderLess | OrderGreater | OrderEqual;
    case Predicate::UEQ:
      return OrderNone | OrderEqual;
    case Predicate::UGT:
      return OrderNone | OrderGreater;
    case Predicate::UGE:
      return OrderNone | OrderGreater | OrderEqual;
    case Predicate::ULT:
      return OrderNone | OrderLess;
    case Predicate::ULE:
      return OrderNone | OrderLess | OrderEqual;
    case Predicate::UNE:
      return OrderNone | OrderLess | OrderGreater;
    case Predicate::UNO:
      return OrderNone;
    case Predicate::AlwaysTrue:
      return OrderNone | OrderLess | OrderGreater | OrderEqual;
    }
    llvm_unreachable("a predicate that the dialect does not have");
  }();
  uint32_t a = slot(op->getOperand(0)), b = slot(op->getOperand(1));
  Opcode opcode = type.kind == ScalarType::F64 ? rule.opcode64 : rule.opcode;
  emit(op, {opcode, 0, define(op->getResult(0)), a, b, accepted});
}

/// The result has the bits of the operand. It shares the operand's slot unless that slot changes
/// its content: those of block arguments and loop results do.
void Decoder::copyValue(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Operation *producer = from.getDefiningOp();
  if (producer && producer->getNumRegions() == 0 && !slots.contains(to)) {
    slots[to] = slot(from);
  } else {
    emit(op, {Opcode::Move, 0, define(to), slot(from)});
  }
}

void Decoder::decodeIntegerCast(Operation *op, const ScalarRule &rule, ScalarType from,
                                ScalarType to) {
  uint32_t a = slot(op->getOperand(0));
  if (to.bits < from.bits) {
    emit(op, {Opcode::Truncate, 0, define(op->getResult(0)), a, 0, to.mask()});
  } else if (to.bits > from.bits && rule.opcode == Opcode::SignExtend) {
    emit(op, {Opcode::SignExtend, from.shift(), define(op->getResult(0)), a, 0, to.mask()});
  } else {
    copyValue(op);
  }
}

llvm::Error Decoder::decodeFloatCast(Operation *op, const ScalarRule &rule, ScalarType from,
                                     ScalarType to) {
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = truncate.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even) {
      return unsupported(op, "rounding other than to nearest even");
    }
  }
  uint32_t a = slot(op->getOperand(0));
  if (rule.form == Form::ExtendFloat && to.kind != ScalarType::F64) {
    copyValue(op); // a narrow value is already kept as a float
    return llvm::Error::success();
  }
  uint32_t dst = define(op->getResult(0));
  if (rule.form == Form::IntToFloat || rule.form == Form::FloatToInt) {
    bool isDouble = (rule.form == Form::IntToFloat ? to : from).kind == ScalarType::F64;
    uint8_t shift = (rule.form == Form::IntToFloat ? from : to).shift();
    emit(op, {isDouble ? rule.opcode64 : rule.opcode, shift, dst, a});
  } else if (rule.form == Form::ExtendFloat) {
    emit(op, {Opcode::Widen, 0, dst, a});
  } else if (from.kind == ScalarType::F64) {
    emit(op, {to.isNarrow() ? Opcode::NarrowToOdd : Opcode::Narrow, 0, dst, a});
  } else { // float to narrow: one rounding, which moves the value too
    emit(op, {to.kind == ScalarType::F16 ? Opcode::RoundToF16 : Opcode::RoundToBF16, 0, dst, a});
    return llvm::Error::success();
  }
  emitRounding(dst, to, op);
  return llvm::Error::success();
}

void Decoder::decodeBitcast(Operation *op, ScalarType from, ScalarType to) {
  if (from.kind == to.kind || (!from.isNarrow() && !to.isNarrow())) {
    copyValue(op);
    return;
  }
  uint32_t a = slot(op->getOperand(0)), dst = define(op->getResult(0));
  if (from.isNarrow()) {
    Opcode opcode = from.kind == ScalarType::F16 ? Opcode::F16ToBits : Opcode::BF16ToBits;
    emit(op, {opcode, 0, dst, a});
    a = dst;
  }
  if (to.isNarrow()) {
    Opcode opcode = to.kind == ScalarType::F16 ? Opcode::F16FromBits : Opcode::BF16FromBits;
    emit(op, {opcode, 0, dst, a});
  }
}

} // namespace modelc::eval
