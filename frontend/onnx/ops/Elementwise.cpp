// ONNX operators that compute one element at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Broadcast.h"

#include "frontend/onnx/NodeBinder.h"
#include "frontend/onnx/TensorData.h"

using namespace mlir;

namespace modelc {

Value alignSecondOperand(NodeBinder &b) {
  Value second = b.input(1);
  if (b.version() >= 7 || !b.hasAttr("axis") || !b.flagAttr("broadcast")) {
    return second;
  }
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return {};
  }
  llvm::SmallVector<int64_t> shape(b.shape(1));
  int64_t behind = b.rank(0) - *axis - b.rank(1);
  if (behind < 0) {
    (void)b.error("the second operand does not fit behind axis " + llvm::Twine(*axis));
    return {};
  }
  shape.append(behind, 1);
  return b.reshape(second, shape);
}

template <typename OpTy> static LogicalResult importUnary(NodeBinder &b) {
  return b.setResult(0, b.create<OpTy>(b.input(0)));
}

template <typename OpTy> static LogicalResult importBinary(NodeBinder &b) {
  return b.setResult(0, b.create<OpTy>({b.input(0), alignSecondOperand(b)}));
}

/// Max, Min, Sum: any number of operands.
template <typename OpTy> static LogicalResult importVariadic(NodeBinder &b) {
  Value result = b.input(0);
  for (Value operand : b.allInputs().drop_front()) {
    result = b.create<OpTy>({result, operand});
  }
  return b.setResult(0, result);
}

static LogicalResult importMean(NodeBinder &b) {
  Value sum = b.input(0);
  for (Value operand : b.allInputs().drop_front()) {
    sum = b.create<AddOp>({sum, operand});
  }
  Value count = b.splat(b.elementType(0), b.numInputs());
  return b.setResult(0, b.create<DivOp>({sum, count}));
}

static LogicalResult importMod(NodeBinder &b) {
  // Floats have only the remainder of C.
  if (b.flagAttr("fmod") || isa<FloatType>(b.elementType(0))) {
    return importBinary<FmodOp>(b);
  }
  return importBinary<ModOp>(b);
}

static LogicalResult importIdentity(NodeBinder &b) {
  return b.setResult(0, b.input(0));
}

static LogicalResult importCast(NodeBinder &b) {
  int to = 0;
  if (b.version() < 6) {
    std::string name = b.stringAttr("to");
    onnx::TensorProto::DataType parsed;
    if (onnx::TensorProto::DataType_Parse(name, &parsed)) {
      to = parsed;
    }
  } else {
    to = static_cast<int>(std::clamp<int64_t>(b.intAttr("to"), 0, 1000));
  }
  Type element = elementTypeFromOnnx(to, *b.context());
  if (!element) {
    return b.attrError("to", "a supported element type", "unsupported " + onnxTypeName(to));
  }
  return b.setResult(0, b.cast(b.input(0), element));
}

static LogicalResult importCastLike(NodeBinder &b) {
  return b.setResult(0, b.cast(b.input(0), b.elementType(1)));
}

static LogicalResult importClip(NodeBinder &b) {
  Type element = b.elementType(0);
  Value low = b.input(1), high = b.input(2);
  if (b.version() < 11) {
    low = b.hasAttr("min") ? b.splat(element, b.floatAttr("min")) : Value();
    high = b.hasAttr("max") ? b.splat(element, b.floatAttr("max")) : Value();
  }
  for (Value *bound : {&low, &high}) {
    // Exporters give the bound as a tensor of shape [1].
    if (*bound && b.typeOf(*bound).getRank() != 0 && b.typeOf(*bound).getNumElements() == 1) {
      *bound = b.reshape(*bound, {});
    }
  }
  Value x = b.input(0);
  if (low && high) {
    return b.setResult(0, b.create<ClipOp>({x, low, high}));
  }
  if (low) {
    return b.setResult(0, b.create<MaxOp>({x, low}));
  }
  return b.setResult(0, high ? b.create<MinOp>({x, high}) : x);
}

static LogicalResult importPrelu(NodeBinder &b) {
  Value slope = b.input(1);
  // Before opset 7 the slope has one element per channel.
  if (b.version() < 7 && b.rank(1) == 1 && b.shape(1)[0] != 1 && b.rank(0) > 2) {
    llvm::SmallVector<int64_t> shape(b.rank(0) - 1, 1);
    shape[0] = b.shape(1)[0];
    slope = b.reshape(slope, shape);
  }
  return b.setResult(0, b.create<PreluOp>({b.input(0), slope}));
}

