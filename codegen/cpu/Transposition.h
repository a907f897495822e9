//===- Transposition.h - square tiles turned in registers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_TRANSPOSITION_H
#define MODELC_CODEGEN_CPU_TRANSPOSITION_H

#include "codegen/cpu/KernelBuilder.h"

namespace modelc {

/// The columns of the square matrix whose rows are `rows`: as many vectors as
/// each has lanes, a power of two.
Values transposeTile(KernelBuilder &k, const Values &rows);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_TRANSPOSITION_H
