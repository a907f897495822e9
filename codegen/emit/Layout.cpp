//===- Layout.cpp - Where the parts of an emitted library's memory lie ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Layout.h"
#include "codegen/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace modelc;

uint64_t modelc::stateMemoryBytes(const CompiledModel &model, const Target &target) {
  uint64_t header = 8 + 2 * (target.pointerBits / 8);
  return alignTo(header, target.align) + model.stateBytes;
}

uint32_t modelc::instanceMagic(const CompiledModel &model) {
  SHA256 hash;
  std::string sizes;
  for (uint64_t size : {model.stateBytes, model.scratchBytes, model.weightBytes}) {
    sizes += utostr(size) + " ";
  }
  hash.update(sizes);
  hash.update(model.name + " ");
  hash.update(model.sourceHash);
  // Memory that was never an instance is most often zero.
  return support::endian::read32le(hash.final().data()) | 1;
}

namespace {

/// Appends to a table whose start will be 8-byte aligned.
class TableWriter {
public:
  explicit TableWriter(size_t fixedBytes) : bytes(fixedBytes, '\0') {}

  void put32(size_t at, uint64_t value) {
    support::endian::write32le(&bytes[at], static_cast<uint32_t>(value));
  }
  void put64(size_t at, uint64_t value) { support::endian::write64le(&bytes[at], value); }

  /// Room for `size` bytes at a multiple of 8; returns its offset.
  size_t reserve(size_t size) {
    size_t at = alignTo(bytes.size(), 8);
    bytes.resize(at + size);
    return at;
  }
  size_t text(StringRef text) {
    size_t at = bytes.size();
    bytes += text;
    bytes += '\0';
    return at;
  }

  std::string bytes;
};

} // namespace

static size_t writeTensors(TableWriter &out, ArrayRef<TensorInfo> tensors) {
  constexpr size_t recordBytes = 32;
  size_t table = out.reserve(recordBytes * tensors.size());
  for (auto [i, tensor] : enumerate(tensors)) {
    size_t shape = out.reserve(8 * tensor.shape.size());
    for (auto [axis, extent] : enumerate(tensor.shape)) {
      out.put64(shape + 8 * axis, extent);
    }
    size_t record = table + recordBytes * i;
    out.put32(record, out.text(tensor.name));
    out.put32(record + 4, out.text(tensor.cName));
    out.put32(record + 8, static_cast<uint32_t>(tensor.type));
    out.put32(record + 12, elementBytes(tensor.type));
    out.put32(record + 16, tensor.shape.size());
    out.put32(record + 20, shape);
    out.put64(record + 24, tensor.bytes());
  }
  return table;
}

// The offsets here are those of modelc_model_info and modelc_tensor_info in
// runtime/include/modelc/abi.h; the unit test reads the table through them.
std::string modelc::infoTable(const CompiledModel &model, const Target &target) {
  constexpr size_t fixedBytes = 88;
  TableWriter out(fixedBytes);
  out.put32(0, abiVersion);
  out.put32(4, fixedBytes);
  out.put32(8, instanceMagic(model));
  out.put32(12, target.align);
  out.put64(16, stateMemoryBytes(model, target));
  out.put64(24, model.scratchBytes);
  out.put64(32, model.weightBytes);
  out.put64(40, model.stateBytes);
  size_t initial = out.reserve(model.initialState.size());
  copy(model.initialState, out.bytes.begin() + initial);
  out.put32(48, initial);
  out.put32(52, model.initialState.size());
  out.put32(56, out.text(model.name));
  out.put32(60, out.text(target.name));
  out.put32(64, out.text(model.sourceHash));
  out.put32(68, model.inputs.size());
  out.put32(72, writeTensors(out, model.inputs));
  out.put32(76, model.outputs.size());
  out.put32(80, writeTensors(out, model.outputs));
  return std::move(out.bytes);
}

std::string modelc::adapterTable(const AdapterInfo &adapter) {
  TableWriter out(16);
  out.put32(0, adapter.hopSamples);
  out.put32(4, adapter.latencySamples);
  out.put32(8, adapter.maxFrames);
  out.put32(12, adapter.samples());
  return std::move(out.bytes);
}
