//===- CHeader.h - NAME.h, the interface of a library ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_CHEADER_H
#define MODELC_CODEGEN_EMIT_CHEADER_H

#include "codegen/emit/Emit.h"

namespace modelc {

/// A header for C11 and C++11 that depends on nothing but <stddef.h> and
/// <stdint.h>. The model must have passed verifyModel.
std::string cHeader(const CompiledModel &model, const Target &target,
                    const RealTimeReport &realTime, const EmitOptions &options);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_CHEADER_H
