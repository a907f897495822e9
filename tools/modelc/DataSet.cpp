//===- DataSet.cpp - inputs and expected outputs in files -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/DataSet.h"
#include "frontend/Quote.h"
#include "frontend/onnx/TensorData.h"
#include "ir/ConstantData.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/TensorTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace modelc;

namespace {
struct NamedTensor {
  std::string name; ///< as the file says; may be empty
  Tensor tensor;
};
} // namespace

static Expected<NamedTensor> readTensor(StringRef path, mlir::MLIRContext &context) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return wrong("cannot read " + quoted(path, 400) + ": " + buffer.getError().message());
  }
  StringRef bytes = (*buffer)->getBuffer();
  onnx::TensorProto proto;
  if (bytes.size() > INT_MAX || !proto.ParseFromArray(bytes.data(), bytes.size())) {
    return wrong(quoted(path, 400) + " is not a tensor in ONNX's format");
  }
  NamedTensor result;
  result.name = proto.name();
  ExternalData external(sys::path::parent_path(path).str());
  auto value = takeTensor(proto, external, context);
  if (!value) {
    return wrong(quoted(path, 400) + ": " + toString(value.takeError()));
  }
  auto type = cast<mlir::RankedTensorType>(value->getType());
  auto element = elementTypeOf(type.getElementType());
  if (!element) {
    return wrong(quoted(path, 400) + ": the element type is not supported");
  }
  result.tensor.type = *element;
  result.tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  result.tensor.bytes.resize(storageBytes(type));
  copyConstant(*value, result.tensor.bytes);
  return result;
}

/// The tensors of `infos`: by name where the files name them, else by number.
static Expected<std::vector<Tensor>> readTensors(StringRef folder, StringRef stem,
                                                 ArrayRef<TensorInfo> infos,
                                                 mlir::MLIRContext &context) {
  std::vector<NamedTensor> found;
  for (unsigned i = 0;; ++i) {
    SmallString<128> path(folder);
    sys::path::append(path, stem + "_" + Twine(i) + ".pb");
    if (!sys::fs::exists(path)) {
      break;
    }
    auto tensor = readTensor(path, context);
    if (!tensor) {
      return tensor.takeError();
    }
    found.push_back(std::move(*tensor));
  }
  std::vector<Tensor> tensors;
  for (auto [i, info] : enumerate(infos)) {
    auto named = find_if(
        found, [&, &info = info](const NamedTensor &tensor) { return tensor.name == info.name; });
    if (named != found.end()) {
      tensors.push_back(named->tensor);
    } else if (found.size() == infos.size()) {
      tensors.push_back(found[i].tensor);
    } else {
      return wrong(quoted(folder, 400) + " has " + Twine(found.size()) + " files " + stem +
                   "_N.pb and none is named " + quoted(info.name) + "; the model has " +
                   Twine(infos.size()) + " " + stem + "s");
    }
  }
  return tensors;
}

/// Folders with data, in order.
static std::vector<std::string> foldersIn(StringRef directory) {
  auto hasData = [](const Twine &folder) {
    return sys::fs::exists(folder + "/input_0.pb") || sys::fs::exists(folder + "/output_0.pb");
  };
  if (hasData(directory)) {
    return {directory.str()};
  }
  std::vector<std::string> folders;
  for (unsigned i = 0;; ++i) {
    SmallString<128> path(directory);
    sys::path::append(path, "test_data_set_" + Twine(i));
    if (!hasData(path)) {
      return folders;
    }
    folders.push_back(path.str().str());
  }
}

Expected<std::vector<DataSet>> modelc::readDataSets(StringRef directory,
                                                    ArrayRef<TensorInfo> inputs,
                                                    ArrayRef<TensorInfo> outputs,
                                                    mlir::MLIRContext &context) {
  std::vector<DataSet> sets;
  for (const std::string &folder : foldersIn(directory)) {
    DataSet &set = sets.emplace_back();
    set.folder = folder;
    auto in = readTensors(folder, "input", inputs, context);
    if (!in) {
      return in.takeError();
    }
    set.inputs = std::move(*in);
    auto out = readTensors(folder, "output", outputs, context);
    if (!out) {
      return out.takeError();
    }
    set.outputs = std::move(*out);
  }
  if (sets.empty()) {
    return wrong(quoted(directory, 400) +
                 " holds neither output_0.pb nor a folder test_data_set_0 with it");
  }
  return sets;
}
