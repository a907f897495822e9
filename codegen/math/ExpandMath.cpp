//===- ExpandMath.cpp - Math functions as arithmetic of our own ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/math/ExpandMath.h"

#include "codegen/math/Functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace modelc {

#define GEN_PASS_DECL_EXPANDMATHPASS
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "codegen/math/Passes.h.inc"

void populateExpandMathPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  math::populateExpPatterns(patterns, options);
  math::populateLogPatterns(patterns, options);
  math::populateTrigPatterns(patterns, options);
  math::populateInverseTrigPatterns(patterns, options);
  math::populateHyperbolicPatterns(patterns, options);
  math::populateErfPatterns(patterns, options);
  math::populatePowPatterns(patterns, options);
  math::populateIntegerPowPatterns(patterns, options);
  math::populateRootPatterns(patterns, options);
  math::populateRoundPatterns(patterns, options);
  math::populateFmaPatterns(patterns, options);
}

namespace {
struct ExpandMathPass : impl::ExpandMathPassBase<ExpandMathPass> {
  using Base::Base;

  void runOnOperation() override {
    MathOptions options;
    options.hasFma = hasFma;
    options.hasRound = hasRound;
    options.hasSqrt = hasSqrt;
    options.hasF64 = hasF64;
    options.hasRoundEven = hasRoundEven;
    RewritePatternSet patterns(&getContext());
    populateExpandMathPatterns(patterns, options);
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace

std::unique_ptr<Pass> createExpandMathPass(const MathOptions &options) {
  ExpandMathPassOptions passOptions;
  passOptions.hasFma = options.hasFma;
  passOptions.hasRound = options.hasRound;
  passOptions.hasSqrt = options.hasSqrt;
  passOptions.hasF64 = options.hasF64;
  passOptions.hasRoundEven = options.hasRoundEven;
  return createExpandMathPass(std::move(passOptions));
}

void registerExpandMathPass() {
  registerPass([] { return createExpandMathPass(); });
}

} // namespace modelc
