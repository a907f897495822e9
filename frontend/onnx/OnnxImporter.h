// The ONNX importer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_ONNXIMPORTER_H
#define MODELC_FRONTEND_ONNX_ONNXIMPORTER_H

#include "frontend/Importer.h"

namespace modelc {

/// `importModel` for a file in ONNX format.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(llvm::StringRef path, const ImportOptions &options, mlir::MLIRContext &context);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_ONNXIMPORTER_H
