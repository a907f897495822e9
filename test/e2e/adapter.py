"""The host adapter: what comes out of frames of any size is what the model makes of the whole recording, delayed.

The delay that the library states is exact, for floats and 16-bit integers, mono and interleaved; a bypass gives the
delayed input bit by bit.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import itertools
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy
import onnx
import onnx.parser

from case import Mismatch, check_library, check_real_time
from compiler import CompileError, compile_model
from native import Rig

HERE = Path(__file__).resolve().parent
SIZES = (1, 7, 160, 441, 480, 4096)
HOP, FRAMES_MAX, TAPS = 48, 4096, (0.1, -0.3, 0.5, 0.25, -0.2)
LOOKAHEAD, LAG = 2, 3  # of the streamed model; what the one with a state lags

STREAMED = """<ir_version: 8, opset_import: ["" : 17]>
adapted (float[1,1,time] x) => (float[1,1,time] y) <float[1,1,5] taps = {0.1, -0.3, 0.5, 0.25, -0.2}> {
  y = Conv<pads = [2, 2]>(x, taps)
}"""

# Delays by three samples.
KEPT = """<ir_version: 8, opset_import: ["" : 17]>
adapted (float[1,48] x, float[1,3] last) => (float[1,48] y, float[1,3] last_out)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] hop = {48}, int64[1] end = {51}> {
  both = Concat<axis = 1>(last, x)
  y = Slice(both, zero, hop, one)
  last_out = Slice(both, hop, end, one)
}"""

REFUSED = (
    ("two inputs", "adapted (float[1,8] x, float[1,8] z) => (float[1,8] y) { y = Add(x, z) }", "one input and one output"),
    ("integers", "adapted (int32[1,8] x) => (int32[1,8] y) { y = Add(x, x) }", "one channel of f32"),
    ("two channels", "adapted (float[2,8] x) => (float[2,8] y) { y = Add(x, x) }", "one channel of f32"),
    ("no stream", "adapted (float[1,8] x) => (float[1,8] y) { y = Add(x, x) }", "goes on from run to run"),
    ("a sum", "adapted (float[1,8] x) => (float[1,1] y) { y = ReduceSum(x) }", "as many samples out as in"),
)


@dataclass(frozen=True)
class Setting:
    integers: bool
    channels: int
    step: int
    mode: str
    sizes: tuple[int, ...]


def settings(quick: bool) -> list[Setting]:
    result = [Setting(False, 1, 1, "w", (size,)) for size in SIZES]
    result += [
        Setting(True, 2, 1, "w", SIZES),
        Setting(False, 2, 1, "b", SIZES),
        Setting(True, 1, 1, "b", (441,)),
        Setting(False, 1, 1, "h", (480,)),
        Setting(False, 1, 1, "t", (480,)),
        Setting(False, 1, 32, "w", (32, 160, 4096)),
        Setting(False, 1, 480, "w", (480,)),
    ]
    if not quick:
        formats = itertools.product((False, True), (1, 2), (1,), "wb", [(size,) for size in SIZES])
        result += [Setting(*setting) for setting in formats]
    return list(dict.fromkeys(result))


def check_adapter(modelc: Path, target: str, directory: Path, quick: bool) -> str:
    count = 0
    for name, text, flags in (
        ("streamed", STREAMED, (f"--stream=x:2={HOP}", f"--lookahead={LOOKAHEAD}")),
        ("kept", KEPT, ("--state=last=last_out", f"--latency={LAG}")),
    ):
        folder = directory / name
        model = _write(folder, text)
        flags = (*flags, f"--adapter={FRAMES_MAX}")
        library = compile_model(modelc, model, target, "adapted", folder / "out", flags)
        check_library(library)
        rig = Rig(target, folder / "rig", sources=[HERE / "adapter.c"], includes=[library.directory])
        program = rig.link(library)
        check_real_time(modelc, library)
        lag = library.latency_samples if name == "streamed" else LAG
        for setting in settings(quick or name == "kept"):
            _check_setting(program, setting, numpy.array(TAPS) if name == "streamed" else None, lag)
            count += 1
    if target == "native":
        _check_cpp(library, directory)
        _check_refusals(modelc, directory / "refused")
    return f"{count} settings"


def _check_cpp(library, directory: Path) -> None:
    source = directory / "use.cpp"
    source.write_text('#include "adapted.h"\nint main() { return adapted_adapter_delay(nullptr) != 0; }\n')
    warnings = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
    command = ["c++", *warnings, f"-I{library.directory}", source, library.archive, "-o", directory / "use"]
    for step in (command, [directory / "use"]):
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            raise Mismatch(f"use from C++: {done.stderr.strip() or done.returncode}")


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "adapted.onnx"
    onnx.save(onnx.parser.parse_model(text), str(path))
    return path


def _check_setting(program, setting: Setting, taps: numpy.ndarray | None, lag: int) -> None:
    step = setting.step
    total = -(-max(1500, 2 * max(setting.sizes)) // step) * step
    if setting.mode == "t":
        total += setting.sizes[0]
    generator = numpy.random.default_rng(total)
    x = (0.4 * generator.standard_normal((total, setting.channels))).clip(-0.9, 0.9)
    kind = numpy.dtype(numpy.int16 if setting.integers else numpy.float32)
    sent = numpy.rint(x * 32768).astype(kind) if setting.integers else x.astype(kind)
    got, delay = _run(program, setting, sent)
    if delay != lag + HOP - numpy.gcd(HOP, step):
        raise Mismatch(f"{setting}: delay {delay}")
    dry = sent.astype(numpy.float64) / (32768 if setting.integers else 1)
    wet = dry
    if taps is not None:
        centre = len(taps) // 2
        padded = numpy.pad(dry, ((centre, centre), (0, 0)))
        wet = sum(tap * padded[i : i + total] for i, tap in enumerate(taps))
    dry, wet = (numpy.concatenate([numpy.zeros((delay, setting.channels)), y])[:total] for y in (dry, wet))
    _compare(setting, got, dry, wet, delay)


def _compare(setting: Setting, got: numpy.ndarray, dry: numpy.ndarray, wet: numpy.ndarray, delay: int) -> None:
    scale = 32768 if setting.integers else 1
    exact, tolerance = 0.0, (0.51 if setting.integers else 1e-6)
    if setting.mode == "t":
        # The second frame of the host is the first that hears of the bypass: from hop to hop in a straight line.
        settled = setting.sizes[0] + HOP + delay
        _expect(setting, got[: setting.sizes[0]], wet[: setting.sizes[0]] * scale, tolerance)
        _expect(setting, got[settled:], dry[settled:] * scale, exact)
        steps = numpy.abs(numpy.diff(got - dry * scale, axis=0)).max()
        if steps > numpy.abs(numpy.diff(wet - dry, axis=0)).max() * scale + tolerance:
            raise Mismatch(f"{setting}: the change to the bypass clicks")
    elif setting.mode == "b":
        _expect(setting, got, dry * scale, exact)
    elif setting.mode == "h":
        _expect(setting, got, 0.5 * (dry + wet) * scale, tolerance)
    else:
        _expect(setting, got, (wet * scale).clip(-scale, scale) if setting.integers else wet, tolerance)


def _expect(setting: Setting, got: numpy.ndarray, expected: numpy.ndarray, tolerance: float) -> None:
    error = numpy.abs(got.astype(numpy.float64) - expected)
    # Written so that NaN fails.
    if not error.max() <= tolerance:
        raise Mismatch(f"{setting}: error {error.max():.1e}, first in frame {int(numpy.argmax(error.max(1) > tolerance))}")


def _run(program, setting: Setting, sent: numpy.ndarray) -> tuple[numpy.ndarray, int]:
    with tempfile.TemporaryDirectory(dir=program.rig.directory) as name:
        directory = Path(name)
        (directory / "in").write_bytes(sent.tobytes())
        arguments = ["i16" if setting.integers else "f32", setting.channels, setting.step, setting.mode, "in", "out"]
        program.call([str(a) for a in (*arguments, len(sent), *setting.sizes)], cwd=directory)
        data = (directory / "out").read_bytes()
    if len(data) != 4 + sent.nbytes:
        raise Mismatch(f"{setting}: {len(data)} bytes came out")
    return numpy.frombuffer(data[4:], sent.dtype).reshape(sent.shape), int.from_bytes(data[:4], "little")


def _check_refusals(modelc: Path, directory: Path) -> None:
    header = '<ir_version: 8, opset_import: ["" : 17]>\n'
    for what, text, reason in REFUSED:
        model = _write(directory / what, header + text)
        try:
            compile_model(modelc, model, "native", "adapted", directory / what / "out", ["--adapter=64"])
        except CompileError as error:
            if error.status != 1 or reason not in error.text:
                raise Mismatch(f"{what}: refused with another reason: {error}") from None
        else:
            raise Mismatch(f"{what}: not refused")
