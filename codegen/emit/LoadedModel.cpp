//===- LoadedModel.cpp - A compiled model inside this process -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/LoadedModel.h"
#include "codegen/Target.h"
#include "codegen/emit/Layout.h"
#include "runtime/include/modelc/abi.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace modelc;

struct LoadedModel::Interface {
  int32_t (*init)(void **self, const modelc_config *config) = nullptr;
  int32_t (*run)(void *self, const void *in, void *out) = nullptr;
  int32_t (*flush)(void *self, const void *in, void *out) = nullptr;
  void (*reset)(void *self) = nullptr;
};

LoadedModel::LoadedModel() = default;
LoadedModel::LoadedModel(LoadedModel &&) = default;
LoadedModel &LoadedModel::operator=(LoadedModel &&) = default;
LoadedModel::~LoadedModel() = default;

void LoadedModel::Free::operator()(void *memory) const {
  std::free(memory);
}

/// All memories of an instance have the alignment of the weights at least, which
/// is that of a cache line.
static constexpr uint64_t memoryAlign = 128;

Expected<LoadedModel::Memory> LoadedModel::allocate(uint64_t bytes) {
  uint64_t rounded = alignTo(std::max<uint64_t>(bytes, 1), memoryAlign);
  Memory memory(rounded < bytes ? nullptr : std::aligned_alloc(memoryAlign, rounded));
  if (!memory) {
    return createStringError(std::errc::not_enough_memory, "cannot allocate %llu bytes",
                             static_cast<unsigned long long>(bytes));
  }
  return memory;
}

Error LoadedModel::packWeights(const CompiledModel &model) {
  if (model.weights.size() == 1 && model.weights[0].offset == 0 &&
      model.weights[0].bytes.size() == model.weightBytes &&
      isAddrAligned(Align(weightAlign), model.weights[0].bytes.data())) {
    weights = model.weights[0].bytes.data();
    return Error::success();
  }
  Expected<Memory> block = allocate(model.weightBytes);
  if (!block) {
    return block.takeError();
  }
  char *bytes = static_cast<char *>(block->get());
  std::memset(bytes, 0, model.weightBytes);
  for (const WeightPiece &piece : model.weights) {
    std::copy(piece.bytes.begin(), piece.bytes.end(), bytes + piece.offset);
  }
  ownWeights = std::move(*block);
  weights = bytes;
  return Error::success();
}

Error LoadedModel::link(const CompiledModel &model, const modelc::Target &target,
                        const EmitOptions &options) {
  Expected<JoinedObject> object = joinObject(model, target, options);
  if (!object) {
    return object.takeError();
  }
  // Nothing is compiled here, and the object needs nothing of this process.
  orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(orc::JITTargetMachineBuilder(Triple(target.triple)));
  builder.setPlatformSetUp(orc::setUpInactivePlatform);
  builder.setLinkProcessSymbolsByDefault(false);
  auto created = builder.create();
  if (!created) {
    return created.takeError();
  }
  jit = std::move(*created);
  if (Error error = jit->addObjectFile(MemoryBuffer::getMemBufferCopy(
          StringRef(object->bytes.data(), object->bytes.size()), model.name + ".o"))) {
    return error;
  }
  interface = std::make_unique<Interface>();
  auto find = [&](StringRef function, auto &pointer) -> Error {
    auto address = jit->lookup((model.name + "_" + function).str());
    if (!address) {
      return address.takeError();
    }
    pointer = address->toPtr<std::remove_reference_t<decltype(pointer)>>();
    return Error::success();
  };
  if (Error error = find("init", interface->init)) {
    return error;
  }
  if (Error error = find("run", interface->run)) {
    return error;
  }
  if (model.stream && model.stream->hasFlush()) {
    if (Error error = find("flush", interface->flush)) {
      return error;
    }
  }
  return find("reset", interface->reset);
}

Error LoadedModel::initialize(const CompiledModel &model, const modelc::Target &target) {
  stateBytes = modelc::stateMemoryBytes(model, target);
  for (auto [memory, bytes] :
       {std::pair(&state, stateBytes), std::pair(&scratch, model.scratchBytes)}) {
    Expected<Memory> block = allocate(bytes);
    if (!block) {
      return block.takeError();
    }
    *memory = std::move(*block);
  }
  modelc_config config = {};
  config.abi = MODELC_ABI;
  config.size = sizeof config;
  config.state = state.get();
  config.state_bytes = stateBytes;
  config.scratch = scratch.get();
  config.scratch_bytes = model.scratchBytes;
  config.weights = weights;
  config.weights_bytes = model.weightBytes;
  if (int32_t status = interface->init(&self, &config)) {
    return createStringError(inconvertibleErrorCode(), "%s_init returned %d", model.name.c_str(),
                             status);
  }
  return Error::success();
}

Expected<LoadedModel> LoadedModel::load(const CompiledModel &model, const modelc::Target &target,
                                        const EmitOptions &options) {
  if (Triple(target.triple).getArch() != Triple(sys::getProcessTriple()).getArch()) {
    return createStringError(inconvertibleErrorCode(), "code for '%s' does not run on this machine",
                             target.name.c_str());
  }
  LoadedModel loaded;
  loaded.inputCount = model.inputs.size();
  loaded.outputCount = model.outputs.size();
  if (Error error = loaded.packWeights(model)) {
    return std::move(error);
  }
  if (Error error = loaded.link(model, target, options)) {
    return std::move(error);
  }
  if (Error error = loaded.initialize(model, target)) {
    return std::move(error);
  }
  return loaded;
}

int32_t LoadedModel::run(ArrayRef<const void *> inputs, ArrayRef<void *> outputs) {
  if (inputs.size() != inputCount || outputs.size() != outputCount) {
    return MODELC_E_NULL;
  }
  // The library's structs hold one pointer per tensor: arrays of pointers.
  return interface->run(self, inputs.data(), const_cast<void **>(outputs.data()));
}

int32_t LoadedModel::flush(ArrayRef<const void *> inputs, ArrayRef<void *> outputs) {
  if (!interface->flush || inputs.size() != inputCount || outputs.size() != outputCount) {
    return MODELC_E_NULL;
  }
  return interface->flush(self, inputs.data(), const_cast<void **>(outputs.data()));
}

void LoadedModel::reset() {
  interface->reset(self);
}
