//===- Packages.h - How build systems find a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_PACKAGES_H
#define MODELC_CODEGEN_EMIT_PACKAGES_H

#include "codegen/emit/Emit.h"

namespace modelc {

/// NAME.pc for pkg-config. Paths are relative to the file: the directory can be
/// moved as a whole.
std::string pkgConfig(const CompiledModel &model, const EmitOptions &options);

/// NAMEConfig.cmake: find_package(NAME) defines the target NAME::NAME.
std::string cmakePackage(const CompiledModel &model, const EmitOptions &options);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_PACKAGES_H
