//===- Cases.cpp - The functions under test and their bounds ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sweep.h"

#include <cmath>

namespace modelc::test {

using Real = long double;

/// The bounds are a little above the largest errors of sweeps over 2^24 (f32)
/// and 2^22 (f64) samples, with and without fused multiply-add.
const std::vector<Case> &cases() {
  static const std::vector<Case> list = {
      {{"math.exp"}, [](Real x, Real) { return std::exp(x); }, 1.05, 1.05},
      {{"math.exp2"}, [](Real x, Real) { return std::exp2(x); }, 1.15, 1.15},
      {{"math.expm1"}, [](Real x, Real) { return std::expm1(x); }, 1.65, 2.05},
      {{"math.log"}, [](Real x, Real) { return std::log(x); }, 0.95, 0.95},
      {{"math.log2"}, [](Real x, Real) { return std::log2(x); }, 1, 1},
      {{"math.log10"}, [](Real x, Real) { return std::log10(x); }, 0.85, 0.85},
      {{"math.log1p"}, [](Real x, Real) { return std::log1p(x); }, 1, 1},
      {{"math.tanh"}, [](Real x, Real) { return std::tanh(x); }, 1.85, 2.2},
      {{"math.sinh"}, [](Real x, Real) { return std::sinh(x); }, 2.4, 2.4},
      {{"math.cosh"}, [](Real x, Real) { return std::cosh(x); }, 1.5, 1.5},
      {{"math.asinh"}, [](Real x, Real) { return std::asinh(x); }, 1.9, 1.8},
      {{"math.acosh"}, [](Real x, Real) { return std::acosh(x); }, 1.95, 1.9},
      {{"math.atanh"}, [](Real x, Real) { return std::atanh(x); }, 2.1, 2.1},
      {{"math.erf"}, [](Real x, Real) { return std::erf(x); }, 1.4, 1.3},
      {{"math.sqrt"}, [](Real x, Real) { return std::sqrt(x); }, 0.501, 0.501},
      {{"math.rsqrt"}, [](Real x, Real) { return 1 / std::sqrt(x); }, 1.5, 1.5},
      {{"math.cbrt"}, [](Real x, Real) { return std::cbrt(x); }, 1, 1},
      {{"math.powf", 2}, [](Real x, Real y) { return std::pow(x, y); }, 1.2, 1.2},
      {{"math.fpowi", 2, "i32"}, [](Real x, Real y) { return std::pow(x, y); }, 1.2, 1.2},
      {{"math.fpowi", 2, "i64"}, [](Real x, Real y) { return std::pow(x, y); }, 1.2, 1.2},
      {{"math.sin"}, [](Real x, Real) { return std::sin(x); }, 0.95, 0.95},
      {{"math.cos"}, [](Real x, Real) { return std::cos(x); }, 0.95, 0.95},
      {{"math.tan"}, [](Real x, Real) { return std::tan(x); }, 1.25, 1.2},
      {{"math.atan"}, [](Real x, Real) { return std::atan(x); }, 1.55, 1.6},
      {{"math.atan2", 2}, [](Real y, Real x) { return std::atan2(y, x); }, 1.6, 1.65},
      {{"math.asin"}, [](Real x, Real) { return std::asin(x); }, 2.4, 2.2},
      {{"math.acos"}, [](Real x, Real) { return std::acos(x); }, 1.2, 1.2},
      {{"math.floor"}, [](Real x, Real) { return std::floor(x); }, 0, 0},
      {{"math.ceil"}, [](Real x, Real) { return std::ceil(x); }, 0, 0},
      {{"math.trunc"}, [](Real x, Real) { return std::trunc(x); }, 0, 0},
      {{"math.round"}, [](Real x, Real) { return std::round(x); }, 0, 0},
      {{"math.roundeven"}, [](Real x, Real) { return std::nearbyint(x); }, 0, 0},
  };
  return list;
}

} // namespace modelc::test
