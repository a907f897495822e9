//===- QuantOps.td - explicit quantization --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_QUANT_OPS_TD
#define MODELC_QUANT_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ops/ElementwiseOps.td"

def Modelc_QuantizeOp : Modelc_Elementwise<"quantize",
    "`saturate(round_to_even(x / scale) + zero_point)` in the element type of `zero_point`",
    "return scalar::quantize(b, x[0], x[1], x[2], mlir::getElementTypeOrSelf(getZeroPoint().getType()));",
    "zeroPointElement"> {
  let elements = "The result has the element type of `zero_point`";
  let example = "%x, %scale, %zero_point : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>";
  let arguments = (ins Modelc_Tensor:$x, Modelc_FloatTensor:$scale,
                       Modelc_IntegerTensor:$zero_point);
}
def Modelc_DequantizeOp : Modelc_Elementwise<"dequantize",
    "`(x - zero_point) * scale` in the element type of `scale`; the difference of integers is taken in `i32`",
    "return scalar::dequantize(b, x[0], x[1], x[2], isUnsigned(getX()));",
    "scaleElement"> {
  let elements = "`x` and `zero_point` have the same element type; the result has that of `scale`";
  let example = "%x, %scale, %zero_point : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>";
  let arguments = (ins Modelc_IntegerTensor:$x, Modelc_FloatTensor:$scale,
                       Modelc_IntegerTensor:$zero_point);
}

#endif // MODELC_QUANT_OPS_TD
