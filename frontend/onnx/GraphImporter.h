// Builds the modelc module for an ONNX model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_GRAPHIMPORTER_H
#define MODELC_FRONTEND_ONNX_GRAPHIMPORTER_H

#include "frontend/Importer.h"
#include "frontend/onnx/ExternalData.h"
#include "frontend/onnx/Model.h"
#include "frontend/onnx/OpRegistry.h"
#include "frontend/onnx/Scope.h"
#include "frontend/onnx/UnsupportedOps.h"
#include "frontend/onnx/schema/Schema.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

namespace modelc {

/// Where a node stands: what holds for all nodes of one graph or body.
struct Frame {
  const OnnxOpsets *opsets;
  /// Subgraphs and function calls around the node.
  unsigned depth = 0;
  /// How messages name the node whose body this is; empty in the main graph.
  std::string inside = {};
  /// The location of that call. Nodes of a body have no place of their own in
  /// the file.
  std::optional<mlir::Location> callLocation = {};
};

/// Walks the graph of a model. A node is imported by its handler, by the
/// model's own function of that name, or by the body that the standard gives
/// the operator; else its operator is unsupported, and everything behind it is
/// only searched for more of these.
class GraphImporter {
public:
  GraphImporter(OnnxModel &model, const ImportOptions &options, mlir::MLIRContext &context);

  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> run();

  // The rest is the service that NodeBinder offers to handlers.

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::MLIRContext &getContext() { return *builder.getContext(); }
  const ImportOptions &getOptions() const { return options; }

  /// Where problems are reported: messages name the node themselves, so a
  /// location with its name would only repeat it.
  mlir::Location getFileLocation() const { return fileLocation; }

  /// A tensor of the model as a constant attribute. Each is read once.
  mlir::FailureOr<mlir::ElementsAttr> readTensor(onnx::TensorProto &tensor, llvm::StringRef what);

  /// `modelc.constant`.
  mlir::Value createConstant(mlir::Location location, mlir::ElementsAttr value);

  /// The results of `op`, which has just been built and is used by nobody yet:
  /// constants if they can be computed and are no larger than `maxBytes`; then
  /// `op` is gone.
  llvm::SmallVector<mlir::Value> foldOrKeep(mlir::Operation *op, uint64_t maxBytes);

  /// The constant behind `value`, computed now if it depends on constants
  /// only; null if it depends on an input.
  mlir::ElementsAttr requireConstant(mlir::Value value);

  /// A clause for a message that asks for a constant: which inputs of the model
  /// `values` are computed from, and the flags that fix them. Empty if none.
  std::string describeSources(mlir::ValueRange values);

  /// Imports a subgraph in place. `inputs` are bound to its inputs; `results`
  /// receives one value per output.
  mlir::LogicalResult inlineGraph(onnx::GraphProto &graph, Scope &outer, const Frame &frame,
                                  mlir::ValueRange inputs,
                                  llvm::SmallVectorImpl<mlir::Value> &results);

private:
  // GraphInputs.cpp
  mlir::LogicalResult bindInputs(Scope &scope, llvm::SmallVectorImpl<mlir::Type> &types,
                                 llvm::SmallVectorImpl<std::string> &names);
  mlir::LogicalResult bindConstant(const onnx::ValueInfoProto &input, mlir::RankedTensorType type,
                                   llvm::StringRef text, Scope &scope);

  // DeclaredTypes.cpp
  /// Defines a value if the model declares it as what it is. `what` names where
  /// it comes from.
  mlir::LogicalResult define(llvm::StringRef name, mlir::Value value, Scope &scope,
                             llvm::StringRef what);
  mlir::LogicalResult checkDeclared(llvm::StringRef name, mlir::Type type, const Scope &scope,
                                    llvm::StringRef what);

  // GraphImporter.cpp
  /// Fails past the limit of nodes.
  mlir::LogicalResult countNode();
  /// Initializers and declarations of `graph`.
  void enterGraph(onnx::GraphProto &graph, Scope &scope);
  mlir::LogicalResult importNodes(OnnxNodes &nodes, Scope &scope, const Frame &frame);
  mlir::LogicalResult importNode(onnx::NodeProto &node, int index, Scope &scope,
                                 const Frame &frame);
  mlir::FailureOr<bool> bindNodeInputs(const onnx::NodeProto &node, llvm::StringRef what,
                                       Scope &scope, llvm::SmallVectorImpl<mlir::Value> &in);
  mlir::LogicalResult finishFunction(mlir::ModuleOp module, Scope &scope,
                                     llvm::ArrayRef<std::string> argNames);
  mlir::FailureOr<mlir::Value> lookUp(llvm::StringRef name, Scope &scope, llvm::StringRef what,
                                      bool &isBroken);
  mlir::Location locationOf(const onnx::NodeProto &node, int index, const Frame &frame);

  // FunctionBody.cpp
  onnx::FunctionProto *findLocalFunction(const onnx::NodeProto &node);
  mlir::FailureOr<std::optional<onnx::FunctionProto>>
  expandSchema(const onnx::NodeProto &node, const OnnxSchema &schema, int opset,
               mlir::ValueRange inputs, llvm::StringRef what);
  mlir::LogicalResult callFunction(onnx::FunctionProto body, const onnx::NodeProto &call,
                                   mlir::ValueRange inputs, Scope &scope, const Frame &frame,
                                   mlir::Location location, llvm::StringRef what);
  // UnsupportedOps.cpp
  void collectUnsupported(const OnnxNodes &nodes, const OnnxOpsets &opsets, unsigned depth);
  void collectUnsupported(const onnx::NodeProto &node, int index, const OnnxOpsets &opsets,
                          unsigned depth);

  OnnxModel &model;
  const ImportOptions &options;
  const OpRegistry &registry;
  mlir::OpBuilder builder;
  mlir::Location fileLocation;
  ExternalData external;
  UnsupportedOps unsupported;
  llvm::DenseMap<const onnx::TensorProto *, mlir::ElementsAttr> tensors;
  llvm::StringMap<onnx::FunctionProto *> functions;
  llvm::SmallVector<std::string> inputNames;
  uint64_t nodeCount = 0;
  unsigned errorCount = 0;
};

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_GRAPHIMPORTER_H
