//===- ReduceOps.td - reductions, normalizations, scans, order ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_REDUCE_OPS_TD
#define MODELC_REDUCE_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcEnums.td"
include "ir/ModelcInterfaces.td"
include "ir/ops/LinearOps.td"

def Modelc_ReduceOp : Modelc_Loop<"reduce"> {
  let summary = "one value per slice: sum, mean, maximum, norm, ...";
  let description = [{
    Dimensions in `axes` are reduced by `kind` and kept with extent 1 if
    `keep_dims`. An empty sum is 0, an empty product 1, an empty maximum the
    lowest value (-infinity), an empty minimum the highest.

    C1. `axes` are distinct, in ascending order and in 0 .. rank-1.
    C2. `log_sum`, `log_sum_exp` and `l2` need a float element type.

    Example: `%r = modelc.reduce %x {kind = #modelc<reduce_kind mean>, axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_ReduceKindAttr:$kind,
                       DenseI64ArrayAttr:$axes, BoolAttr:$keep_dims);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_ArgReduceOp : Modelc_Loop<"arg_reduce"> {
  let summary = "the position of the largest or smallest element of an axis";
  let description = [{
    Of equal elements the first counts, with `last` the last one.

    C1. `0 <= axis < rank`; the axis is not empty. C2. `kind` is max or min.

    Example: `%r = modelc.arg_reduce %x {kind = #modelc<reduce_kind max>, axis = 1 : i64, keep_dims = false, last = false} : (tensor<2x3xf32>) -> tensor<2xi64>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_ReduceKindAttr:$kind,
                       I64Attr:$axis, BoolAttr:$keep_dims, BoolAttr:$last);
  let results = (outs RankedTensorOf<[I64]>:$result);
}

def Modelc_SoftmaxOp : Modelc_Loop<"softmax"> {
  let summary = "exponentials that sum to 1 over an axis, or their logarithm";
  let description = [{
    `exp(x - max) / sum(exp(x - max))`; with `log` its natural logarithm.

    C1. `0 <= axis < rank`.

    Example: `%r = modelc.softmax %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, I64Attr:$axis, UnitAttr:$log);
  let results = (outs Modelc_FloatTensor:$result);
}

def Modelc_LayerNormOp : Modelc_Loop<"layer_norm"> {
  let summary = "zero mean and unit variance over the trailing dimensions";
  let description = [{
    `(x - mean) / sqrt(variance + epsilon) * scale + bias` over the dimensions
    from `axis` on; with `rms` the mean is taken as 0. `scale` and `bias`
    broadcast to the dimensions from `axis` on. `mean` and `inverse` (the
    reciprocal of the root) keep those dimensions with extent 1; they are f32,
    or f64 for f64.

    C1. `0 <= axis < rank`.
    C2. scale and bias broadcast to the shape of x.

    Example: `%r, %m, %i = modelc.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, Modelc_FloatTensor:$scale,
                       Modelc_FloatTensor:$bias, I64Attr:$axis,
                       F64Attr:$epsilon, UnitAttr:$rms);
  let results = (outs Modelc_FloatTensor:$result, Modelc_FloatTensor:$mean,
                      Modelc_FloatTensor:$inverse);
}

def Modelc_GroupNormOp : Modelc_Loop<"group_norm"> {
  let summary = "zero mean and unit variance over groups of channels";
  let description = [{
    `x` is [batch, channels, spatial...]; each batch entry and each of `groups`
    equal runs of channels is normalized together with its spatial dimensions,
    then scaled and shifted per channel. Instance normalization has as many
    groups as channels.

    C1. The rank is at least 2 and `groups` divides the channels.
    C2. scale and bias have one element per channel.

    Example: `%r = modelc.group_norm %x, %s, %b {groups = 2 : i64, epsilon = 1.0e-5 : f64} : (tensor<1x4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, Modelc_FloatTensor:$scale,
                       Modelc_FloatTensor:$bias, I64Attr:$groups,
                       F64Attr:$epsilon);
  let results = (outs Modelc_FloatTensor:$result);
}

def Modelc_LocalResponseNormOp : Modelc_Loop<"local_response_norm"> {
  let summary = "division by the energy of neighbouring channels (ONNX LRN)";
  let description = [{
    `x / (bias + alpha / size * sum of squares over size channels) ^ beta`.

    C1. The rank is at least 2; `size` is positive.

    Example: `%r = modelc.local_response_norm %x {size = 3 : i64, alpha = 1.0e-4 : f64, beta = 7.5e-1 : f64, bias = 1.0 : f64} : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, I64Attr:$size, F64Attr:$alpha,
                       F64Attr:$beta, F64Attr:$bias);
  let results = (outs Modelc_FloatTensor:$result);
}

def Modelc_CumulativeOp : Modelc_Loop<"cumulative"> {
  let summary = "running sum or product along an axis";
  let description = [{
    `exclusive` leaves the element itself out, `reverse` runs from the end.

    C1. `0 <= axis < rank`. C2. `kind` is sum or prod.

    Example: `%r = modelc.cumulative %x {kind = #modelc<reduce_kind sum>, axis = 0 : i64, exclusive = false, reverse = false} : (tensor<5xf32>) -> tensor<5xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_ReduceKindAttr:$kind,
                       I64Attr:$axis, BoolAttr:$exclusive, BoolAttr:$reverse);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_TopKOp : Modelc_Loop<"top_k"> {
  let summary = "the k largest or smallest elements of an axis, in order";
  let description = [{
    Equal elements keep the order of their positions.

    C1. `0 <= axis < rank` and `0 <= k <=` the extent of the axis.

    Example: `%v, %i = modelc.top_k %x {k = 2 : i64, axis = 0 : i64, largest = true} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>)`
  }];
  let arguments = (ins Modelc_Tensor:$x, I64Attr:$k, I64Attr:$axis, BoolAttr:$largest);
  let results = (outs Modelc_Tensor:$values, RankedTensorOf<[I64]>:$indices);
}

#endif // MODELC_REDUCE_OPS_TD
