//===- ModelcEnums.td - enumerations of the dialect -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_ENUMS_TD
#define MODELC_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "ir/ModelcDialect.td"

class Modelc_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::modelc";
  let genSpecializedAttr = 0;
}
class Modelc_EnumAttr<EnumAttrInfo enum, string mnemonic>
    : EnumAttr<Modelc_Dialect, enum, mnemonic>;

def Modelc_ReduceKind : Modelc_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Prod", 4, "prod">, I32EnumAttrCase<"L1", 5, "l1">,
  I32EnumAttrCase<"L2", 6, "l2">,
  I32EnumAttrCase<"SumSquare", 7, "sum_square">,
  I32EnumAttrCase<"LogSum", 8, "log_sum">,
  I32EnumAttrCase<"LogSumExp", 9, "log_sum_exp">]>;
def Modelc_ReduceKindAttr : Modelc_EnumAttr<Modelc_ReduceKind, "reduce_kind">;

def Modelc_PadMode : Modelc_Enum<"PadMode", "what lies outside a tensor", [
  I32EnumAttrCase<"Constant", 0, "constant">,
  I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Edge", 2, "edge">, I32EnumAttrCase<"Wrap", 3, "wrap">]>;
def Modelc_PadModeAttr : Modelc_EnumAttr<Modelc_PadMode, "pad_mode">;

def Modelc_ScatterKind : Modelc_Enum<"ScatterKind",
    "how an update joins the element that is there", [
  I32EnumAttrCase<"Replace", 0, "replace">, I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">]>;
def Modelc_ScatterKindAttr
    : Modelc_EnumAttr<Modelc_ScatterKind, "scatter_kind">;

def Modelc_Direction : Modelc_Enum<"Direction",
    "direction of a recurrence along time", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"Reverse", 1, "reverse">,
  I32EnumAttrCase<"Bidirectional", 2, "bidirectional">]>;
def Modelc_DirectionAttr : Modelc_EnumAttr<Modelc_Direction, "direction">;

def Modelc_Activation : Modelc_Enum<"Activation",
    "activation functions of recurrent cells", [
  I32EnumAttrCase<"Sigmoid", 0, "sigmoid">, I32EnumAttrCase<"Tanh", 1, "tanh">,
  I32EnumAttrCase<"Relu", 2, "relu">, I32EnumAttrCase<"Affine", 3, "affine">,
  I32EnumAttrCase<"LeakyRelu", 4, "leaky_relu">,
  I32EnumAttrCase<"ThresholdedRelu", 5, "thresholded_relu">,
  I32EnumAttrCase<"ScaledTanh", 6, "scaled_tanh">,
  I32EnumAttrCase<"HardSigmoid", 7, "hard_sigmoid">,
  I32EnumAttrCase<"Elu", 8, "elu">, I32EnumAttrCase<"Softsign", 9, "softsign">,
  I32EnumAttrCase<"Softplus", 10, "softplus">]>;

def Modelc_ResizeMode : Modelc_Enum<"ResizeMode", "interpolation of resize", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Linear", 1, "linear">, I32EnumAttrCase<"Cubic", 2, "cubic">]>;
def Modelc_ResizeModeAttr : Modelc_EnumAttr<Modelc_ResizeMode, "resize_mode">;

def Modelc_CoordinateMode : Modelc_Enum<"CoordinateMode",
    "how an output coordinate maps to an input coordinate (ONNX Resize)", [
  I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
  I32EnumAttrCase<"HalfPixelSymmetric", 1, "half_pixel_symmetric">,
  I32EnumAttrCase<"PytorchHalfPixel", 2, "pytorch_half_pixel">,
  I32EnumAttrCase<"AlignCorners", 3, "align_corners">,
  I32EnumAttrCase<"Asymmetric", 4, "asymmetric">,
  I32EnumAttrCase<"TfCropAndResize", 5, "tf_crop_and_resize">]>;
def Modelc_CoordinateModeAttr
    : Modelc_EnumAttr<Modelc_CoordinateMode, "coordinate_mode">;

def Modelc_NearestMode : Modelc_Enum<"NearestMode",
    "rounding of a source coordinate to the nearest element", [
  I32EnumAttrCase<"RoundPreferFloor", 0, "round_prefer_floor">,
  I32EnumAttrCase<"RoundPreferCeil", 1, "round_prefer_ceil">,
  I32EnumAttrCase<"Floor", 2, "floor">, I32EnumAttrCase<"Ceil", 3, "ceil">]>;
def Modelc_NearestModeAttr
    : Modelc_EnumAttr<Modelc_NearestMode, "nearest_mode">;

def Modelc_MemorySpace : Modelc_Enum<"MemorySpace", "memory that a tensor lives in", [
  I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"Scratch", 2, "scratch">,
  I32EnumAttrCase<"Weights", 3, "weights">,
  I32EnumAttrCase<"State", 4, "state">]>;

#endif // MODELC_ENUMS_TD
