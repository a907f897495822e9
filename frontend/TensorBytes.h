// Constants over the bytes of a model file, with one copy in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_TENSORBYTES_H
#define MODELC_FRONTEND_TENSORBYTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FileSystem.h"

#include <memory>
#include <optional>
#include <string>

namespace modelc {

/// Constants up to this size are stored in the context, where folds see them;
/// larger ones are blobs beside it.
constexpr size_t maxInlineConstantBytes = 1024;

/// Bytes of one element as constants store it: whole bytes, 1 for booleans and
/// integers narrower than a byte.
unsigned storedElementBytes(mlir::Type elementType);

/// The bytes of a constant of such a type, or nothing if a tensor must not have
/// that shape (`checkShape`).
std::optional<uint64_t> storedBytes(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

/// A constant of `type` over `bytes` (little-endian, one element after the
/// other, row-major, `storedBytes` of them). Takes the string over: no copy.
/// `name` is a hint for IR dumps.
mlir::ElementsAttr elementsFromBytes(mlir::RankedTensorType type, std::string bytes,
                                     llvm::StringRef name);

/// The same over a part of a mapped file, which lives as long as its users.
mlir::ElementsAttr elementsFromMapping(mlir::RankedTensorType type,
                                       std::shared_ptr<llvm::sys::fs::mapped_file_region> file,
                                       uint64_t offset, llvm::StringRef name);

} // namespace modelc

#endif // MODELC_FRONTEND_TENSORBYTES_H
