// An ONNX file in memory: read, bounded and brought to one spelling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_MODEL_H
#define MODELC_FRONTEND_ONNX_MODEL_H

#include "frontend/Importer.h"
#include "mlir/IR/Location.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace modelc {

using OnnxNodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Opset version by domain; '' is the ONNX standard's own.
using OnnxOpsets = llvm::StringMap<int>;

struct OnnxModel {
  onnx::ModelProto proto;
  /// Without folder: it reaches locations and outputs, which must not depend
  /// on where the file lies.
  std::string fileName;
  /// Where external data is looked for.
  std::string folder;
  OnnxOpsets opsets;
};

/// Reads and normalizes the model in `path`.
mlir::FailureOr<std::unique_ptr<OnnxModel>>
loadOnnxModel(llvm::StringRef path, const ImportLimits &limits, mlir::MLIRContext &context);

/// Parses the binary form of a model. `location` is where errors are reported.
mlir::LogicalResult parseOnnxModel(llvm::StringRef bytes, onnx::ModelProto &model,
                                   mlir::Location location);

/// Makes the rest of the importer simple: spells the domain `ai.onnx` as '',
/// fills `opsets`, and refuses what exceeds `limits` or names one value twice.
mlir::LogicalResult normalizeOnnxModel(OnnxModel &model, const ImportLimits &limits,
                                       mlir::Location location);

/// Reads opset imports into `opsets`; of two for one domain the newer counts.
void readOnnxOpsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
                    OnnxOpsets &opsets);

/// The order in which to visit `nodes` so that every value is defined before
/// its use: the file's order wherever that is possible. Values that no node
/// here defines count as defined. A cycle is an error that names a node on it.
mlir::FailureOr<std::vector<int>> topologicalOrder(const OnnxNodes &nodes, mlir::Location location);

/// "node 3 'conv1' (Conv)": how messages name a node.
std::string describeNode(const onnx::NodeProto &node, int index);

/// "Conv" or "com.microsoft::Attention", quoted only as far as needed.
std::string describeOp(llvm::StringRef domain, llvm::StringRef op);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_MODEL_H