static LogicalResult importLeakyRelu(NodeBinder &b) {
  return b.setResult(
      0, b.create<LeakyReluOp>(b.input(0), b.named("alpha", b.floatAttr("alpha", 0.01))));
}

static LogicalResult importElu(NodeBinder &b) {
  return b.setResult(0, b.create<EluOp>(b.input(0), b.named("alpha", b.floatAttr("alpha", 1.0))));
}

static LogicalResult importSelu(NodeBinder &b) {
  Value elu = b.create<EluOp>(b.input(0), b.named("alpha", b.floatAttr("alpha", 1.67326)));
  Value gamma = b.splat(b.elementType(0), b.floatAttr("gamma", 1.0507));
  return b.setResult(0, b.create<MulOp>({elu, gamma}));
}

static LogicalResult importHardSigmoid(NodeBinder &b) {
  return b.setResult(
      0, b.create<HardSigmoidOp>(b.input(0), {b.named("alpha", b.floatAttr("alpha", 0.2)),
                                              b.named("beta", b.floatAttr("beta", 0.5))}));
}

static LogicalResult importThresholdedRelu(NodeBinder &b) {
  Type element = b.elementType(0);
  Value x = b.input(0);
  Value alpha = b.splat(element, b.floatAttr("alpha", 1.0));
  Value isAbove = b.create<GreaterOp>({x, alpha});
  return b.setResult(0, b.create<SelectOp>({isAbove, x, b.splat(element, 0)}));
}

static LogicalResult importShrink(NodeBinder &b) {
  Type element = b.elementType(0);
  Value x = b.input(0);
  double lambda = b.floatAttr("lambd", 0.5);
  Value bias = b.splat(element, b.floatAttr("bias"));
  Value isLow = b.create<LessOp>({x, b.splat(element, -lambda)});
  Value isHigh = b.create<GreaterOp>({x, b.splat(element, lambda)});
  Value inner = b.create<SelectOp>({isHigh, b.create<SubOp>({x, bias}), b.splat(element, 0)});
  return b.setResult(0, b.create<SelectOp>({isLow, b.create<AddOp>({x, bias}), inner}));
}

static LogicalResult importGelu(NodeBinder &b) {
  FailureOr<unsigned> kind = b.choiceAttr("approximate", {"none", "tanh"}, "none");
  if (failed(kind)) {
    return failure();
  }
  llvm::SmallVector<NamedAttribute> attributes;
  if (*kind == 1) {
    attributes.push_back(b.unit("approximate"));
  }
  return b.setResult(0, b.create<GeluOp>(b.input(0), attributes));
}

static LogicalResult importIsInf(NodeBinder &b) {
  return b.setResult(
      0, b.create<IsInfOp>(b.input(0), {b.named("positive", b.flagAttr("detect_positive", true)),
                                        b.named("negative", b.flagAttr("detect_negative", true))}));
}

static LogicalResult importBitShift(NodeBinder &b) {
  FailureOr<unsigned> direction = b.choiceAttr("direction", {"LEFT", "RIGHT"});
  if (failed(direction)) {
    return failure();
  }
  return *direction == 0 ? importBinary<ShiftLeftOp>(b) : importBinary<ShiftRightOp>(b);
}

static LogicalResult importWhere(NodeBinder &b) {
  return b.setResult(0, b.create<SelectOp>({b.input(0), b.input(1), b.input(2)}));
}

/// Inference only: nothing is dropped.
static LogicalResult importDropout(NodeBinder &b) {
  if (b.version() >= 12 && b.hasInput(2)) {
    FailureOr<int64_t> training = b.constantInt(2);
    if (failed(training)) {
      return failure();
    }
    if (*training) {
      return b.error("unsupported training mode");
    }
  }
  if (b.hasOutput(1)) {
    Type element = b.version() >= 10 ? IntegerType::get(b.context(), 1) : b.elementType(0);
    if (failed(b.setResult(1, b.splat(element, 1, b.shape(0))))) {
      return failure();
    }
  }
  return b.setResult(0, b.input(0));
}

