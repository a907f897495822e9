//===- RuntimeBitcode.h - The runtime as the compiler carries it ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_RUNTIME_RUNTIMEBITCODE_H
#define MODELC_RUNTIME_RUNTIMEBITCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace modelc {

/// LLVM bitcode of the runtime for a class of targets ("x86_64", "aarch64",
/// "thumbv7em_hf", ...); empty if there is none.
llvm::StringRef runtimeBitcode(llvm::StringRef runtimeClass);

/// The classes that exist, in the order of the table in CMakeLists.txt.
llvm::ArrayRef<llvm::StringRef> runtimeClasses();

/// Text of modelc/abi.h: the types that every generated header contains.
llvm::StringRef runtimeAbiHeader();

} // namespace modelc

#endif // MODELC_RUNTIME_RUNTIMEBITCODE_H
