// Tensor data that an ONNX model keeps in files beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_EXTERNALDATA_H
#define MODELC_FRONTEND_ONNX_EXTERNALDATA_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <memory>
#include <string>

namespace modelc {

/// Maps external files, each once. A model may only name regular files inside
/// its own folder: anything else would let a downloaded model read the user's
/// files into a library.
class ExternalData {
public:
  using Mapping = std::shared_ptr<llvm::sys::fs::mapped_file_region>;

  explicit ExternalData(std::string folder) : folder(std::move(folder)) {}

  struct Part {
    /// Null for a part of zero bytes.
    Mapping file;
    uint64_t offset;
  };

  /// The part that `tensor` names, which has `bytes` bytes.
  llvm::Expected<Part> find(const onnx::TensorProto &tensor, uint64_t bytes);

  /// The files that were read, as the model names them, sorted.
  std::vector<std::string> locations() const;

private:
  llvm::Expected<Mapping> map(llvm::StringRef location);

  std::string folder;
  llvm::StringMap<Mapping> files;
};

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_EXTERNALDATA_H
