// How often a loop's head can run: what is known of the IR, noted so that it outlives the IR
// passes of code generation. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_TRIPCOUNTS_H
#define MODELC_CODEGEN_TRIPCOUNTS_H

#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class Module;
} // namespace llvm

namespace modelc {

/// Notes on every loop that scalar evolution finds a constant bound for, how often its head runs
/// at most each time the loop is entered; the lower of two notes stays. To be called
/// before loops are unrolled and vectorized, while they have the form that they were written in,
/// and when the IR is final.
///
/// A note outlives passes because a loop's metadata does, and stays true because none of them makes
/// a head run more often than that of the loop it came from: rotation, unrolling and vectorization
/// lower the number, peeling, versioning and unswitching copy loops. (Interchange, fusion and
/// flattening of loops, which could, are in no pipeline here.) Code generation rewrites the
/// induction variables and keeps the loops.
void noteTripCounts(llvm::Module &module, llvm::FunctionAnalysisManager &functions);

/// What noteTripCounts found; nothing for a loop without a bound, or one that was made later.
std::optional<uint64_t> notedTripCount(const llvm::Loop &loop);

} // namespace modelc

#endif // MODELC_CODEGEN_TRIPCOUNTS_H
