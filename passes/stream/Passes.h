//===- Passes.h - registration of the pass that makes models streaming ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_STREAM_PASSES_H
#define MODELC_PASSES_STREAM_PASSES_H

#include "ir/ModelcDialect.h"
#include "mlir/Pass/Pass.h"

namespace modelc {

#define GEN_PASS_DECL
#include "passes/stream/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/stream/Passes.h.inc"

} // namespace modelc

#endif // MODELC_PASSES_STREAM_PASSES_H
