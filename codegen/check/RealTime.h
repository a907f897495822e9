//===- RealTime.h - The real-time contract of a library -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the machine code of a library and says how much stack and how many
// instructions its functions need at most, and what in it breaks the contract:
// no allocation, no lock, no system call, no call of anyone else's function or
// through a pointer, no writable global, no recursion, no loop without a bound.
//
// How the bound of instructions is found: from each global function on, the
// code is disassembled along its jumps into blocks. Loops of that graph must
// have one head, and the library's table (BoundTables.h) says how often it
// runs; the dearest path through the blocks is then found loop by loop from the
// inside out, and callees before callers. The number is exact for straight code
// and loops that always run to their end; it is above the truth where branches
// depend on data or on the turn of a loop.
//
// What is taken on trust: the two tables, and that code returns to where it was
// called from. Everything else is read from the code.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_CHECK_REALTIME_H
#define MODELC_CODEGEN_CHECK_REALTIME_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace modelc {

/// Of one function with everything that it calls.
struct FunctionBounds {
  std::optional<uint64_t> instructions, stackBytes;
  std::string missing; // why a bound is not known, empty if both are
  bool global = false;
};

struct RealTimeReport {
  struct Fault {
    std::string place;    // "g.o: g_conv+0x1c"
    std::string function; // where that is, empty for a fault of a whole section or member
    std::string what;
  };
  std::vector<Fault> faults;
  std::map<std::string, FunctionBounds> functions; // all that can be reached, by symbol
  uint64_t instructions = 0, loops = 0;            // of the code that can be reached
  /// The most that any global function needs.
  std::optional<uint64_t> stackBytes;
};

/// Checks an ELF object or an archive of them, whoever made it. An error means that the file could
/// not be read.
llvm::Expected<RealTimeReport> checkRealTime(llvm::MemoryBufferRef library);

} // namespace modelc

#endif // MODELC_CODEGEN_CHECK_REALTIME_H
