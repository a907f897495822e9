//===- RecurrentEmitter.h - the code of GRU and LSTM ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_RECURRENTEMITTER_H
#define MODELC_CODEGEN_CPU_RECURRENTEMITTER_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// What is the same for all of a block of units and a tile of sequences.
struct RecurrentTile {
  unsigned direction;
  mlir::Value time;              ///< position along x and y
  mlir::Value from, to;          ///< where the states before and after lie
  mlir::Value unit;              ///< first unit
  int64_t width;                 ///< of the block, in units
  llvm::ArrayRef<int64_t> lanes; ///< of the vectors that cover the block
  mlir::Value sequence;          ///< first sequence
  int64_t sequences;
};

class RecurrentEmitter {
public:
  RecurrentEmitter(KernelOp kernel, mlir::Operation *cell, llvm::StringRef symbol,
                   TargetAttr target);
  KernelCode run();

private:
  using Widths = llvm::SmallVector<int64_t, 4>;

  mlir::Value memoryOf(mlir::Value tensor) {
    return llvm::isa<mlir::BlockArgument>(tensor) ? k.memoryOf(tensor) : mlir::Value();
  }
  Widths lanesOf(int64_t width);
  void step(unsigned direction, mlir::Value count);
  void block(RecurrentTile tile);
  void cell(const RecurrentTile &tile);
  Values product(const RecurrentTile &tile, Values sums, mlir::Value weights, mlir::Value base,
                 mlir::Value vectors, llvm::ArrayRef<mlir::Value> starts, int64_t length);
  mlir::Value bias(const RecurrentTile &tile, int64_t gate, int64_t at, int64_t lanes);
  mlir::Value readState(mlir::Value memory, mlir::Value tensor, mlir::Value at, int64_t lanes);
  mlir::Value gruState(llvm::ArrayRef<mlir::Value> gates, mlir::Value recurrent,
                       mlir::Value before);

  mlir::Operation *op;
  KernelBuilder k;
  bool isGru;
  int64_t times, batch, input, hidden, directions, gates, packed;
  mlir::Value x, w, r;         ///< memory of operands
  mlir::Value y, lastH, lastC; ///< memory of results; null if unused
  mlir::Value h, c;            ///< memory of states: twice for h, before and after a step
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_RECURRENTEMITTER_H
