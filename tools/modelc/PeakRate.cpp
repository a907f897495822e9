//===- PeakRate.cpp - Arithmetic peak of this machine ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/PeakRate.h"
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

using Clock = std::chrono::steady_clock;

// A latency of 4 cycles on two units needs 8 independent chains. 12 leave
// room, and with the two operands they fit the 16 registers of AVX2.
static constexpr int chains = 12;
static constexpr int64_t rounds = 20000;

/// Read and written where the compiler must not know values.
static volatile float unknown = 0.5f;

#pragma clang fp contract(fast)

/// Makes `rounds` multiply-adds in each of `chains` vectors; returns how many
/// multiply-adds of numbers that is.
template <typename Vector> [[gnu::always_inline]] static inline int64_t runChains() {
  // The values stay at 1: no denormal numbers, no infinities.
  Vector half = Vector{} + unknown;
  Vector sums[chains];
  for (Vector &sum : sums) {
    sum = half + half;
  }
  for (int64_t round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (Vector &sum : sums) {
      sum = sum * half + half;
    }
  }
  float total = 0;
  for (const Vector &sum : sums) {
    total += sum[0];
  }
  unknown = total * (0.5f / chains);
  return rounds * chains * static_cast<int64_t>(sizeof(Vector) / sizeof(float));
}

template <size_t bytes> using FloatVector [[gnu::vector_size(bytes)]] = float;

static int64_t runBaseline() {
  return runChains<FloatVector<16>>();
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] static int64_t runAvx2() {
  return runChains<FloatVector<32>>();
}
[[gnu::target("avx512f")]] static int64_t runAvx512() {
  return runChains<FloatVector<64>>();
}
#endif

static int64_t (*widestOfThisMachine())() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    return runAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return runAvx2;
  }
#endif
  return runBaseline;
}

double modelc::measurePeakMultiplyAdds() {
  int64_t (*run)() = widestOfThisMachine();
  double best = 0;
  Clock::time_point end = Clock::now() + std::chrono::milliseconds(20);
  while (Clock::now() < end) {
    Clock::time_point begin = Clock::now();
    int64_t count = run();
    std::chrono::duration<double> seconds = Clock::now() - begin;
    best = std::max(best, count / seconds.count());
  }
  return best;
}
