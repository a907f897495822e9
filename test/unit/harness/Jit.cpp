// Compiles a kernel written as MLIR text and calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Jit.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace modelc::test {

KernelSource textKernel(std::string symbol, std::string text, bool scalarLoops) {
  return {std::move(symbol),
          [text = std::move(text)](mlir::MLIRContext &context) {
            return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
          },
          scalarLoops};
}

Target target(StringRef name, const TargetOptions &options) {
  Expected<Target> result = parseTarget(name, options);
  if (!result) {
    ADD_FAILURE() << toString(result.takeError());
    return {};
  }
  return *result;
}

std::string compile(const KernelSource &source, const Target &target, KernelOutput output) {
  Expected<std::vector<KernelBytes>> bytes = compileKernels(source, target, /*threads=*/1, output);
  if (!bytes) {
    ADD_FAILURE() << target.name << ": " << toString(bytes.takeError());
    return "";
  }
  return std::string(bytes->front().begin(), bytes->front().end());
}

std::string compileError(const KernelSource &source, const Target &target) {
  Expected<std::vector<KernelBytes>> bytes = compileKernels(source, target, /*threads=*/1);
  return bytes ? "" : toString(bytes.takeError());
}

JitKernel::JitKernel(const KernelSource &source, const Target &target) {
  std::string object = compile(source, target);
  if (object.empty()) {
    return;
  }
  auto check = [](Error error) {
    if (error) {
      ADD_FAILURE() << toString(std::move(error));
      return false;
    }
    return true;
  };
  Expected<std::unique_ptr<orc::LLJIT>> created = orc::LLJITBuilder().create();
  if (!check(created.takeError())) {
    return;
  }
  jit = std::move(*created);
  if (!check(jit->addObjectFile(MemoryBuffer::getMemBufferCopy(object, source.symbol)))) {
    return;
  }
  Expected<orc::ExecutorAddr> symbol = jit->lookup(source.symbol);
  if (check(symbol.takeError())) {
    address = symbol->getValue();
  }
}

template <size_t... I>
static int32_t callWith(uintptr_t address, ArrayRef<void *> pointers, bool returnsStatus,
                        std::index_sequence<I...>) {
  if (returnsStatus) {
    return reinterpret_cast<int32_t (*)(decltype((void)I, (void *)nullptr)...)>(address)(
        pointers[I]...);
  }
  reinterpret_cast<void (*)(decltype((void)I, (void *)nullptr)...)>(address)(pointers[I]...);
  return 0;
}

/// Finds the count of pointers among 0 .. N.
template <size_t N>
static int32_t dispatch(uintptr_t address, ArrayRef<void *> pointers, bool returnsStatus) {
  if (pointers.size() == N) {
    return callWith(address, pointers, returnsStatus, std::make_index_sequence<N>());
  }
  if constexpr (N > 0) {
    return dispatch<N - 1>(address, pointers, returnsStatus);
  }
  ADD_FAILURE() << "a kernel of " << pointers.size() << " pointers";
  return -1;
}

int32_t JitKernel::call(ArrayRef<void *> pointers, bool returnsStatus) const {
  return address ? dispatch<16>(address, pointers, returnsStatus) : -1;
}

} // namespace modelc::test
