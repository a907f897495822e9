"""Drives a denoiser frame by frame over a recording, as a product does.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import wave
from pathlib import Path

import numpy

from native import Program


def enhancement_error(program: Program, noisy: Path, enhanced: Path) -> float:
    """Drives GTCRN over a recording and returns the largest difference to the published result, of full scale 1.

    The published front end: 512-point frames every 256 samples, centred with reflection, square root of a periodic Hann
    window on both sides, and division by the sum of the squared windows.
    """
    size, hop = 512, 256
    signal = read_wave(noisy)
    wanted = read_wave(enhanced)
    window = numpy.sqrt(0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(size) / size))
    padded = numpy.pad(signal, size // 2, mode="reflect")
    starts = range(0, len(padded) - size + 1, hop)
    steps = []
    for start in starts:
        spectrum = numpy.fft.rfft(window * padded[start : start + size])
        frame = numpy.stack([spectrum.real, spectrum.imag], -1).astype(numpy.float32)
        steps.append({"mix": frame[None, :, None, :]})
    shapes = {tensor.name: tensor.shape for tensor in program.library.inputs}
    names = [name for name in ("conv_cache", "tra_cache", "inter_cache") if name in shapes]
    states = {f"{name}_out": name for name in names}
    steps[0].update({name: numpy.zeros(shapes[name], numpy.float32) for name in names})
    total = numpy.zeros(len(padded))
    weight = numpy.zeros(len(padded))
    for start, step in zip(starts, program.run(steps, states)):
        enhanced_frame = step["enh"][0, :, 0, 0] + 1j * step["enh"][0, :, 0, 1]
        total[start : start + size] += window * numpy.fft.irfft(enhanced_frame)
        weight[start : start + size] += window * window
    result = (total / numpy.maximum(weight, 1e-8))[size // 2 :]
    return float(numpy.abs(result[: len(wanted)] - wanted).max())


def read_wave(path: Path) -> numpy.ndarray:
    """Reads a mono recording of 16-bit samples, scaled to -1..1."""
    with wave.open(str(path)) as stream:
        if stream.getnchannels() != 1 or stream.getsampwidth() != 2:
            raise ValueError(f"{path.name}: expected one channel of 16-bit samples")
        return numpy.frombuffer(stream.readframes(stream.getnframes()), "<i2") / 32768.0
