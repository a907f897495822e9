//===- ElementwiseOps.td - one scalar at a time ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_ELEMENTWISE_OPS_TD
#define MODELC_ELEMENTWISE_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcInterfaces.td"

// `scalar` is the body of buildScalar: C++ that returns the result from the
// operand scalars `x`. `element` names the rule for the result's element type;
// `elements` says in words which element types C2 asks for, `example` is the
// op's text behind the mnemonic.
class Modelc_Elementwise<string mnemonic, string text, code scalar,
                         string element = "sameElement">
    : Modelc_InferredOp<mnemonic,
          [DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  string elements = "All operands have the same element type";
  string example = "%x : (tensor<4xf32>) -> tensor<4xf32>";
  let summary = text;
  let description = "\n    Computes, for every element, " # text # [{.
    Operands are broadcast against each other as in NumPy.

    C1. The shapes of the operands are broadcastable.
    C2. }] # elements # [{.

    Example: `%r = modelc.}] # mnemonic # " " # example # "`\n";
  let results = (outs Modelc_Tensor:$result);
  let extraClassDefinition = [{
    mlir::Value $cppClass::buildScalar(mlir::ImplicitLocOpBuilder &b,
                                       mlir::ValueRange x) {
      (void)b;
      (void)x;
      }] # scalar # [{
    }
    mlir::LogicalResult $cppClass::inferReturnTypes(
        mlir::MLIRContext *, std::optional<mlir::Location> location,
        mlir::ValueRange operands, mlir::DictionaryAttr attributes,
        mlir::OpaqueProperties, mlir::RegionRange,
        llvm::SmallVectorImpl<mlir::Type> &inferredReturnTypes) {
      return inferElementwise(location, operands, attributes,
                              ElementRule::}] # element # [{,
                              inferredReturnTypes);
    }
  }];
}

class Modelc_Unary<string mnemonic, string text, code scalar,
                   string element = "sameElement">
    : Modelc_Elementwise<mnemonic, text, scalar, element> {
  let arguments = (ins Modelc_Tensor:$x);
}
class Modelc_Binary<string mnemonic, string text, code scalar,
                    string element = "sameElement">
    : Modelc_Elementwise<mnemonic, text, scalar, element> {
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$y);
  let example = "%x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>";
}

//===----------------------------------------------------------------------===//
// Arithmetic. Integers wrap; the quotient of integers truncates.
//===----------------------------------------------------------------------===//

def Modelc_AddOp : Modelc_Binary<"add", "the sum `x + y`",
    "return scalar::add(b, x[0], x[1]);">;
def Modelc_SubOp : Modelc_Binary<"sub", "the difference `x - y`",
    "return scalar::sub(b, x[0], x[1]);">;
def Modelc_MulOp : Modelc_Binary<"mul", "the product `x * y`",
    "return scalar::mul(b, x[0], x[1]);">;
def Modelc_DivOp : Modelc_Binary<"div",
    "the quotient `x / y` (integers: truncated, 0 where `y` is 0)",
    "return scalar::div(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_ModOp : Modelc_Binary<"mod",
    "the remainder with the sign of `y` (0 where an integer `y` is 0)",
    "return scalar::mod(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_FmodOp : Modelc_Binary<"fmod",
    "the remainder with the sign of `x` (0 where an integer `y` is 0)",
    "return scalar::fmod(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_MaxOp : Modelc_Binary<"max", "the larger operand; NaN if either is",
    "return scalar::max(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_MinOp : Modelc_Binary<"min", "the smaller operand; NaN if either is",
    "return scalar::min(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_PowOp : Modelc_Binary<"pow",
    "`x` to the power `y`; `y` may have another element type",
    "return scalar::pow(b, x[0], x[1], isUnsigned(getX()), isUnsigned(getY()));",
    "firstElement"> {
  let elements = "The result has the element type of `x`; `y` has any";
  let example = "%x, %y : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>";
}

def Modelc_AbsOp : Modelc_Unary<"abs", "the absolute value",
    "return scalar::abs(b, x[0], isUnsigned(getX()));">;
def Modelc_NegOp : Modelc_Unary<"neg", "the negated value",
    "return scalar::neg(b, x[0]);">;
def Modelc_SignOp : Modelc_Unary<"sign", "-1, 0 or 1 by sign; NaN stays",
    "return scalar::sign(b, x[0], isUnsigned(getX()));">;
def Modelc_ReciprocalOp : Modelc_Unary<"reciprocal", "`1 / x`",
    "return scalar::div(b, scalar::constant(b, x[0].getType(), 1.0), x[0], false);"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}

//===----------------------------------------------------------------------===//
// Functions of one float
//===----------------------------------------------------------------------===//

class Modelc_Math<string mnemonic, string text, string op = mnemonic>
    : Modelc_Unary<mnemonic, text,
          "return b.create<mlir::math::" # op # ">(x[0]);"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_SqrtOp : Modelc_Math<"sqrt", "the square root", "SqrtOp">;
