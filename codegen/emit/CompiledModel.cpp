//===- CompiledModel.cpp - A planned, compiled model before emission ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/CompiledModel.h"
#include "codegen/Target.h"
#include "codegen/emit/CoreModule.h"
#include "codegen/emit/Identifier.h"
#include "codegen/emit/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace modelc;

namespace {

struct ElementRow {
  unsigned bytes;
  StringRef name, cType;
};

} // namespace

static const ElementRow &elementRow(ElementType type) {
  static const ElementRow rows[] = {
      {4, "f32", "float"},     {8, "f64", "double"},   {2, "f16", "uint16_t"},
      {2, "bf16", "uint16_t"}, {1, "i8", "int8_t"},    {2, "i16", "int16_t"},
      {4, "i32", "int32_t"},   {8, "i64", "int64_t"},  {1, "u8", "uint8_t"},
      {2, "u16", "uint16_t"},  {4, "u32", "uint32_t"}, {8, "u64", "uint64_t"},
      {1, "bool", "uint8_t"}};
  return rows[static_cast<size_t>(type)];
}

unsigned modelc::elementBytes(ElementType type) {
  return elementRow(type).bytes;
}
StringRef modelc::elementName(ElementType type) {
  return elementRow(type).name;
}
StringRef modelc::elementCType(ElementType type) {
  return elementRow(type).cType;
}

uint64_t TensorInfo::elements() const {
  uint64_t count = 1;
  for (int64_t extent : shape) {
    count = SaturatingMultiply(count, static_cast<uint64_t>(extent));
  }
  return count;
}

template <typename... Args> static Error wrong(const char *format, const Args &...args) {
  return createStringError(inconvertibleErrorCode(), format, args...);
}

static Error verifyTensors(const char *kind, ArrayRef<TensorInfo> tensors, uint64_t limit) {
  StringSet<> names;
  for (auto [i, tensor] : enumerate(tensors)) {
    if (!isIdentifier(tensor.cName) || !names.insert(tensor.cName).second) {
      return wrong("%s %zu: '%s' is no identifier of its own", kind, i, tensor.cName.c_str());
    }
    if (any_of(tensor.shape, [](int64_t extent) { return extent < 0; }) ||
        tensor.elements() > limit / elementBytes(tensor.type)) {
      return wrong("%s '%s' has a shape that the target cannot address", kind,
                   tensor.cName.c_str());
    }
  }
  return Error::success();
}

static Error verifyWeights(const CompiledModel &model) {
  uint64_t end = 0;
  for (const WeightPiece &piece : model.weights) {
    if (piece.offset % weightAlign || piece.offset < end || piece.offset > model.weightBytes ||
        piece.bytes.size() > model.weightBytes - piece.offset) {
      return wrong("weights at offset %llu are misaligned, overlap or lie outside the blob",
                   static_cast<unsigned long long>(piece.offset));
    }
    end = piece.offset + piece.bytes.size();
  }
  return Error::success();
}

static Error verifyKernels(const CompiledModel &model) {
  StringSet<> taken;
  for (const std::string &symbol : interfaceSymbols(model)) {
    taken.insert(symbol);
  }
  for (const CompiledKernel &kernel : model.kernels) {
    StringRef symbol = kernel.symbol;
    // Two underscores behind the name are the runtime's.
    if (!isIdentifier(symbol) || !symbol.starts_with(model.name + "_") ||
        symbol.starts_with(model.name + "__") || !taken.insert(symbol).second) {
      return wrong("kernel symbol '%s' is taken or does not begin with '%s_'",
                   kernel.symbol.c_str(), model.name.c_str());
    }
  }
  return Error::success();
}

