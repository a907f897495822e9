//===- MemoryAlias.h - ops that only name memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_MEMORYALIAS_H
#define MODELC_PASSES_MEMORYALIAS_H

#include "ir/ModelcOps.h"

namespace modelc {

/// If the result of `op` is a contiguous part of its operand's memory: the
/// offset of that part in bytes.
std::optional<uint64_t> aliasOffset(mlir::Operation *op);

/// The value whose memory holds `value`, and the offset of `value` in it.
std::pair<mlir::Value, uint64_t> memoryRoot(mlir::Value value);

} // namespace modelc

#endif // MODELC_PASSES_MEMORYALIAS_H
