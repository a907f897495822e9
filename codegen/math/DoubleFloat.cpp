//===- DoubleFloat.cpp - Numbers as unevaluated sums of two floats ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/math/DoubleFloat.h"

namespace modelc::math {

Pair twoSum(Float a, Float b) {
  Float sum = a + b;
  Float bPart = sum - a;
  return {sum, (a - (sum - bPart)) + (b - bPart)};
}

Pair fastTwoSum(Float a, Float b) {
  Float sum = a + b;
  return {sum, b - (sum - a)};
}

/// The upper half of the mantissa. Clearing bits cannot overflow, unlike
/// Dekker's product with 2^12 + 1; the lower half has one bit more for it, so
/// that the product of two lower halves is rounded in f64.
static Float upperHalf(Float a) {
  uint64_t mask = a.emitter->isF32 ? 0xfffff000u : 0xfffffffff8000000u;
  return fromBits(bits(a) & mask);
}

Pair twoProduct(Float a, Float b) {
  Float product = a * b;
  if (a.emitter->hasFma()) {
    return {product, fma(a, b, -product)};
  }
  Float aHigh = upperHalf(a), bHigh = upperHalf(b);
  Float aLow = a - aHigh, bLow = b - bHigh;
  Float rest = ((aHigh * bHigh - product) + aHigh * bLow) + aLow * bHigh;
  return {product, rest + aLow * bLow};
}

Pair operator*(Pair a, Pair b) {
  Pair product = twoProduct(a.high, b.high);
  Float cross = fma(a.high, b.low, a.low * b.high);
  return fastTwoSum(product.high, product.low + cross);
}

Pair addToConstant(double high, double low, Pair a) {
  Pair sum = fastTwoSum(constant(a.high, high), a.high);
  return fastTwoSum(sum.high, sum.low + (a.low + low));
}

} // namespace modelc::math
