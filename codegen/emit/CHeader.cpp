//===- CHeader.cpp - NAME.h, the interface of a library -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/CHeader.h"
#include "codegen/Target.h"
#include "codegen/emit/Adapter.h"
#include "codegen/emit/Identifier.h"
#include "codegen/emit/Layout.h"
#include "codegen/emit/Text.h"
#include "runtime/RuntimeBitcode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static std::string number(uint64_t value) {
  return utostr(value) + (value > UINT32_MAX ? "ull" : "u");
}

static std::string shapeText(const TensorInfo &tensor) {
  std::string text = "[";
  for (auto [axis, extent] : enumerate(tensor.shape)) {
    text += (axis ? "," : "") + itostr(extent);
  }
  return text + "] " + elementName(tensor.type).str();
}

static void writeStruct(raw_ostream &out, StringRef name, StringRef kind,
                        ArrayRef<TensorInfo> tensors) {
  bool inputs = kind == "inputs";
  out << "typedef struct " << name << "_" << kind << " {\n";
  for (const TensorInfo &tensor : tensors) {
    out << "  " << (inputs ? "const " : "") << elementCType(tensor.type) << " *" << tensor.cName
        << "; /* " << shapeText(tensor);
    if (tensor.name != tensor.cName) {
      out << ", \"" << escapeForComment(tensor.name) << "\" in the model";
    }
    out << " */\n";
  }
  if (tensors.empty()) {
    // C has no empty structs.
    out << "  " << (inputs ? "const " : "") << "void *none; /* the model has no " << kind
        << ": not read */\n";
  }
  out << "} " << name << "_" << kind << ";\n";
}

/// Macros ignore case, fields do not: names may clash that did not before.
static void writeCounts(raw_ostream &out, StringRef prefix, ArrayRef<TensorInfo> tensors) {
  IdentifierTable names;
  for (const TensorInfo &tensor : tensors) {
    out << "#define " << prefix << names.add(StringRef(tensor.cName).upper()) << "_COUNT "
        << number(tensor.elements()) << "\n";
  }
}

/// What a product plans its stack and its time with. A bound that is not known is not defined, so
/// that code that relies on it does not compile.
static void writeBounds(raw_ostream &out, StringRef name, const RealTimeReport &realTime) {
  std::string upper = name.upper();
  out << "\n/* At most, on this processor: bytes of stack that any call here needs below the\n"
         "   caller's frame, and instructions of one call of "
      << name << "_run. */\n";
  auto run = realTime.functions.find((name + "_run").str());
  std::optional<uint64_t> instructions;
  std::string missing;
  if (run != realTime.functions.end()) {
    instructions = run->second.instructions;
    missing = run->second.missing;
  }
  auto define = [&](StringRef macro, std::optional<uint64_t> value) {
    if (value) {
      out << "#define " << upper << macro << " " << number(*value) << "\n";
    } else {
      out << "/* No " << upper << macro << ": " << escapeForComment(missing) << ". */\n";
    }
  };
  define("_STACK_BYTES", realTime.stackBytes);
  define("_RUN_INSTRUCTIONS_MAX", instructions);
}

static constexpr StringRef usage = R"(
/* How to use it: give $_init memory for an instance and for scratch, then call
   $_run as often as you like.

     static _Alignas(@_ALIGN) unsigned char state[@_STATE_BYTES], scratch[@_SCRATCH_BYTES];
     $_config config = {MODELC_ABI, sizeof config, state, sizeof state,
                        scratch, sizeof scratch, 0, 0, 0};
     $ *self;
     modelc_status status = $_init(&self, &config);

   Nothing here allocates, locks, calls the system or writes a global. Instances
   are independent of one another; calls for one instance, and for instances that
   share scratch memory, must not overlap. A copy of the state memory is an
   instance as well (a snapshot). */
)";

static constexpr StringRef functions = R"(
/* Makes an instance in config->state and resets it. On failure *self is NULL.
   MODELC_E_NULL, E_ABI, E_STATE_BYTES, E_SCRATCH_BYTES, E_ALIGN, E_WEIGHTS. */
