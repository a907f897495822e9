// Floating-point operations with the same bits on every IEEE 754 host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_FLOATOPS_H
#define MODELC_CODEGEN_EVAL_FLOATOPS_H

#include "codegen/eval/Program.h"
#include "llvm/ADT/bit.h"
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace modelc::eval {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559,
              "the host's arithmetic is IEEE 754");
static_assert(FLT_EVAL_METHOD == 0, "the host rounds every operation to its type");

template <typename Float> using BitsOf = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
template <typename Float>
constexpr BitsOf<Float> signBit = BitsOf<Float>(1) << (sizeof(Float) * 8 - 1);

template <typename Float> Float asFloat(uint64_t bits) {
  return llvm::bit_cast<Float>(BitsOf<Float>(bits));
}
template <typename Float> uint64_t exactBits(Float x) {
  return llvm::bit_cast<BitsOf<Float>>(x);
}

/// Bits of a computed result. Processors differ in the sign and payload of the NaN they make and
/// in which operand's NaN they hand on, so every NaN result is the positive quiet one.
template <typename Float> uint64_t resultBits(Float x) {
  return exactBits(x == x ? x : std::numeric_limits<Float>::quiet_NaN());
}

/// Propagates NaN; -0 is below +0.
template <typename Float> uint64_t maximum(Float a, Float b) {
  if (a == b) {
    return exactBits(a) & exactBits(b); // differs from either only for two zeros
  }
  return resultBits(a != a ? a : b != b ? b : a > b ? a : b);
}
template <typename Float> uint64_t minimum(Float a, Float b) {
  if (a == b) {
    return exactBits(a) | exactBits(b);
  }
  return resultBits(a != a ? a : b != b ? b : a < b ? a : b);
}
/// Takes the number when one operand is NaN; -0 is below +0.
template <typename Float> uint64_t maxNum(Float a, Float b) {
  return a != a ? resultBits(b) : b != b ? resultBits(a) : maximum(a, b);
}
template <typename Float> uint64_t minNum(Float a, Float b) {
  return a != a ? resultBits(b) : b != b ? resultBits(a) : minimum(a, b);
}

/// The default environment of a process rounds to nearest even, and nothing here changes it.
template <typename Float> Float roundEven(Float x) {
  return std::nearbyint(x);
}

template <typename Float> unsigned compareOrder(Float a, Float b) {
  return (a == b ? OrderEqual : 0) | (a > b ? OrderGreater : 0) | (a < b ? OrderLess : 0) |
         (a != a || b != b ? OrderNone : 0);
}

/// 2^exponent for an exponent of a normal double.
inline double powerOfTwo(unsigned exponent) {
  return llvm::bit_cast<double>(uint64_t(1023 + exponent) << 52);
}

/// To an integer of 64 - shift bits: toward zero, saturating, 0 for NaN.
inline uint64_t toSigned(double x, unsigned shift) {
  unsigned magnitudeBits = 63 - shift;
  uint64_t lowest = uint64_t(1) << magnitudeBits; // as N bits; its complement is the highest
  double bound = powerOfTwo(magnitudeBits);
  if (!(x > -bound)) {
    return x != x ? 0 : lowest;
  }
  return x >= bound ? lowest - 1 : uint64_t(int64_t(x)) & (~uint64_t(0) >> shift);
}
inline uint64_t toUnsigned(double x, unsigned shift) {
  if (!(x > 0)) {
    return 0;
  }
  return x >= powerOfTwo(64 - shift) ? ~uint64_t(0) >> shift : uint64_t(x);
}

/// Half and bfloat to the bits of a float; exact, keeps the payload of a NaN.
inline uint32_t f16FromBits(uint32_t half) {
  uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31) {
    return sign | 0x7f800000 | fraction << 13;
  }
  if (exponent == 0) {
    return sign | llvm::bit_cast<uint32_t>(float(fraction) * 0x1p-24f);
  }
  return sign | (exponent + 112) << 23 | fraction << 13;
}
inline uint32_t bf16FromBits(uint32_t bits) {
  return bits << 16;
}

/// Bits of a float to the nearest half, ties to even; the inverse of f16FromBits on its results.
inline uint32_t f16ToBits(uint32_t bits) {
  uint32_t sign = bits >> 16 & 0x8000, x = bits & 0x7fffffff;
  if (x > 0x7f800000) {
    uint32_t fraction = x >> 13 & 0x3ff;
    return sign | 0x7c00 | (fraction != 0 ? fraction : 0x200);
  }
  if (x >= 0x477ff000) { // half way from the largest half to 2^16
    return sign | 0x7c00;
  }
  if (x < 0x38800000) { // below the smallest normal: a unit of 0.5 is the unit of a half there
    float moved = llvm::bit_cast<float>(x) + 0.5f;
    return sign | (llvm::bit_cast<uint32_t>(moved) - 0x3f000000);
  }
  return sign | (x + 0xfff + (x >> 13 & 1) - (112u << 23)) >> 13;
}
inline uint32_t bf16ToBits(uint32_t bits) {
  if ((bits & 0x7fffffff) > 0x7f800000) {
    return (bits >> 16) | ((bits & 0x7f0000) != 0 ? 0 : 0x40);
  }
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// A float to the nearest float that half or bfloat holds.
inline uint64_t roundToF16(float x) {
  return f16FromBits(f16ToBits(uint32_t(resultBits(x))));
}
inline uint64_t roundToBF16(float x) {
  return bf16FromBits(bf16ToBits(uint32_t(resultBits(x))));
}

/// A double to float: if inexact, the neighbour with an odd last bit. A float has more than two
/// bits beyond half and bfloat, so that rounding it again rounds the double itself correctly
/// (Boldo and Melquiond, "When double rounding is odd", 2005).
inline uint64_t narrowToOdd(double x) {
  float nearest = float(x);
  uint64_t bits = resultBits(nearest);
  if (x != x || double(nearest) == x || (bits & 1) != 0) {
    return bits;
  }
  return std::fabs(double(nearest)) > std::fabs(x) ? bits - 1 : bits + 1;
}

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_FLOATOPS_H
