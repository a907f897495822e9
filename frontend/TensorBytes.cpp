// Constants over the bytes of a model file, with one copy in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/TensorBytes.h"
#include "ir/ops/Infer.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SwapByteOrder.h"

using namespace mlir;

namespace modelc {

// Model files are little-endian and constants are read as host integers.
static_assert(llvm::sys::IsLittleEndianHost, "modelc runs on little-endian hosts only");

unsigned storedElementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

std::optional<uint64_t> storedBytes(llvm::ArrayRef<int64_t> shape, Type elementType) {
  // Bounds the extents of empty tensors too.
  if (failed(checkShape(std::nullopt, shape))) {
    return std::nullopt;
  }
  return storedElementBytes(elementType) * ShapedType::getNumElements(shape);
}

/// The largest power of two up to 64 that divides the address: blobs promise
/// what they have, readers copy.
static size_t alignmentOf(const char *data) {
  size_t alignment = 64;
  while (reinterpret_cast<uintptr_t>(data) % alignment != 0) {
    alignment /= 2;
  }
  return alignment;
}

static ElementsAttr inlineElements(RankedTensorType type, llvm::ArrayRef<char> bytes) {
  if (!type.getElementType().isInteger(1)) {
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  llvm::SmallVector<bool> values;
  for (char byte : bytes) {
    values.push_back(byte != 0);
  }
  return DenseElementsAttr::get(type, llvm::ArrayRef<bool>(values));
}

static ElementsAttr resourceElements(RankedTensorType type, llvm::ArrayRef<char> bytes,
                                     AsmResourceBlob::DeleterFn deleter, llvm::StringRef name) {
  AsmResourceBlob blob(bytes, alignmentOf(bytes.data()), std::move(deleter),
                       /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name.empty() ? "constant" : name, std::move(blob));
}

ElementsAttr elementsFromBytes(RankedTensorType type, std::string bytes, llvm::StringRef name) {
  if (bytes.size() <= maxInlineConstantBytes) {
    return inlineElements(type, {bytes.data(), bytes.size()});
  }
  auto owner = std::make_unique<std::string>(std::move(bytes));
  llvm::ArrayRef<char> data(owner->data(), owner->size());
  return resourceElements(type, data, [owner = std::move(owner)](void *, size_t, size_t) {}, name);
}

ElementsAttr elementsFromMapping(RankedTensorType type,
                                 std::shared_ptr<llvm::sys::fs::mapped_file_region> file,
                                 uint64_t offset, llvm::StringRef name) {
  uint64_t size = *storedBytes(type.getShape(), type.getElementType());
  llvm::ArrayRef<char> data(file->const_data() + offset, size);
  if (size <= maxInlineConstantBytes) {
    return inlineElements(type, data);
  }
  return resourceElements(type, data, [file = std::move(file)](void *, size_t, size_t) {}, name);
}

} // namespace modelc
