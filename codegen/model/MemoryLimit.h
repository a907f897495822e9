//===- MemoryLimit.h - the memory that a library may ask for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_MODEL_MEMORYLIMIT_H
#define MODELC_CODEGEN_MODEL_MEMORYLIMIT_H

#include "codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace modelc {

/// Bytes that a library may have as scratch, weights and states together, and
/// that one input or output may have: half the address space of 32-bit
/// processors, 64 GiB on others, beyond which a model is more likely hostile
/// than meant.
uint64_t memoryLimit(const Target &target);

/// Refuses a planned module that exceeds the limit, by a diagnostic at the node
/// with the largest value.
mlir::LogicalResult checkMemory(mlir::ModuleOp module, const Target &target);

} // namespace modelc

#endif // MODELC_CODEGEN_MODEL_MEMORYLIMIT_H
