//===- Adapter.h - The host adapter of a library --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optional part: audio in frames of any size around a model that takes hops.
// The code is runtime/src/adapter.c.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_ADAPTER_H
#define MODELC_CODEGEN_EMIT_ADAPTER_H

#include "codegen/emit/CompiledModel.h"

namespace modelc {

/// The adapter for a model with one channel of f32 in and out, that goes on
/// from run to run. `latency`: what a model that keeps its states lags, which
/// the compiler cannot know; of streamed models it is known. The error says why
/// there is none.
llvm::Expected<AdapterInfo> planAdapter(const CompiledModel &model, uint64_t maxFrames,
                                        std::optional<uint64_t> latency);

/// Its part of NAME.h, for a model that has one. '$' stands for the library's
/// name and '@' for the prefix of its macros.
std::string adapterHeader(const AdapterInfo &adapter);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_ADAPTER_H
