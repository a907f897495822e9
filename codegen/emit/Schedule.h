//===- Schedule.h - NAME_run: the order of the kernels --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_SCHEDULE_H
#define MODELC_CODEGEN_EMIT_SCHEDULE_H

#include "codegen/emit/CompiledModel.h"

namespace llvm {
class Module;
} // namespace llvm

namespace modelc {

/// The layers of a model in the order of their first call. Layer i is line
/// i + firstLayerLine of the synthetic source NAME.layers that debuggers and
/// profilers show; line 1 is what run does before and after the calls.
std::vector<llvm::StringRef> layersOf(const CompiledModel &model);
constexpr unsigned firstLayerLine = 2;

/// Adds NAME_run to a module that holds the runtime under its final names.
void addSchedule(llvm::Module &module, const CompiledModel &model, const Target &target,
                 bool debugInfo);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_SCHEDULE_H
