//===- Stream.cpp - offline models become streaming ones ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/stream/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/stream/Passes.h"
#include "passes/stream/Streamer.h"

namespace modelc {
#define GEN_PASS_DEF_STREAMPASS
#include "passes/stream/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

std::optional<StreamSpec> modelc::parseStreamSpec(StringRef text) {
  // Names may hold ':' and '='; the numbers are behind the last of each.
  auto [place, hop] = text.rsplit('=');
  auto [name, axis] = place.rsplit(':');
  StreamSpec spec;
  spec.input = name.str();
  if (name.empty() || axis.getAsInteger(10, spec.axis) || hop.getAsInteger(10, spec.hop) ||
      spec.axis < 0 || spec.hop < 1) {
    return std::nullopt;
  }
  return spec;
}

namespace {
struct StreamPass : modelc::impl::StreamPassBase<StreamPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<SmallVector<StreamInput>> findInputs(func::FuncOp main);
  void refuseLookahead(const Streamer &streamer);
};
} // namespace

FailureOr<SmallVector<StreamInput>> StreamPass::findInputs(func::FuncOp main) {
  SmallVector<StreamInput> result;
  for (const std::string &text : inputs) {
    std::optional<StreamSpec> parsed = parseStreamSpec(text);
    if (!parsed) {
      return main.emitError() << "--stream: expected INPUT:AXIS=HOP, got '" << text << "'";
    }
    const StreamSpec &spec = *parsed;
    std::optional<unsigned> number;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      auto name = main.getArgAttrOfType<StringAttr>(i, "modelc.name");
      number = name && name == spec.input ? i : number;
    }
    if (!number) {
      return main.emitError() << "--stream: the model has no input '" << spec.input << "'";
    }
    if (llvm::any_of(result, [&](const StreamInput &known) { return known.argument == *number; })) {
      return main.emitError() << "--stream: input '" << spec.input << "' is named twice";
    }
    auto type = cast<RankedTensorType>(main.getArgumentTypes()[*number]);
    if (spec.axis >= type.getRank()) {
      return main.emitError() << "--stream: input '" << spec.input << "' has " << type.getRank()
                              << " dimensions, so none of number " << spec.axis;
    }
    if (spec.hop > type.getDimSize(spec.axis)) {
      return main.emitError() << "--stream: input '" << spec.input << "' has "
                              << type.getDimSize(spec.axis) << " samples in all, fewer than "
                              << spec.hop;
    }
    result.push_back({*number, spec.axis, spec.hop});
  }
  return result;
}

void StreamPass::refuseLookahead(const Streamer &streamer) {
  for (auto [op, samples] : streamer.lookaheads()) {
    emitError(op->getLoc()) << "cannot be streamed without look-ahead: "
                            << op->getName().stripDialect() << " waits for " << samples
                            << " later samples of the input; --lookahead=" << streamer.latency()
                            << " allows it";
  }
}

void StreamPass::runOnOperation() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!main || inputs.empty()) {
    return;
  }
  FailureOr<SmallVector<StreamInput>> streams = findInputs(main);
  if (failed(streams)) {
    return signalPassFailure();
  }
  Streamer streamer(main, *streams);
  if (!streamer.run()) {
    for (const StreamRefusal &refusal : streamer.refusals()) {
      emitError(refusal.location) << "cannot be streamed: " << refusal.reason;
    }
    return signalPassFailure();
  }
  int64_t latency = streamer.latency();
  if (lookahead >= 0 && latency > lookahead) {
    refuseLookahead(streamer);
    return signalPassFailure();
  }
  if (streamer.drain() == 0) {
    streamer.dropFlush();
  }
  Builder b(&getContext());
  getOperation()->setAttr("modelc.latency", b.getI64IntegerAttr(latency));
  getOperation()->setAttr("modelc.drain", b.getI64IntegerAttr(streamer.drain()));
  getOperation()->setAttr("modelc.hop", b.getI64IntegerAttr(streams->front().hop));
  main.erase();
  streamer.function().setName("main");
}
