// The front door of all importers: a model file becomes a modelc module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_IMPORTER_H
#define MODELC_FRONTEND_IMPORTER_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace modelc {

class ConstantEvaluator;

/// Bounds that a hostile file runs into before it exhausts the machine.
struct ImportLimits {
  /// Nodes imported in all, counting every expansion of a function.
  uint64_t nodes = 1u << 20;
  /// Nesting of subgraphs and of function calls.
  unsigned depth = 32;
  /// Bytes of one tensor that the model only declares (inputs, intermediates).
  uint64_t tensorBytes = uint64_t(1) << 40;
  /// Bytes of one constant that is computed during the import.
  uint64_t foldBytes = 64u << 10;
};

struct ImportOptions {
  /// Input name -> its full shape (`--shape x=1x3x224x224`).
  std::vector<std::pair<std::string, llvm::SmallVector<int64_t>>> shapes;
  /// Name of a symbolic dimension -> extent (`--dim seq=16`).
  std::vector<std::pair<std::string, int64_t>> dims;
  /// Input name -> value; the input becomes a constant (`--const sr=16000`).
  /// The value is one number, `true`, `false`, or a comma list of these.
  std::vector<std::pair<std::string, std::string>> constants;
  /// Input name -> tensor of the input's type; the input becomes a constant.
  std::vector<std::pair<std::string, mlir::ElementsAttr>> constantTensors;
  /// Return the value of every node of the main graph as well, after the
  /// model's own outputs, in the order of computation.
  bool returnAllValues = false;
  ImportLimits limits;
  /// Computes operations whose operands are constants; null: only folds that
  /// the operations bring themselves.
  ConstantEvaluator *evaluator = nullptr;
};

/// Locations of nodes are the file's name with the node's number as line and this
/// column, inside the node's name if it has one. Column 0 is the file as a whole.
constexpr unsigned nodeColumn = 1;

/// Imports `path`: one `func.func @main` of modelc operations on tensors of
/// static shape. Arguments and results carry their original name as
/// `modelc.name`, the module the file's name without folder as
/// `modelc.source` and the files with its external data, relative to its folder,
/// as `modelc.external_files`. Every problem is reported as a diagnostic of `context`,
/// and so is every choice made for the user (as a remark).
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importModel(llvm::StringRef path, const ImportOptions &options, mlir::MLIRContext &context);

/// One operator that an importer knows, for listings.
struct SupportedOp {
  std::string domain;
  std::string name;
  /// First version of the operator that this importer reads.
  int sinceVersion;
  /// Imported through the function body in the ONNX standard.
  bool throughFunctionBody;
  /// Operands that must be constants, since they determine shapes.
  std::vector<unsigned> shapeOperands;
};

/// The ONNX operators that `importModel` accepts, sorted by domain, name,
/// version.
std::vector<SupportedOp> supportedOnnxOps();

} // namespace modelc

#endif // MODELC_FRONTEND_IMPORTER_H