static void registerMath(OpRegistry &ops) {
  ops.add("Abs", 1, importUnary<AbsOp>);
  ops.add("Acos", 1, importUnary<AcosOp>);
  ops.add("Acosh", 1, importUnary<AcoshOp>);
  ops.add("Asin", 1, importUnary<AsinOp>);
  ops.add("Asinh", 1, importUnary<AsinhOp>);
  ops.add("Atan", 1, importUnary<AtanOp>);
  ops.add("Atanh", 1, importUnary<AtanhOp>);
  ops.add("Ceil", 1, importUnary<CeilOp>);
  ops.add("Cos", 1, importUnary<CosOp>);
  ops.add("Cosh", 1, importUnary<CoshOp>);
  ops.add("Erf", 1, importUnary<ErfOp>);
  ops.add("Exp", 1, importUnary<ExpOp>);
  ops.add("Floor", 1, importUnary<FloorOp>);
  ops.add("Log", 1, importUnary<LogOp>);
  ops.add("Neg", 1, importUnary<NegOp>);
  ops.add("Reciprocal", 1, importUnary<ReciprocalOp>);
  ops.add("Round", 1, importUnary<RoundOp>);
  ops.add("Sign", 1, importUnary<SignOp>);
  ops.add("Sin", 1, importUnary<SinOp>);
  ops.add("Sinh", 1, importUnary<SinhOp>);
  ops.add("Sqrt", 1, importUnary<SqrtOp>);
  ops.add("Tan", 1, importUnary<TanOp>);
  ops.add("Tanh", 1, importUnary<TanhOp>);

  ops.add("Add", 1, importBinary<AddOp>);
  ops.add("Div", 1, importBinary<DivOp>);
  ops.add("Max", 1, importVariadic<MaxOp>);
  ops.add("Mean", 1, importMean);
  ops.add("Min", 1, importVariadic<MinOp>);
  ops.add("Mod", 1, importMod);
  ops.add("Mul", 1, importBinary<MulOp>);
  ops.add("Pow", 1, importBinary<PowOp>);
  ops.add("Sub", 1, importBinary<SubOp>);
  ops.add("Sum", 1, importVariadic<AddOp>);
}

static void registerActivations(OpRegistry &ops) {
  ops.add("Clip", 1, importClip);
  ops.add("Elu", 1, importElu);
  ops.add("Gelu", 1, importGelu);
  ops.add("com.microsoft", "Gelu", 1, importGelu);
  ops.add("HardSigmoid", 1, importHardSigmoid);
  ops.add("HardSwish", 1, importUnary<HardSwishOp>);
  ops.add("LeakyRelu", 1, importLeakyRelu);
  ops.add("PRelu", 1, importPrelu);
  ops.add("Relu", 1, importUnary<ReluOp>);
  ops.add("Selu", 1, importSelu);
  ops.add("Shrink", 1, importShrink);
  ops.add("Sigmoid", 1, importUnary<SigmoidOp>);
  ops.add("Softplus", 1, importUnary<SoftplusOp>);
  ops.add("Softsign", 1, importUnary<SoftsignOp>);
  ops.add("ThresholdedRelu", 1, importThresholdedRelu);
}

static void registerLogic(OpRegistry &ops) {
  ops.add("And", 1, importBinary<AndOp>);
  ops.add("BitShift", 1, importBitShift);
  ops.add("BitwiseAnd", 1, importBinary<AndOp>);
  ops.add("BitwiseNot", 1, importUnary<NotOp>);
  ops.add("BitwiseOr", 1, importBinary<OrOp>);
  ops.add("BitwiseXor", 1, importBinary<XorOp>);
  ops.add("Equal", 1, importBinary<EqualOp>);
  ops.add("Greater", 1, importBinary<GreaterOp>);
  ops.add("GreaterOrEqual", 1, importBinary<GreaterEqualOp>);
  ops.add("IsInf", 1, importIsInf);
  ops.add("IsNaN", 1, importUnary<IsNanOp>);
  ops.add("Less", 1, importBinary<LessOp>);
  ops.add("LessOrEqual", 1, importBinary<LessEqualOp>);
  ops.add("Not", 1, importUnary<NotOp>);
  ops.add("Or", 1, importBinary<OrOp>);
  ops.add("Where", 1, importWhere);
  ops.add("Xor", 1, importBinary<XorOp>);
}

void registerElementwiseOps(OpRegistry &ops) {
  registerMath(ops);
  registerActivations(ops);
  registerLogic(ops);
  ops.add("Cast", 1, importCast);
  ops.add("CastLike", 1, importCastLike);
  ops.add("Dropout", 1, importDropout);
  ops.add("Identity", 1, importIdentity);
}

} // namespace modelc
