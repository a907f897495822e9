//===- Epilogue.h - elementwise ops in the registers of a tile ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_EPILOGUE_H
#define MODELC_CODEGEN_CPU_EPILOGUE_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// The elementwise ops between the result of a kernel's anchor and the kernel's
/// only result, computed vector by vector before the store. Other operands are
/// broadcast as in NumPy.
class Epilogue {
public:
  /// Whether `anchor`'s result and what is computed from it can be handled.
  static bool supports(KernelOp kernel, mlir::Operation *anchor);

  Epilogue(KernelBuilder &k, KernelOp kernel, mlir::Operation *anchor);

  /// Takes lanes of the anchor's result, in its compute type: those of the last
  /// dimension from `column` on, at position `row` of all other dimensions in
  /// row-major order. Stores the kernel's result for the first `active` lanes
  /// (all, if negative). A scalar is one element.
  void store(mlir::Value value, mlir::Value row, mlir::Value column, int64_t active = -1);

private:
  mlir::Value evaluate(mlir::Value tensor);
  mlir::Value readOperand(mlir::Value tensor);

  KernelBuilder &k;
  mlir::Value anchorResult, output;
  mlir::RankedTensorType shape;
  // The vector that store works on.
  int64_t lanes = 0, active = -1;
  mlir::Value row, column;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_EPILOGUE_H
