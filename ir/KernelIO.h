//===- KernelIO.h - how an op's code reads and writes tensor elements -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_KERNELIO_H
#define MODELC_IR_KERNELIO_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace modelc {

/// What the code of one op inside a kernel may do with the world around it.
/// All element values are in compute types: `f32` for `f16` and `bf16`,
/// signless integers, `i1` for booleans.
class KernelIO {
public:
  virtual ~KernelIO() = default;

  /// Element of operand `operand` at `indices` (one `index` value per
  /// dimension). Indices must be in range.
  virtual mlir::Value read(unsigned operand, mlir::ValueRange indices) = 0;

  /// Delivers element `indices` of result `result`; called once per element.
  virtual void write(unsigned result, mlir::ValueRange indices, mlir::Value value) = 0;

  /// A temporary buffer that lives as long as the kernel runs.
  virtual mlir::Value scratch(mlir::MemRefType type) = 0;

  /// Makes the kernel return the bad-index status when `condition` (`i1`)
  /// holds at least once.
  virtual void reportBadIndex(mlir::Value condition) = 0;
};

} // namespace modelc

#endif // MODELC_IR_KERNELIO_H
