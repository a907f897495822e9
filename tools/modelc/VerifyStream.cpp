//===- VerifyStream.cpp - the proof that a streamed model is the offline one =//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/modelc/Compare.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Inputs.h"
#include "tools/modelc/Session.h"
#include "tools/modelc/Verify.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace modelc;

/// Runs of a stream where the model leaves its length open.
static constexpr int64_t streamRuns = 300;

/// What another order of sums may change, of the range. Integers are equal.
static double toleranceOf(ElementType type) {
  switch (type) {
  case ElementType::F32:
  case ElementType::F64:
    return 1e-5;
  case ElementType::F16:
    return 2e-3;
  case ElementType::BF16:
    return 2e-2;
  default:
    return 0;
  }
}

/// `count` positions of dimension `axis` from `from` on, as bytes of whole
/// tensors: copied from `whole` to `part`, or back with `isBack`.
static void copyPart(Tensor &whole, Tensor &part, unsigned axis, int64_t from, int64_t partFrom,
                     int64_t count, bool isBack) {
  size_t outer = 1, inner = elementBytes(whole.type);
  for (auto [dim, extent] : enumerate(whole.shape)) {
    (dim < axis ? outer : inner) *= dim == axis ? 1 : extent;
  }
  for (size_t i = 0; i < outer; ++i) {
    char *big = whole.bytes.data() + (i * whole.shape[axis] + from) * inner;
    char *small = part.bytes.data() + (i * part.shape[axis] + partFrom) * inner;
    std::copy_n(isBack ? small : big, count * inner, isBack ? big : small);
  }
}

namespace {
/// One input or output in both forms.
struct Channel {
  std::optional<unsigned> axis; ///< of time
  int64_t hop = 0, latency = 0;
};

class StreamProof {
public:
  StreamProof(Session &offline, Session &streamed) : offline(offline), streamed(streamed) {}

  Expected<bool> run(const Arguments &arguments);

private:
  Error describeChannels();
  Expected<bool> compareStream(LoadedModel &loaded, std::vector<Tensor> &inputs,
                               ArrayRef<Tensor> expected, StringRef title);
  Error playStream(LoadedModel &loaded, std::vector<Tensor> &inputs, std::vector<Tensor> &outputs);

  Session &offline, &streamed;
  std::vector<Channel> inputChannels, outputChannels;
  int64_t runs = 0;
  bool isWhole = true; ///< the stream is as long as the offline model's time
};
} // namespace

/// Time is the dimension whose extents differ.
static Channel channelOf(const TensorInfo &whole, const TensorInfo &part) {
  Channel channel;
  for (auto [axis, extents] : enumerate(zip(whole.shape, part.shape))) {
    auto [all, some] = extents;
    if (all != some) {
      channel.axis = axis;
      channel.hop = some;
    }
  }
  return channel;
}

Error StreamProof::describeChannels() {
  runs = INT64_MAX;
  for (auto [whole, part] : zip(offline.model.inputs, streamed.model.inputs)) {
    inputChannels.push_back(channelOf(whole, part));
    if (std::optional<unsigned> axis = inputChannels.back().axis) {
      int64_t extent = whole.shape[*axis], hop = part.shape[*axis], own = extent / hop;
      isWhole &= extent % hop == 0 && (runs == INT64_MAX || runs == own);
      runs = std::min(runs, own);
    }
  }
  if (runs == INT64_MAX) {
    return wrong("the offline model is no longer than one hop: there is nothing to compare");
  }
  auto main = streamed.module().lookupSymbol<mlir::func::FuncOp>("main");
  for (auto [i, whole, part] : enumerate(offline.model.outputs, streamed.model.outputs)) {
    outputChannels.push_back(channelOf(whole, part));
    if (auto latency = main.getResultAttrOfType<mlir::IntegerAttr>(i, "modelc.latency")) {
      outputChannels.back().latency = latency.getInt();
    }
  }
  return Error::success();
}

/// One stream, hop by hop and flushed; outputs are put where they belong.
Error StreamProof::playStream(LoadedModel &loaded, std::vector<Tensor> &inputs,
                              std::vector<Tensor> &outputs) {
  std::vector<Tensor> in = makeTensors(streamed.model.inputs);
  std::vector<Tensor> out = makeTensors(streamed.model.outputs);
  int64_t flushes = isWhole ? streamed.model.stream->flushRuns() : 0;
  for (int64_t run = 0; run < runs + flushes; ++run) {
    for (auto [i, channel] : enumerate(inputChannels)) {
      if (!channel.axis) {
        in[i] = inputs[i];
      } else if (run < runs) {
        copyPart(inputs[i], in[i], *channel.axis, run * channel.hop, 0, channel.hop, false);
      }
    }
    SmallVector<const void *> reads;
    SmallVector<void *> writes;
    for (Tensor &tensor : in) {
      reads.push_back(tensor.bytes.data());
    }
    for (Tensor &tensor : out) {
      writes.push_back(tensor.bytes.data());
    }
    int32_t status = run < runs ? loaded.run(reads, writes) : loaded.flush(reads, writes);
    if (status) {
      return wrong("run " + Twine(run) + " returned status " + Twine(status));
    }
    for (auto [i, channel] : enumerate(outputChannels)) {
      if (!channel.axis) {
        outputs[i] = out[i];
        continue;
      }
      int64_t to = run * channel.hop - channel.latency, from = std::max<int64_t>(-to, 0);
      int64_t end = std::min<int64_t>(channel.hop, outputs[i].shape[*channel.axis] - to);
      if (from < end) {
        copyPart(outputs[i], out[i], *channel.axis, to + from, from, end - from, true);
      }
    }
  }
  return Error::success();
}

