// Brings an ONNX model to one spelling and checks the bounds of its structure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/Model.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace mlir;

namespace modelc {

static bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && text.size() <= 80 && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
}

std::string describeOp(llvm::StringRef domain, llvm::StringRef op) {
  std::string text;
  if (!domain.empty()) {
    text = (isIdentifier(domain) ? domain.str() : quoted(domain)) + "::";
  }
  return text + (isIdentifier(op) ? op.str() : quoted(op));
}

std::string describeNode(const onnx::NodeProto &node, int index) {
  std::string text = "node " + std::to_string(index);
  if (!node.name().empty()) {
    text += " " + quoted(node.name());
  }
  return text + " (" + describeOp(node.domain(), node.op_type()) + ")";
}

void readOnnxOpsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
                    OnnxOpsets &opsets) {
  for (const onnx::OperatorSetIdProto &import : imports) {
    llvm::StringRef domain = import.domain();
    // A version outside int would be outside every schema as well.
    int version = static_cast<int>(std::clamp<int64_t>(import.version(), 0, 1 << 30));
    int &known = opsets[domain == "ai.onnx" ? "" : domain];
    known = std::max(known, version);
  }
}

namespace {

class Normalizer {
public:
  Normalizer(OnnxModel &model, const ImportLimits &limits, Location location)
      : model(model), limits(limits), location(location) {}

  LogicalResult run() {
    readOnnxOpsets(model.proto.opset_import(), model.opsets);
    // Before IR version 3 models had no opset field: the first opset is meant.
    if (model.opsets.empty() && model.proto.ir_version() < 3) {
      model.opsets[""] = 1;
    }
    if (failed(visitGraph(*model.proto.mutable_graph(), 0, model.opsets))) {
      return failure();
    }
    for (onnx::FunctionProto &function : *model.proto.mutable_functions()) {
      normalizeDomain(*function.mutable_domain());
      llvm::StringSet<> defined;
      for (const std::string &input : function.input()) {
        if (!defined.insert(input).second) {
          return emitError(location) << "function " << quoted(function.name()) << ": input "
                                     << quoted(input) << " is named twice";
        }
      }
      OnnxOpsets opsets;
      readOnnxOpsets(function.opset_import(), opsets);
      if (failed(visitNodes(*function.mutable_node(), defined, 0, opsets))) {
        return failure();
      }
    }
    return success();
  }

private:
  static void normalizeDomain(std::string &domain) {
    if (domain == "ai.onnx") {
      domain.clear();
    }
  }

  LogicalResult define(llvm::StringSet<> &defined, const std::string &name, llvm::StringRef what) {
    if (!defined.insert(name).second) {
      return emitError(location) << what << ": the name " << quoted(name)
                                 << " is already taken by another value";
    }
    return success();
  }

  LogicalResult visitGraph(onnx::GraphProto &graph, unsigned depth, OnnxOpsets &opsets) {
    if (depth > limits.depth) {
      return emitError(location) << "subgraphs are nested more than " << limits.depth << " deep";
    }
    llvm::StringSet<> defined;
    for (const onnx::ValueInfoProto &input : graph.input()) {
      if (failed(define(defined, input.name(), "graph input"))) {
        return failure();
      }
    }
    llvm::StringSet<> initializers;
    for (const onnx::TensorProto &tensor : graph.initializer()) {
      // Up to IR version 3 every initializer is an input as well.
      if (failed(define(initializers, tensor.name(), "initializer"))) {
        return failure();
      }
      defined.insert(tensor.name());
    }
    return visitNodes(*graph.mutable_node(), defined, depth, opsets);
  }

  LogicalResult visitNodes(OnnxNodes &nodes, llvm::StringSet<> &defined, unsigned depth,
                           OnnxOpsets &opsets) {
    int index = 0;
    for (onnx::NodeProto &node : nodes) {
      if (++nodeCount > limits.nodes) {
        return emitError(location) << "the model has more than " << limits.nodes << " nodes";
      }
      normalizeDomain(*node.mutable_domain());
      if (!opsets.count(node.domain())) {
        if (node.domain().empty()) {
          return emitError(location) << describeNode(node, index)
                                     << ": no opset version is imported for the domain ai.onnx";
        }
        // Exporters forget the import of other domains; most have one version.
        opsets[node.domain()] = 1;
      }
      for (const std::string &output : node.output()) {
        if (!output.empty() && failed(define(defined, output, describeNode(node, index)))) {
          return failure();
        }
      }
      for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
        if (attribute.has_g() && failed(visitGraph(*attribute.mutable_g(), depth + 1, opsets))) {
          return failure();
        }
        for (onnx::GraphProto &graph : *attribute.mutable_graphs()) {
          if (failed(visitGraph(graph, depth + 1, opsets))) {
            return failure();
          }
        }
      }
      ++index;
    }
    return success();
  }

  OnnxModel &model;
  const ImportLimits &limits;
  Location location;
  uint64_t nodeCount = 0;
};

} // namespace

LogicalResult normalizeOnnxModel(OnnxModel &model, const ImportLimits &limits, Location location) {
  return Normalizer(model, limits, location).run();
}

} // namespace modelc
