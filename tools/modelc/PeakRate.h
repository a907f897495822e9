//===- PeakRate.h - Arithmetic peak of this machine -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the share of peak in `modelc bench` refers to.
//
//===----------------------------------------------------------------------===//
#ifndef MODELC_TOOLS_MODELC_PEAKRATE_H
#define MODELC_TOOLS_MODELC_PEAKRATE_H

namespace modelc {

/// Single-precision multiply-adds per second of one core of this machine, with
/// its widest vectors and all operands in registers: the best of several
/// measurements, 20 ms together.
double measurePeakMultiplyAdds();

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_PEAKRATE_H
