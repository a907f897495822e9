//===- Bench.cpp - modelc bench -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/Text.h"
#include "tools/modelc/Commands.h"
#include "tools/modelc/Failure.h"
#include "tools/modelc/Inputs.h"
#include "tools/modelc/PeakRate.h"
#include "tools/modelc/Session.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <thread>

using namespace llvm;
using namespace modelc;

using Clock = std::chrono::steady_clock;

static constexpr Flag ownFlags[] = {
    {"iterations", "N", "timed runs (default: as many as fit a second, 10 at least)"},
    {"warmup", "N", "runs before these (default: 10)"},
    {"period", "10ms", "start one run per period, as audio and control loops do"},
    {"cold-cache", "", "read other memory between runs, so that caches are cold"},
    {"json", "", "print the result as JSON"},
};

/// More than the last-level cache of the machines that this runs on.
static constexpr size_t coldBytes = size_t(128) << 20;

namespace {
struct BenchOptions {
  uint64_t iterations = 0; ///< 0: a second's worth
  uint64_t warmup = 10;
  std::chrono::nanoseconds period{0}; ///< 0: one run after the other
  bool coldCache = false;
};
} // namespace

static Expected<std::chrono::nanoseconds> parseDuration(StringRef text) {
  StringRef unit = text.ltrim("0123456789.");
  double value;
  double scale = unit == "s" ? 1e9 : unit == "ms" ? 1e6 : unit == "us" ? 1e3 : 0;
  if (text.drop_back(unit.size()).getAsDouble(value) || scale == 0 || !(value > 0) ||
      value * scale > 60e9) {
    return wrong("expected a period such as 10ms or 500us, got '" + text + "'");
  }
  return std::chrono::nanoseconds(static_cast<int64_t>(value * scale));
}

static Expected<BenchOptions> benchOptions(const Arguments &arguments) {
  BenchOptions options;
  auto iterations = arguments.number("iterations", 0, 1);
  if (!iterations) {
    return iterations.takeError();
  }
  options.iterations = *iterations;
  auto warmup = arguments.number("warmup", options.warmup);
  if (!warmup) {
    return warmup.takeError();
  }
  options.warmup = *warmup;
  if (arguments.has("period")) {
    auto period = parseDuration(arguments.get("period"));
    if (!period) {
      return period.takeError();
    }
    options.period = *period;
  }
  options.coldCache = arguments.has("cold-cache");
  return options;
}

/// Times of single runs in nanoseconds, sorted.
static Expected<std::vector<int64_t>> measure(LoadedModel &loaded, ArrayRef<Tensor> inputs,
                                              MutableArrayRef<Tensor> outputs,
                                              const BenchOptions &options) {
  for (uint64_t i = 0; i < options.warmup; ++i) {
    if (Error error = runOnce(loaded, inputs, outputs)) {
      return std::move(error);
    }
  }
  std::vector<char> cold(options.coldCache ? coldBytes : 0);
  std::vector<int64_t> times;
  Clock::time_point start = Clock::now(), due = start;
  auto isDone = [&] {
    if (options.iterations != 0) {
      return times.size() >= options.iterations;
    }
    return times.size() >= 10 && Clock::now() - start > std::chrono::seconds(1);
  };
  while (!isDone()) {
    for (size_t at = 0; at < cold.size(); at += 64) {
      ++static_cast<volatile char &>(cold[at]);
    }
    if (options.period.count() != 0) {
      due += options.period;
      std::this_thread::sleep_until(due);
    }
    Clock::time_point begin = Clock::now();
    if (Error error = runOnce(loaded, inputs, outputs)) {
      return std::move(error);
    }
    times.push_back((Clock::now() - begin).count());
  }
  llvm::sort(times);
  return times;
}

