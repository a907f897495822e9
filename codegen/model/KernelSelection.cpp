//===- KernelSelection.cpp - which generator makes which kernel -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model/KernelSelection.h"
#include "codegen/kernel/LoopEmitter.h"

using namespace mlir;
using namespace modelc;

TargetAttr modelc::targetAttr(const Target &target, MLIRContext *context) {
  return TargetAttr::get(context, target.name, target.vectorBytes,
                         target.vectorRegisters, target.hasFma,
                         target.pointerBits);
}

FailureOr<KernelCode> modelc::generateKernel(KernelOp kernel, StringRef symbol,
                                             TargetAttr target) {
  static const LoopGenerator loops;
  static const KernelGenerator *const generators[] = {&loops};
  const KernelGenerator *best = nullptr;
  double lowest = 0;
  for (const KernelGenerator *generator : generators) {
    if (!generator->supports(kernel, target)) {
      continue;
    }
    double cost = generator->cost(kernel, target);
    if (!best || cost < lowest) {
      best = generator;
      lowest = cost;
    }
  }
  if (!best) {
    return kernel.emitError("no generator supports kernel '")
           << kernel.getSymName() << "'";
  }
  return best->emit(kernel, symbol, target);
}
