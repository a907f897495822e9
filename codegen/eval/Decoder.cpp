// Decoding of structure: arguments, blocks, loops and branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/Decoder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace modelc::eval {

llvm::Error evaluationError(EvaluationError::Reason reason, OperationName name,
                            const llvm::Twine &text) {
  return llvm::make_error<EvaluationError>(reason, (name.getStringRef() + ": " + text).str());
}

llvm::Error Decoder::decode() {
  if (!fn.getBody().hasOneBlock()) {
    return unsupported(fn, "the function must have one block");
  }
  if (llvm::Error error = decodeArguments()) {
    return error;
  }
  Block &block = fn.getBody().front();
  if (llvm::Error error = decodeBody(block)) {
    return error;
  }
  return decodeReturn(block.getTerminator());
}

llvm::Error Decoder::decodeArguments() {
  for (BlockArgument argument : fn.getArguments()) {
    auto bytes = memoryBytes(argument, fn);
    if (!bytes) {
      return bytes.takeError();
    }
    defineRegion(argument, {Region::Argument, argument.getArgNumber(), 0, *bytes});
  }
  program.arguments = fn.getNumArguments();
  return llvm::Error::success();
}

llvm::Error Decoder::decodeReturn(Operation *op) {
  if (!isa<func::ReturnOp>(op) || op->getNumOperands() > 1) {
    return unsupported(op, "the function must return nothing or one i32");
  }
  if (op->getNumOperands() == 0) {
    emit(op, {Opcode::Return});
    return llvm::Error::success();
  }
  if (!op->getOperand(0).getType().isSignlessInteger(32)) {
    return unsupported(op, "the function must return nothing or one i32");
  }
  emit(op, {Opcode::ReturnValue, 0, 0, slot(op->getOperand(0))});
  return llvm::Error::success();
}

