//===- LongestPath.h - The most that a graph of bounded loops can cost ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_CHECK_LONGESTPATH_H
#define MODELC_CODEGEN_CHECK_LONGESTPATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace modelc {

struct PathNode {
  uint64_t cost = 0;
  llvm::SmallVector<unsigned, 2> successors;
  bool canEnd = false; ///< a path may end here although there are successors
};

struct PathResult {
  /// The most that a path from node 0 to its end costs; UINT64_MAX if that overflows. Nothing if a
  /// loop has no bound, or no path ends.
  std::optional<uint64_t> cost;
  /// Nodes at which a loop without a bound is entered.
  std::vector<unsigned> unbounded;
  /// Nodes of loops that can be entered at several places: such a loop has no head.
  std::vector<unsigned> irreducible;
};

/// Loops are the strongly connected parts of the graph, then those that remain inside a part when
/// the edges to its head are taken away, and so on. A head that runs n times each time its loop is
/// entered costs n - 1 times the dearest way around and then the dearest way out.
/// `headCount` gives n for a node, or nothing.
PathResult longestPath(llvm::ArrayRef<PathNode> nodes,
                       llvm::function_ref<std::optional<uint64_t>(unsigned)> headCount);

} // namespace modelc

#endif // MODELC_CODEGEN_CHECK_LONGESTPATH_H
