//===- FftPlan.h - how a Fourier transform is taken apart -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_FFTPLAN_H
#define MODELC_CODEGEN_CPU_FFTPLAN_H

#include "ir/ModelcOps.h"

namespace modelc {

/// What a plan depends on.
struct FftMachine {
  int64_t lanes;         ///< of a vector; 1 without vectors
  int64_t registers;     ///< vector registers, or scalar ones without vectors
  bool hasMasks = false; ///< loads of some lanes cost no more than of all
};

/// One pass of a transform of `n` elements: `stride` transforms of what is left
/// of it were done before, `radix` is done now, `rest` is left to do.
struct FftPass {
  int64_t radix, stride, rest;

  /// The vectors of the pass run along `rest` in the first pass, else along
  /// `stride`. There may be more lanes than elements if there are masks.
  int64_t lanes(const FftMachine &machine) const;
};

/// The passes for `length` elements, or none if it has a prime factor without
/// codelet. Products of small factors have a plan of at least one pass.
llvm::SmallVector<FftPass> planFft(int64_t length, const FftMachine &machine);

/// The smallest length of at least `least` elements for which passes are cheap.
int64_t goodFftLength(int64_t least);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_FFTPLAN_H
