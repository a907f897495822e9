//===- Passes.td - the pass that makes models streaming -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_PASSES_STREAM_PASSES_TD
#define MODELC_PASSES_STREAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def StreamPass : Pass<"modelc-stream", "mlir::ModuleOp"> {
  let summary = "a model of a whole recording becomes one of a hop";
  let description = [{
    The inputs named take `HOP` samples of dimension `AXIS` per run; the outputs
    are what the offline model would give, later by `modelc.latency` samples;
    `modelc.drain` samples of them are still to come when the stream has ended.
    What earlier samples have to do with it is kept in states. Ops that need
    later samples than `lookahead` allows, or all of time, are refused, each by
    name. See StreamFact.h for the algebra.
  }];
  let dependentDialects = ["::modelc::ModelcDialect"];
  let options = [
    ListOption<"inputs", "inputs", "std::string", "INPUT:AXIS=HOP">,
    Option<"lookahead", "lookahead", "int64_t", /*default=*/"0",
           "samples of the input that outputs may wait for; negative: any">
  ];
}

#endif // MODELC_PASSES_STREAM_PASSES_TD
