//===- DoubleFloat.h - Numbers as unevaluated sums of two floats -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error-free transformations of Dekker ("A floating-point technique for
// extending the available precision", 1971) and Knuth (TAOCP volume 2, 4.2.2).
#pragma once

#include "codegen/math/Emitter.h"

namespace modelc::math {

/// high + low with |low| at most half an ULP of high.
struct Pair {
  Float high;
  Float low;
};

/// a + b exactly.
Pair twoSum(Float a, Float b);
/// a + b exactly, if a is zero or not smaller than b.
Pair fastTwoSum(Float a, Float b);
/// a * b exactly, unless the low part underflows; by splitting the operands
/// where the target has no fused multiply-add.
Pair twoProduct(Float a, Float b);

/// With a relative error of a few units in 2^-47 (f32) or 2^-105 (f64).
Pair operator*(Pair a, Pair b);
/// c + a where the constant c = high + low is not smaller than a.
Pair addToConstant(double high, double low, Pair a);

} // namespace modelc::math
