# Helpers that every folder's CMakeLists.txt uses.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   modelc_tablegen(ModelcOps.td TARGET ModelcOpsIncGen
#     OUTPUTS "ModelcOps.h.inc -gen-op-decls" "ModelcOps.cpp.inc -gen-op-defs")
#   modelc_add_library(ModelcIR ModelcOps.cpp LINK_LIBS X Y DEPENDS ModelcOpsIncGen)
#   modelc_add_executable(modelc main.cpp LINK_LIBS ModelcIR)
#   modelc_add_unittest(TargetTest TargetTest.cpp LINK_LIBS ModelcCodegen)
#
# Sources are included from the project root ("ir/ModelcOps.h"), generated ones
# from the same path in the build tree ("ir/ModelcOps.h.inc").

# TableGen reads the folder's include directories, so they are set here too.
# The build tree holds only generated sources: no warnings about those.
include_directories("${PROJECT_SOURCE_DIR}")
include_directories(SYSTEM "${PROJECT_BINARY_DIR}" ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Flags of every C++ target. -fPIC is spelled out, since CMake would give -fPIE
# to programs, and a precompiled header serves only one of the two. MLIR's
# callbacks name their parameters whether used or not.
add_library(ModelcFlags INTERFACE)
target_compile_options(ModelcFlags INTERFACE
  -fPIC -Wall -Wextra -Wno-unused-parameter $<$<BOOL:${MODELC_WERROR}>:-Werror>)
target_link_options(ModelcFlags INTERFACE -fuse-ld=lld)

# Flags and libraries of targets that use LLVM. The precompiled header and its
# users must agree on them. MLIR comes as the shared library only: mixing it
# with the static component libraries would duplicate global state.
add_library(ModelcLlvm INTERFACE)
target_compile_options(ModelcLlvm INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  # A time stamp inside the header would make every compiler cache look-up miss.
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
target_link_libraries(ModelcLlvm INTERFACE ModelcFlags MLIR LLVM)

# Owns the one precompiled header: MLIR's headers dominate the time of each
# translation unit (13 s of 14 s before, under 2 s with it).
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pch.cpp" CONTENT "")
add_library(ModelcPch OBJECT "${PROJECT_BINARY_DIR}/pch.cpp")
target_link_libraries(ModelcPch PRIVATE ModelcLlvm)
target_precompile_headers(ModelcPch PRIVATE "${CMAKE_CURRENT_LIST_DIR}/pch.h")

# Shared by the three helpers below.
function(modelc_configure_target name scope)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
  if(ARG_EXCEPTIONS)
    # Behind a small interface of its own: other code never sees an exception.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fexceptions>)
    target_link_libraries(${name} ${scope} ModelcFlags ${ARG_LINK_LIBS})
  else()
    target_link_libraries(${name} ${scope} ${ARG_LINK_LIBS})
    target_link_libraries(${name} PRIVATE ModelcLlvm)
    if(NOT ARG_NO_PCH)
      target_precompile_headers(${name} REUSE_FROM ModelcPch)
    endif()
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# modelc_add_library(NAME sources... [LINK_LIBS ...] [DEPENDS ...] [EXCEPTIONS] [NO_PCH])
function(modelc_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  modelc_configure_target(${name} PUBLIC ${ARGN})
endfunction()

# modelc_add_executable(NAME sources... [LINK_LIBS ...] [DEPENDS ...] [NO_PCH])
function(modelc_add_executable name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  modelc_configure_target(${name} PRIVATE ${ARGN})
endfunction()

# modelc_add_unittest(NAME sources... [LINK_LIBS ...]): a GoogleTest program in
# build/<preset>/test/unit, built by the target modelc-unit and run by ctest.
add_custom_target(modelc-unit)
function(modelc_add_unittest name)
  find_package(GTest REQUIRED)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  modelc_configure_target(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main Threads::Threads)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/unit")
  add_test(NAME unit/${name} COMMAND ${name})
  add_dependencies(modelc-unit ${name})
endfunction()

# modelc_tablegen(FILE.td TARGET NAME OUTPUTS "file flags..." ...)
function(modelc_tablegen td)
  cmake_parse_arguments(ARG "" "TARGET" "OUTPUTS" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(TABLEGEN_OUTPUT)
  foreach(output IN LISTS ARG_OUTPUTS)
    separate_arguments(words UNIX_COMMAND "${output}")
    mlir_tablegen(${words})
  endforeach()
  add_public_tablegen_target(${ARG_TARGET})
endfunction()
