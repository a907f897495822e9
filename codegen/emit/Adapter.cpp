//===- Adapter.cpp - The host adapter of a library ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Adapter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

/// So that the adapter's memory can be addressed everywhere and its loops have
/// bounds that mean something.
static constexpr uint64_t maxSamples = uint64_t(1) << 24;

static Error refused(const Twine &why) {
  return createStringError(inconvertibleErrorCode(), "--adapter: " + why);
}

/// One channel: a dimension of samples, the others 1.
static Error checkAudio(StringRef kind, const TensorInfo &tensor) {
  bool isOneChannel = count_if(tensor.shape, [](int64_t extent) { return extent != 1; }) <= 1;
  if (tensor.type == ElementType::F32 && isOneChannel && tensor.elements() > 0) {
    return Error::success();
  }
  std::string text;
  raw_string_ostream out(text);
  out << "expected one channel of f32 samples, got the " << kind << " '" << tensor.cName << "' of "
      << elementName(tensor.type) << " [";
  interleaveComma(tensor.shape, out);
  out << "]";
  return refused(text);
}

Expected<AdapterInfo> modelc::planAdapter(const CompiledModel &model, uint64_t maxFrames,
                                          std::optional<uint64_t> latency) {
  if (model.inputs.size() != 1 || model.outputs.size() != 1) {
    return refused("expected a model with one input and one output, got " +
                   Twine(model.inputs.size()) + " and " + Twine(model.outputs.size()) +
                   "; states are kept inside with --state");
  }
  const TensorInfo &in = model.inputs[0], &out = model.outputs[0];
  if (Error error = checkAudio("input", in)) {
    return std::move(error);
  }
  if (Error error = checkAudio("output", out)) {
    return std::move(error);
  }
  if (in.elements() != out.elements()) {
    return refused("expected as many samples out as in, got " + Twine(in.elements()) + " in and " +
                   Twine(out.elements()) + " out");
  }
  if (!model.stream && model.states.empty()) {
    return refused("expected a model that goes on from run to run: one made streaming with "
                   "--stream, or one whose states are kept inside with --state");
  }
  if (model.stream && latency) {
    return refused("--latency is for models that keep their states: of a streamed one it is known");
  }
  AdapterInfo adapter;
  adapter.hopSamples = in.elements();
  adapter.latencySamples = model.stream ? model.stream->latencySamples : latency.value_or(0);
  adapter.maxFrames = maxFrames;
  for (auto [what, samples] :
       {std::pair("frames", adapter.maxFrames), std::pair("hops", adapter.hopSamples),
        std::pair("a latency", adapter.latencySamples)}) {
    if (samples > maxSamples) {
      return refused("expected " + Twine(what) + " of at most " + Twine(maxSamples) +
                     " samples, got " + Twine(samples));
    }
  }
  return adapter;
}

static constexpr StringRef functions = R"(
/* The host adapter: push audio in frames of any size and pull as much of what
   the model makes of it. One channel; for each further one an instance and an
   adapter of its own. In interleaved audio `stride` is the number of channels:
   frame i is samples[i * stride]. Whatever the frames are, what is pulled is
   what was pushed, processed, $_adapter_delay samples ago, from the first sample
   on (silence before it).

     static _Alignas(@_ALIGN) unsigned char memory[@_ADAPTER_BYTES];
     $_adapter *adapter;
     status = $_adapter_init(&adapter, self, memory, sizeof memory, 1);
     ...
     status = $_push(adapter, in, frames, 1);
     status = $_pull(adapter, out, frames, 1);

   Real-time as run is: a push of @_ADAPTER_FRAMES_MAX frames runs the model up
   to @_ADAPTER_FRAMES_MAX / @_ADAPTER_HOP + 1 times. Calls for one adapter, and
   for its model, must not overlap. */
typedef struct $_adapter $_adapter; /* lives in the caller's memory */

/* Makes an adapter in `memory` and resets it and the model. Every push and pull
   will be of a multiple of `step` frames: 1 for any. A step that shares factors
   with the hop saves delay, all of the @_ADAPTER_HOP - 1 if it is a multiple.
   On failure *adapter is NULL. MODELC_E_NULL, E_ALIGN, E_ABI (no instance of
   this model), E_STATE_BYTES (memory), E_EXTENT (step). */
MODELC_MUST_CHECK modelc_status $_adapter_init($_adapter **adapter, $ *model, void *memory, size_t bytes,
                                               uint32_t step);

/* Takes frames of the input, float or 16-bit integers (full scale 32768).
   MODELC_E_NULL, E_ABI, E_ALIGN, E_EXTENT (more than @_ADAPTER_FRAMES_MAX, no
   multiple of the step, a stride of 0), E_FULL (that many are not pulled yet):
   nothing was done. Else what run returns; after a failed run its hop is the
   input. */
MODELC_MUST_CHECK modelc_status $_push($_adapter *adapter, const float *samples, uint32_t frames,
                                       uint32_t stride) MODELC_NONBLOCKING;
MODELC_MUST_CHECK modelc_status $_push_i16($_adapter *adapter, const int16_t *samples, uint32_t frames,
                                           uint32_t stride) MODELC_NONBLOCKING;

/* Gives frames of the output; integers are rounded and saturate. In all no more
   than were pushed: else MODELC_E_EXTENT, and the other errors of push. */
MODELC_MUST_CHECK modelc_status $_pull($_adapter *adapter, float *samples, uint32_t frames,
                                       uint32_t stride) MODELC_NONBLOCKING;
MODELC_MUST_CHECK modelc_status $_pull_i16($_adapter *adapter, int16_t *samples, uint32_t frames,
                                           uint32_t stride) MODELC_NONBLOCKING;

/* Samples from input to output: at most @_ADAPTER_DELAY_MAX. */
uint32_t $_adapter_delay(const $_adapter *adapter) MODELC_NONBLOCKING;

/* The share of the model's output, 1 at the start, and of the delayed input, the
   rest. Changes take one hop, in a straight line, without a click. */
void $_adapter_mix($_adapter *adapter, float wet) MODELC_NONBLOCKING;

/* Not 0: the input, bit by bit, with the same delay; the model goes on. Takes
   one hop as well. */
void $_adapter_bypass($_adapter *adapter, int32_t on) MODELC_NONBLOCKING;

/* To the start of a stream, the model too; mix and bypass stay. */
void $_adapter_reset($_adapter *adapter) MODELC_NONBLOCKING;
)";

std::string modelc::adapterHeader(const AdapterInfo &adapter) {
  std::string text = "\n/* Of the host adapter, below. */\n";
  for (auto [macro, value] :
       {std::pair("BYTES", adapter.bytes()), std::pair("HOP", adapter.hopSamples),
        std::pair("FRAMES_MAX", adapter.maxFrames),
        std::pair("DELAY_MAX", adapter.delaySamples())}) {
    text += "#define @_ADAPTER_" + std::string(macro) + " " + utostr(value) + "u\n";
  }
  return text + functions.str();
}
