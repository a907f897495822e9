//===- Npy.cpp - NumPy's file format --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
//===----------------------------------------------------------------------===//
#include "tools/modelc/Npy.h"
#include "frontend/Quote.h"
#include "tools/modelc/Failure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace modelc;

static constexpr StringLiteral magic = "\x93NUMPY";

/// Of the dictionary; NumPy itself refuses longer ones by default.
static constexpr size_t maxHeaderBytes = 10000;
static constexpr size_t maxRank = 64;

namespace {
struct TypeCode {
  ElementType type;
  StringLiteral code;
};
} // namespace

static constexpr TypeCode typeCodes[] = {
    {ElementType::F32, "f4"},  {ElementType::F64, "f8"}, {ElementType::F16, "f2"},
    {ElementType::BF16, "V2"}, {ElementType::I8, "i1"},  {ElementType::I16, "i2"},
    {ElementType::I32, "i4"},  {ElementType::I64, "i8"}, {ElementType::U8, "u1"},
    {ElementType::U16, "u2"},  {ElementType::U32, "u4"}, {ElementType::U64, "u8"},
    {ElementType::Bool, "b1"},
};

uint64_t Tensor::elements() const {
  uint64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

std::string modelc::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape) {
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  }
  return shape.empty() ? "scalar" : text;
}

/// What follows `'key':` in the dictionary.
static Expected<StringRef> valueOf(StringRef dictionary, StringRef key) {
  for (StringRef quote : {"'", "\""}) {
    size_t at = dictionary.find((quote + key + quote).str());
    if (at != StringRef::npos) {
      StringRef rest = dictionary.drop_front(at + key.size() + 2).ltrim();
      if (rest.consume_front(":")) {
        return rest.ltrim();
      }
    }
  }
  return wrong("the header has no '" + key + "'");
}

static Expected<ElementType> typeOf(StringRef dictionary) {
  auto value = valueOf(dictionary, "descr");
  if (!value) {
    return value.takeError();
  }
  char quote = value->empty() ? 0 : value->front();
  if (quote != '\'' && quote != '"') {
    return wrong("structured types are not supported");
  }
  StringRef text = value->drop_front().take_until([&](char c) { return c == quote; });
  StringRef code = text.drop_while([](char c) { return c == '<' || c == '|' || c == '='; });
  for (const TypeCode &known : typeCodes) {
    if (code == known.code) {
      return known.type;
    }
  }
  return wrong("elements of type " + quoted(text) + " are not supported" +
               (text.starts_with(">") ? " (big endian)" : ""));
}

static Error parseShape(StringRef dictionary, SmallVectorImpl<int64_t> &shape) {
  auto value = valueOf(dictionary, "shape");
  if (!value) {
    return value.takeError();
  }
  StringRef text = *value;
  size_t end = text.find(')');
  if (!text.consume_front("(") || end == StringRef::npos) {
    return wrong("the shape is malformed");
  }
  SmallVector<StringRef> words;
  text.take_front(end - 1).split(words, ',');
  for (auto [i, word] : enumerate(words)) {
    word = word.trim();
    if (word.empty() && i + 1 == words.size()) {
      break; // "(3,)" and "()"
    }
    uint64_t extent;
    if (word.getAsInteger(10, extent) || extent > INT64_MAX || shape.size() == maxRank) {
      return wrong("the shape is malformed");
    }
    shape.push_back(extent);
  }
  return Error::success();
}

Expected<Tensor> modelc::parseNpy(StringRef bytes) {
  if (!bytes.consume_front(magic)) {
    return wrong("not a .npy file");
  }
  unsigned version = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || bytes.size() < 2 + lengthBytes) {
    return wrong("unknown version of .npy, or a truncated file");
  }
  const char *at = bytes.data() + 2;
  size_t length = version == 1 ? support::endian::read16le(at) : support::endian::read32le(at);
  bytes = bytes.drop_front(2 + lengthBytes);
  if (length > maxHeaderBytes || length > bytes.size()) {
    return wrong("the header is too long or truncated");
  }
  StringRef dictionary = bytes.take_front(length);
  bytes = bytes.drop_front(length);

  Tensor tensor;
  auto type = typeOf(dictionary);
  if (!type) {
    return type.takeError();
  }
  tensor.type = *type;
  auto order = valueOf(dictionary, "fortran_order");
  if (!order) {
    return order.takeError();
  }
  if (Error error = parseShape(dictionary, tensor.shape)) {
    return std::move(error);
  }
  if (order->starts_with("True") && tensor.shape.size() > 1) {
    return wrong("the elements are in Fortran order; numpy.ascontiguousarray makes them fit");
  }
  bool overflows = false;
  uint64_t size = elementBytes(tensor.type);
  for (int64_t extent : tensor.shape) {
    bool now = false;
    size = SaturatingMultiply<uint64_t>(size, extent, &now);
    overflows |= now;
  }
  if (overflows || size != bytes.size()) {
    return wrong("a tensor of shape " + shapeText(tensor.shape) + " needs " +
                 (overflows ? "too many" : Twine(size)) + " bytes, the file has " +
                 Twine(bytes.size()));
  }
  tensor.bytes.assign(bytes.begin(), bytes.end());
  return tensor;
}

Expected<Tensor> modelc::readNpy(StringRef path) {
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (!code && status.type() == sys::fs::file_type::directory_file) {
    code = std::make_error_code(std::errc::is_a_directory);
  }
  if (code) {
    return wrong("cannot read " + quoted(path, 400) + ": " + code.message());
  }
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return wrong("cannot read " + quoted(path, 400) + ": " + buffer.getError().message());
  }
  auto tensor = parseNpy((*buffer)->getBuffer());
  if (!tensor) {
    return wrong(quoted(path, 400) + ": " + toString(tensor.takeError()));
  }
  return tensor;
}

void modelc::writeNpy(raw_ostream &os, ElementType type, ArrayRef<int64_t> shape,
                      ArrayRef<char> bytes) {
  StringRef code;
  for (const TypeCode &known : typeCodes) {
    if (known.type == type) {
      code = known.code;
    }
  }
  bool hasOrder = elementBytes(type) > 1 && type != ElementType::BF16;
  std::string header = "{'descr': '" + std::string(hasOrder ? "<" : "|") + code.str() +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape) {
    header += std::to_string(extent) + ",";
  }
  header += "), }";
  // The data begins at a multiple of 64; the header ends with a line break.
  size_t fixed = magic.size() + 4;
  header.resize(alignTo(fixed + header.size() + 1, 64) - fixed - 1, ' ');
  header += '\n';
  char length[2];
  support::endian::write16le(length, header.size());
  os << magic << '\1' << '\0' << StringRef(length, 2) << header;
  os.write(bytes.data(), bytes.size());
}
