//===- LoadedModel.h - A compiled model inside this process ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_LOADEDMODEL_H
#define MODELC_CODEGEN_EMIT_LOADEDMODEL_H

#include "codegen/emit/Emit.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace modelc {

/// Runs the very object that a library would contain. The weights stay in the
/// memory of the model's pieces where they are one aligned piece, and are copied
/// into one block otherwise; the model must outlive this object either way.
class LoadedModel {
public:
  /// `target` must be a processor whose code this machine can execute.
  static llvm::Expected<LoadedModel> load(const CompiledModel &model, const Target &target,
                                          const EmitOptions &options = {});
  LoadedModel(LoadedModel &&);
  LoadedModel &operator=(LoadedModel &&);
  ~LoadedModel();

  /// One pointer per tensor, in the order of the model. Returns a modelc_status.
  int32_t run(llvm::ArrayRef<const void *> inputs, llvm::ArrayRef<void *> outputs);
  /// As run, when the stream has ended; only where the model has latency.
  int32_t flush(llvm::ArrayRef<const void *> inputs, llvm::ArrayRef<void *> outputs);
  void reset();

  uint64_t stateMemoryBytes() const { return stateBytes; }

private:
  struct Free {
    void operator()(void *memory) const;
  };
  using Memory = std::unique_ptr<void, Free>;
  struct Interface;

  LoadedModel();
  static llvm::Expected<Memory> allocate(uint64_t bytes);
  llvm::Error packWeights(const CompiledModel &model);
  llvm::Error link(const CompiledModel &model, const Target &target, const EmitOptions &options);
  llvm::Error initialize(const CompiledModel &model, const Target &target);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<Interface> interface;
  Memory state, scratch, ownWeights;
  const void *weights = nullptr;
  void *self = nullptr;
  uint64_t stateBytes = 0;
  size_t inputCount = 0, outputCount = 0;
};

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_LOADEDMODEL_H
