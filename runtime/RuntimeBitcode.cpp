//===- RuntimeBitcode.cpp - The runtime as the compiler carries it --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/RuntimeBitcode.h"

#define MODELC_RUNTIME_CLASS(NAME)                                                                 \
  extern "C" const char modelc_runtime_##NAME[], modelc_runtime_##NAME##_end[];
#include "RuntimeClasses.inc"
#undef MODELC_RUNTIME_CLASS
extern "C" const char modelc_runtime_abi_header[], modelc_runtime_abi_header_end[];

using namespace modelc;

llvm::StringRef modelc::runtimeBitcode(llvm::StringRef runtimeClass) {
#define MODELC_RUNTIME_CLASS(NAME)                                                                 \
  if (runtimeClass == #NAME) {                                                                     \
    return {modelc_runtime_##NAME,                                                                 \
            static_cast<size_t>(modelc_runtime_##NAME##_end - modelc_runtime_##NAME)};             \
  }
#include "RuntimeClasses.inc"
#undef MODELC_RUNTIME_CLASS
  return {};
}

llvm::ArrayRef<llvm::StringRef> modelc::runtimeClasses() {
  static const llvm::StringRef classes[] = {
#define MODELC_RUNTIME_CLASS(NAME) #NAME,
#include "RuntimeClasses.inc"
#undef MODELC_RUNTIME_CLASS
  };
  return classes;
}

llvm::StringRef modelc::runtimeAbiHeader() {
  return {modelc_runtime_abi_header,
          static_cast<size_t>(modelc_runtime_abi_header_end - modelc_runtime_abi_header)};
}
