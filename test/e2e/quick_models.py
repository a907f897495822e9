"""Small models for the quick tier: every group of operators at sizes that are odd on purpose.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import onnx
import onnx.parser

from case import Case

BOTH = ("native", "cortex-a53")
ALL = ("native", "cortex-a53", "cortex-m4")


@dataclass(frozen=True)
class Text:
    """A model in ONNX's text syntax; `weights` are drawn at random, about 1/sqrt(fan-in) in size."""

    graph: str
    weights: dict[str, tuple[int, ...]] = field(default_factory=dict)
    constants: dict[str, list] = field(default_factory=dict)  # int64
    states: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, list[float]] = field(default_factory=dict)
    steps: int = 2
    targets: tuple[str, ...] = BOTH
    opset: int = 17


MODELS = {
    "elementwise": Text(
        """(float[3,5,7] x, float[5,1] y) => (float[?,?,?] a, float[?,?,?] b, float[?,?,?] c, float[?,?,?] d) {
             s = Sub(x, y)
             p = Abs(s)
             q = Sqrt(p)
             e = Exp(y)
             t = Tanh(x)
             g = Sigmoid(s)
             m = Mul(t, g)
             a = Add(m, e)
             f = Floor(x)
             r = Round(s)
             n = Neg(f)
             h = Max(n, r, x)
             i = Min(h, y)
             l = LeakyRelu<alpha = 0.1>(i)
             b = Erf(l)
             one = Constant<value = float {1.0}>()
             u = Add(p, one)
             v = Log(u)
             w = Div(v, u)
             two = Constant<value = float {2.0}>()
             c = Pow(w, two)
             z = Elu(x)
             o = Softplus(z)
             k = HardSigmoid(o)
             d = Clip(k, , one)
           }""",
        targets=ALL,
    ),
    "trigonometry": Text(
        """(float[31] x) => (float[31] a, float[31] b, float[31] c, float[31] d) {
             a = Sin(x)
             b = Cos(x)
             c = Atan(x)
             e = Abs(x)
             d = Reciprocal(e)
           }"""
    ),
    "logic": Text(
        """(float[4,9] x, float[9] y, bool[4,1] m) => (float[?,?] a, bool[?,?] b, int32[?,?] c) {
             g = Greater(x, y)
             n = Not(m)
             o = Or(g, n)
             b = Xor(o, m)
             a = Where(b, x, y)
             c = Cast<to = 6>(x)
           }""",
        targets=ALL,
    ),
    "integers": Text(
        """(int32[5,7] x, int32[7] y, int64[5,1] z) => (int32[?,?] a, int64[?,?] b, float[?,?] c) {
             s = Add(x, y)
             p = Mul(s, x)
             one = Constant<value = int32 {3}>()
             a = Div(p, one)
             l = Cast<to = 7>(s)
             b = Sub(l, z)
             c = Cast<to = 1>(b)
           }""",
        inputs={"x": [-50, 50], "y": [-9, 9], "z": [-9, 9]},
    ),
    "transform_512": Text(
        """(float[1,512,1] x) => (float[?,?,?] y) {
             y = DFT<axis = 1, onesided = 1>(x)
           }""",
        targets=ALL,
    ),
    "matmul": Text(
        """(float[2,13,37] x, float[1,37] v) => (float[?,?,?] a, float[?,?] b) {
             p = MatMul(x, w)
             q = Add(p, bias)
             a = Relu(q)
             b = Gemm<transB = 1, alpha = 0.5>(v, w2, bias2)
           }""",
        weights={"w": (37, 29), "bias": (29,), "w2": (21, 37), "bias2": (21,)},
        targets=ALL,
    ),
    "matmul_two_inputs": Text(
        """(float[3,7,11] x, float[3,11,5] y) => (float[?,?,?] a, float[?,?,?] b) {
             a = MatMul(x, y)
             b = Einsum<equation = "bij,bjk->bki">(x, y)
           }"""
    ),
    "convolution": Text(
        """(float[1,3,19,23] x) => (float[?,?,?,?] y) {
             a = Conv<kernel_shape = [3, 3], pads = [1, 0, 2, 1], strides = [2, 1]>(x, w1, b1)
             n = BatchNormalization(a, scale, shift, mean, variance)
             r = Relu(n)
             d = Conv<kernel_shape = [3, 3], pads = [2, 2, 2, 2], dilations = [2, 2], group = 10>(r, w2)
             p = PRelu(d, slope)
             y = Conv<kernel_shape = [1, 1]>(p, w3, b3)
           }""",
        weights={
            "w1": (10, 3, 3, 3), "b1": (10,), "scale": (10,), "shift": (10,), "mean": (10,), "variance": (10,),
            "w2": (10, 1, 3, 3), "slope": (10, 1, 1), "w3": (7, 10, 1, 1), "b3": (7,),
        },
        targets=ALL,
    ),
    "convolution_groups_1d": Text(
        """(float[2,6,17] x) => (float[?,?,?] y, float[?,?,?] z) {
             y = Conv<kernel_shape = [5], group = 3, auto_pad = "SAME_UPPER", strides = [2]>(x, w)
             z = ConvTranspose<kernel_shape = [4], strides = [2], pads = [1, 0], output_padding = [1]>(x, t, b)
           }""",
        weights={"w": (9, 2, 5), "t": (6, 5, 4), "b": (5,)},
    ),
    "convolution_transposed": Text(
        """(float[1,6,5,9] x) => (float[?,?,?,?] y) {
             y = ConvTranspose<kernel_shape = [3, 3], strides = [1, 2], pads = [0, 1, 1, 1], group = 2>(x, t)
           }""",
        weights={"t": (6, 4, 3, 3)},
    ),
    "pooling": Text(
        """(float[1,3,13,11] x) => (float[?,?,?,?] a, float[?,?,?,?] b, float[?,?,?,?] c, float[?,?,?,?] d) {
             a = MaxPool<kernel_shape = [3, 2], strides = [2, 2], pads = [1, 0, 1, 1], ceil_mode = 1>(x)
             b = AveragePool<kernel_shape = [3, 3], strides = [2, 1], pads = [1, 1, 1, 1]>(x)
             c = GlobalAveragePool(x)
             d = GlobalMaxPool(x)
           }""",
        targets=ALL,
    ),
    "reductions": Text(
        """(float[3,5,37] x) => (float[?,?,?] a, float[?,?,?] b, float[?,?] c, float[?,?,?] d, int64[?,?,?] e) {
             a = ReduceMean<axes = [2]>(x)
             b = ReduceMax<axes = [0]>(x)
             c = ReduceL2<axes = [1], keepdims = 0>(x)
             d = ReduceSum(x, axes)
             e = ArgMax<axis = 2>(x)
           }""",
        constants={"axes": [0, 2]},
    ),
    "normalization": Text(
        """(float[3,5,37] x) => (float[?,?,?] a, float[?,?,?] b, float[?,?,?] c) {
             a = Softmax<axis = 2>(x)
             b = Softmax<axis = 1>(x)
             c = LayerNormalization<axis = -1>(x, scale, shift)
           }""",
        weights={"scale": (37,), "shift": (37,)},
        targets=ALL,
    ),
    "instance_norm": Text(
        """(float[2,3,7,5] x) => (float[?,?,?,?] a, float[?,?,?,?] b) {
             a = InstanceNormalization(x, scale, shift)
             b = LogSoftmax<axis = 3>(x)
           }""",
        weights={"scale": (3,), "shift": (3,)},
    ),
    "shapes": Text(
        """(float[2,6,7] x) => (float[?,?,?] a, float[?,?,?] b, float[?,?,?] c, float[?,?] d) {
             t = Transpose<perm = [2, 0, 1]>(x)
             s = Shape(x)
             one = Constant<value_int = 1>()
             n = Gather(s, one)
             minus = Constant<value_ints = [-1]>()
             zero = Constant<value_int = 0>()
             axis = Constant<value_ints = [0]>()
             u = Unsqueeze(n, axis)
             shape = Concat<axis = 0>(u, minus)
             d = Reshape(t, shape)
             l, r = Split<axis = 1, num_outputs = 2>(x)
             a = Concat<axis = 2>(r, l)
             b = Slice(x, starts, ends, axes, steps)
             c = Pad<mode = "reflect">(x, pads)
           }""",
        constants={"starts": [-1, 1], "ends": [-100, 6], "axes": [1, 2], "steps": [-2, 2], "pads": [0, 2, 0, 0, 1, 3]},
        opset=18,
        targets=ALL,
    ),
    "gather_scatter": Text(
        """(float[5,7] x, float[2,7] u, int64[3] i) => (float[?,?] a, float[?,?] b, float[?,?] c, float[?,?] d) {
             a = Gather<axis = 0>(x, i)
             b = ScatterND(x, where, u)
             e = Expand(i, tall)
             c = GatherElements<axis = 1>(x, e)
             d = Tile(u, twice)
           }""",
        constants={"where": [[3], [1]], "tall": [5, 3], "twice": [2, 3]},
        inputs={"i": [0, 5]},
        opset=16,
    ),
    "resize": Text(
        """(float[1,2,5,7] x) => (float[?,?,?,?] a, float[?,?,?,?] b, float[?,?,?,?] c) {
             f = Constant<value_floats = [1.0, 1.0, 2.0, 2.0]>()
             a = Resize<mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">(x, , f)
             b = Resize<mode = "linear", coordinate_transformation_mode = "align_corners">(x, , , sizes)
             y = Concat<axis = 1>(x, x)
             c = DepthToSpace<blocksize = 2, mode = "CRD">(y)
           }""",
        constants={"sizes": [1, 2, 9, 11]},
        opset=13,
    ),
    "gru": Text(
        """(float[3,1,9] x, float[1,1,13] h) => (float[?,?,?,?] y, float[1,1,13] h_out) {
             y, h_out = GRU<hidden_size = 13, linear_before_reset = 1>(x, w, r, b, , h)
           }""",
        weights={"w": (1, 39, 9), "r": (1, 39, 13), "b": (1, 78)},
        states={"h_out": "h"},
        steps=20,
        targets=ALL,
    ),
    "lstm_bidirectional": Text(
        """(float[5,2,6] x) => (float[?,?,?,?] y, float[2,2,7] h, float[2,2,7] c) {
             y, h, c = LSTM<hidden_size = 7, direction = "bidirectional">(x, w, r, b)
           }""",
        weights={"w": (2, 28, 6), "r": (2, 28, 7), "b": (2, 56)},
    ),
    "streaming_convolution": Text(
        """(float[1,4,3] x, float[1,4,6] cache) => (float[?,?,?] y, float[1,4,6] cache_out) {
             joined = Concat<axis = 2>(cache, x)
             y = Conv<kernel_shape = [4], dilations = [2]>(joined, w, b)
             cache_out = Slice(joined, starts, ends, axes)
           }""",
        weights={"w": (5, 4, 4), "b": (5,)},
        constants={"starts": [-6], "ends": [1000], "axes": [2]},
        states={"cache_out": "cache"},
        steps=20,
        targets=ALL,
    ),
    "quantized": Text(
        """(float[3,21] x) => (uint8[?,?] q, float[?,?] y) {
             s = Constant<value = float {0.05}>()
             z = Constant<value = uint8 {128}>()
             q = QuantizeLinear(x, s, z)
             y = DequantizeLinear(q, s, z)
           }"""
    ),
}


