//===- AngleReduction.h - Angles modulo pi / 2 -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/math/DoubleFloat.h"

namespace modelc::math {

/// |x| = quadrant pi / 2 + r modulo 2 pi, with |r| <= pi / 4.
struct ReducedAngle {
  Pair r;
  /// A 32-bit integer; only its two low bits count.
  Int quadrant;
};

/// For every finite |x|; r is NaN for the others.
ReducedAngle reduceAngle(Float magnitude);

} // namespace modelc::math
