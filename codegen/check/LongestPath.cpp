//===- LongestPath.cpp - The most that a graph of bounded loops can cost --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/check/LongestPath.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace modelc;

/// Deeper nests are refused: each level is one level of recursion here.
static constexpr unsigned maxDepth = 100;

namespace {

using Part = std::vector<unsigned>;

/// Strongly connected parts of a subgraph without the edges to its head, in an order in which each
/// part comes behind the parts that it is reached from. Tarjan's algorithm, without recursion.
class PartFinder {
public:
  PartFinder(ArrayRef<PathNode> nodes, const Part &within, unsigned head)
      : nodes(nodes), head(head) {
    for (unsigned node : within) {
      states[node];
    }
  }

  std::vector<Part> run() {
    visit(head);
    std::reverse(parts.begin(), parts.end());
    return std::move(parts);
  }

private:
  struct State {
    unsigned number = 0, low = 0; // 0: not visited
    unsigned next = 0;            // successor to look at
    bool open = false;
  };

  void enter(unsigned node) {
    State &state = states[node];
    state.number = state.low = ++counter;
    state.open = true;
    open.push_back(node);
    path.push_back(node);
  }

  void leave(unsigned node) {
    State &state = states[node];
    path.pop_back();
    if (!path.empty()) {
      State &before = states[path.back()];
      before.low = std::min(before.low, state.low);
    }
    if (state.low != state.number) {
      return;
    }
    Part part;
    do {
      part.push_back(open.back());
      open.pop_back();
      states[part.back()].open = false;
    } while (part.back() != node);
    parts.push_back(std::move(part));
  }

  void visit(unsigned root) {
    enter(root);
    while (!path.empty()) {
      unsigned node = path.back();
      State &state = states[node];
      if (state.next == nodes[node].successors.size()) {
        leave(node);
        continue;
      }
      unsigned successor = nodes[node].successors[state.next++];
      auto found = states.find(successor);
      if (found == states.end() || successor == head) {
        continue;
      }
      if (found->second.number == 0) {
        enter(successor);
      } else if (found->second.open) {
        state.low = std::min(state.low, found->second.number);
      }
    }
  }

  ArrayRef<PathNode> nodes;
  unsigned head;
  unsigned counter = 0;
  DenseMap<unsigned, State> states;
  std::vector<unsigned> open, path;
  std::vector<Part> parts;
};

class PathFinder {
public:
  PathFinder(ArrayRef<PathNode> nodes, function_ref<std::optional<uint64_t>(unsigned)> headCount)
      : nodes(nodes), headCount(headCount) {}

  /// Costs from arriving at a head until a node is left.
  using Costs = DenseMap<unsigned, uint64_t>;

  Costs solve(const Part &within, unsigned head, unsigned depth) {
    Costs arrivals, costs;
    std::vector<Part> parts = PartFinder(nodes, within, head).run();
    for (const Part &part : parts) {
      for (unsigned node : part) {
        costs[node]; // tells what belongs to the subgraph
      }
    }
    arrivals[head] = 0;
    for (const Part &part : parts) {
      DenseSet<unsigned> members(part.begin(), part.end());
      solvePart(part, members, head, depth, arrivals, costs);
      for (unsigned node : part) {
        for (unsigned successor : nodes[node].successors) {
          if (successor != head && costs.contains(successor) && !members.contains(successor)) {
            uint64_t &arrival = arrivals[successor];
            arrival = std::max(arrival, costs[node]);
          }
        }
      }
    }
    return costs;
  }

  PathResult result;

private:
  /// The edges to the head of the subgraph at hand are not in it.
  bool isLoop(const Part &part, unsigned outerHead) const {
    return part.size() > 1 ||
           (part[0] != outerHead && is_contained(nodes[part[0]].successors, part[0]));
  }

  void solvePart(const Part &part, const DenseSet<unsigned> &members, unsigned outerHead,
                 unsigned depth, Costs &arrivals, Costs &costs) {
    SmallVector<unsigned, 2> entries;
    for (unsigned node : part) {
      if (arrivals.contains(node)) {
        entries.push_back(node);
      }
    }
    unsigned head = entries.front();
    uint64_t before = arrivals[head];
    if (!isLoop(part, outerHead)) {
      costs[head] = SaturatingAdd(before, nodes[head].cost);
      return;
    }
    if (entries.size() > 1 || depth == maxDepth) {
      result.irreducible.push_back(head);
      return;
    }
    std::optional<uint64_t> count = headCount(head);
    if (!count) {
      result.unbounded.push_back(head);
    }
    Costs inner = solve(part, head, depth + 1);
    uint64_t around = 0;
    for (const auto &[node, cost] : inner) {
      if (is_contained(nodes[node].successors, head)) {
        around = std::max(around, cost);
      }
    }
    uint64_t turns = count && *count > 0 ? *count - 1 : 0;
    uint64_t start = SaturatingAdd(before, SaturatingMultiply(turns, around));
    for (const auto &[node, cost] : inner) {
      costs[node] = SaturatingAdd(start, cost);
    }
  }

  ArrayRef<PathNode> nodes;
  function_ref<std::optional<uint64_t>(unsigned)> headCount;
};

} // namespace

PathResult modelc::longestPath(ArrayRef<PathNode> nodes,
                               function_ref<std::optional<uint64_t>(unsigned)> headCount) {
  // A node in front, so that node 0 may be the head of a loop.
  std::vector<PathNode> all(nodes.begin(), nodes.end());
  unsigned front = all.size();
  all.push_back({0, {0}});
  Part everything(all.size());
  std::iota(everything.begin(), everything.end(), 0);
  PathFinder finder(all, headCount);
  // Every path of bounded loops comes to an end. Inside a loop whose exit is its head
  // there are costs of one more turn, which no path that ends has.
  std::optional<uint64_t> most;
  for (const auto &[node, cost] : finder.solve(everything, front, 0)) {
    if (all[node].canEnd || all[node].successors.empty()) {
      most = std::max(most.value_or(0), cost);
    }
  }
  llvm::sort(finder.result.unbounded);
  if (finder.result.unbounded.empty() && finder.result.irreducible.empty()) {
    finder.result.cost = most;
  }
  return std::move(finder.result);
}
