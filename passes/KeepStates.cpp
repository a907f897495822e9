//===- KeepStates.cpp - states that a model passes through its interface --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/KeepStates.h"
#include "ir/ModelcOps.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_KEEPSTATESPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {
struct KeepStatesPass : modelc::impl::KeepStatesPassBase<KeepStatesPass> {
  using Base::Base;
  explicit KeepStatesPass(ArrayRef<std::string> given) { states = given; }
  void runOnOperation() override;

private:
  FailureOr<SmallVector<StatePair>> pairsOf(func::FuncOp function);
  FailureOr<StatePair> parse(func::FuncOp function, StringRef text);
  void keep(func::FuncOp function, ArrayRef<StatePair> pairs);
};
} // namespace

static std::optional<unsigned> findName(StringRef name, unsigned count,
                                        llvm::function_ref<Attribute(unsigned)> nameAt) {
  for (unsigned i = 0; i < count; ++i) {
    if (auto known = dyn_cast_or_null<StringAttr>(nameAt(i)); known && known == name) {
      return i;
    }
  }
  return std::nullopt;
}

/// Names may hold '=' themselves, so every '=' is tried.
FailureOr<StatePair> KeepStatesPass::parse(func::FuncOp function, StringRef text) {
  for (size_t at = text.find('='); at != StringRef::npos; at = text.find('=', at + 1)) {
    auto argument = findName(text.take_front(at), function.getNumArguments(),
                             [&](unsigned i) { return function.getArgAttr(i, "modelc.name"); });
    auto result = findName(text.drop_front(at + 1), function.getNumResults(),
                           [&](unsigned i) { return function.getResultAttr(i, "modelc.name"); });
    if (!argument || !result) {
      continue;
    }
    Type before = function.getArgumentTypes()[*argument],
         after = function.getResultTypes()[*result];
    if (before != after) {
      return function.emitError() << "--state=" << text << ": the input is " << before
                                  << ", the output " << after << "; a state has one type";
    }
    return StatePair{*argument, *result};
  }
  return function.emitError() << "--state=" << text
                              << ": expected INPUT=OUTPUT, an input and an output of the model";
}

FailureOr<SmallVector<StatePair>> KeepStatesPass::pairsOf(func::FuncOp function) {
  SmallVector<StatePair> pairs;
  auto add = [&](StatePair pair) {
    bool isKnown = llvm::any_of(pairs, [&](StatePair known) {
      return known.argument == pair.argument || known.result == pair.result;
    });
    if (!isKnown) {
      pairs.push_back(pair);
    }
    return !isKnown;
  };
  for (const std::string &text : states) {
    if (text == "auto") {
      continue;
    }
    FailureOr<StatePair> pair = parse(function, text);
    if (failed(pair)) {
      return failure();
    }
    if (!add(*pair)) {
      return function.emitError() << "--state=" << text
                                  << ": the input or the output is part of another state";
    }
  }
  if (llvm::is_contained(states, "auto")) {
    size_t given = pairs.size();
    llvm::for_each(findStatePairs(function), add);
    if (pairs.size() == given) {
      return function.emitError() << "--state=auto: no input and output have one type and names "
                                     "such as 'h_in' and 'h_out'; name them: --state=INPUT=OUTPUT";
    }
  }
  return pairs;
}

void KeepStatesPass::keep(func::FuncOp function, ArrayRef<StatePair> pairs) {
  Block &body = function.front();
  auto ret = cast<func::ReturnOp>(body.getTerminator());
  SymbolTable symbols(getOperation());
  OpBuilder module(function), start = OpBuilder::atBlockBegin(&body), end(ret);
  llvm::BitVector arguments(function.getNumArguments()), results(function.getNumResults());
  for (StatePair pair : pairs) {
    BlockArgument argument = body.getArgument(pair.argument);
    auto type = cast<RankedTensorType>(argument.getType());
    auto name = cast<StringAttr>(function.getArgAttr(pair.argument, "modelc.name"));
    auto state = module.create<StateOp>(function.getLoc(), name,
                                        cast<ElementsAttr>(DenseElementsAttr::get(
                                            type, module.getZeroAttr(type.getElementType()))));
    auto symbol = FlatSymbolRefAttr::get(symbols.insert(state));
    argument.replaceAllUsesWith(start.create<StateReadOp>(argument.getLoc(), type, symbol));
    end.create<StateWriteOp>(ret.getLoc(), symbol, ret.getOperand(pair.result));
    arguments.set(pair.argument);
    results.set(pair.result);
  }
  ret->eraseOperands(results);
  function.eraseArguments(arguments);
  function.eraseResults(results);
}

void KeepStatesPass::runOnOperation() {
  auto function = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!function) {
    return;
  }
  FailureOr<SmallVector<StatePair>> pairs = pairsOf(function);
  if (failed(pairs)) {
    return signalPassFailure();
  }
  keep(function, *pairs);
}

std::unique_ptr<Pass> modelc::createKeepStatesPass(ArrayRef<std::string> states) {
  return std::make_unique<KeepStatesPass>(states);
}
