// ONNX tensors as MLIR constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/TensorData.h"

#include "frontend/Quote.h"
#include "frontend/TensorBytes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using onnx::TensorProto;

namespace modelc {

Type elementTypeFromOnnx(int dataType, MLIRContext &context) {
  Builder builder(&context);
  auto integer = [&](unsigned bits) { return builder.getIntegerType(bits); };
  auto unsignedInteger = [&](unsigned bits) {
    return builder.getIntegerType(bits, /*isSigned=*/false);
  };
  switch (dataType) {
  case TensorProto::FLOAT:
    return builder.getF32Type();
  case TensorProto::DOUBLE:
    return builder.getF64Type();
  case TensorProto::FLOAT16:
    return builder.getF16Type();
  case TensorProto::BFLOAT16:
    return builder.getBF16Type();
  case TensorProto::FLOAT8E4M3FN:
    return builder.getFloat8E4M3FNType();
  case TensorProto::FLOAT8E4M3FNUZ:
    return builder.getFloat8E4M3FNUZType();
  case TensorProto::FLOAT8E5M2:
    return builder.getFloat8E5M2Type();
  case TensorProto::FLOAT8E5M2FNUZ:
    return builder.getFloat8E5M2FNUZType();
  case TensorProto::BOOL:
    return integer(1);
  case TensorProto::INT2:
    return integer(2);
  case TensorProto::INT4:
    return integer(4);
  case TensorProto::INT8:
    return integer(8);
  case TensorProto::INT16:
    return integer(16);
  case TensorProto::INT32:
    return integer(32);
  case TensorProto::INT64:
    return integer(64);
  case TensorProto::UINT2:
    return unsignedInteger(2);
  case TensorProto::UINT4:
    return unsignedInteger(4);
  case TensorProto::UINT8:
    return unsignedInteger(8);
  case TensorProto::UINT16:
    return unsignedInteger(16);
  case TensorProto::UINT32:
    return unsignedInteger(32);
  case TensorProto::UINT64:
    return unsignedInteger(64);
  default:
    return {};
  }
}

bool isComputable(Type element) {
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  return isa<FloatType>(element) ? bits >= 16 : bits == 1 || bits >= 8;
}

TensorProto::DataType elementTypeToOnnx(Type type) {
  for (int i = TensorProto::DataType_MIN; i <= TensorProto::DataType_MAX; ++i) {
    if (type && elementTypeFromOnnx(i, *type.getContext()) == type) {
      return static_cast<TensorProto::DataType>(i);
    }
  }
  return TensorProto::UNDEFINED;
}

std::string onnxTypeName(int dataType) {
  if (!TensorProto::DataType_IsValid(dataType)) {
    return std::to_string(dataType);
  }
  return llvm::StringRef(TensorProto::DataType_Name(static_cast<TensorProto::DataType>(dataType)))
      .lower();
}

namespace {

llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Appends the low `sizeof(To)` bytes of each value to a fresh string.
template <typename To, typename Field> std::string copyField(Field &field) {
  std::string bytes(field.size() * sizeof(To), '\0');
  char *out = bytes.data();
  for (auto value : field) {
    To narrow = static_cast<To>(value);
    std::memcpy(out, &narrow, sizeof(To));
    out += sizeof(To);
  }
  // Clearing keeps the memory of a repeated field; swapping frees it.
  Field().Swap(&field);
  return bytes;
}

/// The bytes of the typed field that `dataType` is stored in.
std::string takeTypedField(TensorProto &tensor, unsigned elementBytes) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return copyField<float>(*tensor.mutable_float_data());
  case TensorProto::DOUBLE:
    return copyField<double>(*tensor.mutable_double_data());
  case TensorProto::INT64:
    return copyField<int64_t>(*tensor.mutable_int64_data());
  case TensorProto::UINT64:
    return copyField<uint64_t>(*tensor.mutable_uint64_data());
  case TensorProto::UINT32:
    return copyField<uint32_t>(*tensor.mutable_uint64_data());
  default:
    break;
  }
  // All others are in int32_data: integers as such, floats as bit patterns,
  // several elements narrower than a byte in one entry.
  switch (elementBytes) {
  case 4:
    return copyField<uint32_t>(*tensor.mutable_int32_data());
  case 2:
    return copyField<uint16_t>(*tensor.mutable_int32_data());
  default:
    return copyField<uint8_t>(*tensor.mutable_int32_data());
  }
}