llvm::Error Decoder::decodeBody(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (llvm::Error error = decodeOperation(&op)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Decoder::decodeOperation(Operation *op) {
  if (const ScalarRule *rule = findScalarRule(op->getName())) {
    return decodeScalar(op, *rule);
  }
  if (isa<arith::ConstantOp>(op)) {
    return decodeConstant(op);
  }
  if (isMemoryOperation(op)) {
    return decodeMemory(op);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    return decodeFor(loop);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    return decodeIf(branch);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    return decodeWhile(loop);
  }
  return unsupported(op, "the evaluator does not know this operation");
}

/// Gives the values that a block yields the slots they would be moved to, where nothing reads
/// the old content of the slot in between. `results` is parallel to the terminator's operands.
void Decoder::shareResultSlots(Block &block, ValueRange results) {
  for (auto [yielded, result] : llvm::zip_equal(block.getTerminator()->getOperands(), results)) {
    Operation *producer = yielded.getDefiningOp();
    if (producer && producer->getBlock() == &block && producer->getNumRegions() == 0 &&
        yielded.hasOneUse() && !slots.contains(yielded)) {
      slots[yielded] = slot(result);
    }
  }
}

/// The same for what a loop carries around: the new value may overwrite the old one when every
/// reader of the old one comes first.
void Decoder::shareCarriedSlots(scf::ForOp op) {
  Block *body = op.getBody();
  for (auto [yielded, carried] : llvm::zip_equal(op.getYieldedValues(), op.getRegionIterArgs())) {
    Operation *producer = yielded.getDefiningOp();
    if (!producer || producer->getBlock() != body || producer->getNumRegions() != 0 ||
        !yielded.hasOneUse()) {
      continue;
    }
    bool lastReader = llvm::all_of(carried.getUsers(), [&](Operation *user) {
      Operation *ancestor = body->findAncestorOpInBlock(*user);
      return ancestor == producer || ancestor->isBeforeInBlock(producer);
    });
    if (lastReader) {
      slots[yielded] = slot(carried);
    }
  }
}

llvm::Error Decoder::decodeFor(scf::ForOp op) {
  if (llvm::Error error = checkScalars(op.getInitArgs(), op)) {
    return error;
  }
  ScalarType type = scalarType(op.getInductionVar().getType());
  if (type.kind != ScalarType::Integer) {
    return unsupported(op, "the induction variable must be an index or an integer");
  }
  uint32_t upper = slot(op.getUpperBound()), step = slot(op.getStep());
  emit(op, {Opcode::CheckStep, type.shift(), 0, step});
  uint32_t induction = define(op.getInductionVar());
  llvm::SmallVector<uint32_t> carried = defineAll(op.getRegionIterArgs());
  emit(op, {Opcode::Move, 0, induction, slot(op.getLowerBound())});
  emitMoves(carried, slotsOf(op.getInitArgs()), op);
  size_t skip = emit(op, {Opcode::JumpUnlessLess, type.shift(), 0, induction, upper});

  uint64_t top = program.code.size();
  shareCarriedSlots(op);
  if (llvm::Error error = decodeBody(*op.getBody())) {
    return error;
  }
  emitMoves(carried, slotsOf(op.getYieldedValues()), op.getBody()->getTerminator());
  emit(op, {Opcode::LoopNext, type.shift(), induction, step, upper, top});
  patch(skip);
  // Nothing writes these slots between the end of the loop and its next start.
  for (auto [result, from] : llvm::zip_equal(op.getResults(), carried)) {
    slots[result] = from;
  }
  return llvm::Error::success();
}

llvm::Error Decoder::decodeIf(scf::IfOp op) {
  if (llvm::Error error = checkScalars(op.getResults(), op)) {
    return error;
  }
  llvm::SmallVector<uint32_t> results = defineAll(op.getResults());
  size_t otherwise = emit(op, {Opcode::JumpUnless, 0, 0, slot(op.getCondition())});
  auto branch = [&](Block &block) -> llvm::Error {
    shareResultSlots(block, op.getResults());
    if (llvm::Error error = decodeBody(block)) {
      return error;
    }
    emitMoves(results, slotsOf(block.getTerminator()->getOperands()), block.getTerminator());
    return llvm::Error::success();
  };
  if (llvm::Error error = branch(*op.thenBlock())) {
    return error;
  }
  if (!op.elseBlock()) {
    patch(otherwise);
    return llvm::Error::success();
  }
  size_t end = emit(op, {Opcode::Jump});
  patch(otherwise);
  if (llvm::Error error = branch(*op.elseBlock())) {
    return error;
  }
  patch(end);
  return llvm::Error::success();
}

llvm::Error Decoder::decodeWhile(scf::WhileOp op) {
  if (llvm::Error error = checkScalars(op.getInits(), op)) {
    return error;
  }
  if (llvm::Error error = checkScalars(op.getResults(), op)) {
    return error;
  }
  llvm::SmallVector<uint32_t> results = defineAll(op.getResults());
  llvm::SmallVector<uint32_t> before = defineAll(op.getBeforeArguments());
  llvm::SmallVector<uint32_t> after = defineAll(op.getAfterArguments());
  emitMoves(before, slotsOf(op.getInits()), op);

  uint64_t top = program.code.size();
  if (llvm::Error error = decodeBody(*op.getBeforeBody())) {
    return error;
  }
  scf::ConditionOp condition = op.getConditionOp();
  llvm::SmallVector<uint32_t> passed = slotsOf(condition.getArgs());
  size_t exit = emit(condition, {Opcode::JumpUnless, 0, 0, slot(condition.getCondition())});
  emitMoves(after, passed, condition);
  if (llvm::Error error = decodeBody(*op.getAfterBody())) {
    return error;
  }
  emitMoves(before, slotsOf(op.getYieldOp().getOperands()), op.getYieldOp());
  emit(op, {Opcode::Jump, 0, 0, 0, 0, top});
  patch(exit);
  emitMoves(results, passed, condition);
  return llvm::Error::success();
}

llvm::Error Decoder::checkScalars(ValueRange values, Operation *op) const {
  for (Value value : values) {
    if (scalarType(value.getType()).kind == ScalarType::None) {
      return unsupported(op, "carries or yields a value that is no scalar");
    }
  }
  return llvm::Error::success();
}

uint32_t Decoder::newSlot(uint64_t first) {
  program.registers.push_back(first);
  return uint32_t(program.registers.size() - 1);
}

uint32_t Decoder::define(Value value) {
  auto [it, isNew] = slots.try_emplace(value, 0);
  if (isNew) {
    it->second = newSlot();
  }
  return it->second;
}

llvm::SmallVector<uint32_t> Decoder::defineAll(ValueRange values) {
  llvm::SmallVector<uint32_t> all;
  for (Value value : values) {
    all.push_back(define(value));
  }
  return all;
}

llvm::SmallVector<uint32_t> Decoder::slotsOf(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value value) { return slot(value); });
}

size_t Decoder::emit(Operation *origin, Instruction instruction) {
  program.code.push_back(instruction);
  program.origins.push_back(origin->getName());
  return program.code.size() - 1;
}

/// Moves that happen at once: no source is read after it was overwritten.
void Decoder::emitMoves(ArrayRef<uint32_t> to, ArrayRef<uint32_t> from, Operation *origin) {
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> pending;
  for (auto [target, source] : llvm::zip_equal(to, from)) {
    if (target != source) {
      pending.push_back({target, source});
    }
  }
  while (!pending.empty()) {
    auto *ready = llvm::find_if(pending, [&](auto move) {
      return llvm::none_of(pending, [&](auto other) { return other.second == move.first; });
    });
    if (ready == pending.end()) { // only cycles are left: free the first target
      uint32_t target = pending.front().first, saved = newSlot();
      emit(origin, {Opcode::Move, 0, saved, target});
      for (auto &move : pending) {
        move.second = move.second == target ? saved : move.second;
      }
      continue;
    }
    emit(origin, {Opcode::Move, 0, ready->first, ready->second});
    pending.erase(ready);
  }
}

} // namespace modelc::eval
