//===- ConstantData.h - the bytes of constants ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_CONSTANTDATA_H
#define MODELC_IR_CONSTANTDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace modelc {

/// Bytes of one element as it lies in memory: booleans take one byte.
/// Zero for types that no tensor in memory has.
unsigned elementStorageBytes(mlir::Type elementType);

/// Bytes of a static tensor in memory.
uint64_t storageBytes(mlir::ShapedType type);

/// Copies the elements of a constant, in row-major order, to `out`, which must
/// hold exactly storageBytes(type). Splats are expanded.
void copyConstant(mlir::ElementsAttr value, llvm::MutableArrayRef<char> out);

/// The bytes of a constant where they lie as in memory already (no copy), else
/// nothing: splats and booleans are stored more densely.
std::optional<llvm::ArrayRef<char>> constantBytes(mlir::ElementsAttr value);

/// Makes a constant of `type` from bytes as they lie in memory: a dense
/// attribute up to 1 KiB or when all elements are equal, else a resource blob.
mlir::ElementsAttr makeConstant(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes);

/// The elements of an integer constant; nothing for other constants.
std::optional<llvm::SmallVector<int64_t>> constantIntegers(mlir::ElementsAttr value);

/// The constant that defines `value`, if one does.
mlir::ElementsAttr constantValue(mlir::Value value);

} // namespace modelc

#endif // MODELC_IR_CONSTANTDATA_H
