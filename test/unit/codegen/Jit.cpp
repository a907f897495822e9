// Compiles a kernel written as MLIR text and calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Jit.h"
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

} // namespace modelc::test
