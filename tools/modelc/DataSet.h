//===- DataSet.h - inputs and expected outputs in files -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_DATASET_H
#define MODELC_TOOLS_MODELC_DATASET_H

#include "mlir/IR/MLIRContext.h"
#include "tools/modelc/Npy.h"

namespace modelc {

/// One folder in the layout of ONNX's test data: input_0.pb, output_0.pb, ...
struct DataSet {
  std::string folder;
  std::vector<Tensor> inputs, outputs; ///< in the order of the model
};

/// `directory` itself or, if it holds none, its folders test_data_set_N.
llvm::Expected<std::vector<DataSet>> readDataSets(llvm::StringRef directory,
                                                  llvm::ArrayRef<TensorInfo> inputs,
                                                  llvm::ArrayRef<TensorInfo> outputs,
                                                  mlir::MLIRContext &context);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_DATASET_H
