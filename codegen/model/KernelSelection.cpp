//===- KernelSelection.cpp - which generator makes which kernel -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model/KernelSelection.h"
#include "codegen/cpu/ConvGenerator.h"
#include "codegen/cpu/DepthwiseGenerator.h"
#include "codegen/cpu/ElementwiseGenerator.h"
#include "codegen/cpu/MatmulGenerator.h"
#include "codegen/cpu/PoolGenerator.h"
#include "codegen/cpu/RecurrentGenerator.h"
#include "codegen/cpu/RowGenerator.h"
#include "codegen/cpu/SpectralGenerator.h"
#include "codegen/cpu/WinogradGenerator.h"
#include "codegen/kernel/LoopEmitter.h"
#include "passes/PackWeights.h"

using namespace mlir;
using namespace modelc;

TargetAttr modelc::targetAttr(const Target &target, MLIRContext *context) {
  return TargetAttr::get(context, target.name, target.vectorBytes, target.vectorRegisters,
                         target.hasFma, target.pointerBits);
}

const KernelGenerator *modelc::selectGenerator(KernelOp kernel, TargetAttr target) {
  static const LoopGenerator loops;
  static const ConvGenerator conv;
  static const DepthwiseGenerator depthwise;
  static const ElementwiseGenerator elementwise;
  static const MatmulGenerator matmul;
  static const PoolGenerator pool;
  static const RecurrentGenerator recurrent;
  static const RowGenerator rows;
  static const SpectralGenerator spectral;
  static const WinogradGenerator winograd;
  static const KernelGenerator *const generators[] = {&loops,    &conv,    &depthwise, &elementwise,
                                                      &matmul,   &pool,    &recurrent, &rows,
                                                      &spectral, &winograd};
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
  return best;
}

SmallVector<OperandPacking> modelc::packingsOf(KernelOp kernel, TargetAttr target) {
  const KernelGenerator *generator = selectGenerator(kernel, target);
  return generator ? generator->packings(kernel, target) : SmallVector<OperandPacking>();
}

void modelc::registerPackWeightsPass() {
  registerPass([] {
    return createPackWeightsPass([](KernelOp kernel) {
      auto target = kernel->getParentOfType<ModuleOp>()->getAttrOfType<TargetAttr>("modelc.target");
      return target ? packingsOf(kernel, target) : SmallVector<OperandPacking>();
    });
  });
}

FailureOr<KernelCode> modelc::generateKernel(KernelOp kernel, StringRef symbol, TargetAttr target) {
  const KernelGenerator *best = selectGenerator(kernel, target);
  if (!best) {
    return kernel.emitError("no generator supports kernel '") << kernel.getSymName() << "'";
  }
  return best->emit(kernel, symbol, target);
}
