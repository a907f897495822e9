//===- PackedOperand.h - operands in the order in which code reads them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_PACKEDOPERAND_H
#define MODELC_CODEGEN_CPU_PACKEDOPERAND_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// The memory of `operand` in the order of `packing`: the operand's own if the
/// compiler packed it, else a temporary that the kernel fills first.
mlir::Value packedOperand(KernelBuilder &k, KernelOp kernel, mlir::Value operand,
                          const OperandPacking &packing);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_PACKEDOPERAND_H
