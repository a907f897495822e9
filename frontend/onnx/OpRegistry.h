// Which operators the ONNX importer knows, and the function that imports each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_OPREGISTRY_H
#define MODELC_FRONTEND_ONNX_OPREGISTRY_H

#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <string>
#include <vector>

namespace modelc {

class NodeBinder;

/// Handlers by domain, operator and the version that they read from on. A
/// version without an entry of its own is read like the nearest older one:
/// most versions of an operator only add element types.
class OpRegistry {
public:
  /// Imports one node: reads it and sets its results through the binder.
  using Handler = mlir::LogicalResult (*)(NodeBinder &);

  struct Entry {
    std::string domain;
    std::string op;
    int sinceVersion;
  };

  /// Adds a handler for an operator of the ONNX standard.
  void add(llvm::StringRef op, int sinceVersion, Handler handler) {
    add("", op, sinceVersion, handler);
  }
  void add(llvm::StringRef domain, llvm::StringRef op, int sinceVersion, Handler handler);

  /// The handler for `op` as of `version`, or null.
  Handler find(llvm::StringRef domain, llvm::StringRef op, int version) const;

  /// All entries, sorted by domain, operator, version.
  std::vector<Entry> list() const;

private:
  // Key: domain, then the operator's name. Versions are few per operator.
  std::map<std::string, std::map<std::string, std::map<int, Handler>>> handlers;
};

/// The registry with everything in ops/.
const OpRegistry &onnxOps();

/// The operands of an ONNX operator that have to be known when a model is
/// compiled, since they determine shapes.
std::vector<unsigned> shapeOperands(llvm::StringRef op);

void registerAttentionOps(OpRegistry &registry);
void registerConstantOps(OpRegistry &registry);
void registerControlOps(OpRegistry &registry);
void registerElementwiseOps(OpRegistry &registry);
void registerGatherOps(OpRegistry &registry);
void registerGridSampleOps(OpRegistry &registry);
void registerLinearOps(OpRegistry &registry);
void registerMicrosoftOps(OpRegistry &registry);
void registerNonzeroOps(OpRegistry &registry);
void registerNormOps(OpRegistry &registry);
void registerPoolOps(OpRegistry &registry);
void registerQuantOps(OpRegistry &registry);
void registerRecurrentOps(OpRegistry &registry);
void registerReduceOps(OpRegistry &registry);
void registerResizeOps(OpRegistry &registry);
void registerScatterOps(OpRegistry &registry);
void registerSequenceOps(OpRegistry &registry);
void registerShapeOps(OpRegistry &registry);
void registerSignalOps(OpRegistry &registry);
void registerSignalTableOps(OpRegistry &registry);
void registerSliceOps(OpRegistry &registry);
void registerTorchSignalOps(OpRegistry &registry);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_OPREGISTRY_H