def Modelc_ExpOp : Modelc_Math<"exp", "e to the power x", "ExpOp">;
def Modelc_LogOp : Modelc_Math<"log", "the natural logarithm", "LogOp">;
def Modelc_SinOp : Modelc_Math<"sin", "the sine of radians", "SinOp">;
def Modelc_CosOp : Modelc_Math<"cos", "the cosine of radians", "CosOp">;
def Modelc_TanOp : Modelc_Math<"tan", "the tangent of radians", "TanOp">;
def Modelc_AsinOp : Modelc_Math<"asin", "the inverse sine", "AsinOp">;
def Modelc_AcosOp : Modelc_Math<"acos", "the inverse cosine", "AcosOp">;
def Modelc_AtanOp : Modelc_Math<"atan", "the inverse tangent", "AtanOp">;
def Modelc_SinhOp : Modelc_Math<"sinh", "the hyperbolic sine", "SinhOp">;
def Modelc_CoshOp : Modelc_Math<"cosh", "the hyperbolic cosine", "CoshOp">;
def Modelc_TanhOp : Modelc_Math<"tanh", "the hyperbolic tangent", "TanhOp">;
def Modelc_AsinhOp : Modelc_Math<"asinh", "the inverse hyperbolic sine", "AsinhOp">;
def Modelc_AcoshOp : Modelc_Math<"acosh", "the inverse hyperbolic cosine", "AcoshOp">;
def Modelc_AtanhOp : Modelc_Math<"atanh", "the inverse hyperbolic tangent", "AtanhOp">;
def Modelc_ErfOp : Modelc_Math<"erf", "the error function", "ErfOp">;
def Modelc_FloorOp : Modelc_Math<"floor", "the largest integer not above x", "FloorOp">;
def Modelc_CeilOp : Modelc_Math<"ceil", "the smallest integer not below x", "CeilOp">;
def Modelc_RoundOp : Modelc_Math<"round", "the nearest integer, ties to even", "RoundEvenOp">;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Modelc_ReluOp : Modelc_Unary<"relu", "`max(x, 0)`; NaN stays",
    "return scalar::relu(b, x[0]);">;
