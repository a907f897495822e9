// Reads an ONNX file: its bytes, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/Model.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/stubs/logging.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <climits>

using namespace mlir;

namespace modelc {

namespace {

/// Protobuf logs parse errors to stderr; ours are diagnostics.
class SilenceProtobuf {
public:
  SilenceProtobuf() : previous(google::protobuf::SetLogHandler(nullptr)) {}
  ~SilenceProtobuf() { google::protobuf::SetLogHandler(previous); }
  SilenceProtobuf(const SilenceProtobuf &) = delete;
  SilenceProtobuf &operator=(const SilenceProtobuf &) = delete;

private:
  google::protobuf::LogHandler *previous;
};

/// Walks the top-level fields of a message; returns a description of the first
/// one that cannot be right, or ''.
std::string findBrokenField(llvm::StringRef bytes) {
  const auto *begin = reinterpret_cast<const uint8_t *>(bytes.begin());
  const auto *end = reinterpret_cast<const uint8_t *>(bytes.end());
  const uint8_t *at = begin;
  while (at != end) {
    size_t offset = at - begin;
    const char *error = nullptr;
    unsigned size = 0;
    uint64_t tag = llvm::decodeULEB128(at, &size, end, &error);
    if (error) {
      return "the file ends inside a field tag at byte " + std::to_string(offset);
    }
    at += size;
    uint64_t skip = 0;
    switch (tag & 7) {
    case 0:
      llvm::decodeULEB128(at, &size, end, &error);
      skip = size;
      break;
    case 1:
      skip = 8;
      break;
    case 2:
      skip = llvm::decodeULEB128(at, &size, end, &error);
      at += error ? 0 : size;
      break;
    case 5:
      skip = 4;
      break;
    default:
      return "byte " + std::to_string(offset) + " is no valid field tag";
    }
    uint64_t left = end - at;
    if (error || skip > left) {
      return "the field at byte " + std::to_string(offset) + " needs " +
             (error ? std::string("more") : std::to_string(skip)) + " bytes, the file has " +
             std::to_string(left) + " left";
    }
    at += skip;
  }
  return "";
}

/// What the file is instead, judged by its first bytes; '' if unknown.
llvm::StringRef guessFormat(llvm::StringRef bytes) {
  if (bytes.starts_with("GGUF")) {
    return "a GGUF file";
  }
  if (bytes.starts_with("PK\x03\x04")) {
    return "a ZIP archive";
  }
  if (bytes.starts_with("\x1f\x8b")) {
    return "a gzip file";
  }
  if (bytes.starts_with("\x89HDF")) {
    return "an HDF5 file";
  }
  if (bytes.substr(4, 4) == "TFL3") {
    return "a TensorFlow Lite file";
  }
  if (bytes.starts_with("version https://git-lfs")) {
    return "a Git LFS pointer, not the file it points to";
  }
  bool isText = llvm::all_of(bytes.take_front(64), [](char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
  });
  return isText ? "text" : "";
}

} // namespace

LogicalResult parseOnnxModel(llvm::StringRef bytes, onnx::ModelProto &model, Location location) {
  if (bytes.empty()) {
    return emitError(location, "the file is empty");
  }
  if (bytes.size() > INT_MAX) {
    return emitError(location) << "the file has " << bytes.size()
                               << " bytes, but the ONNX format ends at " << INT_MAX
                               << "; keep weights as external data";
  }
  // Checked first: random text can pass as a message of unknown fields.
  llvm::StringRef other = guessFormat(bytes);
  if (!other.empty()) {
    return emitError(location) << "expected a binary ONNX model, got " << other;
  }
  SilenceProtobuf silence;
  google::protobuf::io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&array);
  coded.SetTotalBytesLimit(INT_MAX);
  if (!model.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    std::string broken = findBrokenField(bytes);
    if (broken.empty()) {
      broken = "a nested field is malformed or nested too deeply";
    }
    return emitError(location) << "not a valid ONNX model or truncated: " << broken;
  }
  if (!model.has_graph()) {
    return emitError(location, "expected an ONNX model, got a file without "
                               "a graph");
  }
  return success();
}

FailureOr<std::unique_ptr<OnnxModel>>
loadOnnxModel(llvm::StringRef path, const ImportLimits &limits, MLIRContext &context) {
  auto model = std::make_unique<OnnxModel>();
  model->fileName = llvm::sys::path::filename(path).str();
  model->folder = llvm::sys::path::parent_path(path).str();
  if (model->folder.empty()) {
    model->folder = ".";
  }
  Location location = FileLineColLoc::get(&context, model->fileName, 0, 0);
  auto fail = [&](std::error_code error) {
    return emitError(location) << "cannot read " << quoted(path, 400) << ": " << error.message();
  };
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status)) {
    return fail(error);
  }
  if (status.type() == llvm::sys::fs::file_type::directory_file) {
    return fail(std::make_error_code(std::errc::is_a_directory));
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return fail(buffer.getError());
  }
  if (failed(parseOnnxModel((*buffer)->getBuffer(), model->proto, location)) ||
      failed(normalizeOnnxModel(*model, limits, location))) {
    return failure();
  }
  return model;
}

} // namespace modelc
