//===- Sweep.h - Distances from correct results ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Harness.h"

#include <functional>

namespace modelc::test {

/// A function, its correct value and its bounds in units of the last place.
struct Case {
  MathFunction function;
  std::function<long double(long double, long double)> exact;
  double boundF32;
  double boundF64;
};
const std::vector<Case> &cases();

/// The largest error that a sweep met, and where.
struct Worst {
  double ulps = 0;
  double x = 0, y = 0, got = 0, want = 0;
};

/// The operands of a sweep and the correct results, rounded only to what the
/// distance needs.
template <typename T> struct Samples {
  std::vector<T> x, y;
  std::vector<long double> want;
};

/// About `count` bit patterns, evenly spread over all of the format; for two
/// operands a quarter of the pairs each: any bits, near one, small integers
/// and simple fractions, special values.
template <typename T> Samples<T> samples(const Case &c, size_t count);

template <typename T> Worst sweep(CompiledMath::Function function, const Samples<T> &samples);

/// The error of `got` in units of the last place at `want`; infinite for a
/// wrong NaN, infinity or sign of zero.
template <typename T> double errorInUlps(T got, long double want);

} // namespace modelc::test
