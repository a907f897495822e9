//===- ModelOps.td - constants, state, kernels ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_MODEL_OPS_TD
#define MODELC_MODEL_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "ir/ModelcDialect.td"

def Modelc_ConstantOp : Modelc_InferredOp<"constant", [ConstantLike]> {
  let summary = "a tensor known at compile time";
  let description = [{
    Tensors up to 1 KiB are dense attributes, larger ones resource blobs that
    own or map their bytes.

    C1. `value` is a dense or dense_resource tensor of the result's type.

    Example: `%c = modelc.constant {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Modelc_Tensor:$result);
  let hasFolder = 1;
}

def Modelc_StateOp : Modelc_Op<"state", [Symbol, HasParent<"mlir::ModuleOp">]> {
  let summary = "a tensor that outlives a run";
  let description = [{
    The planner gives it a place in the state memory; `reset` sets it to
    `initial`.

    C1. The op stands in the module; `initial` is a dense or dense_resource
        tensor.

    Example: `modelc.state @hidden {initial = dense<0.0> : tensor<1x64xf32>}`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$initial);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Modelc_StateReadOp : Modelc_Op<"state_read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a state at the start of the run";
  let description = [{
    Reads what the last successful run wrote, or the initial value.

    C1. `state` names a state of the result's type.

    Example: `%h = modelc.state_read @state : tensor<1x64xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$state);
  let results = (outs Modelc_Tensor:$result);
  let assemblyFormat = "$state attr-dict `:` type($result)";
}

def Modelc_StateWriteOp : Modelc_Op<"state_write", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "sets a state for the next run";
  let description = [{
    The write takes effect when the run ends; a failed run leaves the state
    unchanged.

    C1. `state` names a state of the operand's type.

    Example: `modelc.state_write @state, %h : tensor<1x64xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$state, Modelc_Tensor:$value);
  let assemblyFormat = "$state `,` $value attr-dict `:` type($value)";
}

def Modelc_KernelOp : Modelc_Op<"kernel", [
    Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "a group of ops that become one function of machine code";
  let description = [{
    The block's arguments are the kernel's operands; `modelc.yield` names its
    results. Values in between never reach memory, or only the kernel's own
    scratch. `in_place`, if set, has for each result the number of the operand
    whose memory it takes, or -1; `packed` has the numbers of the operands whose
    elements are in the order that the kernel's generator wants;
    `scratch_bytes` has the sizes of the kernel's own temporaries.

    C1. Argument and result types are those of every launch.
    C2. `packed` names operands, each once.
    C3. `in_place` has an entry per result and names an operand at most once.

    Example: `modelc.kernel @relu { ^bb0(%x: tensor<4xf32>): %y = modelc.relu %x : (tensor<4xf32>) -> tensor<4xf32> modelc.yield %y : tensor<4xf32> }`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Modelc_LaunchOp : Modelc_Op<"launch", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    The location names the model's node for reports and debug lines. The
    memory planner sets `operand_places`, `result_places` and `scratch_places`.

    C1. `kernel` names a kernel whose operand and result types match.

    Example: `%y = modelc.launch @kernel(%x) : (tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Modelc_Tensor>:$inputs);
  let results = (outs Variadic<Modelc_Tensor>:$results);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)
  }];
}

def Modelc_YieldOp : Modelc_Op<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "names the results of a kernel";
  let description = [{
    Ends the body of a kernel.

    Example: `modelc.yield %y : tensor<4xf32>`
  }];
  let arguments = (ins Variadic<Modelc_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // MODELC_MODEL_OPS_TD