def Modelc_SigmoidOp : Modelc_Unary<"sigmoid", "`1 / (1 + exp(-x))`",
    "return scalar::sigmoid(b, x[0]);"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_SoftplusOp : Modelc_Unary<"softplus", "`log(1 + exp(x))`",
    "return scalar::softplus(b, x[0]);"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_SoftsignOp : Modelc_Unary<"softsign", "`x / (1 + |x|)`",
    "return scalar::softsign(b, x[0]);"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_HardSwishOp : Modelc_Unary<"hard_swish",
    "`x * max(0, min(1, x / 6 + 0.5))`",
    "return scalar::mul(b, x[0], scalar::hardSigmoid(b, x[0], 1.0 / 6.0, 0.5));"> {
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_PreluOp : Modelc_Binary<"prelu", "`x` where `x >= 0`, else `x * y`",
    "return scalar::prelu(b, x[0], x[1], isUnsigned(getX()));">;
def Modelc_ClipOp : Modelc_Elementwise<"clip",
    "`min(max(x, low), high)`; NaN stays",
    "return scalar::min(b, scalar::max(b, x[0], x[1], isUnsigned(getX())), x[2], isUnsigned(getX()));"> {
  let example = "%x, %low, %high : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_Tensor:$x, Modelc_Tensor:$low, Modelc_Tensor:$high);
}
def Modelc_LeakyReluOp : Modelc_Unary<"leaky_relu",
    "`x` where `x >= 0`, else `alpha * x`",
    "return scalar::leakyRelu(b, x[0], getAlpha().convertToDouble());"> {
  let example = "%x {alpha = 1.0e-02 : f64} : (tensor<4xf32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_FloatTensor:$x, F64Attr:$alpha);
}
def Modelc_EluOp : Modelc_Unary<"elu",
    "`x` where `x > 0`, else `alpha * (exp(x) - 1)`",
    "return scalar::elu(b, x[0], getAlpha().convertToDouble());"> {
  let example = "%x {alpha = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_FloatTensor:$x, F64Attr:$alpha);
}
def Modelc_HardSigmoidOp : Modelc_Unary<"hard_sigmoid",
    "`max(0, min(1, alpha * x + beta))`",
    "return scalar::hardSigmoid(b, x[0], getAlpha().convertToDouble(), getBeta().convertToDouble());"> {
  let example = "%x {alpha = 2.0e-01 : f64, beta = 5.0e-01 : f64} : (tensor<4xf32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_FloatTensor:$x, F64Attr:$alpha, F64Attr:$beta);
}
def Modelc_GeluOp : Modelc_Unary<"gelu",
    "`x` times the normal distribution function at `x`: by the error function, or by the tanh formula where `approximate` is set",
    "return scalar::gelu(b, x[0], getApproximate());"> {
  let example = "%x {approximate} : (tensor<4xf32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_FloatTensor:$x, UnitAttr:$approximate);
}

//===----------------------------------------------------------------------===//
// Logic, comparison, bits
//===----------------------------------------------------------------------===//

class Modelc_Compare<string mnemonic, string text, string predicate>
    : Modelc_Binary<mnemonic, text,
          "return scalar::compare(b, scalar::Predicate::" # predicate #
          ", x[0], x[1], isUnsigned(getX()));", "boolElement"> {
  let elements = "Both operands have the same element type; the result is `i1`";
  let example = "%x, %y : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>";
}
def Modelc_EqualOp : Modelc_Compare<"equal", "whether `x == y`", "eq">;
def Modelc_LessOp : Modelc_Compare<"less", "whether `x < y`", "lt">;
def Modelc_LessEqualOp : Modelc_Compare<"less_equal", "whether `x <= y`", "le">;
def Modelc_GreaterOp : Modelc_Compare<"greater", "whether `x > y`", "gt">;
def Modelc_GreaterEqualOp : Modelc_Compare<"greater_equal", "whether `x >= y`", "ge">;

class Modelc_Bits<string mnemonic, string text, code scalar>
    : Modelc_Binary<mnemonic, text, scalar> {
  let arguments = (ins Modelc_IntegerTensor:$x, Modelc_IntegerTensor:$y);
  let example = "%x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>";
}
def Modelc_AndOp : Modelc_Bits<"and", "the bitwise (on booleans: logical) conjunction",
    "return b.create<mlir::arith::AndIOp>(x[0], x[1]);">;
def Modelc_OrOp : Modelc_Bits<"or", "the bitwise (on booleans: logical) disjunction",
    "return b.create<mlir::arith::OrIOp>(x[0], x[1]);">;
def Modelc_XorOp : Modelc_Bits<"xor", "the bitwise (on booleans: logical) exclusive or",
    "return b.create<mlir::arith::XOrIOp>(x[0], x[1]);">;
def Modelc_NotOp : Modelc_Unary<"not", "the bitwise (on booleans: logical) complement",
    "return b.create<mlir::arith::XOrIOp>(x[0], scalar::allOnes(b, x[0].getType()));"> {
  let arguments = (ins Modelc_IntegerTensor:$x);
  let example = "%x : (tensor<4xi1>) -> tensor<4xi1>";
}
def Modelc_ShiftLeftOp : Modelc_Bits<"shift_left", "`x` shifted left by `y` bits (0 from the width on)",
    "return scalar::shift(b, x[0], x[1], /*left=*/true);">;
def Modelc_ShiftRightOp : Modelc_Bits<"shift_right", "`x` shifted right by `y` bits, zeros from the left (0 from the width on)",
    "return scalar::shift(b, x[0], x[1], /*left=*/false);">;

def Modelc_IsNanOp : Modelc_Unary<"is_nan", "whether x is not a number",
    "return b.create<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::UNO, x[0], x[0]);",
    "boolElement"> {
  let elements = "The result is `i1`";
  let example = "%x : (tensor<4xf32>) -> tensor<4xi1>";
  let arguments = (ins Modelc_FloatTensor:$x);
}
def Modelc_IsInfOp : Modelc_Unary<"is_inf",
    "whether x is an infinity of a sign that is asked for",
    "return scalar::isInf(b, x[0], getPositive(), getNegative());", "boolElement"> {
  let elements = "The result is `i1`";
  let example = "%x {positive = true, negative = false} : (tensor<4xf32>) -> tensor<4xi1>";
  let arguments = (ins Modelc_FloatTensor:$x, BoolAttr:$positive, BoolAttr:$negative);
}

def Modelc_SelectOp : Modelc_Elementwise<"select", "`x` where `condition` holds, else `y`",
    "return b.create<mlir::arith::SelectOp>(x[0], x[1], x[2]);", "secondElement"> {
  let elements = "`x` and `y` have the same element type";
  let example = "%condition, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>";
  let arguments = (ins Modelc_BoolTensor:$condition, Modelc_Tensor:$x, Modelc_Tensor:$y);
}

def Modelc_CastOp : Modelc_Unary<"cast",
    "the value in the element type `to`: float to integer truncates and saturates (NaN gives 0), integer to integer wraps, anything to boolean is `x != 0`",
    "return scalar::cast(b, x[0], mlir::getElementTypeOrSelf(getX().getType()), getTo());",
    "toElement"> {
  let elements = "`to` is an integer or float type";
  let example = "%x {to = i8} : (tensor<4xf32>) -> tensor<4xi8>";
  let arguments = (ins Modelc_Tensor:$x, TypeAttr:$to);
}

#endif // MODELC_ELEMENTWISE_OPS_TD
