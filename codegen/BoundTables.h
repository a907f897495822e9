// The two tables in an object that say what its machine code cannot: how often loops run, and how
// much stack functions need. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_BOUNDTABLES_H
#define MODELC_CODEGEN_BOUNDTABLES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class FunctionPass;
class MCStreamer;
} // namespace llvm

namespace modelc {

/// Records of an address (of the size of a pointer) and a 64-bit number, little endian, packed.
/// Loops: the head, and how often it runs at most each time the loop is entered. Stack: the
/// function, and the bytes that it needs below the caller's stack pointer, without what it calls.
/// The sections take no memory, and linkers drop them (SHF_EXCLUDE) from programs, but not from
/// relocatable objects. What has no record has no known bound.
inline constexpr llvm::StringLiteral kLoopSection = ".modelc.loops";
inline constexpr llvm::StringLiteral kStackSection = ".modelc.stack";

/// A pass over machine code for the place behind the printer of `streamer`, which must live as
/// long: writes both tables. The IR's loops must carry the notes of noteTripCounts.
///
/// A loop of the machine code belongs to the innermost loop of the IR around its head. Code
/// generation may turn and duplicate blocks, but none of its passes makes an iteration run a block
/// twice, so the head of a loop whose blocks all come from one IR loop runs at most as often as
/// that loop's head. A loop inside another one of the same IR loop is none of the program's (some
/// pseudo instructions expand to loops): it gets no record.
llvm::FunctionPass *createBoundTablesPass(llvm::MCStreamer &streamer);

} // namespace modelc

#endif // MODELC_CODEGEN_BOUNDTABLES_H
