// The ONNX importer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/OnnxImporter.h"

#include "frontend/onnx/GraphImporter.h"
#include "frontend/onnx/Model.h"

using namespace mlir;

namespace modelc {

FailureOr<OwningOpRef<ModuleOp>> importOnnx(llvm::StringRef path,
                                            const ImportOptions &options,
                                            MLIRContext &context) {
  FailureOr<std::unique_ptr<OnnxModel>> model =
      loadOnnxModel(path, options.limits, context);
  if (failed(model)) {
    return failure();
  }
  return GraphImporter(**model, options, context).run();
}

} // namespace modelc
