"""The denoiser of the examples, made streaming: what onnxruntime makes of the recording, and less noise than before.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
from pathlib import Path

import numpy

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "denoise")]

import by_hand  # noqa: E402
import prepare  # noqa: E402
from case import Mismatch  # noqa: E402
from compiler import compile_model  # noqa: E402
from native import Rig  # noqa: E402
from scores import si_sdr  # noqa: E402

MODEL = EXAMPLES / "denoise/denoiser.onnx"
HOP = by_hand.STEP
FLAGS = (f"--stream=audio:1={HOP}", f"--lookahead={HOP}")
TOLERANCE = 1e-5  # of full scale
IMPROVEMENT = 5.0  # dB


def check_denoiser(modelc: Path, target: str, rig: Rig, directory: Path, hops: int | None = None) -> str:
    """Over the recording of the demo, or its first `hops`."""
    library = compile_model(modelc, MODEL, target, "denoiser", directory / "out", FLAGS)
    clean, noisy = (x[: len(x) // HOP * HOP][: hops and hops * HOP].astype(numpy.float32) for x in prepare.make())
    steps = [{"audio": piece[None]} for piece in numpy.split(noisy, len(noisy) // HOP)]
    outputs = rig.link(library).run(steps)
    cleaned = numpy.concatenate([step["enhanced"][0] for step in outputs])[library.latency_samples :][: len(noisy)]
    error = float(numpy.abs(cleaned - by_hand.enhance(MODEL, noisy)).max())
    if not error <= TOLERANCE:
        raise Mismatch(f"differs from onnxruntime by {error:.1e} of full scale")
    gain = si_sdr(cleaned, clean) - si_sdr(noisy, clean)
    if not gain >= IMPROVEMENT and not hops:
        raise Mismatch(f"SI-SDR changes by {gain:.1f} dB, expected an improvement of {IMPROVEMENT} dB")
    return f"{len(steps)} hops, error {error:.1e}, SI-SDR {gain:+.1f} dB"
