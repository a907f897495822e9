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

# The build tree holds only generated sources: no warnings about those.
include_directories("${PROJECT_SOURCE_DIR}")
include_directories(SYSTEM "${PROJECT_BINARY_DIR}" ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Flags of every C++ target. -fPIC is spelled out, since CMake would give -fPIE
# to programs, and a precompiled header serves only one of the two. MLIR's
# callbacks name their parameters whether used or not.
add_library(ModelcFlags INTERFACE)
target_compile_options(ModelcFlags INTERFACE
  -fPIC -Wall -Wextra -Wno-unused-parameter $<$<BOOL:${MODELC_WERROR}>:-Werror>
  # Debug information names no checkout, as the compiler cache wants it.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fdebug-compilation-dir=.>)
target_link_options(ModelcFlags INTERFACE -fuse-ld=lld)

# Flags and libraries of targets that use LLVM. MLIR comes as the shared library
# only: mixing it with the static component libraries would duplicate global
# state.
set(modelc_llvm_options -fno-rtti -fno-exceptions)
add_library(ModelcLlvm INTERFACE)
target_compile_options(ModelcLlvm INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${modelc_llvm_options}>")
target_link_libraries(ModelcLlvm INTERFACE ModelcFlags MLIR LLVM)

# The one precompiled header: MLIR's headers dominate the time of a translation
# unit (13 s of 14 s without it, under 2 s in all with it). It is made here and
# not by target_precompile_headers because CMake puts the paths of the build
# tree into it, which every look-up of the compiler cache then depends on. This
# one is the same file in every checkout: it is made from a copy at a path that
# holds nothing of the checkout, without a time stamp, and named relative to the
# build tree, where Ninja runs every command.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_GENERATOR STREQUAL "Ninja")
  set(MODELC_USE_PCH ON)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/pch.h")
  file(SHA256 "${CMAKE_CURRENT_LIST_DIR}/pch.h" pch_hash)
  string(SUBSTRING ${pch_hash} 0 16 pch_hash)
  set(pch_header "${MODELC_CACHE}/pch/${pch_hash}/pch.h")
  if(NOT EXISTS "${pch_header}")
    configure_file("${CMAKE_CURRENT_LIST_DIR}/pch.h" "${pch_header}" COPYONLY)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(pch_flags UNIX_COMMAND
    "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${CMAKE_CXX17_STANDARD_COMPILE_OPTION}")
  set(pch_includes ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  list(REMOVE_DUPLICATES pch_includes)
  list(TRANSFORM pch_includes PREPEND "-isystem")
  add_custom_command(
    OUTPUT "${PROJECT_BINARY_DIR}/modelc.pch"
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${CMAKE_CXX_COMPILER}" ${pch_flags} -fPIC
      ${modelc_llvm_options} ${pch_includes} -fpch-instantiate-templates -Xclang -fno-pch-timestamp
      -MD -MT modelc.pch -MF modelc.pch.d -x c++-header -c "${pch_header}" -o modelc.pch
    DEPENDS "${pch_header}"
    DEPFILE "${PROJECT_BINARY_DIR}/modelc.pch.d"
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
    COMMENT "Precompiling the headers of MLIR"
    VERBATIM)
  add_custom_target(ModelcPch DEPENDS "${PROJECT_BINARY_DIR}/modelc.pch")
endif()

# A second one on top of it for targets marked OPS_PCH, most of whose sources
# include the ops: parsing those takes half of the time of such a source. It
# names files of the checkout, so it is made without the compiler cache (2 s),
# and the cache knows it by the contents of these files instead (pch_sum.cmake).
# To be called where the ops are generated; ARGN are the targets that do.
function(modelc_add_ops_pch header)
  if(NOT MODELC_USE_PCH)
    return()
  endif()
  set(output "${PROJECT_BINARY_DIR}/modelc_ops.pch")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  add_custom_command(
    OUTPUT "${output}" "${output}.sum"
    COMMAND "${CMAKE_CXX_COMPILER}" ${pch_flags} -fPIC ${modelc_llvm_options}
      "-I${PROJECT_SOURCE_DIR}" -isystem "${PROJECT_BINARY_DIR}" ${pch_includes}
      -fdebug-compilation-dir=. -include-pch modelc.pch -fpch-instantiate-templates
      -Xclang -fno-pch-timestamp -MD -MT modelc_ops.pch -MF modelc_ops.pch.d
      -x c++-header -c "${CMAKE_CURRENT_SOURCE_DIR}/${header}" -o modelc_ops.pch
    COMMAND "${CMAKE_COMMAND}" -DPCH=modelc_ops.pch "-DSOURCE=${PROJECT_SOURCE_DIR}"
      "-DBASE=${pch_hash} ${pch_flags}" -P "${PROJECT_SOURCE_DIR}/tools/cmake/pch_sum.cmake"
    DEPENDS "${PROJECT_BINARY_DIR}/modelc.pch" "${PROJECT_SOURCE_DIR}/tools/cmake/pch_sum.cmake"
      ${headers} ${ARGN}
    DEPFILE "${output}.d"
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
    COMMENT "Precompiling the ops"
    VERBATIM)
  add_custom_target(ModelcOpsPch DEPENDS "${output}")
  add_dependencies(ModelcOpsPch ModelcPch ${ARGN})
endfunction()

# Shared by the three helpers below.
function(modelc_configure_target name scope)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH;OPS_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
  if(ARG_EXCEPTIONS)
    # Behind a small interface of its own: other code never sees an exception.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fexceptions>)
    target_link_libraries(${name} ${scope} ModelcFlags ${ARG_LINK_LIBS})
  else()
    target_link_libraries(${name} ${scope} ${ARG_LINK_LIBS})
    target_link_libraries(${name} PRIVATE ModelcLlvm)
    if(MODELC_USE_PCH AND NOT ARG_NO_PCH)
      set(pch modelc.pch)
      add_dependencies(${name} ModelcPch)
      if(ARG_OPS_PCH)
        set(pch modelc_ops.pch)
        add_dependencies(${name} ModelcOpsPch)
      endif()
      target_compile_options(${name} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${pch} -Xclang -fno-pch-timestamp>")
      get_target_property(sources ${name} SOURCES)
      set_property(SOURCE ${sources} APPEND PROPERTY
        OBJECT_DEPENDS "${PROJECT_BINARY_DIR}/${pch}")
    endif()
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# modelc_add_library(NAME sources... [LINK_LIBS ...] [DEPENDS ...] [EXCEPTIONS] [NO_PCH] [OPS_PCH])
function(modelc_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_PCH;OPS_PCH" "" "LINK_LIBS;DEPENDS" ${ARGN})
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
# Not mlir_tablegen: with the policies of this CMake version its dependency files
# name the outputs wrongly, and every build runs it again.
function(modelc_tablegen td)
  cmake_parse_arguments(ARG "" "TARGET" "OUTPUTS" ${ARGN})
  set(input "${CMAKE_CURRENT_SOURCE_DIR}/${td}")
  set(outputs)
  foreach(entry IN LISTS ARG_OUTPUTS)
    separate_arguments(flags UNIX_COMMAND "${entry}")
    list(POP_FRONT flags name)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${MLIR_TABLEGEN_EXE}" ${flags} "-I${CMAKE_CURRENT_SOURCE_DIR}"
        "-I${PROJECT_SOURCE_DIR}" "-I${MODELC_LLVM_ROOT}/include"
        "${input}" --write-if-changed -o "${output}" -d "${output}.d"
      DEPENDS "${input}"
      DEPFILE "${output}.d"
      COMMENT "Generating ${name}"
      VERBATIM)
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${ARG_TARGET} DEPENDS ${outputs})
endfunction()

# modelc_add_docs(FILE.td NAME.md flags...): a page of docs/ in the build tree,
# made by the target docs from the descriptions in FILE.td.
add_custom_target(docs)
function(modelc_add_docs td name)
  set(output "${PROJECT_BINARY_DIR}/docs/${name}")
  string(MAKE_C_IDENTIFIER "docs-${name}" target)
  add_custom_target(${target}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/docs"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} "-I${PROJECT_SOURCE_DIR}"
      "-I${MODELC_LLVM_ROOT}/include" "${CMAKE_CURRENT_SOURCE_DIR}/${td}"
      --write-if-changed -o "${output}"
    COMMENT "Generating docs/${name}"
    VERBATIM)
  add_dependencies(docs ${target})
endfunction()
