//===- Reference.h - another engine that runs the model -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_REFERENCE_H
#define MODELC_TOOLS_MODELC_REFERENCE_H

#include "tools/modelc/Arguments.h"
#include "tools/modelc/Npy.h"
#include <optional>

namespace modelc {

/// --reference-command, --python.
llvm::ArrayRef<Flag> referenceFlags();

/// Runs the reference engine on `inputs`. It is a program of its own, called
/// with the name of a JSON file that lists the model, .npy files of inputs and
/// values of fixed inputs (--const), and the files to write; it is
/// tools/reference/onnxruntime_run.py if the flags name none. One entry per
/// output, empty for a value that the engine does not have.
llvm::Expected<std::vector<std::optional<Tensor>>>
runReference(const Arguments &arguments, llvm::StringRef modelPath,
             llvm::ArrayRef<TensorInfo> inputInfos, llvm::ArrayRef<Tensor> inputs,
             llvm::ArrayRef<TensorInfo> outputs);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_REFERENCE_H