MODELC_MUST_CHECK modelc_status $_init($ **self, const $_config *config);

/* Computes the outputs of one step. All tensors are dense, the last axis is
   contiguous, and they need the alignment of their element only.
   MODELC_E_NULL, E_ALIGN, E_ABI: nothing was done. MODELC_E_INDEX: an index in
   the data was out of range and was clamped; the outputs are written. */
MODELC_MUST_CHECK modelc_status $_run($ *self, const $_inputs *in, $_outputs *out) MODELC_NONBLOCKING;

/* Puts the model's states to the start of a stream. */
void $_reset($ *self) MODELC_NONBLOCKING;

/* Names, shapes, types and sizes. */
const modelc_model_info *$_info(void);
)";

static constexpr StringRef flushFunction = R"(
/* After the last run: the outputs that are still to come. Call it @_FLUSH_RUNS times,
   then reset the instance for the next stream. What streamed inputs hold does
   not matter. Returns what run returns. */
MODELC_MUST_CHECK modelc_status $_flush($ *self, const $_inputs *in, $_outputs *out) MODELC_NONBLOCKING;
)";

static void writeStream(raw_ostream &out, const StreamInfo &stream, StringRef upper) {
  out << "\n/* A run takes HOP samples of the stream. The outputs are those of the offline\n   "
         "model, "
         "LATENCY samples later (of the input, at most). */\n#define "
      << upper << "_HOP_SAMPLES " << number(stream.hopSamples) << "\n#define " << upper
      << "_LATENCY_SAMPLES " << number(stream.latencySamples) << "\n#define " << upper
      << "_FLUSH_RUNS " << number(stream.flushRuns()) << "\n";
}

/// Replaces '$' by the library's name and '@' by the prefix of its macros.
static std::string fill(StringRef text, const CompiledModel &model) {
  std::string out;
  for (char c : text) {
    if (c == '$') {
      out += model.name;
    } else if (c == '@') {
      out += StringRef(model.name).upper();
    } else {
      out += c;
    }
  }
  return out;
}

std::string modelc::cHeader(const CompiledModel &model, const modelc::Target &target,
                            const RealTimeReport &realTime, const EmitOptions &options) {
  std::string text;
  raw_string_ostream out(text);
  std::string upper = StringRef(model.name).upper();
  out << "/* " << model.name << ".h: a trained model as a C library, made by modelc "
      << escapeForComment(options.version) << ".\n   Processor: " << escapeForComment(target.name)
      << ".";
  if (!model.sourceHash.empty()) {
    out << " SHA-256 of the model: " << escapeForComment(model.sourceHash) << ".";
  }
  out << " */\n#ifndef MODELC_LIBRARY_" << upper << "_H\n#define MODELC_LIBRARY_" << upper
      << "_H\n\n"
      << runtimeAbiHeader() << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
      << fill(usage, model) << "\n#define " << upper << "_STATE_BYTES "
      << number(stateMemoryBytes(model, target)) << "\n#define " << upper << "_SCRATCH_BYTES "
      << number(model.scratchBytes) << "\n#define " << upper << "_ALIGN " << number(target.align)
      << "\n";
  if (model.stream) {
    writeStream(out, *model.stream, upper);
  }
  writeBounds(out, model.name, realTime);
  out << "\n/* Elements of each tensor. */\n";
  writeCounts(out, upper + "_IN_", model.inputs);
  writeCounts(out, upper + "_OUT_", model.outputs);
  out << "\ntypedef struct " << model.name << " " << model.name
      << "; /* lives in the caller's state memory */\ntypedef modelc_config " << model.name
      << "_config;\n\n";
  writeStruct(out, model.name, "inputs", model.inputs);
  out << "\n";
  writeStruct(out, model.name, "outputs", model.outputs);
  out << fill(functions, model);
  if (model.stream && model.stream->hasFlush()) {
    out << fill(flushFunction, model);
  }
  if (model.adapter) {
    out << fill(adapterHeader(*model.adapter), model);
  }
  out << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* MODELC_LIBRARY_" << upper << "_H */\n";
  return text;
}
