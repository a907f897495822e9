"""The official ONNX backend tests, as the pinned onnx package ships them.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy
import onnx
import onnx.backend.test
from onnx import numpy_helper

DATA = Path(onnx.backend.test.__file__).parent / "data"
KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")

# What the suite's own runner assumes of a test that says nothing else.
RTOL, ATOL = 1e-3, 1e-7

# Tests whose expected data are less exact than the suite's tolerance asks for. The inverse transforms were made with
# an FFT in f32: where the exact sum is 0 they hold 1.9e-7.
INEXACT = {"node/test_dft_inverse": 1e-6, "node/test_dft_inverse_opset19": 1e-6}


@dataclass(frozen=True)
class Test:
    """`name` is KIND/TEST; `data` holds input_N.pb and output_N.pb, or is None for a model with made-up inputs."""

    name: str
    model: Path
    data: Path | None
    rtol: float = RTOL
    atol: float = ATOL

    @property
    def identifier(self) -> str:
        return re.sub(r"\W", "_", self.name)

    def input_files(self) -> list[Path]:
        return _numbered(self.data, "input") if self.data else []

    def output_files(self) -> list[Path]:
        if self.data:
            return _numbered(self.data, "output")
        return _numbered(self.model.parent, f"{self.model.stem}_output")

    def files(self) -> list[Path]:
        return [self.model, *self.input_files(), *self.output_files()]


def _numbered(directory: Path, prefix: str) -> list[Path]:
    files = {int(path.stem.removeprefix(f"{prefix}_")): path for path in directory.glob(f"{prefix}_*.pb")}
    return [files[index] for index in sorted(files)]


def _tolerances(description: Path) -> dict[str, float]:
    if not description.is_file():
        return {}
    facts = json.loads(description.read_text(encoding="utf-8"))
    return {"rtol": facts.get("rtol", RTOL), "atol": facts.get("atol", ATOL)}


def load_suite() -> list[Test]:
    """All tests, sorted by name."""
    tests = []
    for kind in KINDS:
        for directory in (DATA / kind).iterdir():
            model = directory / "model.onnx"
            if not model.is_file():
                continue
            sets = sorted(directory.glob("test_data_set_*"))
            if len(sets) != 1:
                raise RuntimeError(f"{directory} has {len(sets)} sets of data, expected one")
            name = f"{kind}/{directory.name}"
            tolerances = {"atol": INEXACT.get(name, ATOL), **_tolerances(directory / "data.json")}
            tests.append(Test(name, model, sets[0], **tolerances))
    # The nine "light" models are real networks with constants for weights; data/real describes them.
    for description in (DATA / "real").glob("*/data.json"):
        url = json.loads(description.read_text(encoding="utf-8"))["url"]
        model = DATA / url.removeprefix("onnx/backend/test/data/")
        if model.is_file():
            tests.append(Test(f"light/{description.parent.name}", model, None, **_tolerances(description)))
    return sorted(tests, key=lambda test: test.name)


def graph_inputs(model: onnx.ModelProto) -> list[onnx.ValueInfoProto]:
    """The inputs that a caller gives: those without an initializer."""
    given = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in given]


def read_tensor(path: Path) -> numpy.ndarray:
    """Reads a stored tensor; raises ValueError when the file holds a sequence or an optional."""
    tensor = onnx.TensorProto()
    try:
        tensor.ParseFromString(path.read_bytes())
        return numpy_helper.to_array(tensor)
    except Exception as error:
        raise ValueError(f"{path.name} does not hold a tensor: {error}") from None


def read_inputs(test: Test, model: onnx.ModelProto) -> dict[str, numpy.ndarray]:
    if test.data:
        # The files follow the graph's inputs in order, initializers among them or not: the two ways of counting
        # only differ in models whose initializers come last.
        names = [value.name for value in model.graph.input]
        return {name: read_tensor(path) for name, path in zip(names, test.input_files())}
    return {value.name: _made_up(value) for value in graph_inputs(model)}


def _made_up(value: onnx.ValueInfoProto) -> numpy.ndarray:
    """The input that the suite's runner makes for a light model: a ramp from 0 to 1."""
    shape = tuple(dimension.dim_value or 1 for dimension in value.type.tensor_type.shape.dim)
    count = int(numpy.prod(shape))
    return (numpy.arange(count).reshape(shape) / count).astype(numpy.float32)


def compare(got: numpy.ndarray, expected: numpy.ndarray, rtol: float, atol: float) -> str:
    """Returns what is wrong: integers, booleans and the places of NaNs must be exact, floats within the tolerance."""
    if got.shape != expected.shape:
        return f"shape {list(got.shape)}, expected {list(expected.shape)}"
    if got.dtype != expected.dtype:
        return f"type {got.dtype}, expected {expected.dtype}"
    if expected.dtype.kind in "iub":
        wrong = numpy.count_nonzero(got != expected)
        return f"{wrong} of {got.size} elements differ" if wrong else ""
    left, right = got.astype(numpy.float64), expected.astype(numpy.float64)
    if not numpy.array_equal(numpy.isnan(left), numpy.isnan(right)):
        return "NaNs in other places"
    with numpy.errstate(invalid="ignore"):
        off = ~(numpy.isclose(left, right, rtol=rtol, atol=atol, equal_nan=True))
    if not off.any():
        return ""
    place = tuple(int(index) for index in numpy.argwhere(off)[0])
    wrong = numpy.count_nonzero(off)
    return f"{wrong} of {got.size} elements off, first at {list(place)}: got {got[place]}, expected {expected[place]}"
