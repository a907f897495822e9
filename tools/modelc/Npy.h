//===- Npy.h - NumPy's file format ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_NPY_H
#define MODELC_TOOLS_MODELC_NPY_H

#include "codegen/emit/CompiledModel.h"
#include "llvm/Support/raw_ostream.h"

namespace modelc {

/// A dense tensor in memory: row major, little endian.
struct Tensor {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 6> shape;
  std::vector<char> bytes;

  uint64_t elements() const;
};

/// "1x3x224", or "scalar".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Reads a .npy file: versions 1 to 3, C order, little endian, types that
/// models have. bfloat16 is what ml_dtypes makes of it, two opaque bytes.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// The same from bytes in memory.
llvm::Expected<Tensor> parseNpy(llvm::StringRef bytes);

void writeNpy(llvm::raw_ostream &os, ElementType type, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<char> bytes);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_NPY_H
