"""The reference engine: onnxruntime, and random inputs for a library's signature.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy
import onnxruntime

from manifest import Library, Tensor

Arrays = dict[str, numpy.ndarray]


def _random(tensor: Tensor, spread: Sequence[float] | None, generator: numpy.random.Generator) -> numpy.ndarray:
    if tensor.dtype == numpy.bool_:
        return generator.integers(0, 2, tensor.shape).astype(numpy.bool_)
    if tensor.dtype.kind in "iu":
        low, high = spread or (0, 100)
        return generator.integers(int(low), int(high), tensor.shape).astype(tensor.dtype)
    if spread:
        return generator.uniform(*spread, tensor.shape).astype(tensor.dtype)
    return generator.standard_normal(tensor.shape).astype(tensor.dtype)


def random_steps(
    library: Library, steps: int, states: Mapping[str, str], ranges: Mapping[str, Sequence[float]]
) -> list[Arrays]:
    """Inputs for every step, the same on every machine; the first step has zeros for the states."""
    generator = numpy.random.default_rng(zlib.crc32(library.name.encode()))
    result = []
    for step in range(steps):
        values = {}
        for tensor in library.inputs:
            if tensor.name not in states.values():
                values[tensor.name] = _random(tensor, ranges.get(tensor.name), generator)
            elif step == 0:
                values[tensor.name] = numpy.zeros(tensor.shape, tensor.dtype)
        result.append(values)
    return result


def run_reference(
    model: Path | bytes,
    steps: Sequence[Arrays],
    states: Mapping[str, str],
    constants: Mapping[str, object],
    start: Mapping[str, numpy.ndarray] = MappingProxyType({}),
) -> list[Arrays]:
    """Runs all steps, each with the states that the step before returned; the first adds those of `start`."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    outputs = [output.name for output in session.get_outputs()]
    fixed = {
        entry.name: numpy.asarray(constants[entry.name], _DTYPES[entry.type])
        for entry in session.get_inputs()
        if entry.name in constants
    }
    results: list[Arrays] = []
    for values in steps:
        carried = {target: results[-1][source] for source, target in states.items()} if results else start
        results.append(dict(zip(outputs, session.run(None, {**values, **carried, **fixed}))))
    return results


_DTYPES = {"tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32, "tensor(float)": numpy.float32}


def compare(got: Sequence[Arrays], expected: Sequence[Arrays], tolerance: float) -> tuple[float, list[str]]:
    """Returns the largest error relative to the largest value of its output, and what is wrong."""
    faults = []
    worst = 0.0
    for name in expected[0]:
        if name not in got[0]:
            faults.append(f"output {name} is missing")
            continue
        left = numpy.stack([step[name] for step in got])
        right = numpy.stack([step[name] for step in expected])
        if left.shape != right.shape or left.dtype != right.dtype:
            faults.append(f"{name}: {left.dtype}{list(left.shape[1:])}, expected {right.dtype}{list(right.shape[1:])}")
        elif right.dtype.kind in "iub":
            if not numpy.array_equal(left, right):
                faults.append(f"{name}: {numpy.count_nonzero(left != right)} of {left.size} integers differ")
        else:
            error, fault = _compare_floats(left.astype(numpy.float64), right.astype(numpy.float64), tolerance)
            worst = max(worst, error)
            if fault:
                faults.append(f"{name}: {fault}")
    return worst, faults


def _compare_floats(left: numpy.ndarray, right: numpy.ndarray, tolerance: float) -> tuple[float, str]:
    finite = numpy.isfinite(right)
    same = (left == right) | (numpy.isnan(left) & numpy.isnan(right))
    if not numpy.all(finite | same) or not numpy.all(numpy.isfinite(left[finite])):
        return numpy.inf, "infinities or NaNs in other places"
    if not finite.any():
        return 0.0, ""
    difference = numpy.where(finite, numpy.abs(left - right), 0)
    scale = numpy.abs(right[finite]).max()
    error = float(difference.max() / scale) if scale else float(difference.max())
    if error <= tolerance:
        return error, ""
    place = numpy.unravel_index(int(difference.argmax()), difference.shape)
    where = f"step {place[0]}, index {[int(i) for i in place[1:]]}"
    values = f"got {left[place]:.7g}, expected {right[place]:.7g}"
    return error, f"error {error:.2e} of the largest value at {where}: {values}"