static Error verifyPlace(const CompiledModel &model, const Place &place) {
  uint64_t limit = 0;
  switch (place.space) {
  case Space::Input:
  case Space::Output: {
    const auto &tensors = place.space == Space::Input ? model.inputs : model.outputs;
    if (place.index >= tensors.size()) {
      return wrong("an operand names tensor %u of %zu", place.index, tensors.size());
    }
    limit = tensors[place.index].bytes();
    break;
  }
  case Space::Scratch:
    limit = model.scratchBytes;
    break;
  case Space::Weights:
    limit = model.weightBytes;
    break;
  case Space::Flush:
    break;
  case Space::State:
    limit = model.stateBytes;
    break;
  }
  // Equality: an operand of no elements at the end.
  return place.offset <= limit ? Error::success()
                               : wrong("an operand begins %llu bytes into a place of %llu",
                                       static_cast<unsigned long long>(place.offset),
                                       static_cast<unsigned long long>(limit));
}

static Error verifyCalls(const CompiledModel &model) {
  std::vector<size_t> pointers(model.kernels.size(), SIZE_MAX);
  bool hasCommits = false;
  for (auto [i, call] : enumerate(model.calls)) {
    if (call.kernel >= model.kernels.size()) {
      return wrong("call %zu names kernel %u of %zu", i, call.kernel, model.kernels.size());
    }
    if (hasCommits && !call.commits) {
      return wrong("call %zu stands behind a call that commits a state", i);
    }
    hasCommits = call.commits;
    size_t count = call.operands.size() + call.hasScratch;
    size_t &expected = pointers[call.kernel];
    if (expected != SIZE_MAX && expected != count) {
      return wrong("kernel '%s' is called with %zu and with %zu pointers",
                   model.kernels[call.kernel].symbol.c_str(), expected, count);
    }
    expected = count;
    for (const Place &place : call.operands) {
      if (Error error = verifyPlace(model, place)) {
        return error;
      }
    }
    if (call.hasScratch && call.scratchOffset > model.scratchBytes) {
      return wrong("call %zu has scratch memory outside the block", i);
    }
  }
  return Error::success();
}

/// What planAdapter promises.
static Error verifyAdapter(const CompiledModel &model) {
  if (!model.adapter) {
    return Error::success();
  }
  uint64_t hop = model.adapter->hopSamples;
  bool isAudio = model.inputs.size() == 1 && model.outputs.size() == 1 &&
                 model.inputs[0].type == ElementType::F32 &&
                 model.outputs[0].type == ElementType::F32 && model.inputs[0].elements() == hop &&
                 model.outputs[0].elements() == hop;
  return isAudio && hop > 0 && model.adapter->bytes() <= INT32_MAX
             ? Error::success()
             : wrong("the host adapter of %llu samples does not fit the model's tensors",
                     static_cast<unsigned long long>(hop));
}

Error modelc::verifyModel(const CompiledModel &model, const Target &target) {
  if (!isIdentifier(model.name)) {
    return wrong("the library's name '%s' is no C identifier", model.name.c_str());
  }
  if (!isPowerOf2_64(target.align)) {
    return wrong("the target's alignment %u is no power of two", target.align);
  }
  uint64_t limit = target.pointerBits == 32 ? INT32_MAX : INT64_MAX / 2;
  if (model.stateBytes > limit || model.scratchBytes > limit || model.weightBytes > limit ||
      model.initialState.size() > std::min<uint64_t>(model.stateBytes, INT32_MAX / 2)) {
    return wrong("the model needs more memory than the target can address (state %llu, scratch "
                 "%llu, weights %llu bytes)",
                 static_cast<unsigned long long>(model.stateBytes),
                 static_cast<unsigned long long>(model.scratchBytes),
                 static_cast<unsigned long long>(model.weightBytes));
  }
  if (Error error = verifyTensors("input", model.inputs, limit)) {
    return error;
  }
  if (Error error = verifyTensors("output", model.outputs, limit)) {
    return error;
  }
  if (Error error = verifyWeights(model)) {
    return error;
  }
  if (Error error = verifyKernels(model)) {
    return error;
  }
  if (Error error = verifyAdapter(model)) {
    return error;
  }
  return verifyCalls(model);
}
