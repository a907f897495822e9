"""Fourier transforms: single real ones beside FFTW, and STFTs beside their frames' transforms and onnxruntime.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from engines import Engine, build_engine

LENGTHS = (256, 320, 400, 480, 512, 960, 1024)
# Frames of one second at 16 kHz: length and step.
FRAMES = ((512, 128), (320, 160), (100, 10), (128, 8))
SAMPLES = 16000
# A call of a model costs a tenth of a transform, reading the clock as much: several transforms per call, several calls
# per reading. FFTW transforms the same numbers over and over, with as few readings.
BATCH, REPEAT = 16, 10
TRANSFORMS = BATCH * REPEAT

PLANS = 3  # FFTW's plans depend on the times that it measures: the quickest counts


def _save(nodes: list, shape: tuple, weights: list, path: Path) -> Path:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, path.stem, [x], [y], weights)
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), str(path))
    return path


def transform_model(length: int, directory: Path) -> Path:
    node = helper.make_node("DFT", ["x"], ["y"], axis=1, onesided=1)
    return _save([node], (BATCH, length, 1), [], directory / f"rfft_{length}.onnx")


def frames_model(length: int, step: int, directory: Path) -> Path:
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(length) / length)
    weights = [
        numpy_helper.from_array(numpy.array(step), "step"),
        numpy_helper.from_array(window.astype(numpy.float32), "window"),
    ]
    node = helper.make_node("STFT", ["x", "step", "window"], ["y"], onesided=1)
    return _save([node], (1, SAMPLES, 1), weights, directory / f"stft_{length}_{step}.onnx")


def fftw_engine(length: int, inputs: Path, directory: Path, cpu: int | None) -> Engine:
    program = build_engine("engine_fftw.c", directory, ["-lfftw3f", "-lm"])
    return Engine([program, str(length), inputs, str(TRANSFORMS)], cpu)


def print_transforms(rows: list[dict]) -> None:
    print("| real transform | modelc ns | FFTW ns | ratio |\n|---|---:|---:|---:|")
    for row in rows:
        times = {name: times.hot_us * 1000 / TRANSFORMS for name, times in row["times"].items()}
        ours = times.pop("modelc")
        peer = min(times.values())
        print(f"| {row['length']} | {ours:.0f} | {peer:.0f} | {peer / ours:.2f} |")
    print()


def print_frames(rows: list[dict]) -> None:
    print("| STFT of 1 s | frames | modelc µs | of frames × single | onnxruntime µs | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for row in rows:
        ours, peer, single = (row["times"][name].hot_us for name in ("modelc", "onnxruntime", "single"))
        frames = (SAMPLES - row["length"]) // row["step"] + 1
        print(
            f"| {row['length']} every {row['step']} | {frames} | {ours:.1f} | {ours / (frames * single / TRANSFORMS):.2f} "
            f"| {peer:.0f} | {peer / ours:.0f} |"
        )
    print()
