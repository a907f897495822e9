// The front door of all importers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Importer.h"

#include "frontend/onnx/OnnxImporter.h"

namespace modelc {

mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importModel(llvm::StringRef path, const ImportOptions &options, mlir::MLIRContext &context) {
  return importOnnx(path, options, context);
}

} // namespace modelc
