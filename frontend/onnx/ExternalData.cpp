// Tensor data that an ONNX model keeps in files beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ExternalData.h"

#include "frontend/Quote.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace modelc {

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Checks the name alone, before the file system is asked.
static llvm::Error checkLocation(llvm::StringRef location) {
  if (location.empty()) {
    return makeError("external data without a location");
  }
  // ONNX Runtime writes this for tensors that were only in its memory.
  if (location.contains("_ORT_MEM_ADDR_")) {
    return makeError("the data was left in the memory of the program that "
                     "wrote the model (location " +
                     quoted(location) + ")");
  }
  bool leaves = location.contains('\0') || location.contains('\\') ||
                path::is_absolute(location, path::Style::posix) ||
                path::has_root_name(location, path::Style::windows);
  for (auto part = path::begin(location), end = path::end(location); part != end; ++part) {
    leaves |= *part == "..";
  }
  if (leaves) {
    return makeError("external data location " + quoted(location) +
                     " must be a plain path inside the model's folder");
  }
  return llvm::Error::success();
}

std::vector<std::string> ExternalData::locations() const {
  std::vector<std::string> names;
  for (const auto &file : files) {
    names.push_back(file.getKey().str());
  }
  llvm::sort(names);
  return names;
}

llvm::Expected<ExternalData::Mapping> ExternalData::map(llvm::StringRef location) {
  auto known = files.find(location);
  if (known != files.end()) {
    return known->second;
  }
  if (llvm::Error error = checkLocation(location)) {
    return std::move(error);
  }
  auto failed = [&](std::error_code code) {
    return makeError("cannot read external data " + quoted(location) + ": " + code.message());
  };
  llvm::SmallString<256> file(folder), realFolder, realFile;
  path::append(file, location);
  if (std::error_code code = fs::real_path(folder, realFolder)) {
    return failed(code);
  }
  if (std::error_code code = fs::real_path(file, realFile)) {
    return failed(code);
  }
  // The real paths have no symlinks left: a prefix means "inside".
  llvm::SmallString<256> prefix = realFolder;
  if (!llvm::StringRef(prefix).ends_with("/")) {
    prefix += "/";
  }
  if (!llvm::StringRef(realFile).starts_with(prefix)) {
    return makeError("external data location " + quoted(location) +
                     " leads out of the model's folder");
  }
  // Asked before opening: opening a pipe would wait for a writer.
  fs::file_status status;
  if (std::error_code code = fs::status(realFile, status)) {
    return failed(code);
  }
  if (status.type() != fs::file_type::regular_file) {
    return makeError("external data " + quoted(location) + " is not a regular file");
  }
  llvm::Expected<fs::file_t> handle = fs::openNativeFileForRead(realFile);
  if (!handle) {
    return failed(llvm::errorToErrorCode(handle.takeError()));
  }
  auto close = llvm::make_scope_exit([&] { fs::closeFile(*handle); });
  Mapping mapping;
  if (status.getSize() != 0) {
    std::error_code code;
    mapping = std::make_shared<fs::mapped_file_region>(*handle, fs::mapped_file_region::readonly,
                                                       status.getSize(), 0, code);
    if (code) {
      return failed(code);
    }
  }
  files[location] = mapping;
  return mapping;
}

/// Reads a decimal number of bytes.
static llvm::Error parseBytes(const onnx::StringStringEntryProto &entry, uint64_t &value) {
  if (llvm::StringRef(entry.value()).getAsInteger(10, value)) {
    return makeError("external data " + quoted(entry.key()) + ": expected a number of bytes, got " +
                     quoted(entry.value()));
  }
  return llvm::Error::success();
}

llvm::Expected<ExternalData::Part> ExternalData::find(const onnx::TensorProto &tensor,
                                                      uint64_t bytes) {
  llvm::StringRef location;
  uint64_t offset = 0, length = bytes;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    if (entry.key() == "location") {
      location = entry.value();
    } else if (entry.key() == "offset") {
      if (llvm::Error error = parseBytes(entry, offset)) {
        return std::move(error);
      }
    } else if (entry.key() == "length") {
      if (llvm::Error error = parseBytes(entry, length)) {
        return std::move(error);
      }
    }
    // Other keys (checksum, basepath) do not say where the bytes are.
  }
  llvm::Expected<Mapping> mapping = map(location);
  if (!mapping) {
    return mapping.takeError();
  }
  if (length != bytes) {
    return makeError("external data has a length of " + llvm::Twine(length) +
                     " bytes, but the shape needs " + llvm::Twine(bytes));
  }
  uint64_t size = *mapping ? (*mapping)->size() : 0;
  if (offset > size || bytes > size - offset) {
    return makeError("external data at offset " + llvm::Twine(offset) + " needs " +
                     llvm::Twine(bytes) + " bytes, but the file " + quoted(location) + " has " +
                     llvm::Twine(size));
  }
  return Part{*mapping, offset};
}

} // namespace modelc
