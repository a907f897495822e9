//===- CompiledModel.h - A planned, compiled model before emission --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emission needs to know of a model, without MLIR: the kernels as
// objects, the order in which `run` calls them, where each operand lives, the
// weights as pieces of bytes, and the facts that header and manifest state.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_COMPILEDMODEL_H
#define MODELC_CODEGEN_EMIT_COMPILEDMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace modelc {

struct Target;

/// Numbers are part of the ABI of emitted libraries (modelc_tensor_info.type).
enum class ElementType : uint8_t {
  F32 = 0,
  F64 = 1,
  F16 = 2,
  BF16 = 3,
  I8 = 4,
  I16 = 5,
  I32 = 6,
  I64 = 7,
  U8 = 8,
  U16 = 9,
  U32 = 10,
  U64 = 11,
  Bool = 12
};

/// Size of one element in a caller's buffer; also its alignment.
unsigned elementBytes(ElementType type);
/// "f32", "i8", "bool", ...: the spelling in header comments and manifest.
llvm::StringRef elementName(ElementType type);
/// The C type of one element: "float", "int8_t", "uint16_t" for f16 and bf16.
llvm::StringRef elementCType(ElementType type);

/// An input or output as the caller sees it: dense, row major, static shape.
struct TensorInfo {
  std::string name;  // as in the model: any bytes
  std::string cName; // C identifier, see assignIdentifiers in Identifier.h
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 6> shape; // empty: a scalar, passed by pointer

  uint64_t elements() const;
  uint64_t bytes() const { return elements() * elementBytes(type); }
};

/// Flush: an i32, 1 while NAME_flush runs and 0 while NAME_run does.
enum class Space : uint8_t { Input, Output, Scratch, Weights, State, Flush };

/// Where an operand of a call starts. Offsets of State count from the first
/// byte behind the library's own header in the state memory.
struct Place {
  Space space = Space::Scratch;
  uint32_t index = 0; // which input or output; 0 for the other spaces
  uint64_t offset = 0;
};

/// One call in `run`. Machine signature of the kernel: one pointer per operand
/// (operands of the op, then its results), the scratch pointer if hasScratch;
/// returns int32_t (0 or a status) if the kernel's returnsStatus, else void.
struct ScheduleCall {
  unsigned kernel = 0; // index into CompiledModel::kernels
  llvm::SmallVector<Place, 8> operands;
  uint64_t scratchOffset = 0;
  bool hasScratch = false;
  std::string layer;    // what the debugger line and the manifest name; any bytes
  bool commits = false; // writes a state: left out if a call before it failed
};

struct CompiledKernel {
  std::string symbol;                // the linker symbol in `object`, begins with "NAME_"
  llvm::SmallVector<char, 0> object; // relocatable ELF, symbol global
  bool returnsStatus = false;
};

/// Bytes of the weights blob. Sorted by offset, disjoint; gaps are zero. The
/// bytes are not owned: the blob may be as large as the model file.
struct WeightPiece {
  uint64_t offset = 0;
  llvm::ArrayRef<char> bytes;
};

/// A value that outlives a run; its place is in the state memory.
struct StateInfo {
  std::string name; // any bytes
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 6> shape;
  uint64_t offset = 0;
};

/// One value in the scratch memory and the calls between which it lives, both
/// included: the memory plan in the manifest.
struct ScratchValue {
  std::string name; // any bytes
  uint64_t offset = 0, bytes = 0;
  unsigned firstCall = 0, lastCall = 0;
};

/// What a model that was made streaming says about time.
struct StreamInfo {
  uint64_t hopSamples = 0;     // of the first streamed input, per run
  uint64_t latencySamples = 0; // of the same input, that the outputs lag at most
  uint64_t drainSamples = 0;   // of the same input, that are still to come when it has ended
  /// Runs that give the outputs which are still to come when the stream has ended.
  uint64_t flushRuns() const { return drainSamples / hopSamples + (drainSamples % hopSamples > 0); }
  bool hasFlush() const { return drainSamples > 0; }
};

/// The host adapter (runtime/src/adapter.c), where it is asked for: see planAdapter.
struct AdapterInfo {
  uint64_t hopSamples = 0;     // that a run takes and gives
  uint64_t latencySamples = 0; // that its output lags behind its input
  uint64_t maxFrames = 0;      // that may be pushed before they are pulled

  /// In the adapter's buffers, floats each.
  uint64_t samples() const { return latencySamples + 3 * hopSamples + maxFrames; }
  uint64_t bytes() const { return 64 + 4 * samples(); }
  /// With frames of any size; some sizes have less.
  uint64_t delaySamples() const { return hopSamples - 1 + latencySamples; }
};

struct CompiledModel {
  std::string name; // a C identifier: prefix of every symbol and file
  std::vector<TensorInfo> inputs, outputs;

  uint64_t stateBytes = 0; // of the model's own states, without the header
  uint64_t scratchBytes = 0;
  uint64_t weightBytes = 0;
  std::vector<WeightPiece> weights;
  /// What reset copies to the start of the states; the rest becomes zero.
  std::vector<char> initialState;

  std::vector<CompiledKernel> kernels;
  std::vector<ScheduleCall> calls;
  bool keepDenormals = false; // false: run flushes denormals to zero

  // Facts for the info table and the manifest only.
  std::string sourceFormat; // "onnx", ...
  std::string sourceHash;   // SHA-256 of the source's bytes, lower-case hex
  std::vector<StateInfo> states;
  std::optional<StreamInfo> stream;
  std::optional<AdapterInfo> adapter;
  std::vector<ScratchValue> scratchValues;
  uint64_t scratchLowerBound = 0; // of any plan for this order of calls
  uint64_t multiplyAdds = 0;      // per run
  uint64_t parameters = 0;
  std::vector<std::string> notes; // e.g. "dimension 0 of x was fixed to 1"
};

/// Checks every rule above, so that emission can rely on them. A violation is
/// a bug of the compiler, not of the model.
llvm::Error verifyModel(const CompiledModel &model, const Target &target);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_COMPILEDMODEL_H
