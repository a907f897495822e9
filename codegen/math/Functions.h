//===- Functions.h - The functions that the families share -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/math/Emitter.h"

namespace mlir {
class RewritePatternSet;
}

namespace modelc::math {

// Exp.cpp

/// x = n ln 2 + r with |r| <= ln(2) / 2.
struct ReducedExp {
  Float r;
  Int n;
};
ReducedExp reduceExp(Float x);
/// e^r - 1 - r, e^r - 1 and e^r for |r| <= ln(2) / 2.
Float expm1Tail(Float r);
Float expm1Reduced(Float r);
Float expReduced(Float r);
/// `x` if low <= x <= high or NaN, else the nearer bound.
Float clamp(Float x, double low, double high);
Float expm1(Float x);

// Log.cpp

/// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), for positive finite x.
struct ReducedLog {
  Float k;
  Float f;
};
ReducedLog reduceLog(Float x);
/// log(1 + x + low), where low / (1 + x) counts to first order only.
Float log1p(Float x, Float low);
Float log(Float x);

// Root.cpp
Float softSqrt(Float x);

// Each file adds the patterns of its family.
void populateExpPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateLogPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateTrigPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateInverseTrigPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateHyperbolicPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateErfPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populatePowPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateIntegerPowPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateRootPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateRoundPatterns(mlir::RewritePatternSet &, const MathOptions &);
void populateFmaPatterns(mlir::RewritePatternSet &, const MathOptions &);

} // namespace modelc::math
