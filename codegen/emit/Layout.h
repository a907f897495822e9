//===- Layout.h - Where the parts of an emitted library's memory lie ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_LAYOUT_H
#define MODELC_CODEGEN_EMIT_LAYOUT_H

#include "codegen/emit/CompiledModel.h"

namespace modelc {

/// Version of the ABI of emitted libraries: MODELC_ABI in modelc/abi.h.
constexpr uint32_t abiVersion = 1;

/// The weights blob is aligned to this in every library, and so are its pieces.
constexpr uint64_t weightAlign = 64;

/// NAME_STATE_BYTES: the header of the runtime (struct modelc in internal.h),
/// then the model's states at the next multiple of the target's alignment.
uint64_t stateMemoryBytes(const CompiledModel &model, const Target &target);

/// Marks the instances of one model, so that `run` refuses those of another.
uint32_t instanceMagic(const CompiledModel &model);

/// The bytes of the modelc_model_info, with everything that it refers to behind
/// it, for little-endian targets. `initialState` follows as well.
std::string infoTable(const CompiledModel &model, const Target &target);

/// The bytes of the modelc_adapter_plan in runtime/src/internal.h.
std::string adapterTable(const AdapterInfo &adapter);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_LAYOUT_H
