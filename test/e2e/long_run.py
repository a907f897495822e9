"""Models with their states inside over many hops: rounding must not add up from hop to hop.

Where a model takes sound, it hears a recording: frames of its samples, or the spectra of these frames. A recording that
ends begins again. Other inputs are random.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy

from case import Case, Mismatch
from compiler import compile_model
from manifest import Library
from native import Rig
from recording import read_wave
from reference import Arrays, random_steps, run_reference

HOPS = 1000
QUICK_HOPS = 100
TOLERANCE = 1e-4  # of full scale, at every hop
EDGE = 100  # hops at the start and at the end whose errors are compared
GROWTH = 2.0
ROUNDING = 1e-6  # of full scale: less than this is no growth, whatever it was at the start


@dataclass(frozen=True)
class Recording:
    """What input `input` hears. `form`: "frames", their "spectrum" (real and imaginary parts) or its "magnitude"."""

    path: Path
    input: str
    form: str
    size: int
    hop: int

    def frames(self, count: int) -> numpy.ndarray:
        sound = read_wave(self.path)
        needed = (count - 1) * self.hop + self.size
        sound = numpy.tile(sound, -(-needed // len(sound)))[:needed]
        return numpy.lib.stride_tricks.sliding_window_view(sound, self.size)[:: self.hop]

    def values(self, count: int) -> numpy.ndarray:
        frames = self.frames(count)
        if self.form == "frames":
            return frames
        window = numpy.sqrt(0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(self.size) / self.size))
        spectra = numpy.fft.rfft(frames * window)
        return numpy.abs(spectra) if self.form == "magnitude" else numpy.stack([spectra.real, spectra.imag], -1)


def _steps(library: Library, case: Case, recording: Recording | None, hops: int) -> list[Arrays]:
    steps = random_steps(library, hops, {}, case.inputs)
    if recording:
        tensor = next(tensor for tensor in library.inputs if tensor.name == recording.input)
        for step, value in zip(steps, recording.values(hops)):
            step[tensor.name] = numpy.ascontiguousarray(value.reshape(tensor.shape), tensor.dtype)
    return steps


def check_long_run(
    modelc: Path, case: Case, recording: Recording | None, target: str, rig: Rig, directory: Path, hops: int
) -> str:
    """Compares every hop of every output with onnxruntime, which carries the states from run to run."""
    case = case.keeping()
    library = compile_model(modelc, case.model, target, f"{case.name}_{hops}", directory / "out", case.flags)
    steps = _steps(library, case, recording, hops)
    start = {tensor.name: numpy.zeros(tensor.shape, tensor.dtype) for tensor in library.states}
    expected = run_reference(case.model, steps, case.states, case.constants, start)
    got = rig.link(library).run(steps)
    worst = [_check_output(tensor.name, got, expected) for tensor in library.outputs]
    return f"{hops} hops, error {max(worst):.1e} of full scale"


def _check_output(name: str, got: Sequence[Arrays], expected: Sequence[Arrays]) -> float:
    full_scale = max(float(numpy.abs(step[name]).max()) for step in expected) or 1.0
    errors = numpy.array([float(numpy.abs(a[name] - b[name]).max()) for a, b in zip(got, expected)]) / full_scale
    if not numpy.all(errors <= TOLERANCE):
        hop = int(numpy.argmax(~(errors <= TOLERANCE)))
        raise Mismatch(f"{name}: error {errors[hop]:.1e} of full scale at hop {hop} of {len(errors)}")
    if len(errors) >= 2 * EDGE:
        first, last = errors[:EDGE].max(), errors[-EDGE:].max()
        if last > max(GROWTH * first, ROUNDING):
            raise Mismatch(f"{name}: the error grows from {first:.1e} in the first {EDGE} hops to {last:.1e} in the last")
    return float(errors.max())
