// Turns a kernel function into a register program, once, before it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_DECODER_H
#define MODELC_CODEGEN_EVAL_DECODER_H

#include "codegen/eval/Interpreter.h"
#include "codegen/eval/Program.h"
#include "codegen/eval/ScalarRules.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace modelc::eval {

class Decoder {
public:
  /// Symbols of `fn` are looked up from `symbolScope`, which is another operation when `fn` is an
  /// expanded copy outside the module.
  Decoder(mlir::func::FuncOp fn, mlir::Operation *symbolScope, Program &program)
      : fn(fn), symbolScope(symbolScope), program(program) {}

  llvm::Error decode();

private:
  /// A memref value: a region and, from there, elements of its type.
  using RegionIndex = uint32_t;

  // Decoder.cpp: structure.
  llvm::Error decodeArguments();
  llvm::Error decodeBody(mlir::Block &block);
  llvm::Error decodeOperation(mlir::Operation *op);
  llvm::Error decodeFor(mlir::scf::ForOp op);
  llvm::Error decodeIf(mlir::scf::IfOp op);
  llvm::Error decodeWhile(mlir::scf::WhileOp op);
  llvm::Error decodeReturn(mlir::Operation *op);
  void shareResultSlots(mlir::Block &block, mlir::ValueRange results);
  void shareCarriedSlots(mlir::scf::ForOp op);

  // DecodeScalar.cpp.
  llvm::Error decodeConstant(mlir::Operation *op);
  llvm::Error decodeScalar(mlir::Operation *op, const ScalarRule &rule);
  void decodeSimple(mlir::Operation *op, const ScalarRule &rule, ScalarType type);
  void decodeCompareInts(mlir::Operation *op, ScalarType type);
  void decodeCompareFloats(mlir::Operation *op, const ScalarRule &rule, ScalarType type);
  void decodeIntegerCast(mlir::Operation *op, const ScalarRule &rule, ScalarType from,
                         ScalarType to);
  llvm::Error decodeFloatCast(mlir::Operation *op, const ScalarRule &rule, ScalarType from,
                              ScalarType to);
  void decodeBitcast(mlir::Operation *op, ScalarType from, ScalarType to);
  void copyValue(mlir::Operation *op);
  void emitRounding(uint32_t slot, ScalarType type, mlir::Operation *op);

  // DecodeMemory.cpp.
  llvm::Expected<uint64_t> memoryBytes(mlir::Value memref, mlir::Operation *op);
  bool isMemoryOperation(mlir::Operation *op) const;
  llvm::Error decodeMemory(mlir::Operation *op);
  llvm::Error decodeLoad(mlir::memref::LoadOp op);
  llvm::Error decodeStore(mlir::memref::StoreOp op);
  llvm::Error decodeAlloca(mlir::memref::AllocaOp op);
  llvm::Error decodeDim(mlir::memref::DimOp op);
  llvm::Error decodeView(mlir::memref::ViewOp op);
  llvm::Error decodeGlobal(mlir::memref::GetGlobalOp op);
  llvm::Error decodeReshape(mlir::Operation *op);
  llvm::Expected<const char *> constantData(mlir::Attribute value, mlir::MemRefType type,
                                            uint64_t bytes, mlir::Operation *op);
  llvm::Expected<char *> allocateConstant(uint64_t bytes, mlir::Operation *op);
  void emitAccess(Opcode oneDimension, uint32_t value, mlir::Value memref, mlir::ValueRange indices,
                  mlir::Operation *op);
  void defineRegion(mlir::Value memref, Region region);

  // Slots and instructions.
  uint32_t newSlot(uint64_t first = 0);
  uint32_t slot(mlir::Value value) const { return slots.lookup(value); }
  uint32_t define(mlir::Value value);
  size_t emit(mlir::Operation *origin, Instruction instruction);
  void emitMoves(llvm::ArrayRef<uint32_t> to, llvm::ArrayRef<uint32_t> from,
                 mlir::Operation *origin);
  llvm::SmallVector<uint32_t> slotsOf(mlir::ValueRange values) const;
  llvm::SmallVector<uint32_t> defineAll(mlir::ValueRange values);
  llvm::Error checkScalars(mlir::ValueRange values, mlir::Operation *op) const;
  void patch(size_t jump) { program.code[jump].imm = program.code.size(); }

  mlir::func::FuncOp fn;
  mlir::Operation *symbolScope;
  Program &program;
  llvm::DenseMap<mlir::Value, uint32_t> slots;
  llvm::DenseMap<mlir::Value, RegionIndex> regions;
  uint64_t constantBytes = 0;
};

/// "memref.load: text", as the error that a caller of the interpreter receives.
llvm::Error evaluationError(EvaluationError::Reason reason, mlir::OperationName name,
                            const llvm::Twine &text);
inline llvm::Error unsupported(mlir::Operation *op, const llvm::Twine &text) {
  return evaluationError(EvaluationError::Reason::Unsupported, op->getName(), text);
}

/// Local buffers and expanded constants of one function, together: an evaluation never needs
/// more than the compiler's own data structures around it.
constexpr uint64_t maxLocalBytes = uint64_t(256) << 20;

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_DECODER_H