/// Spreads elements of 2 or 4 bits, lowest bits first, to one byte each.
std::string unpack(llvm::StringRef packed, uint64_t count, unsigned bits, bool isSigned) {
  std::string bytes(count, '\0');
  unsigned perByte = 8 / bits;
  for (uint64_t i = 0; i < count; ++i) {
    unsigned byte = static_cast<unsigned char>(packed[i / perByte]);
    unsigned value = (byte >> (i % perByte * bits)) & ((1u << bits) - 1);
    if (isSigned && value >= (1u << (bits - 1))) {
      value |= 0xFFu << bits;
    }
    bytes[i] = static_cast<char>(value);
  }
  return bytes;
}

llvm::Error checkFieldUse(const TensorProto &tensor) {
  if (tensor.has_segment()) {
    return makeError("unsupported storage in segments");
  }
  int used = tensor.has_raw_data() + (tensor.float_data_size() != 0) +
             (tensor.int32_data_size() != 0) + (tensor.int64_data_size() != 0) +
             (tensor.double_data_size() != 0) + (tensor.uint64_data_size() != 0) +
             (tensor.string_data_size() != 0);
  if (used > 1) {
    return makeError("expected one data field, got " + llvm::Twine(used));
  }
  return llvm::Error::success();
}

llvm::Expected<ElementsAttr> takeData(TensorProto &tensor, ExternalData &external,
                                      MLIRContext &context) {
  Type elementType = elementTypeFromOnnx(tensor.data_type(), context);
  if (!elementType) {
    return makeError("unsupported element type " + onnxTypeName(tensor.data_type()));
  }
  llvm::ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  std::optional<uint64_t> stored = storedBytes(shape, elementType);
  if (!stored) {
    return makeError("the dimensions are negative or too large");
  }
  if (llvm::Error error = checkFieldUse(tensor)) {
    return std::move(error);
  }
  auto type = RankedTensorType::get(shape, elementType);
  unsigned bits = elementType.getIntOrFloatBitWidth();
  bool isPacked = bits > 1 && bits < 8;
  uint64_t inFile = isPacked ? llvm::divideCeil(*stored, uint64_t(8 / bits)) : *stored;
  std::string bytes;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    llvm::Expected<ExternalData::Part> part = external.find(tensor, inFile);
    if (!part) {
      return part.takeError();
    }
    if (!isPacked && bits != 1 && part->file) {
      return elementsFromMapping(type, part->file, part->offset, tensor.name());
    }
    if (part->file) {
      bytes.assign(part->file->const_data() + part->offset, inFile);
    }
  } else if (tensor.has_raw_data()) {
    bytes = std::move(*tensor.mutable_raw_data());
  } else {
    bytes = takeTypedField(tensor, storedElementBytes(elementType));
  }
  if (bytes.size() != inFile) {
    return makeError("the data has " + llvm::Twine(bytes.size()) + " bytes, but the shape needs " +
                     llvm::Twine(inFile));
  }
  if (isPacked) {
    bytes = unpack(bytes, *stored, bits, elementType.isSignlessInteger());
  } else if (bits == 1) {
    for (char &byte : bytes) {
      byte = byte != 0;
    }
  }
  return elementsFromBytes(type, std::move(bytes), tensor.name());
}

} // namespace

llvm::Expected<ElementsAttr> takeTensor(TensorProto &tensor, ExternalData &external,
                                        MLIRContext &context) {
  llvm::Expected<ElementsAttr> data = takeData(tensor, external, context);
  if (!data) {
    return makeError("tensor " + quoted(tensor.name()) + ": " + llvm::toString(data.takeError()));
  }
  return data;
}

} // namespace modelc
