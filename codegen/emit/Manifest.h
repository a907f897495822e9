//===- Manifest.h - NAME.json, what a library is made of ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_MANIFEST_H
#define MODELC_CODEGEN_EMIT_MANIFEST_H

#include "codegen/emit/Emit.h"

namespace modelc {

/// JSON after manifest.schema.json (beside this file): sorted keys, sizes as
/// integers in bytes.
llvm::Expected<std::string> manifest(const CompiledModel &model, const Target &target,
                                     const JoinedObject &object, const RealTimeReport &realTime,
                                     const EmitOptions &options);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_MANIFEST_H
