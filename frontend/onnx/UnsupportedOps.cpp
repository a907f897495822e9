// The operators of a model that modelc does not support.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/UnsupportedOps.h"

#include "frontend/onnx/GraphImporter.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace modelc {

void UnsupportedOps::add(const onnx::NodeProto &node, int index, int version) {
  Use &use = ops[{node.domain(), node.op_type(), version}];
  if (use.count++ == 0) {
    use.firstNode = describeNode(node, index);
  }
}

void UnsupportedOps::report(Location location) const {
  InFlightDiagnostic error = emitError(location);
  error << ops.size() << (ops.size() == 1 ? " unsupported operator:" : " unsupported operators:");
  for (const auto &[key, use] : ops) {
    const auto &[domain, op, version] = key;
    error << "\n  " << describeOp(domain, op) << ", version " << version << ": " << use.count
          << (use.count == 1 ? " node, " : " nodes, first ") << use.firstNode;
  }
}

void GraphImporter::collectUnsupported(const onnx::NodeProto &node, int index,
                                       const OnnxOpsets &opsets, unsigned depth) {
  if (depth > options.limits.depth || ++nodeCount > options.limits.nodes) {
    return;
  }
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g()) {
      collectUnsupported(attribute.g().node(), opsets, depth + 1);
    }
    for (const onnx::GraphProto &graph : attribute.graphs()) {
      collectUnsupported(graph.node(), opsets, depth + 1);
    }
  }
  if (onnx::FunctionProto *local = findLocalFunction(node)) {
    OnnxOpsets inner;
    readOnnxOpsets(local->opset_import(), inner);
    collectUnsupported(local->node(), inner, depth + 1);
    return;
  }
  int opset = opsets.lookup(node.domain());
  std::optional<OnnxSchema> schema = OnnxSchema::lookup(node.domain(), node.op_type(), opset);
  int version = schema ? schema->sinceVersion() : opset;
  if (registry.find(node.domain(), node.op_type(), version)) {
    return;
  }
  if (!schema || !schema->hasFunctionBody(opset)) {
    unsupported.add(node, index, version);
    return;
  }
  // Types are unknown here. A body that depends on them is taken as supported:
  // the next run, without what is missing now, will tell.
  llvm::Expected<std::optional<onnx::FunctionProto>> body = schema->functionBody(node, opset, {});
  if (!body) {
    llvm::consumeError(body.takeError());
  } else if (*body) {
    OnnxOpsets inner = opsets;
    readOnnxOpsets((*body)->opset_import(), inner);
    collectUnsupported((*body)->node(), inner, depth + 1);
  }
}

void GraphImporter::collectUnsupported(const OnnxNodes &nodes, const OnnxOpsets &opsets,
                                       unsigned depth) {
  for (auto [index, node] : llvm::enumerate(nodes)) {
    collectUnsupported(node, index, opsets, depth);
  }
}

} // namespace modelc
