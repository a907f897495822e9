// How each scalar operation becomes instructions: one table for arith and math.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/ScalarRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace modelc::eval {

ScalarType scalarType(Type type) {
  if (type.isIndex()) {
    return {ScalarType::Integer, 64};
  }
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.isSignless() && integer.getWidth() >= 1 && integer.getWidth() <= 64) {
      return {ScalarType::Integer, integer.getWidth()};
    }
    return {};
  }
  if (type.isF16()) {
    return {ScalarType::F16, 16};
  }
  if (type.isBF16()) {
    return {ScalarType::BF16, 16};
  }
  if (type.isF32()) {
    return {ScalarType::F32, 32};
  }
  if (type.isF64()) {
    return {ScalarType::F64, 64};
  }
  return {};
}

namespace {

struct RuleTable {
  llvm::StringMap<ScalarRule> rules;

  template <typename Op> void add(Form form, Opcode opcode, Opcode opcode64) {
    rules[Op::getOperationName()] = {form, opcode, opcode64};
  }
  template <typename Op> void add(Form form, Opcode opcode = Opcode::Move) {
    add<Op>(form, opcode, opcode);
  }

  RuleTable() {
    addIntegers();
    addFloats();
    addConversions();
  }
  void addIntegers();
  void addFloats();
  void addConversions();
};

void RuleTable::addIntegers() {
  add<arith::AddIOp>(Form::Plain, Opcode::Add);
  add<arith::SubIOp>(Form::Plain, Opcode::Sub);
  add<arith::MulIOp>(Form::Plain, Opcode::Mul);
  add<arith::AndIOp>(Form::Plain, Opcode::And);
  add<arith::OrIOp>(Form::Plain, Opcode::Or);
  add<arith::XOrIOp>(Form::Plain, Opcode::Xor);
  add<arith::ShLIOp>(Form::Plain, Opcode::ShiftLeft);
  add<arith::ShRSIOp>(Form::Plain, Opcode::ShiftRightSigned);
  add<arith::ShRUIOp>(Form::Plain, Opcode::ShiftRightUnsigned);
  add<arith::MinSIOp>(Form::Plain, Opcode::MinSigned);
  add<arith::MaxSIOp>(Form::Plain, Opcode::MaxSigned);
  add<arith::MinUIOp>(Form::Plain, Opcode::MinUnsigned);
  add<arith::MaxUIOp>(Form::Plain, Opcode::MaxUnsigned);
  add<arith::DivSIOp>(Form::Plain, Opcode::DivSigned);
  add<arith::DivUIOp>(Form::Plain, Opcode::DivUnsigned);
  add<arith::RemSIOp>(Form::Plain, Opcode::RemSigned);
  add<arith::RemUIOp>(Form::Plain, Opcode::RemUnsigned);
  add<arith::CeilDivSIOp>(Form::Plain, Opcode::CeilDivSigned);
  add<arith::CeilDivUIOp>(Form::Plain, Opcode::CeilDivUnsigned);
  add<arith::FloorDivSIOp>(Form::Plain, Opcode::FloorDivSigned);
  add<math::AbsIOp>(Form::Plain, Opcode::AbsInt);
  add<math::CountLeadingZerosOp>(Form::Plain, Opcode::CountLeadingZeros);
  add<math::CountTrailingZerosOp>(Form::Plain, Opcode::CountTrailingZeros);
  add<math::CtPopOp>(Form::Plain, Opcode::CountOnes);
  add<arith::CmpIOp>(Form::CompareInts);
  add<arith::SelectOp>(Form::Select, Opcode::Select);
  add<arith::AddUIExtendedOp>(Form::Extended, Opcode::AddExtended);
  add<arith::MulSIExtendedOp>(Form::Extended, Opcode::MulExtendedSigned);
  add<arith::MulUIExtendedOp>(Form::Extended, Opcode::MulExtendedUnsigned);
}

void RuleTable::addFloats() {
  add<arith::AddFOp>(Form::Rounded, Opcode::AddF32, Opcode::AddF64);
  add<arith::SubFOp>(Form::Rounded, Opcode::SubF32, Opcode::SubF64);
  add<arith::MulFOp>(Form::Rounded, Opcode::MulF32, Opcode::MulF64);
  add<arith::DivFOp>(Form::Rounded, Opcode::DivF32, Opcode::DivF64);
  add<arith::RemFOp>(Form::Rounded, Opcode::RemF32, Opcode::RemF64);
  add<math::FmaOp>(Form::Rounded, Opcode::FmaF32, Opcode::FmaF64);
  add<math::SqrtOp>(Form::Rounded, Opcode::SqrtF32, Opcode::SqrtF64);
  // The rest has results that every type holds exactly.
  add<arith::MaximumFOp>(Form::Plain, Opcode::MaximumF32, Opcode::MaximumF64);
  add<arith::MinimumFOp>(Form::Plain, Opcode::MinimumF32, Opcode::MinimumF64);
  add<arith::MaxNumFOp>(Form::Plain, Opcode::MaxNumF32, Opcode::MaxNumF64);
  add<arith::MinNumFOp>(Form::Plain, Opcode::MinNumF32, Opcode::MinNumF64);
  add<math::CopySignOp>(Form::Plain, Opcode::CopySignF32, Opcode::CopySignF64);
  add<arith::NegFOp>(Form::Plain, Opcode::NegF32, Opcode::NegF64);
  add<math::AbsFOp>(Form::Plain, Opcode::AbsF32, Opcode::AbsF64);
  add<math::FloorOp>(Form::Plain, Opcode::FloorF32, Opcode::FloorF64);
  add<math::CeilOp>(Form::Plain, Opcode::CeilF32, Opcode::CeilF64);
  add<math::TruncOp>(Form::Plain, Opcode::TruncF32, Opcode::TruncF64);
  add<math::RoundOp>(Form::Plain, Opcode::RoundF32, Opcode::RoundF64);
  add<math::RoundEvenOp>(Form::Plain, Opcode::RoundEvenF32, Opcode::RoundEvenF64);
  add<arith::CmpFOp>(Form::CompareFloats, Opcode::CompareF32, Opcode::CompareF64);
}

void RuleTable::addConversions() {
  add<arith::ExtUIOp>(Form::Copy);
  add<arith::ExtSIOp>(Form::SignExtend, Opcode::SignExtend);
  add<arith::TruncIOp>(Form::Truncate, Opcode::Truncate);
  add<arith::IndexCastOp>(Form::IndexCast, Opcode::SignExtend);
  add<arith::IndexCastUIOp>(Form::IndexCast, Opcode::Move);
  add<arith::SIToFPOp>(Form::IntToFloat, Opcode::FromSignedF32, Opcode::FromSignedF64);
  add<arith::UIToFPOp>(Form::IntToFloat, Opcode::FromUnsignedF32, Opcode::FromUnsignedF64);
  add<arith::FPToSIOp>(Form::FloatToInt, Opcode::ToSignedF32, Opcode::ToSignedF64);
  add<arith::FPToUIOp>(Form::FloatToInt, Opcode::ToUnsignedF32, Opcode::ToUnsignedF64);
  add<arith::BitcastOp>(Form::Bitcast);
  add<arith::ExtFOp>(Form::ExtendFloat, Opcode::Widen);
  add<arith::TruncFOp>(Form::TruncateFloat, Opcode::Narrow);
}

} // namespace

const ScalarRule *findScalarRule(OperationName name) {
  static const RuleTable table;
  auto it = table.rules.find(name.getStringRef());
  return it == table.rules.end() ? nullptr : &it->second;
}

} // namespace modelc::eval
