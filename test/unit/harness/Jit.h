// Compiles a kernel written as MLIR text and calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_HARNESS_JIT_H
#define MODELC_TEST_UNIT_HARNESS_JIT_H

#include "codegen/KernelCompiler.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>
#include <vector>

namespace modelc::test {

/// A source that parses `text`.
KernelSource textKernel(std::string symbol, std::string text, bool scalarLoops = false);

/// The target called `name`; the test fails when there is none.
Target target(llvm::StringRef name, const TargetOptions &options = {});

/// One kernel's object, or an empty string and a failed test.
std::string compile(const KernelSource &source, const Target &target,
                    KernelOutput output = KernelOutput::Object);

/// The message of the error that compiling the kernel gives; empty when there is none.
std::string compileError(const KernelSource &source, const Target &target);

/// A kernel in memory, for the processor that runs the test.
class JitKernel {
public:
  JitKernel(const KernelSource &source, const Target &target);

  template <typename... Args> void operator()(Args... args) const {
    ASSERT_NE(address, 0u);
    reinterpret_cast<void (*)(Args...)>(address)(args...);
  }
  template <typename... Args> int32_t status(Args... args) const {
    return address ? reinterpret_cast<int32_t (*)(Args...)>(address)(args...) : -1;
  }
  /// Calls a kernel of any number of pointers (at most 16). The status of one that returns none is
  /// 0, of one that could not be compiled -1.
  int32_t call(llvm::ArrayRef<void *> pointers, bool returnsStatus) const;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  uintptr_t address = 0;
};

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_HARNESS_JIT_H
