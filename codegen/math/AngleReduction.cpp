//===- AngleReduction.cpp - Angles modulo pi / 2 ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Payne and Hanek, "Radian reduction for trigonometric functions" (1983): the
// integer mantissa times those bits of 2/pi that matter for the quadrant and
// the fraction. Without branches the cheaper scheme for moderate angles would
// be computed on top of this one, so there is only this one. All words have 32
// bits: 64-bit and 128-bit products would be library calls on some targets.
#include "codegen/math/AngleReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace modelc::math {

// The binary digits of 2/pi after the point: enough for 2^1024.
static constexpr uint32_t kTwoOverPi[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u};

using Words = SmallVector<Int, 40>;

/// How one format is cut into words. A magnitude with the exponent e and p bits
/// is M 2^(e-p+1). The window on 2/pi begins where its first bit times M has
/// the weight 2; bits before that are multiples of full turns.
struct Layout {
  /// Zero bits before the point, so that the window of the smallest magnitude
  /// that needs a reduction begins inside the table.
  unsigned leadingWords;
  unsigned tableWords;
  /// log2 of the words that the window may be moved by, rounded up.
  unsigned indexBits;
  /// Words of the window: two bits of quadrant, as many bits as M whose
  /// products are incomplete, those that cancel near multiples of pi / 2 (34
  /// and 64), and two mantissas.
  unsigned windowWords;
  /// The window's first bit in the table, less the biased exponent.
  int offset;
};
static constexpr Layout kLayoutF32 = {1, 7, 3, 3, -120};
static constexpr Layout kLayoutF64 = {2, 37, 6, 6, -1013};

static Int constantWord(Emitter &e, uint32_t value) {
  return {{&e, e.constantInt(e.integerType(32), value)}};
}

/// `windowWords` words of 2/pi from the bit `position` of the table.
static Words window(Emitter &e, const Layout &layout, Int position) {
  Words words;
  for (unsigned i = 0; i < layout.leadingWords; ++i) {
    words.push_back(constantWord(e, 0));
  }
  for (uint32_t digits : ArrayRef(kTwoOverPi).take_front(layout.tableWords)) {
    words.push_back(constantWord(e, digits));
  }
  // Moves by whole words, a power of two at a time.
  for (int bit = layout.indexBits - 1; bit >= 0; --bit) {
    unsigned step = 1u << bit;
    Bool moves = (position & (uint64_t(32) << bit)) != 0;
    unsigned kept = layout.windowWords + step;
    for (unsigned i = 0; i < kept && i + step < words.size(); ++i) {
      words[i] = select(moves, words[i + step], words[i]);
    }
    words.truncate(std::min<size_t>(words.size(), kept));
  }
  // And by bits; a shift by 32 would be poison.
  Int shift = position & 31, rest = shift ^ constant(shift, 31);
  for (unsigned i = 0; i < layout.windowWords; ++i) {
    words[i] = (words[i] << shift) | shiftRightLogical(shiftRightLogical(words[i + 1], 1), rest);
  }
  words.truncate(layout.windowWords);
  return words;
}

/// words * digit + carryIn * 2^32, modulo 2^(32 n). `sum` is added if not empty.
static Words multiplyAdd(const Words &words, Int digit, const Words &sum) {
  Words result(words.size(), digit);
  Int wideDigit = resize(digit, 64);
  Int carry = constant(wideDigit, 0);
  for (int i = words.size() - 1; i >= 0; --i) {
    Int column = resize(words[i], 64) * wideDigit + carry;
    if (!sum.empty()) {
      column = column + resize(sum[i], 64);
    }
    result[i] = resize(column, 32);
    carry = shiftRightLogical(column, 32);
  }
  return result;
}

static Float toFloatSigned(Int word) {
  Emitter &e = *word.emitter;
  return {{&e, e.builder.create<arith::SIToFPOp>(e.loc, e.floatType, word.value)}};
}

static Float toFloatUnsigned(Int word) {
  Emitter &e = *word.emitter;
  return {{&e, e.builder.create<arith::UIToFPOp>(e.loc, e.floatType, word.value)}};
}

/// The fraction whose first word is signed with a unit of 2^-30.
static Pair fractionToPair(const Words &words) {
  if (words[0].emitter->isF32) {
    // Parts of 24 bits, each exact.
    Float a = toFloatSigned(words[0] >> 6) * 0x1p-24;
    Float b = toFloatSigned(((words[0] & 63) << 18) | shiftRightLogical(words[1], 14)) * 0x1p-48;
    Float c =
        toFloatSigned(((words[1] & 0x3fff) << 10) | shiftRightLogical(words[2], 22)) * 0x1p-72;
    Pair sum = fastTwoSum(a, b);
    return fastTwoSum(sum.high, sum.low + c);
  }
  Pair sum = fastTwoSum(toFloatSigned(words[0]) * 0x1p-30, toFloatUnsigned(words[1]) * 0x1p-62);
  Pair next = twoSum(sum.low, toFloatUnsigned(words[2]) * 0x1p-94);
  sum = fastTwoSum(sum.high, next.high);
  Float rest = next.low + toFloatUnsigned(words[3]) * 0x1p-126;
  return fastTwoSum(sum.high, sum.low + rest);
}

ReducedAngle reduceAngle(Float magnitude) {
  Emitter &e = *magnitude.emitter;
  const Layout &layout = e.isF32 ? kLayoutF32 : kLayoutF64;
  Int all = bits(magnitude);
  Int top = e.isF32 ? all : resize(shiftRightLogical(all, 32), 32);
  unsigned topBits = e.isF32 ? 23 : 20;
  Int exponent = top >> topBits;
  uint64_t hiddenBit = uint64_t(1) << topBits;
  Int topDigit = (top & (hiddenBit - 1)) | constant(top, hiddenBit);
  Words digits = window(e, layout, exponent + layout.offset);

  Words turns;
  if (e.isF32) {
    turns = multiplyAdd(digits, topDigit, {});
  } else {
    Words low = multiplyAdd(digits, resize(all, 32), {});
    // One word up: the last digit and the first column fall away.
    Words shifted(digits.begin() + 1, digits.end());
    shifted.push_back(constantWord(e, 0));
    turns = multiplyAdd(shifted, topDigit, low);
  }
  Int quadrant = shiftRightLogical(turns[0] + int64_t(0x20000000), 30);
  turns[0] = turns[0] - (quadrant << 30);

  Pair r = fractionToPair(turns) *
           (e.isF32 ? Pair{constant(magnitude, 0x1.921fb6p0), constant(magnitude, -0x1.777a5cp-25)}
                    : Pair{constant(magnitude, 0x1.921fb54442d18p0),
                           constant(magnitude, 0x1.1a62633145c07p-54)});
  Bool isSmall = magnitude < 0x1.921fb4p-1;
  r.high =
      select(isSmall, magnitude, select(magnitude < infinity(magnitude), r.high, nan(magnitude)));
  r.low = select(isSmall, 0.0, r.low);
  return {r, select(isSmall, constant(quadrant, 0), quadrant)};
}

} // namespace modelc::math