/// The largest difference of `got`, of the range of `expected`, and the first
/// position in time where it is too large.
static std::pair<double, std::optional<int64_t>>
difference(const Tensor &got, const Tensor &expected, unsigned axis, int64_t samples) {
  double range = 0, worst = 0;
  size_t inner = 1;
  for (int64_t extent : ArrayRef<int64_t>(expected.shape).drop_front(axis + 1)) {
    inner *= extent;
  }
  for (uint64_t i = 0; i < expected.elements(); ++i) {
    double value = std::abs(elementAt(expected, i));
    range = std::isfinite(value) ? std::max(range, value) : range;
  }
  double tolerance = toleranceOf(got.type);
  std::optional<int64_t> first;
  for (uint64_t i = 0; i < expected.elements(); ++i) {
    int64_t sample = i / inner % expected.shape[axis];
    double a = elementAt(got, i), b = elementAt(expected, i);
    if (sample >= samples || a == b || (std::isnan(a) && std::isnan(b))) {
      continue;
    }
    double error = std::abs(a - b) / (range > 0 ? range : 1);
    worst = std::max(worst, std::isnan(error) ? INFINITY : error);
    if (!(error <= tolerance) && (!first || sample < *first)) {
      first = sample;
    }
  }
  return {worst, first};
}

Expected<bool> StreamProof::compareStream(LoadedModel &loaded, std::vector<Tensor> &inputs,
                                          ArrayRef<Tensor> expected, StringRef title) {
  std::vector<Tensor> got = makeTensors(offline.model.outputs);
  if (Error error = playStream(loaded, inputs, got)) {
    return std::move(error);
  }
  bool allEqual = true, isCompared = false;
  for (auto [i, info] : enumerate(offline.model.outputs)) {
    const Channel &channel = outputChannels[i];
    if (!channel.axis) {
      continue;
    }
    int64_t samples = expected[i].shape[*channel.axis];
    if (!isWhole) {
      samples = std::min(samples, runs * channel.hop - channel.latency);
    }
    if (samples <= 0) {
      return wrong("the stream is too short: nothing of output " + quoted(info.name) +
                   " can be compared");
    }
    isCompared = true;
    auto [worst, first] = difference(got[i], expected[i], *channel.axis, samples);
    outs() << title << ", output " << quoted(info.name) << ": ";
    if (first) {
      outs() << "differs from sample " << *first << " on (run " << *first / channel.hop
             << "), at most ";
    } else {
      outs() << "ok, " << samples << " samples, at most ";
    }
    outs() << formatv("{0:e}", worst) << " of the range\n";
    allEqual &= !first;
  }
  if (!isCompared) {
    return wrong("no output changes in time: there is nothing to compare");
  }
  return allEqual;
}

Expected<bool> StreamProof::run(const Arguments &arguments) {
  auto whole = offline.importAndLoad();
  if (!whole) {
    return whole.takeError();
  }
  auto parts = streamed.importAndLoad();
  if (!parts) {
    return parts.takeError();
  }
  auto inputs = readInputs(arguments, offline.model, /*mayBeRandom=*/true);
  if (!inputs) {
    return inputs.takeError();
  }
  std::vector<Tensor> expected = makeTensors(offline.model.outputs);
  if (Error error = runOnce(*whole, *inputs, expected)) {
    return std::move(error);
  }
  if (Error error = describeChannels()) {
    return std::move(error);
  }
  outs() << "stream: " << runs << " runs of " << streamed.model.stream->hopSamples
         << " samples, latency " << streamed.model.stream->latencySamples << " samples\n";
  bool allEqual = true;
  for (StringRef title : {"first stream", "after reset"}) {
    auto isEqual = compareStream(*parts, *inputs, expected, title);
    if (!isEqual) {
      return isEqual;
    }
    allEqual &= *isEqual;
    parts->reset();
  }
  return allEqual;
}

Expected<bool> modelc::verifyStream(const Arguments &arguments) {
  std::unique_ptr<Session> sessions[2];
  for (auto &session : sessions) {
    auto created = Session::create(arguments, arguments.positional.front());
    if (!created) {
      return created.takeError();
    }
    session = std::move(*created);
    session->offlineRuns = streamRuns;
  }
  sessions[0]->keepsOffline = true;
  sessions[1]->context.setQuiet(true);
  return StreamProof(*sessions[0], *sessions[1]).run(arguments);
}
