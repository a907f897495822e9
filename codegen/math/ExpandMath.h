//===- ExpandMath.h - Math functions as arithmetic of our own --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces every operation of the `math` dialect that would become a call of
// the C math library by arithmetic. After the expansion only these operations
// of `math` remain, each of them one or a few instructions on the target that
// the options describe: absf, absi, copysign, ctlz, cttz, ctpop, sqrt (where
// hardware has it), fma (hasFma) and floor/ceil/trunc/roundeven
// (hasRound, hasRoundEven).
//
// The operations may be scalars or vectors of f32 and f64; f16 and bf16 are
// computed in f32. Results at the edges are those of C's Annex F. The code has
// no branches, so that loops over scalars can be vectorized. The largest error
// of each function stands with its code, from sweeps over 2^24 (f32) and 2^22
// (f64) arguments with denormals kept; test/unit/math repeats smaller ones.
#pragma once

#include <memory>

namespace mlir {
class Pass;
class RewritePatternSet;
} // namespace mlir

namespace modelc {

struct MathOptions {
  /// The target has fused multiply-add; without it, products are split so
  /// that the error bounds still hold.
  bool hasFma = true;
  /// The target rounds floats to integral values in hardware.
  bool hasRound = true;
  /// The target has a square root instruction.
  bool hasSqrt = true;
  /// The target computes f64 in hardware. Without it, the three flags above
  /// count for f32 only: llvm.fma.f64 would be a library call on a Cortex-M4.
  bool hasF64 = true;
  /// With hasRound: half to even as well. For 32-bit Arm, LLVM 19 makes a
  /// library call of it, and aborts on a vector.
  bool hasRoundEven = true;
};

void populateExpandMathPatterns(mlir::RewritePatternSet &patterns, const MathOptions &options = {});

/// The pass `modelc-expand-math`, on any operation.
std::unique_ptr<mlir::Pass> createExpandMathPass();
std::unique_ptr<mlir::Pass> createExpandMathPass(const MathOptions &options);

void registerExpandMathPass();

} // namespace modelc
