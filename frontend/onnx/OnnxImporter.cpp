// The ONNX importer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/OnnxImporter.h"

#include "frontend/onnx/GraphImporter.h"
#include "frontend/onnx/Model.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace modelc {

/// Every result of a node of the main graph becomes an output of the model.
static LogicalResult returnAllValues(onnx::GraphProto &graph, Location location) {
  FailureOr<std::vector<int>> order = topologicalOrder(graph.node(), location);
  if (failed(order)) {
    return failure();
  }
  llvm::StringSet<> known;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    known.insert(output.name());
  }
  for (int index : *order) {
    for (const std::string &name : graph.node(index).output()) {
      if (!name.empty() && known.insert(name).second) {
        graph.add_output()->set_name(name);
      }
    }
  }
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> importOnnx(llvm::StringRef path, const ImportOptions &options,
                                            MLIRContext &context) {
  FailureOr<std::unique_ptr<OnnxModel>> model = loadOnnxModel(path, options.limits, context);
  if (failed(model)) {
    return failure();
  }
  if (options.returnAllValues &&
      failed(returnAllValues(*(*model)->proto.mutable_graph(),
                             FileLineColLoc::get(&context, (*model)->fileName, 0, 0)))) {
    return failure();
  }
  return GraphImporter(**model, options, context).run();
}

} // namespace modelc
