//===- Packages.cpp - How build systems find a library --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both files contain the library's name only, which is an identifier: no text
// of the model gets into them.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Packages.h"
#include "codegen/emit/Text.h"

using namespace llvm;
using namespace modelc;

std::string modelc::pkgConfig(const CompiledModel &model, const EmitOptions &options) {
  return "prefix=${pcfiledir}\n"
         "\n"
         "Name: " +
         model.name +
         "\n"
         "Description: a trained model as a C library, made by modelc\n"
         "Version: " +
         escapeForComment(options.version) +
         "\n"
         "Cflags: -I\"${prefix}\"\n"
         "Libs: -L\"${prefix}\" -l" +
         model.name + "\n";
}

std::string modelc::cmakePackage(const CompiledModel &model, const EmitOptions &options) {
  std::string target = model.name + "::" + model.name;
  return "# A trained model as a C library, made by modelc " + escapeForComment(options.version) +
         ".\n"
         "if(NOT TARGET " +
         target +
         ")\n"
         "  add_library(" +
         target +
         " STATIC IMPORTED)\n"
         "  set_target_properties(" +
         target +
         " PROPERTIES\n"
         "    IMPORTED_LOCATION \"${CMAKE_CURRENT_LIST_DIR}/lib" +
         model.name +
         ".a\"\n"
         "    IMPORTED_LINK_INTERFACE_LANGUAGES C\n"
         "    INTERFACE_INCLUDE_DIRECTORIES \"${CMAKE_CURRENT_LIST_DIR}\")\n"
         "endif()\n";
}
