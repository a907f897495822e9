// Orders the nodes of an ONNX graph so that definitions precede uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/Model.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <queue>

using namespace mlir;

namespace modelc {

namespace {

/// Calls `use` for every name that `node` takes from outside, also from inside
/// its subgraphs.
void forEachUse(const onnx::NodeProto &node, llvm::function_ref<void(llvm::StringRef)> use) {
  for (const std::string &input : node.input()) {
    if (!input.empty()) {
      use(input);
    }
  }
  auto visitGraph = [&](const onnx::GraphProto &graph) {
    llvm::StringSet<> local;
    for (const auto &input : graph.input()) {
      local.insert(input.name());
    }
    for (const auto &tensor : graph.initializer()) {
      local.insert(tensor.name());
    }
    for (const auto &inner : graph.node()) {
      for (const auto &output : inner.output()) {
        local.insert(output);
      }
    }
    auto useOuter = [&](llvm::StringRef name) {
      if (!local.contains(name)) {
        use(name);
      }
    };
    for (const auto &inner : graph.node()) {
      forEachUse(inner, useOuter);
    }
    for (const auto &output : graph.output()) {
      useOuter(output.name());
    }
  };
  for (const auto &attribute : node.attribute()) {
    if (attribute.has_g()) {
      visitGraph(attribute.g());
    }
    for (const auto &graph : attribute.graphs()) {
      visitGraph(graph);
    }
  }
}

} // namespace

FailureOr<std::vector<int>> topologicalOrder(const OnnxNodes &nodes, Location location) {
  int count = nodes.size();
  llvm::StringMap<int> producer;
  for (int i = 0; i < count; ++i) {
    for (const std::string &output : nodes[i].output()) {
      if (!output.empty()) {
        producer[output] = i;
      }
    }
  }
  std::vector<std::vector<int>> users(count);
  std::vector<int> waitsFor(count, 0);
  for (int i = 0; i < count; ++i) {
    forEachUse(nodes[i], [&](llvm::StringRef name) {
      auto it = producer.find(name);
      if (it != producer.end()) {
        users[it->second].push_back(i);
        ++waitsFor[i];
      }
    });
  }
  // The ready node that comes first in the file goes first: a sorted file
  // keeps its order.
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < count; ++i) {
    if (waitsFor[i] == 0) {
      ready.push(i);
    }
  }
  std::vector<int> order;
  order.reserve(count);
  while (!ready.empty()) {
    int node = ready.top();
    ready.pop();
    order.push_back(node);
    for (int user : users[node]) {
      if (--waitsFor[user] == 0) {
        ready.push(user);
      }
    }
  }
  if (static_cast<int>(order.size()) == count) {
    return order;
  }
  // Nodes behind a cycle wait as well. Walking from any waiting node to what
  // it waits for must enter the cycle; the first node met twice is on it.
  std::vector<int> waitsForNode(count, -1);
  for (int i = 0; i < count; ++i) {
    if (waitsFor[i] > 0) {
      for (int user : users[i]) {
        waitsForNode[user] = i;
      }
    }
  }
  int at = 0;
  while (waitsFor[at] == 0) {
    ++at;
  }
  std::vector<bool> isSeen(count, false);
  while (!isSeen[at]) {
    isSeen[at] = true;
    at = waitsForNode[at];
  }
  return emitError(location) << describeNode(nodes[at], at)
                             << " depends on its own result: the graph has a cycle";
}

} // namespace modelc
