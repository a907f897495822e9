"""Offline models made streaming: what comes out hop by hop is what the offline model gives, from the first sample.

Each model runs over two streams with a reset between them; onnxruntime computes the same recording at once. A variant
that is not causal is refused, with the reason.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from case import Mismatch
from compiler import CompileError, compile_model
from native import Rig

TOLERANCE = 1e-5  # of the range: sums may have another order


class Graph:
    """Builds a model with random weights, the same on every machine."""

    def __init__(self, name: str):
        self.generator = numpy.random.default_rng(zlib.crc32(name.encode()))
        self.nodes: list[onnx.NodeProto] = []
        self.values: list[onnx.TensorProto] = []

    def constant(self, value, dtype=numpy.int64) -> str:
        name = f"c{len(self.values)}"
        self.values.append(numpy_helper.from_array(numpy.asarray(value, dtype), name))
        return name

    def weight(self, *shape: int) -> str:
        fan_in = numpy.prod(shape[1:]) if len(shape) > 1 else 4
        return self.constant(self.generator.standard_normal(shape) / numpy.sqrt(fan_in), numpy.float32)

    def add(self, operator: str, *inputs: str, outputs: int = 1, **attributes) -> str:
        """Returns the name of the first output."""
        number = len(self.nodes)
        names = [f"{operator.lower()}{number}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, f"{operator}_{number}", **attributes))
        return names[0]

    def conv(self, x: str, outputs: int, inputs: int, *kernel: int, **attributes) -> str:
        return self.add("Conv", x, self.weight(outputs, inputs, *kernel), self.weight(outputs), **attributes)

    def model(self, shape: Sequence[int | str], result: str) -> onnx.ModelProto:
        self.nodes.append(helper.make_node("Identity", [result], ["y"]))
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "streaming", [x], [y], self.values)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("modelc", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def dilated_convolutions(g: Graph) -> tuple[Sequence, str]:
    x = "x"
    for dilation in (1, 2, 4):
        x = g.conv(x, 8, 8 if dilation > 1 else 3, 3, pads=[2 * dilation, 0], dilations=[dilation])
        x = g.add("Relu", x)
    return [1, 3, "time"], g.conv(x, 2, 8, 1)


def padded_residuals(g: Graph) -> tuple[Sequence, str]:
    x = "x"
    for dilation in (1, 2, 4):
        padded = g.add("Pad", x, g.constant([0, 0, 2 * dilation, 0, 0, 0]))
        y = g.conv(padded, 3, 3, 3, dilations=[dilation])
        x = g.add("Add", g.add("PRelu", y, g.weight(3, 1)), x)
    return [1, 3, "time"], x


def cropped_convolution(g: Graph) -> tuple[Sequence, str]:
    y = g.conv("x", 3, 3, 5, pads=[4, 4])
    y = g.add("Slice", y, g.constant([0]), g.constant([-4]), g.constant([2]))
    return [1, 3, "time"], g.add("Sigmoid", y)


def u_net(g: Graph) -> tuple[Sequence, str]:
    half = g.add("Relu", g.conv("x", 4, 2, 4, pads=[3, 0], strides=[2]))
    quarter = g.add("Tanh", g.conv(half, 8, 4, 4, pads=[3, 0], strides=[2]))
    up = g.add("ConvTranspose", quarter, g.weight(8, 4, 2), g.weight(4), strides=[2])
    up = g.add("Add", up, half)
    up = g.add("ConvTranspose", up, g.weight(4, 2, 4), g.weight(2), strides=[2])
    up = g.add("Slice", up, g.constant([0]), g.constant([-2]), g.constant([2]))
    return [1, 2, "time"], g.add("Add", up, "x")


def recurrent_stack(g: Graph) -> tuple[Sequence, str]:
    x = g.add("Transpose", "x", perm=[2, 0, 1])
    x = g.add(
        "GRU",
        x,
        g.weight(1, 24, 3),
        g.weight(1, 24, 8),
        g.weight(1, 48),
        outputs=2,
        hidden_size=8,
        linear_before_reset=1,
    )
    x = g.add("Squeeze", x, g.constant([1]))
    x = g.add("LSTM", x, g.weight(1, 32, 8), g.weight(1, 32, 8), g.weight(1, 64), outputs=3, hidden_size=8)
    x = g.add("MatMul", g.add("Squeeze", x, g.constant([1])), g.weight(8, 3))
    return [1, 3, "time"], g.add("Transpose", x, perm=[1, 2, 0])


def half_rate(g: Graph) -> tuple[Sequence, str]:
    half = g.add("AveragePool", "x", kernel_shape=[2], strides=[2])
    half = g.conv(half, 3, 3, 3, pads=[2, 0])
    scales = g.constant([1, 1, 2], numpy.float32)
    mode = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    up = g.add("Resize", half, "", scales, mode="nearest", **mode)
    return [1, 3, "time"], g.add("Add", up, "x")


def frames_and_totals(g: Graph) -> tuple[Sequence, str]:
    frames = g.add("Reshape", "x", g.constant([1, -1, 16]))
    y = g.add("Softmax", g.add("MatMul", frames, g.weight(16, 16)), axis=-1)
    y = g.add("LayerNormalization", y, g.weight(16), g.weight(16), axis=-1)
    y = g.add("Mul", g.add("CumSum", y, g.constant(1)), g.constant(0.01, numpy.float32))
    return [1, 1, "time"], g.add("Reshape", y, g.constant([1, 1, -1]))


def spectrogram_convolutions(g: Graph) -> tuple[Sequence, str]:
    x = g.add("Relu", g.conv("x", 4, 2, 3, 3, pads=[2, 1, 0, 1]))
    x = g.conv(x, 4, 1, 3, 3, pads=[4, 1, 0, 1], dilations=[2, 1], group=4)
    x = g.add("Reshape", g.add("Transpose", x, perm=[0, 2, 1, 3]), g.constant([1, -1, 36]))
    return [1, 2, "time", 9], g.add("Einsum", x, g.weight(36, 5), equation="btc,cd->btd")


def symmetric_convolutions(g: Graph) -> tuple[Sequence, str]:
    x = "x"
    for _ in range(3):
        x = g.add("Sigmoid", g.conv(x, 4, 4, 5, pads=[2, 2]))
    return [1, 4, "time"], x


def symmetric_u_net(g: Graph) -> tuple[Sequence, str]:
    half = g.add("Relu", g.conv("x", 4, 2, 4, pads=[1, 1], strides=[2]))
    up = g.add("ConvTranspose", half, g.weight(4, 2, 4), g.weight(2), strides=[2], pads=[1, 1])
    return [1, 2, "time"], g.add("Add", g.add("Sigmoid", up), "x")


def delayed_recurrence(g: Graph) -> tuple[Sequence, str]:
    x = g.add("Transpose", g.conv("x", 3, 3, 5, pads=[2, 2]), perm=[2, 0, 1])
    x = g.add("GRU", x, g.weight(1, 24, 3), g.weight(1, 24, 8), g.weight(1, 48), outputs=2, hidden_size=8)
    x = g.add("Transpose", g.add("Squeeze", x, g.constant([1])), perm=[1, 2, 0])
    return [1, 3, "time"], g.add("Add", g.conv(x, 3, 8, 3, pads=[1, 1]), "x")


def strided_behind_padding(g: Graph) -> tuple[Sequence, str]:
    padded = g.add("Pad", "x", g.constant([0, 0, 4, 0, 0, 0]))
    ends = g.constant([0]), g.constant([2**31]), g.constant([2]), g.constant([2])
    return [1, 3, "time"], g.conv(g.add("Slice", padded, *ends), 3, 3, 3, pads=[2, 0])


def cropped_then_padded(g: Graph) -> tuple[Sequence, str]:
    y = g.add("Slice", "x", g.constant([0]), g.constant([-3]), g.constant([2]))
    return [1, 3, "time"], g.conv(y, 3, 3, 5, pads=[2, 2])


def cropped_then_transposed(g: Graph) -> tuple[Sequence, str]:
    y = g.add("Slice", "x", g.constant([0]), g.constant([-3]), g.constant([2]))
    return [1, 3, "time"], g.add("ConvTranspose", y, g.weight(3, 2, 5), g.weight(2), strides=[2], pads=[2, 0])


def longer_than_the_stream(g: Graph) -> tuple[Sequence, str]:
    return [1, 3, "time"], g.conv(g.conv("x", 4, 3, 5, pads=[4, 4]), 2, 4, 4, pads=[3, 3])


def vector_products(g: Graph) -> tuple[Sequence, str]:
    columns = g.add("MatMul", "x", g.weight(4))
    rows = g.add("MatMul", g.weight(3), "x")
    return [1, "time", 3, 4], g.add("Concat", columns, rows, axis=2)


def integer_maxima(g: Graph) -> tuple[Sequence, str]:
    scaled = g.add("Sub", g.add("Mul", g.add("Tanh", "x"), g.constant(40, numpy.float32)), g.constant(60, numpy.float32))
    y = g.add("MaxPool", g.add("Cast", scaled, to=TensorProto.INT8), kernel_shape=[3], pads=[2, 0])
    return [1, 3, "time"], g.add("Cast", y, to=TensorProto.FLOAT)


def mean_over_time(g: Graph) -> tuple[Sequence, str]:
    return [1, 3, "time"], g.add("Sub", "x", g.add("ReduceMean", "x", axes=[2], keepdims=1))


def backwards(g: Graph) -> tuple[Sequence, str]:
    x = g.add("Transpose", "x", perm=[2, 0, 1])
    weights = g.weight(2, 12, 3), g.weight(2, 12, 4), g.weight(2, 24)
    x = g.add("GRU", x, *weights, outputs=2, hidden_size=4, direction="bidirectional")
    return [1, 3, "time"], x


def attention_over_time(g: Graph) -> tuple[Sequence, str]:
    scores = g.add("Softmax", g.add("MatMul", g.add("Transpose", "x", perm=[0, 2, 1]), "x"), axis=-1)
    return [1, 3, "time"], g.add("MatMul", "x", scores)


FRAME, STEP = 32, 8


def spectral_gains(g: Graph) -> tuple[Sequence, str]:
    return _spectral_gains(g, _hann(), "constant")


def reflected_spectral_gains(g: Graph) -> tuple[Sequence, str]:
    return _spectral_gains(g, _hann(), "reflect")


def reflected_hamming_frames(g: Graph) -> tuple[Sequence, str]:
    """The first sample of the first frame counts: it is known only when its mirror image has come."""
    return _spectral_gains(g, _hamming(), "reflect")


def repeated_edge_frames(g: Graph) -> tuple[Sequence, str]:
    return _spectral_gains(g, _hamming(), "replicate")


def _spectral_gains(g: Graph, values: numpy.ndarray, pad_mode: str) -> tuple[Sequence, str]:
    frames = {"domain": "modelc", "n_fft": FRAME, "hop_length": STEP}
    window = g.constant(values, numpy.float32)
    spectrum = g.add("STFT", "x", window, pad_mode=pad_mode, **frames)
    spectrum = g.add("Tanh", g.add("Mul", spectrum, g.constant(_gains(), numpy.float32)))
    return [1, "time"], g.add("ISTFT", spectrum, window, **frames)


def _hann() -> numpy.ndarray:
    return 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(FRAME) / FRAME)


def _hamming() -> numpy.ndarray:
    return 0.54 - 0.46 * numpy.cos(2 * numpy.pi * numpy.arange(FRAME) / FRAME)


def _gains() -> numpy.ndarray:
    return numpy.linspace(0.2, 1, FRAME // 2 + 1)[:, None, None]


def _reference(window: numpy.ndarray, pad_mode: str, x: numpy.ndarray) -> numpy.ndarray:
    """torch.stft with centred frames, the same gains, torch.istft; in double precision."""
    padded = numpy.pad(x[0].astype(numpy.float64), FRAME // 2, pad_mode)
    total, weight = numpy.zeros(len(padded)), numpy.zeros(len(padded))
    for start in range(0, len(padded) - FRAME + 1, STEP):
        place = slice(start, start + FRAME)
        spectrum = numpy.fft.rfft(padded[place] * window) * _gains()[:, 0, 0]
        spectrum = numpy.tanh(spectrum.real) + 1j * numpy.tanh(spectrum.imag)
        total[place] += numpy.fft.irfft(spectrum) * window
        weight[place] += window**2
    inside = slice(FRAME // 2, len(padded) - FRAME // 2)
    return (total[inside] / weight[inside])[None]


def reflected_convolutions(g: Graph) -> tuple[Sequence, str]:
    """Mirrored samples under windows that reach less far than the padding, and behind other operators."""
    y = g.add("Pad", "x", g.constant([0, 0, 3, 0, 0, 3]), mode="reflect")
    y = g.add("Pad", g.add("Tanh", g.conv(y, 4, 3, 7)), g.constant([0, 0, 4, 0, 0, 4]), mode="reflect")
    y = g.add("MaxPool", y, kernel_shape=[3])
    y = g.add("Pad", y, g.constant([0, 0, 5, 0, 0, 1]), mode="edge")
    return [1, 3, "time"], g.conv(g.add("Sigmoid", y), 3, 4, 13)


def reflected_spectrogram(g: Graph) -> tuple[Sequence, str]:
    y = g.add("Pad", "x", g.constant([0, 0, 2, 1, 0, 0, 2, 1]), mode="reflect")
    y = g.add("Relu", g.conv(y, 4, 2, 5, 3, strides=[2, 1]))
    y = g.add("Transpose", y, perm=[0, 1, 3, 2])
    y = g.add("Pad", y, g.constant([0, 0, 0, 1, 0, 0, 0, 1]), mode="reflect")
    return [1, 2, "time", 9], g.conv(y, 3, 4, 1, 3)


Build = Callable[[Graph], tuple[Sequence, str]]


@dataclass(frozen=True)
class StreamCase:
    """`lookahead` 0: causal; else refused without it. `reference`: for operators that onnxruntime lacks."""

    build: Build
    hops: tuple[int, ...] = (1, 4, 6)
    lookahead: int = 0
    reference: Callable[[numpy.ndarray], numpy.ndarray] | None = None

    @property
    def name(self) -> str:
        return self.build.__name__


CASES = (
    StreamCase(dilated_convolutions),
    StreamCase(padded_residuals),
    StreamCase(cropped_convolution),
    StreamCase(u_net, (4, 8, 12)),
    StreamCase(recurrent_stack),
    StreamCase(half_rate, (2, 6, 8)),
    StreamCase(frames_and_totals, (16, 32, 48)),
    StreamCase(spectrogram_convolutions),
    StreamCase(symmetric_convolutions, lookahead=6),
    StreamCase(symmetric_u_net, (2, 4, 12), lookahead=4),
    StreamCase(delayed_recurrence, lookahead=10),
    StreamCase(strided_behind_padding, (2, 4, 6)),
    StreamCase(cropped_then_padded, lookahead=5),
    StreamCase(cropped_then_transposed, lookahead=4),
    StreamCase(longer_than_the_stream),
    StreamCase(vector_products),
    StreamCase(integer_maxima),
    StreamCase(spectral_gains, (8, 16, 24), FRAME - STEP, partial(_reference, _hann(), "constant")),
    StreamCase(reflected_spectral_gains, (8, 16, 24), FRAME - STEP, partial(_reference, _hann(), "reflect")),
    StreamCase(reflected_hamming_frames, (8, 16, 24), FRAME, partial(_reference, _hamming(), "reflect")),
    StreamCase(repeated_edge_frames, (8, 16, 24), FRAME - STEP, partial(_reference, _hamming(), "edge")),
    StreamCase(reflected_convolutions, lookahead=22),
    StreamCase(reflected_spectrogram, (2, 4, 6), lookahead=6),
)

# Never possible: what the compiler must say of them.
REFUSED: tuple[tuple[Build, str], ...] = (
    (mean_over_time, "'ReduceMean_0': cannot be streamed: reduce: it needs all of time"),
    (backwards, "'GRU_1': cannot be streamed: gru: it runs from the end of time to its start"),
    (attention_over_time, "'MatMul_1': cannot be streamed: matmul: it combines every point in time with every"),
)


def write_model(build: Build, directory: Path) -> tuple[Path, Sequence]:
    directory.mkdir(parents=True, exist_ok=True)
    graph = Graph(build.__name__)
    shape, result = build(graph)
    path = directory / "model.onnx"
    onnx.save(graph.model(shape, result), str(path))
    return path, shape


def check_refusals(modelc: Path, target: str, directory: Path) -> str:
    for build, reason in REFUSED:
        path, shape = write_model(build, directory / build.__name__)
        _expect_refusal(modelc, path, target, directory, ["--stream=time=4", "--lookahead=any"], reason)
    for case in CASES:
        if case.lookahead:
            path, shape = write_model(case.build, directory / case.name)
            flags = [f"--stream=time={case.hops[-1]}"]
            _expect_refusal(modelc, path, target, directory, flags, "cannot be streamed without look-ahead: ")
    return "refused with the right reason"


def _expect_refusal(modelc: Path, path: Path, target: str, directory: Path, flags: list[str], reason: str) -> None:
    try:
        compile_model(modelc, path, target, "refused", directory / "out", flags)
    except CompileError as error:
        if error.status != 1 or reason not in str(error):
            raise Mismatch(f"{path.parent.name}: refused with another reason: {error}") from None
        return
    raise Mismatch(f"{path.parent.name} is not refused")


def check_stream(modelc: Path, case: StreamCase, hop: int, target: str, rig: Rig, directory: Path, runs: int) -> str:
    """Two streams of `runs` hops each, compared sample by sample with the offline model."""
    path, shape = write_model(case.build, directory)
    axis = shape.index("time")
    flags = [f"--stream=x:{axis}={hop}", f"--lookahead={case.lookahead}"]
    library = compile_model(modelc, path, target, f"{case.name}_{hop}", directory / "out", flags)
    program = rig.link(library)
    extents = [hop * runs if extent == "time" else extent for extent in shape]
    generator = numpy.random.default_rng(hop)
    recordings = [(generator.standard_normal(extents) + 0.5).astype(numpy.float32) for _ in range(2)]
    steps = [{"x": piece} for x in recordings for piece in numpy.split(x, runs, axis)]
    outputs = program.run(steps, streams=2)
    reference = case.reference or _onnxruntime(path)
    count = runs + library.flush_runs
    worst = 0.0
    for number, x in enumerate(recordings):
        expected = reference(x)
        pieces = [step["y"] for step in outputs[number * count : (number + 1) * count]]
        worst = max(worst, _compare(pieces, expected, library, hop))
    return f"error {worst:.1e}, latency {library.latency_samples}, state {library.state_bytes}"


def _onnxruntime(path: Path) -> Callable[[numpy.ndarray], numpy.ndarray]:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]


def _compare(pieces: list[numpy.ndarray], expected: numpy.ndarray, library, hop: int) -> float:
    time = next(i for i, (part, whole) in enumerate(zip(pieces[0].shape, expected.shape)) if part != whole)
    got = numpy.concatenate(pieces, time)
    latency = -(-library.latency_samples * pieces[0].shape[time] // hop)
    samples = expected.shape[time]
    if got.shape[time] < latency + samples:
        raise Mismatch(f"the stream ends after {got.shape[time] - latency} of {samples} samples")
    early = numpy.take(got, range(latency), time)
    if numpy.any(early):
        raise Mismatch("samples before the start are not zero")
    got = numpy.take(got, range(latency, latency + samples), time)
    error = numpy.abs(got - expected) / numpy.abs(expected).max()
    if not error.max() <= TOLERANCE:
        others = tuple(i for i in range(error.ndim) if i != time)
        first = int(numpy.argmax(error.max(others) > TOLERANCE))
        raise Mismatch(f"hop {hop}: error {error.max():.1e} of the range, first at sample {first} of {samples}")
    return float(error.max())
