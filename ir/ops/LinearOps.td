//===- LinearOps.td - contractions: products, convolutions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_LINEAR_OPS_TD
#define MODELC_LINEAR_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcInterfaces.td"

class Modelc_Loop<string mnemonic, list<Trait> traits = []>
    : Modelc_InferredOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<LoopOpInterface>], traits)>;

def Modelc_MatmulOp : Modelc_Loop<"matmul"> {
  let summary = "matrix product with NumPy's broadcast of leading dimensions";
  let description = [{
    `result[..., m, n] = sum over k of x[..., m, k] * y[..., k, n]`. An operand
    of rank 1 is a row (x) or a column (y), whose dimension the result lacks.

    C1. Both ranks are at least 1; the inner extents agree.
    C2. Leading dimensions are broadcastable.
    C3. The element types are equal.

    Example: `%r = modelc.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$y);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_EinsumOp : Modelc_Loop<"einsum"> {
  let summary = "sum of products over labelled dimensions";
  let description = [{
    Each operand dimension carries a label (an integer in 0 .. 1023). The result has
    the dimensions `result_labels`; labels that it lacks are summed over.
    Operand `i` has the labels of `operand_labels[i]`; a repeated label within
    one operand takes the diagonal. A dimension of extent 1 is broadcast.

    C1. Every operand dimension has one label; result labels are distinct and
        occur in an operand.
    C2. Extents with the same label are equal or 1.
    C3. There is an operand, and all have the same element type.

    Example: `%r = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 0, 2>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`
  }];
  let arguments = (ins Variadic<Modelc_Tensor>:$inputs,
                       TypedArrayAttrBase<DenseI64ArrayAttr, "label lists">:$operand_labels,
                       DenseI64ArrayAttr:$result_labels);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_ConvOp : Modelc_Loop<"conv"> {
  let summary = "convolution over any number of spatial dimensions";
  let description = [{
    `x` is [batch, channels, spatial...] or, with `channels_last`, [batch,
    spatial..., channels]; the result has the same order. `filter` is [output
    channels, channels / groups, kernel...]. The optional `bias` has one
    element per output channel. Integer operands multiply and accumulate in
    `i32`.

    C1. `strides`, `dilations` have one positive entry per spatial dimension,
        `pads_begin` and `pads_end` one non-negative entry.
    C2. `groups` divides both channel counts, and the filter has
        channels / groups input channels.
    C3. The dilated kernel is no larger than the padded input.
    C4. x and filter have the same element type; bias has the result's.

    Example: `%r = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$filter,
                       Optional<Modelc_Tensor>:$bias,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads_begin, DenseI64ArrayAttr:$pads_end,
                       I64Attr:$groups, UnitAttr:$channels_last);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_ConvTransposeOp : Modelc_Loop<"conv_transpose"> {
  let summary = "transposed convolution: each input element spreads the kernel";
  let description = [{
    `x` is [batch, channels, spatial...], or [batch, spatial..., channels] with
    `channels_last`; `filter` is [channels, output channels / groups,
    kernel...]. An extent of the result is `(extent - 1) * stride + (kernel - 1) *
    dilation + 1 + output_padding - pad_begin - pad_end`.

    C1. Attributes have one entry per spatial dimension; strides and dilations
        are positive, output paddings not negative.
    C2. `groups` divides the channels; the filter has as many input channels.
    C3. No extent of the result is negative.
    C4. x, filter and bias have the same element type.

    Example: `%r = modelc.conv_transpose %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf32>) -> tensor<1x3x8xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$filter,
                       Optional<Modelc_Tensor>:$bias,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads_begin, DenseI64ArrayAttr:$pads_end,
                       DenseI64ArrayAttr:$output_padding, I64Attr:$groups,
                       UnitAttr:$channels_last);
  let results = (outs Modelc_Tensor:$result);
}

class Modelc_Pool<string mnemonic> : Modelc_Loop<mnemonic> {
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_MaxPoolOp : Modelc_Loop<"max_pool"> {
  let summary = "the maximum of each window";
  let description = [{
    `x` is [batch, channels, spatial...], or [batch, spatial..., channels] with
    `channels_last`. Positions in the padding do not take part. `sizes` are
    the spatial extents of the result. `indices` holds the position of each
    maximum in the flattened `x` (column-major over the spatial dimensions if
    `column_major`).

    C1. Attributes have one entry per spatial dimension; kernel, strides and
        dilations are positive, pads not negative.
    C2. Every window holds at least one element of x, or the result element is
        the lowest value of the element type.

    Example: `%r, %i = modelc.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads_begin, DenseI64ArrayAttr:$sizes,
                       UnitAttr:$column_major, UnitAttr:$channels_last);
  let results = (outs Modelc_Tensor:$result, RankedTensorOf<[I64]>:$indices);
}

def Modelc_AveragePoolOp : Modelc_Pool<"average_pool"> {
  let summary = "the mean of each window";
  let description = [{
    As `max_pool`. The divisor counts the elements of the window inside `x`,
    or, with `count_pads`, inside `x` and its padding `pads_begin`, `pads_end`.

    C1. Attributes have one entry per spatial dimension; kernel, strides and
        dilations are positive, pads not negative.

    Example: `%r = modelc.average_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, sizes = array<i64: 4>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads_begin, DenseI64ArrayAttr:$pads_end,
                       DenseI64ArrayAttr:$sizes,
                       UnitAttr:$count_pads, UnitAttr:$channels_last);
}

def Modelc_LpPoolOp : Modelc_Pool<"lp_pool"> {
  let summary = "the p-norm of each window";
  let description = [{
    As `max_pool`; elements in the padding count as 0.

    C1. Attributes have one entry per spatial dimension; kernel, strides and
        dilations are positive, pads not negative; `p` is positive.

    Example: `%r = modelc.lp_pool %x {kernel = array<i64: 2>, strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 7>, p = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x7xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads_begin, DenseI64ArrayAttr:$sizes,
                       I64Attr:$p);
}

#endif // MODELC_LINEAR_OPS_TD
