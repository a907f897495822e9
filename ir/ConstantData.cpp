//===- ConstantData.cpp - the bytes of constants --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

/// Larger constants are blobs: the context keeps attributes for ever and
/// hashes them whole.
static constexpr size_t maxDenseBytes = 1024;

unsigned modelc::elementStorageBytes(Type elementType) {
  if (!elementType.isIntOrFloat()) {
    return 0;
  }
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

uint64_t modelc::storageBytes(ShapedType type) {
  return static_cast<uint64_t>(type.getNumElements()) * elementStorageBytes(type.getElementType());
}

std::optional<ArrayRef<char>> modelc::constantBytes(ElementsAttr value) {
  if (value.getElementType().getIntOrFloatBitWidth() % 8 != 0) {
    // Blobs hold one byte per boolean, dense attributes one bit.
    if (!isa<DenseResourceElementsAttr>(value)) {
      return std::nullopt;
    }
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      return blob->getData();
    }
    return std::nullopt;
  }
  auto dense = cast<DenseElementsAttr>(value);
  if (dense.isSplat() && dense.getNumElements() != 1) {
    return std::nullopt;
  }
  return dense.getRawData();
}

void modelc::copyConstant(ElementsAttr value, MutableArrayRef<char> out) {
  if (std::optional<ArrayRef<char>> bytes = constantBytes(value)) {
    memcpy(out.data(), bytes->data(), std::min(out.size(), bytes->size()));
    return;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense) {
    return;
  }
  if (value.getElementType().getIntOrFloatBitWidth() % 8 != 0) {
    // Booleans and other narrow integers, one byte each.
    size_t i = 0;
    for (APInt element : dense.getValues<APInt>()) {
      out[i++] = static_cast<char>(element.getZExtValue());
    }
    return;
  }
  ArrayRef<char> element = dense.getRawData();
  for (size_t at = 0; at + element.size() <= out.size(); at += element.size()) {
    memcpy(out.data() + at, element.data(), element.size());
  }
}

ElementsAttr modelc::makeConstant(RankedTensorType type, ArrayRef<char> bytes) {
  unsigned size = elementStorageBytes(type.getElementType());
  bool narrow = type.getElementTypeBitWidth() % 8 != 0;
  if (narrow) {
    if (bytes.size() <= maxDenseBytes) {
      SmallVector<APInt> elements;
      for (char byte : bytes) {
        elements.emplace_back(type.getElementTypeBitWidth(), static_cast<uint8_t>(byte));
      }
      return DenseElementsAttr::get(type, elements);
    }
  } else {
    bool splat =
        bytes.size() > size && memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
    if (splat) {
      return DenseElementsAttr::getFromRawBuffer(type, bytes.take_front(size));
    }
    if (bytes.size() <= maxDenseBytes) {
      return DenseElementsAttr::getFromRawBuffer(type, bytes);
    }
  }
  return DenseResourceElementsAttr::get(type, "constant",
                                        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64));
}

std::optional<SmallVector<int64_t>> modelc::constantIntegers(ElementsAttr value) {
  auto type = dyn_cast<IntegerType>(value.getElementType());
  if (!type || type.getWidth() > 64) {
    return std::nullopt;
  }
  SmallVector<int64_t> result;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    for (APInt element : dense.getValues<APInt>()) {
      result.push_back(type.isUnsigned() || type.getWidth() == 1 ? element.getZExtValue()
                                                                 : element.getSExtValue());
    }
    return result;
  }
  std::optional<ArrayRef<char>> bytes = constantBytes(value);
  if (!bytes) {
    return std::nullopt;
  }
  unsigned size = elementStorageBytes(type);
  for (size_t at = 0; at + size <= bytes->size(); at += size) {
    uint64_t bits = 0;
    memcpy(&bits, bytes->data() + at, size);
    APInt element(size * 8, bits);
    result.push_back(type.isUnsigned() || type.getWidth() == 1 ? element.getZExtValue()
                                                               : element.getSExtValue());
  }
  return result;
}

ElementsAttr modelc::constantValue(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getValue() : ElementsAttr();
}
