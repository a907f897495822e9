//===- Sweep.cpp - Distances from correct results --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sweep.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace modelc::test {

template <typename T> double errorInUlps(T got, long double want) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  if (std::isnan(want)) {
    return std::isnan(got) ? 0 : kWrong;
  }
  if (std::isnan(got)) {
    return kWrong;
  }
  T rounded = static_cast<T>(want);
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got) {
      return 0;
    }
    // One step from the largest finite number to infinity.
    if (std::isinf(got) && std::fabs(rounded) == Limits::max()) {
      return std::signbit(got) == std::signbit(rounded) ? 1 : kWrong;
    }
    if (std::isinf(rounded) && std::fabs(got) == Limits::max()) {
      return std::signbit(got) == std::signbit(rounded) ? 1 : kWrong;
    }
    return kWrong;
  }
  if (want == 0 && (got != 0 || std::signbit(got) != std::signbit(want))) {
    return kWrong;
  }
  if (rounded != 0 && got != 0 && std::signbit(got) != std::signbit(rounded)) {
    return kWrong;
  }
  int exponent =
      want == 0 ? Limits::min_exponent : std::max(std::ilogb(want) + 1, Limits::min_exponent);
  return static_cast<double>(
      std::scalbn(std::fabs(static_cast<long double>(got) - want), Limits::digits - exponent));
}

template <typename T> static T fromBits(uint64_t bits) {
  T value;
  if constexpr (sizeof(T) == 4) {
    uint32_t narrow = static_cast<uint32_t>(bits);
    std::memcpy(&value, &narrow, sizeof(value));
  } else {
    std::memcpy(&value, &bits, sizeof(value));
  }
  return value;
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <typename T> static std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  const T pi = static_cast<T>(3.14159265358979323846L);
  for (T value : {T(0),
                  T(1),
                  T(0.5),
                  T(1.5),
                  T(2),
                  T(2.5),
                  T(3),
                  T(4),
                  T(7),
                  T(8),
                  T(10),
                  T(64),
                  T(100),
                  T(0x1p23),
                  T(0x1p24) - 1,
                  T(0x1p31),
                  T(0x1p52),
                  T(0x1p53) - 1,
                  T(1e30),
                  pi,
                  pi / 2,
                  pi / 4,
                  3 * pi / 4,
                  2 * pi,
                  355 * pi,
                  T(88.7),
                  T(89),
                  T(103.9),
                  T(104),
                  T(709.7),
                  T(710),
                  T(745),
                  T(746),
                  T(9.01),
                  T(20),
                  Limits::min(),
                  Limits::denorm_min(),
                  Limits::max(),
                  Limits::epsilon(),
                  Limits::infinity(),
                  Limits::quiet_NaN()}) {
    for (T near : {value, std::nextafter(value, T(0)), std::nextafter(value, Limits::infinity())}) {
      values.push_back(near);
      values.push_back(-near);
    }
  }
  return values;
}

template <typename T> Samples<T> samples(const Case &c, size_t count) {
  Samples<T> result;
  uint64_t state = 1;
  std::vector<T> special = specialValues<T>();
  auto add = [&](T x, T y) {
    result.x.push_back(x);
    result.y.push_back(y);
  };
  auto uniform = [&](double low, double high) {
    return static_cast<T>(low + (high - low) * (nextRandom(state) >> 11) * 0x1p-53);
  };
  if (c.function.operands == 1) {
    for (T x : special) {
      add(x, 0);
    }
    for (size_t i = 0; i < count / 2; ++i) {
      add(fromBits<T>(sizeof(T) == 4 ? i * ((uint64_t(1) << 33) / count) + nextRandom(state) % 64
                                     : nextRandom(state)),
          0);
      double range = std::ldexp(1.0, static_cast<int>(i % 16) - 5);
      add(uniform(-range, range), 0);
    }
  } else if (!c.function.exponentType.empty()) {
    for (size_t i = 0; i < count; ++i) {
      int64_t bits = c.function.exponentType == "i64" && sizeof(T) == 8 ? 50 : 24;
      T y = static_cast<T>(static_cast<int64_t>(nextRandom(state)) >> (63 - i % bits));
      T x = i % 4 == 0   ? special[i / 4 % special.size()]
            : i % 4 == 1 ? fromBits<T>(nextRandom(state))
                         : uniform(-1, 1) * std::pow(T(2), 60 / (std::fabs(y) + 1));
      add(x, y);
    }
  } else {
    for (T x : special) {
      for (T y : special) {
        add(x, y);
      }
    }
    for (size_t i = 0; i < count / 4; ++i) {
      add(fromBits<T>(nextRandom(state)), fromBits<T>(nextRandom(state)));
      add(uniform(0.9, 1.1), uniform(-1, 1) * std::ldexp(T(1), static_cast<int>(i % 16)));
      add(uniform(0, 1) * std::ldexp(T(1), static_cast<int>(i % 20) - 8), uniform(-32, 32));
      add(static_cast<T>(static_cast<int>(nextRandom(state) % 64) - 32),
          static_cast<T>(static_cast<int>(nextRandom(state) % 256) - 128) / 4);
    }
  }
  while (result.x.size() % CompiledMath::kBlock) {
    add(1, 1);
  }
  result.want.reserve(result.x.size());
  for (size_t i = 0; i < result.x.size(); ++i) {
    result.want.push_back(c.exact(result.x[i], result.y[i]));
  }
  return result;
}

template <typename T> Worst sweep(CompiledMath::Function function, const Samples<T> &samples) {
  Worst worst;
  std::vector<T> got(CompiledMath::kBlock);
  for (size_t start = 0; start < samples.x.size(); start += CompiledMath::kBlock) {
    function(&samples.x[start], &samples.y[start], nullptr, got.data());
    for (size_t i = 0; i < CompiledMath::kBlock; ++i) {
      double ulps = errorInUlps<T>(got[i], samples.want[start + i]);
      if (ulps > worst.ulps) {
        worst = {ulps, samples.x[start + i], samples.y[start + i], got[i],
                 static_cast<double>(samples.want[start + i])};
      }
    }
  }
  return worst;
}

template Samples<float> samples(const Case &, size_t);
template Samples<double> samples(const Case &, size_t);
template Worst sweep(CompiledMath::Function, const Samples<float> &);
template Worst sweep(CompiledMath::Function, const Samples<double> &);
template double errorInUlps(float, long double);
template double errorInUlps(double, long double);

} // namespace modelc::test
