//===- ModelSummary.cpp - what a model file says about itself -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/ModelSummary.h"
#include "frontend/onnx/Model.h"
#include "frontend/onnx/TensorData.h"
#include "mlir/IR/Location.h"
#include "tools/modelc/Failure.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace modelc;

static ModelSummary::Value summarizeValue(const onnx::ValueInfoProto &info) {
  ModelSummary::Value value;
  value.name = info.name();
  const onnx::TypeProto &type = info.type();
  if (!type.has_tensor_type()) {
    value.type = type.has_sequence_type()   ? "sequence"
                 : type.has_optional_type() ? "optional"
                 : type.has_map_type()      ? "map"
                                            : "unknown";
    return value;
  }
  value.type = onnxTypeName(type.tensor_type().elem_type());
  value.hasShape = type.tensor_type().has_shape();
  for (const auto &dim : type.tensor_type().shape().dim()) {
    bool isFixed = dim.has_dim_value() && dim.dim_value() >= 0;
    value.dims.push_back(isFixed                   ? std::to_string(dim.dim_value())
                         : dim.dim_param().empty() ? "?"
                                                   : dim.dim_param());
  }
  return value;
}

/// The nesting of subgraphs is bounded by the parser of the file.
static void countOps(const OnnxNodes &nodes, ModelSummary &summary) {
  for (const onnx::NodeProto &node : nodes) {
    ++summary.opCounts[describeOp(node.domain(), node.op_type())];
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      countOps(attribute.g().node(), summary);
      for (const onnx::GraphProto &graph : attribute.graphs()) {
        countOps(graph.node(), summary);
      }
    }
  }
}

static uint64_t elementsOf(const onnx::TensorProto &tensor) {
  uint64_t count = 1;
  for (int64_t extent : tensor.dims()) {
    count = SaturatingMultiply(count, static_cast<uint64_t>(std::max<int64_t>(extent, 0)));
  }
  return count;
}

Expected<ModelSummary> modelc::summarizeModel(StringRef path, mlir::MLIRContext &context) {
  FailureOr<std::unique_ptr<OnnxModel>> model = loadOnnxModel(path, ImportLimits(), context);
  if (failed(model)) {
    return alreadyReported();
  }
  const onnx::ModelProto &proto = (*model)->proto;
  const onnx::GraphProto &graph = proto.graph();
  ModelSummary summary;
  summary.format = "onnx";
  summary.producer = proto.producer_name();
  if (!proto.producer_version().empty()) {
    summary.producer += " " + proto.producer_version();
  }
  for (const auto &entry : (*model)->opsets) {
    summary.opsets[entry.first().empty() ? "ai.onnx" : entry.first().str()] = entry.second;
  }
  StringSet<> initializers;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    initializers.insert(tensor.name());
    summary.parameters = SaturatingAdd(summary.parameters, elementsOf(tensor));
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (!initializers.contains(input.name())) {
      summary.inputs.push_back(summarizeValue(input));
    }
  }
  for (const onnx::ValueInfoProto &output : graph.output()) {
    summary.outputs.push_back(summarizeValue(output));
  }
  countOps(graph.node(), summary);
  for (const onnx::FunctionProto &function : proto.functions()) {
    countOps(function.node(), summary);
  }
  mlir::Location location = mlir::UnknownLoc::get(&context);
  FailureOr<std::vector<int>> order = topologicalOrder(graph.node(), location);
  if (failed(order)) {
    return alreadyReported();
  }
  for (int index : *order) {
    const onnx::NodeProto &node = graph.node(index);
    summary.nodes.push_back(
        {describeNode(node, index), {node.output().begin(), node.output().end()}});
  }
  return summary;
}