def _initializer(name: str, shape: tuple[int, ...], generator: numpy.random.Generator) -> onnx.TensorProto:
    fan_in = numpy.prod(shape[1:]) if len(shape) > 1 else 1
    values = generator.standard_normal(shape) / numpy.sqrt(max(fan_in, 1))
    if name == "variance":
        values = numpy.abs(values) + 0.5
    return onnx.numpy_helper.from_array(values.astype(numpy.float32), name)


def _model(name: str, text: Text) -> onnx.ModelProto:
    header = f'<ir_version: 8, opset_import: ["" : {text.opset}]>'
    model = onnx.parser.parse_model(f"{header}\n{name} {text.graph}")
    generator = numpy.random.default_rng(zlib.crc32(name.encode()))
    for weight, shape in text.weights.items():
        model.graph.initializer.append(_initializer(weight, shape, generator))
    for constant, values in text.constants.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.array(values, numpy.int64), constant))
    return model


def write_models(directory: Path) -> list[Case]:
    """Writes every model below `directory` and returns the cases that use them."""
    directory.mkdir(parents=True, exist_ok=True)
    cases = []
    for name, text in MODELS.items():
        path = directory / f"{name}.onnx"
        onnx.save(_model(name, text), str(path))
        cases.append(
            Case(name, path, steps=text.steps, states=text.states, inputs=text.inputs, targets=text.targets)
        )
    return cases
