//===- Fma.cpp - Multiply-add where the target has no fused one ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.fma would become a call of fma(). A product and a sum round twice: the
// result is within one ULP of the larger of product and sum.
#include "codegen/math/Functions.h"
#include "codegen/math/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace modelc::math {

static Float multiplyAdd(Float a, Float b, Float c) {
  return fma(a, b, c);
}

void populateFmaPatterns(RewritePatternSet &patterns, const MathOptions &options) {
  addPattern<mlir::math::FmaOp>(patterns, options, multiplyAdd, &Emitter::hasFma);
  addPattern<vector::FMAOp>(patterns, options, multiplyAdd, &Emitter::hasFma);
}

} // namespace modelc::math
