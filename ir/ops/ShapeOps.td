//===- ShapeOps.td - elements move, none is computed ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_SHAPE_OPS_TD
#define MODELC_SHAPE_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcEnums.td"
include "ir/ModelcInterfaces.td"

class Modelc_Element<string mnemonic, list<Trait> traits = []>
    : Modelc_InferredOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<ElementOpInterface>], traits)> {
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_ReshapeOp : Modelc_Element<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    C1. `shape` has no negative dimension.
    C2. `shape` has as many elements as `x`.

    Example: `%r = modelc.reshape %x {shape = array<i64: 2, 6>} : (tensor<3x4xf32>) -> tensor<2x6xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$shape);
}

def Modelc_TransposeOp : Modelc_Element<"transpose"> {
  let summary = "dimensions in another order";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of `x`.

    C1. `permutation` holds each of 0 .. rank-1 once.

    Example: `%r = modelc.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$permutation);
}

def Modelc_BroadcastOp : Modelc_Element<"broadcast"> {
  let summary = "repeats dimensions of extent 1 and adds leading ones";
  let description = [{
    NumPy's broadcast of `x` to `shape`.

    C1. The shape of `x` broadcasts to `shape`.

    Example: `%r = modelc.broadcast %x {shape = array<i64: 4, 3>} : (tensor<3xf32>) -> tensor<4x3xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$shape);
}

def Modelc_SliceOp : Modelc_Element<"slice"> {
  let summary = "every `steps`-th element from `starts` on";
  let description = [{
    Element `i` of a dimension of the result is element `start + i * step` of
    `x`; steps may be negative.

    C1. `starts`, `sizes` and `steps` have one entry per dimension.
    C2. All elements lie inside `x`; no step is 0; no size is negative.

    Example: `%r = modelc.slice %x {starts = array<i64: 1>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$steps);
}

def Modelc_ConcatOp : Modelc_Element<"concat"> {
  let summary = "tensors one after another along an axis";
  let description = [{
    C1. `0 <= axis < rank`; there is at least one operand.
    C2. The operands agree in element type and in all other dimensions.

    Example: `%r = modelc.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>`
  }];
  let arguments = (ins Variadic<Modelc_Tensor>:$inputs, I64Attr:$axis);
}

def Modelc_PadOp : Modelc_Element<"pad"> {
  let summary = "elements before and after each dimension";
  let description = [{
    `before` and `after` count added elements; negative counts crop. `mode`
    says what they are: the scalar `value` (constant), the mirrored inside
    without the edge element (reflect), the edge element (edge), the other end
    (wrap).

    C1. `before` and `after` have one entry per dimension.
    C2. No dimension of the result is negative.
    C3. reflect: no count exceeds the extent minus 1 unless the extent is 1;
        edge and wrap: the dimension is not empty where it grows.
    C4. `value` has one element of the element type of `x`.

    Example: `%r = modelc.pad %x, %v {before = array<i64: 1>, after = array<i64: 0>, mode = #modelc<pad_mode constant>} : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$value,
                       DenseI64ArrayAttr:$before, DenseI64ArrayAttr:$after,
                       Modelc_PadModeAttr:$mode);
}

def Modelc_GatherOp : Modelc_Element<"gather"> {
  let summary = "slices of an axis chosen by indices";
  let description = [{
    The axis of `x` is replaced by the dimensions of `indices`. Negative
    indices count from the end; others out of range are clamped and make `run`
    return the bad-index status. With `clamped` all indices out of range, also
    negative ones, are clamped, and that is no error.

    C1. `0 <= axis < rank of x`.
    C2. The axis is not empty, or the result is.

    Example: `%r = modelc.gather %x, %i {axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$indices, I64Attr:$axis,
                       UnitAttr:$clamped);
}

def Modelc_GatherElementsOp : Modelc_Element<"gather_elements"> {
  let summary = "one element per index along an axis";
  let description = [{
    `result[i, j] = x[indices[i, j], j]` for axis 0 of rank 2, and so on.
    Indices are treated as in `gather`.

    C1. `0 <= axis < rank`; `indices` has the rank of `x` and no larger extent
        outside the axis.

    Example: `%r = modelc.gather_elements %x, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$indices, I64Attr:$axis);
}

def Modelc_GatherNdOp : Modelc_Element<"gather_nd"> {
  let summary = "slices chosen by index tuples (ONNX GatherND)";
  let description = [{
    The last dimension of `indices` holds tuples that index the dimensions of
    `x` after the `batch_dims` leading ones. Indices are treated as in `gather`.

    C1. `0 <= batch_dims < min(rank of x, rank of indices)`, and the batch
        dimensions agree.
    C2. Tuples have at least one entry and at most rank of x - batch_dims.

    Example: `%r = modelc.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<2x2xf32>, tensor<3x2xi64>) -> tensor<3xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$indices, I64Attr:$batch_dims);
}

def Modelc_IotaOp : Modelc_Element<"iota"> {
  let summary = "the position along an axis, as a value";
  let description = [{
    C1. `0 <= axis < rank of shape`; `to` is an integer or float type.

    Example: `%r = modelc.iota {shape = array<i64: 4>, axis = 0 : i64, to = i64} : () -> tensor<4xi64>`
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, I64Attr:$axis, TypeAttr:$to);
}

def Modelc_ReverseSequenceOp : Modelc_Element<"reverse_sequence"> {
  let summary = "the first elements of each sequence of a batch, reversed";
  let description = [{
    Along `time_axis` the first `lengths[b]` elements of batch entry `b` are
    reversed, the others stay. A length beyond the extent is clamped.

    C1. `batch_axis` and `time_axis` are 0 and 1 in either order.
    C2. `lengths` has the extent of the batch axis.

    Example: `%r = modelc.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$lengths,
                       I64Attr:$batch_axis, I64Attr:$time_axis);
}

def Modelc_ResizeOp : Modelc_Element<"resize"> {
  let summary = "interpolation to other extents (ONNX Resize)";
  let description = [{
    Each dimension `d` is resized from its extent to `sizes[d]`; the source
    coordinate follows from `scales[d]` by `coordinate_mode`. `roi` is empty or
    holds starts and ends of all dimensions (tf_crop_and_resize only).

    C1. `sizes` and `scales` have one entry per dimension; scales are positive.
    C2. linear and cubic need a float element type.

    Example: `%r = modelc.resize %x {sizes = array<i64: 1, 1, 4, 4>, scales = array<f64: 1.0, 1.0, 2.0, 2.0>, roi = array<f64>, mode = #modelc<resize_mode nearest>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -7.5e-01 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, DenseI64ArrayAttr:$sizes,
                       DenseF64ArrayAttr:$scales, DenseF64ArrayAttr:$roi,
                       Modelc_ResizeModeAttr:$mode,
                       Modelc_CoordinateModeAttr:$coordinate_mode,
                       Modelc_NearestModeAttr:$nearest_mode,
                       F64Attr:$cubic_coefficient, BoolAttr:$exclude_outside,
                       F64Attr:$extrapolation);
}

def Modelc_ScatterElementsOp : Modelc_InferredOp<"scatter_elements",
    [DeclareOpInterfaceMethods<LoopOpInterface>]> {
  let summary = "a copy of `x` with elements along an axis replaced or joined";
  let description = [{
    The inverse of `gather_elements`; updates are applied in row-major order.

    C1. `0 <= axis < rank`; `indices` and `updates` have the same shape, the
        rank of `x` and no larger extent outside the axis.
    C2. `updates` has the element type of `x`.

    Example: `%r = modelc.scatter_elements %x, %i, %u {axis = 0 : i64, kind = #modelc<scatter_kind replace>} : (tensor<3x2xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> tensor<3x2xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$indices,
                       Modelc_Tensor:$updates, I64Attr:$axis,
                       Modelc_ScatterKindAttr:$kind);
  let results = (outs Modelc_Tensor:$result);
}

def Modelc_ScatterNdOp : Modelc_InferredOp<"scatter_nd",
    [DeclareOpInterfaceMethods<LoopOpInterface>]> {
  let summary = "a copy of `x` with slices replaced or joined (ONNX ScatterND)";
  let description = [{
    The last dimension of `indices` holds tuples that index the leading
    dimensions of `x`; updates are applied in row-major order.

    C1. Tuples have at least one entry and at most rank of x.
    C2. The shape of `updates` is that of `indices` without its last dimension,
        followed by the dimensions of `x` that the tuples leave.
    C3. `updates` has the element type of `x`.

    Example: `%r = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins Modelc_Tensor:$x, Modelc_IndexTensor:$indices,
                       Modelc_Tensor:$updates, Modelc_ScatterKindAttr:$kind);
  let results = (outs Modelc_Tensor:$result);
}

#endif // MODELC_SHAPE_OPS_TD
