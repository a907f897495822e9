// ONNX operators on quantized numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Window.h"

#include "frontend/onnx/TensorData.h"

using namespace mlir;

namespace modelc {

/// A scale or zero point in a shape that broadcasts to `like`: one value, one
/// per index of `axis`, or one per block along `axis`.
static Value spread(NodeBinder &b, Value value, Value like, int64_t axis) {
  if (!value || !like) {
    return {};
  }
  llvm::ArrayRef<int64_t> shape = b.shapeOf(value), target = b.shapeOf(like);
  if (b.typeOf(value).getNumElements() == 1 && shape.size() <= 1) {
    return b.reshape(value, {});
  }
  if (axis < -static_cast<int64_t>(target.size()) || axis >= static_cast<int64_t>(target.size())) {
    (void)b.error("axis " + llvm::Twine(axis) + " is out of range");
    return {};
  }
  axis += axis < 0 ? target.size() : 0;
  if (shape.size() == 1) {
    llvm::SmallVector<int64_t> wide(target.size(), 1);
    wide[axis] = shape[0];
    return b.reshape(value, wide);
  }
  // Blocks: each value holds for `size` neighbours along the axis.
  if (shape.size() != target.size() || shape[axis] == 0) {
    (void)b.error("the scale has rank " + llvm::Twine(shape.size()) + " for data of rank " +
                  llvm::Twine(target.size()));
    return {};
  }
  int64_t size = b.intAttr("block_size");
  if (size <= 0) {
    size = (target[axis] + shape[axis] - 1) / shape[axis];
  }
  if (size == 1 || shape[axis] == target[axis]) {
    return value;
  }
  if (size > INT32_MAX || shape[axis] > INT32_MAX) {
    (void)b.error("the blocks are too large");
    return {};
  }
  llvm::SmallVector<int64_t> split(shape), repeated, joined(shape);
  split.insert(split.begin() + axis + 1, 1);
  repeated = split;
  repeated[axis + 1] = size;
  joined[axis] *= size;
  Value all =
      b.reshape(b.create<BroadcastOp>(b.reshape(value, split), b.named("shape", repeated)), joined);
  if (joined[axis] == target[axis]) {
    return all;
  }
  llvm::SmallVector<int64_t> starts(target.size(), 0), sizes(joined), steps(target.size(), 1);
  sizes[axis] = target[axis];
  return b.create<SliceOp>(
      all, {b.named("starts", starts), b.named("sizes", sizes), b.named("steps", steps)});
}

static LogicalResult importQuantize(NodeBinder &b) {
  if (!b.hasInput(0) || !b.hasInput(1)) {
    return b.error("expected data and scale");
  }
  int64_t axis = b.intAttr("axis", 1);
  Value x = b.input(0), scale = spread(b, b.input(1), x, axis);
  Value zero;
  if (b.hasInput(2)) {
    zero = spread(b, b.input(2), x, axis);
  } else {
    int dtype = static_cast<int>(std::clamp<int64_t>(b.intAttr("output_dtype"), 0, 1000));
    Type element = elementTypeFromOnnx(dtype ? dtype : onnx::TensorProto::UINT8, *b.context());
    if (!element) {
      return b.attrError("output_dtype", "a supported element type",
                         "unsupported " + onnxTypeName(dtype));
    }
    zero = b.splat(element, 0);
  }
  if (zero && !isa<IntegerType>(b.typeOf(zero).getElementType())) {
    return b.error("unsupported quantization to floats");
  }
  return b.setResult(0, b.create<QuantizeOp>({x, scale, zero}));
}

/// A zero point as `spread` does, or 0 in the element type of `x`.
static Value zeroPoint(NodeBinder &b, unsigned i, Value x, int64_t axis) {
  return b.hasInput(i) ? spread(b, b.input(i), x, axis) : b.splat(b.typeOf(x).getElementType(), 0);
}

static LogicalResult importDequantize(NodeBinder &b) {
  if (!b.hasInput(0) || !b.hasInput(1)) {
    return b.error("expected data and scale");
  }
  int64_t axis = b.intAttr("axis", 1);
  Value x = b.input(0);
  Value result =
      b.create<DequantizeOp>({x, spread(b, b.input(1), x, axis), zeroPoint(b, 2, x, axis)});
  if (b.hasAttr("output_dtype") && b.intAttr("output_dtype") != 0) {
    int dtype = static_cast<int>(std::clamp<int64_t>(b.intAttr("output_dtype"), 0, 1000));
    Type element = elementTypeFromOnnx(dtype, *b.context());
    if (!element) {
      return b.attrError("output_dtype", "a supported element type",
                         "unsupported " + onnxTypeName(dtype));
    }
    result = b.cast(result, element);
  }
  return b.setResult(0, result);
}

//===----------------------------------------------------------------------===//
// Integer products
//===----------------------------------------------------------------------===//

/// `x - zero point` in i32.
static Value centered(NodeBinder &b, Value x, Value zero) {
  Type i32 = IntegerType::get(b.context(), 32);
  Value wide = b.cast(x, i32);
  return zero ? b.create<SubOp>({wide, b.cast(zero, i32)}) : wide;
}

/// A parameter of a matrix operand: one value, or one per row (`perRow`) or
/// per column.
static Value matrixParameter(NodeBinder &b, unsigned i, bool perRow) {
  Value value = b.input(i);
  if (!value) {
    return {};
  }
  llvm::SmallVector<int64_t> shape(b.shape(i));
  if (b.type(i).getNumElements() == 1) {
    shape.clear();
  } else if (shape.size() == 1 && perRow) {
    shape.push_back(1);
  }
  return b.reshape(value, shape);
}

static Value integerMatmul(NodeBinder &b, unsigned x, unsigned xZero, unsigned y, unsigned yZero) {
  return b.create<MatmulOp>({centered(b, b.input(x), matrixParameter(b, xZero, /*perRow=*/true)),
                             centered(b, b.input(y), matrixParameter(b, yZero, /*perRow=*/false))});
}

static LogicalResult importMatmulInteger(NodeBinder &b) {
  return b.setResult(0, integerMatmul(b, 0, 2, 1, 3));
}

/// The quantized form of an i32 sum: `sum * scales`, then as `quantize`.
static Value requantize(NodeBinder &b, Value sum, Value scales, Value yScale, Value yZero) {
  if (!scales) {
    return {};
  }
  Value real = b.create<MulOp>({b.cast(sum, b.typeOf(scales).getElementType()), scales});
  return b.create<QuantizeOp>({real, yScale, yZero});
}

static LogicalResult importQLinearMatmul(NodeBinder &b) {
  Value sum = integerMatmul(b, 0, 2, 3, 5);
  Value scales = b.create<MulOp>(
      {matrixParameter(b, 1, /*perRow=*/true), matrixParameter(b, 4, /*perRow=*/false)});
  return b.setResult(0, requantize(b, sum, scales, matrixParameter(b, 6, /*perRow=*/true),
                                   matrixParameter(b, 7, /*perRow=*/true)));
}

/// Convolution of centered integers, with the attributes of the node.
static Value integerConv(NodeBinder &b, Value x, Value weights, Value bias) {
  if (!x || !weights) {
    return {};
  }
  llvm::ArrayRef<int64_t> data = b.shapeOf(x), kernel = b.shapeOf(weights);
  if (data.size() < 3 || data.size() != kernel.size()) {
    (void)b.error("expected input and weights of the same rank, at least 3");
    return {};
  }
  FailureOr<Window> window = readWindow(b, data.size() - 2, kernel.drop_front(2));
  FailureOr<AutoPad> autoPad = readAutoPad(b);
  if (failed(window) || failed(autoPad)) {
    return {};
  }
  applyAutoPad(*autoPad, data.drop_front(2), *window);
  llvm::SmallVector<Value> operands = {x, weights};
  if (bias) {
    operands.push_back(bias);
  }
  return b.create<ConvOp>(
      operands, {b.named("strides", window->strides), b.named("dilations", window->dilations),
                 b.named("pads_begin", window->padsBegin), b.named("pads_end", window->padsEnd),
                 b.named("groups", b.intAttr("group", 1))});
}

static LogicalResult importConvInteger(NodeBinder &b) {
  Value x = centered(b, b.input(0), zeroPoint(b, 2, b.input(0), 0));
  Value weights = centered(b, b.input(1), zeroPoint(b, 3, b.input(1), 0));
  return b.setResult(0, integerConv(b, x, weights, {}));
}

static LogicalResult importQLinearConv(NodeBinder &b) {
  Value x = centered(b, b.input(0), spread(b, b.input(2), b.input(0), 0));
  Value weights = centered(b, b.input(3), spread(b, b.input(5), b.input(3), 0));
  Value sum = integerConv(b, x, weights, b.input(8));
  if (!sum) {
    return failure();
  }
  // Scales of the weights are per output channel: dimension 1 of the sum.
  Value scales = b.create<MulOp>({spread(b, b.input(1), sum, 1), spread(b, b.input(4), sum, 1)});
  return b.setResult(
      0, requantize(b, sum, scales, spread(b, b.input(6), sum, 1), spread(b, b.input(7), sum, 1)));
}

//===----------------------------------------------------------------------===//
// com.microsoft: real functions between dequantize and quantize
//===----------------------------------------------------------------------===//

/// Operand `i` with scale and zero point behind it, as real numbers.
static Value real(NodeBinder &b, unsigned i) {
  if (!b.hasInput(i) || !b.hasInput(i + 1)) {
    (void)b.error("expected data and scale as operands " + llvm::Twine(i) + " and " +
                  llvm::Twine(i + 1));
    return {};
  }
  Value x = b.input(i);
  return b.create<DequantizeOp>({x, spread(b, b.input(i + 1), x, 0), zeroPoint(b, i + 2, x, 0)});
}

/// `value` with the scale in operand `i` and the zero point behind it, in the
/// element type of the first operand.
static Value quantized(NodeBinder &b, Value value, unsigned i) {
  if (!value || !b.hasInput(i)) {
    (void)b.error("expected a scale as operand " + llvm::Twine(i));
    return {};
  }
  return b.create<QuantizeOp>(
      {value, spread(b, b.input(i), value, 0), zeroPoint(b, i + 1, b.input(0), 0)});
}

template <typename OpTy> static LogicalResult importQLinearBinary(NodeBinder &b) {
  return b.setResult(0, quantized(b, b.create<OpTy>({real(b, 0), real(b, 3)}), 6));
}

static LogicalResult importQLinearSigmoid(NodeBinder &b) {
  return b.setResult(0, quantized(b, b.create<SigmoidOp>(real(b, 0)), 3));
}

static LogicalResult importQLinearLeakyRelu(NodeBinder &b) {
  return b.setResult(
      0,
      quantized(b, b.create<LeakyReluOp>(real(b, 0), b.named("alpha", b.floatAttr("alpha", 0.01))),
                3));
}

static LogicalResult importQLinearGlobalAveragePool(NodeBinder &b) {
  Value x = real(b, 0);
  if (!x) {
    return failure();
  }
  llvm::SmallVector<int64_t> axes;
  int64_t rank = b.rank(0);
  bool isLast = b.flagAttr("channels_last");
  for (int64_t axis = isLast ? 1 : 2; axis < rank - (isLast ? 1 : 0); ++axis) {
    axes.push_back(axis);
  }
  Value mean =
      b.create<ReduceOp>(x, {b.named("kind", ReduceKindAttr::get(b.context(), ReduceKind::Mean)),
                             b.named("axes", axes), b.named("keep_dims", true)});
  return b.setResult(0, quantized(b, mean, 3));
}

void registerQuantOps(OpRegistry &ops) {
  ops.add("ConvInteger", 1, importConvInteger);
  ops.add("DequantizeLinear", 1, importDequantize);
  ops.add("MatMulInteger", 1, importMatmulInteger);
  ops.add("QLinearConv", 1, importQLinearConv);
  ops.add("QLinearMatMul", 1, importQLinearMatmul);
  ops.add("QuantizeLinear", 1, importQuantize);
  llvm::StringRef microsoft = "com.microsoft";
  ops.add(microsoft, "DequantizeLinear", 1, importDequantize);
  ops.add(microsoft, "QLinearAdd", 1, importQLinearBinary<AddOp>);
  ops.add(microsoft, "QLinearGlobalAveragePool", 1, importQLinearGlobalAveragePool);
  ops.add(microsoft, "QLinearLeakyRelu", 1, importQLinearLeakyRelu);
  ops.add(microsoft, "QLinearMul", 1, importQLinearBinary<MulOp>);
  ops.add(microsoft, "QLinearSigmoid", 1, importQLinearSigmoid);
  ops.add(microsoft, "QuantizeLinear", 1, importQuantize);
}

} // namespace modelc
