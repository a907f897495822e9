// Integer operations of N bits on zero-extended 64-bit registers, defined for every operand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_INTEGEROPS_H
#define MODELC_CODEGEN_EVAL_INTEGEROPS_H

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstdint>

namespace modelc::eval {

// Conversion to int64_t wraps and >> of a negative value copies the sign on every compiler that
// builds LLVM (and by rule from C++20).

/// The value of the low 64 - shift bits, with their sign.
inline int64_t signExtend(uint64_t x, unsigned shift) {
  return int64_t(x << shift) >> shift;
}

/// A register holds the value without a sign already.
inline uint64_t zeroExtend(uint64_t x, unsigned) {
  return x;
}

inline uint64_t shiftLeft(uint64_t a, uint64_t b, unsigned shift) {
  return b < 64 - shift ? a << b : 0;
}
inline uint64_t shiftRightUnsigned(uint64_t a, uint64_t b, unsigned shift) {
  return b < 64 - shift ? a >> b : 0;
}
inline uint64_t shiftRightSigned(uint64_t a, uint64_t b, unsigned shift) {
  return uint64_t(signExtend(a, shift) >> std::min<uint64_t>(b, 63));
}

// Division: the caller has checked that b is not 0. The smallest value divided by -1 wraps.
inline uint64_t divSigned(int64_t a, int64_t b) {
  return b == -1 ? 0 - uint64_t(a) : uint64_t(a / b);
}
inline uint64_t remSigned(int64_t a, int64_t b) {
  return b == -1 ? 0 : uint64_t(a % b);
}
inline uint64_t floorDivSigned(int64_t a, int64_t b) {
  bool down = remSigned(a, b) != 0 && (a < 0) != (b < 0);
  return divSigned(a, b) - down;
}
inline uint64_t ceilDivSigned(int64_t a, int64_t b) {
  bool up = remSigned(a, b) != 0 && (a < 0) == (b < 0);
  return divSigned(a, b) + up;
}
inline uint64_t ceilDivUnsigned(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

inline uint64_t absInt(uint64_t a, unsigned shift) {
  return signExtend(a, shift) < 0 ? 0 - a : a;
}
inline uint64_t countLeadingZeros(uint64_t a, unsigned shift) {
  return unsigned(llvm::countl_zero(a)) - shift;
}
inline uint64_t countTrailingZeros(uint64_t a, unsigned shift) {
  return std::min<unsigned>(llvm::countr_zero(a), 64 - shift);
}

struct WideProduct {
  uint64_t low, high;
};

/// The 128-bit product of two unsigned numbers.
inline WideProduct multiplyUnsigned(uint64_t a, uint64_t b) {
  uint64_t a0 = uint32_t(a), a1 = a >> 32, b0 = uint32_t(b), b1 = b >> 32;
  uint64_t low = a0 * b0, middle1 = a1 * b0, middle2 = a0 * b1;
  uint64_t carry = ((low >> 32) + uint32_t(middle1) + uint32_t(middle2)) >> 32;
  return {a * b, a1 * b1 + (middle1 >> 32) + (middle2 >> 32) + carry};
}
inline WideProduct multiplySigned(int64_t a, int64_t b) {
  WideProduct product = multiplyUnsigned(uint64_t(a), uint64_t(b));
  product.high -= (a < 0 ? uint64_t(b) : 0) + (b < 0 ? uint64_t(a) : 0);
  return product;
}

/// The two halves of a product of N-bit numbers (mask = 2^N - 1).
inline WideProduct splitProduct(WideProduct product, unsigned shift) {
  uint64_t mask = ~uint64_t(0) >> shift;
  if (shift == 0) {
    return product;
  }
  return {product.low & mask, (product.low >> (64 - shift) | product.high << shift) & mask};
}

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_INTEGEROPS_H
