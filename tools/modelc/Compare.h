//===- Compare.h - whether two tensors are equal enough -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_COMPARE_H
#define MODELC_TOOLS_MODELC_COMPARE_H

#include "tools/modelc/Npy.h"
#include <optional>

namespace modelc {

/// |got - expected| <= absolute + relative * |expected|, as NumPy has it.
struct Tolerance {
  double relative, absolute;
};

/// Element `index`, row major, as a double.
double elementAt(const Tensor &tensor, uint64_t index);

/// Exact for integers; floats differ by the order of sums.
Tolerance defaultTolerance(ElementType type);

struct Comparison {
  std::string mismatch;         ///< types or shapes differ: nothing was compared
  uint64_t differing = 0;       ///< elements beyond the tolerance
  uint64_t firstIndex = 0;      ///< of these, row major
  double got = 0, expected = 0; ///< there
  double maxAbsolute = 0, maxRelative = 0;

  bool isEqual() const { return mismatch.empty() && differing == 0; }
};

/// NaN equals NaN, and an infinity itself.
Comparison compareTensors(const Tensor &got, const Tensor &expected, Tolerance tolerance);

/// "12 of 100 elements differ, first at [0, 3]: got 1.5, expected 2; ...".
std::string describe(const Comparison &comparison, const Tensor &tensor);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_COMPARE_H