/// The time that `share` of the runs do not exceed.
static int64_t percentile(ArrayRef<int64_t> sorted, double share) {
  auto rank = static_cast<size_t>(std::ceil(share * sorted.size()));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

static void printResult(const Session &session, const BenchOptions &options,
                        ArrayRef<int64_t> times, uint64_t stateBytes, bool asJson) {
  const CompiledModel &model = session.model;
  const std::pair<const char *, int64_t> latency[] = {{"min", times.front()},
                                                      {"median", percentile(times, 0.5)},
                                                      {"p99", percentile(times, 0.99)},
                                                      {"p99.9", percentile(times, 0.999)},
                                                      {"max", times.back()}};
  double perSecond = model.multiplyAdds * 1e9 / std::max<int64_t>(latency[1].second, 1);
  double peakPerSecond = measurePeakMultiplyAdds();
  if (asJson) {
    json::Object latencies;
    for (auto [name, value] : latency) {
      latencies[name] = value;
    }
    json::Object result{{"cold_cache", options.coldCache},
                        {"iterations", static_cast<int64_t>(times.size())},
                        {"latency_ns", std::move(latencies)},
                        {"memory_bytes", json::Object{{"scratch", model.scratchBytes},
                                                      {"state", stateBytes},
                                                      {"weights", model.weightBytes}}},
                        {"model", escapeForJson(sys::path::filename(session.path))},
                        {"multiply_adds", model.multiplyAdds},
                        {"multiply_adds_per_second", perSecond},
                        {"peak_multiply_adds_per_second", peakPerSecond},
                        {"period_ns", static_cast<int64_t>(options.period.count())},
                        {"target", escapeForJson(session.target.name)}};
    std::string text;
    raw_string_ostream(text) << formatv("{0:2}", json::Value(std::move(result)));
    outs() << asciiJson(text) << '\n';
    return;
  }
  outs() << "latency in microseconds, " << times.size() << " runs, ";
  if (options.period.count() != 0) {
    outs() << "one per " << format("%.3f", options.period.count() * 1e-6) << " ms";
  } else {
    outs() << "one after the other";
  }
  outs() << (options.coldCache ? ", cold caches\n" : "\n");
  for (auto [name, value] : latency) {
    outs() << format("  %-8s %12.3f\n", name, value * 1e-3);
  }
  const std::pair<const char *, uint64_t> memory[] = {
      {"weights", model.weightBytes}, {"scratch", model.scratchBytes}, {"state", stateBytes}};
  outs() << "memory in bytes\n";
  for (auto [name, bytes] : memory) {
    outs() << format("  %-8s %12llu\n", name, static_cast<unsigned long long>(bytes));
  }
  outs() << "multiply-adds " << model.multiplyAdds << " per run, "
         << format("%.3f", perSecond * 1e-9) << " billion per second at the median, "
         << format("%.1f", 100 * perSecond / peakPerSecond) << " % of this machine's peak in f32 ("
         << format("%.1f", peakPerSecond * 1e-9) << ")\n";
}

static Error bench(const Arguments &arguments) {
  auto options = benchOptions(arguments);
  if (!options) {
    return options.takeError();
  }
  auto session = Session::create(arguments, arguments.positional.front());
  if (!session) {
    return session.takeError();
  }
  auto loaded = (*session)->importAndLoad();
  if (!loaded) {
    return loaded.takeError();
  }
  const CompiledModel &model = (*session)->model;
  auto inputs = readInputs(arguments, model, /*mayBeRandom=*/true);
  if (!inputs) {
    return inputs.takeError();
  }
  std::vector<Tensor> outputs = makeTensors(model.outputs);
  auto times = measure(*loaded, *inputs, outputs, *options);
  if (!times) {
    return times.takeError();
  }
  printResult(**session, *options, *times, loaded->stateMemoryBytes(), arguments.has("json"));
  return Error::success();
}

int modelc::runBench(ArrayRef<const char *> words) {
  return runModelCommand(words,
                         {"bench MODEL [flags]",
                          "Measures the time of single runs on this machine. Inputs without a file "
                          "are random.",
                          {ownFlags, inputFlags(), importFlags(), targetFlags()}},
                         bench);
}
