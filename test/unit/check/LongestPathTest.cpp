// The dearest path through graphs whose cost is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/check/LongestPath.h"
#include "gtest/gtest.h"
#include <map>

using namespace modelc;

static PathResult solve(std::vector<PathNode> nodes, std::map<unsigned, uint64_t> counts = {}) {
  return longestPath(nodes, [&](unsigned node) -> std::optional<uint64_t> {
    auto found = counts.find(node);
    return found == counts.end() ? std::nullopt : std::optional<uint64_t>(found->second);
  });
}

TEST(LongestPath, TakesTheDearerBranch) {
  EXPECT_EQ(solve({{1, {1, 2}}, {10, {3}}, {20, {3}}, {100, {}}}).cost, 121u);
}

TEST(LongestPath, ALoopOfOneBlock) {
  EXPECT_EQ(solve({{1, {1}}, {10, {1, 2}}, {100, {}}}, {{1, 7}}).cost, 171u);
}

TEST(LongestPath, TheEntryCanBeAHead) {
  EXPECT_EQ(solve({{3, {0, 1}}, {1, {}}}, {{0, 5}}).cost, 16u);
}

TEST(LongestPath, TheLastTurnLeavesAtTheHead) {
  // Four tests of the condition, three turns through the body.
  EXPECT_EQ(solve({{1, {1}}, {2, {2, 3}}, {10, {1}}, {100, {}}}, {{1, 4}}).cost, 139u);
}

TEST(LongestPath, NoPathEndsInTheMiddleOfATurn) {
  EXPECT_EQ(solve({{1, {1}}, {2, {2, 3}}, {1000, {1}}, {1, {}}}, {{1, 2}}).cost, 1006u);
}

TEST(LongestPath, APathMayEndOnACondition) {
  EXPECT_EQ(solve({{1, {1}}, {5, {0}, true}}, {{0, 2}}).cost, 12u);
}

TEST(LongestPath, WithoutAnEndThereIsNoBound) {
  EXPECT_FALSE(solve({{1, {0}}}, {{0, 5}}).cost);
}

TEST(LongestPath, NestsMultiply) {
  // 0 -> 1 (outer head) -> 2 (inner, of one block) -> 3 (outer latch) -> 1 or 4
  EXPECT_EQ(solve({{0, {1}}, {1, {2}}, {5, {2, 3}}, {1, {1, 4}}, {0, {}}}, {{1, 10}, {2, 20}}).cost,
            10u * (1 + 20 * 5 + 1));
}

TEST(LongestPath, SaysWhichLoopHasNoBound) {
  PathResult result = solve({{1, {1}}, {10, {1, 2}}, {100, {}}});
  EXPECT_FALSE(result.cost);
  EXPECT_EQ(result.unbounded, std::vector<unsigned>{1});
}

TEST(LongestPath, ALoopWithTwoEntriesHasNoHead) {
  PathResult result = solve({{1, {1, 2}}, {1, {2}}, {1, {1, 3}}, {1, {}}}, {{1, 2}, {2, 2}});
  EXPECT_FALSE(result.cost);
  EXPECT_EQ(result.irreducible.size(), 1u);
}

TEST(LongestPath, Saturates) {
  EXPECT_EQ(solve({{10, {0, 1}}, {1, {}}}, {{0, UINT64_MAX}}).cost, UINT64_MAX);
}

TEST(LongestPath, DeepNestsAreRefusedNotFollowed) {
  // Node i is a head around all nodes behind it.
  std::vector<PathNode> nodes;
  std::map<unsigned, uint64_t> counts;
  constexpr unsigned depth = 300;
  for (unsigned i = 0; i < depth; ++i) {
    nodes.push_back({1, {i + 1}});
    counts[i] = 2;
  }
  nodes.push_back({1, {}});
  for (unsigned i = 0; i < depth; ++i) {
    nodes.back().successors.push_back(i);
  }
  EXPECT_FALSE(solve(nodes, counts).cost);
}
