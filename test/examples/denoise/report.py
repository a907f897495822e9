#!/usr/bin/env python3
"""Says how good the cleaned recording is and what a hop costs beside onnxruntime; draws spectrograms.

usage: report.py MODEL.onnx FOLDER LIBRARY_FOLDER

FOLDER holds noisy.wav, cleaned.wav and, where it is known, clean.wav; before.png and after.png go there. Fails if the
cleaned recording differs from what onnxruntime makes, by more than 16 bits hold.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import tempfile
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TEST = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TEST / folder) for folder in ("examples", "bench", "rigs")]

import by_hand  # noqa: E402
import onnx  # noqa: E402
from engines import modelc_engine, onnxruntime_engine, write_inputs  # noqa: E402
from manifest import Tensor, read_library  # noqa: E402
from measure import Plan, alternate  # noqa: E402
from scores import si_sdr, snr  # noqa: E402
from speech import RATE, read_wav  # noqa: E402

TOLERANCE = 1e-4  # of full scale


def print_quality(noisy, cleaned, clean):
    for name, score in (("SNR", snr), ("SI-SDR", si_sdr)):
        before, after = score(noisy, clean), score(cleaned, clean)
        print(f"  {name:6} {before:6.2f} dB before, {after:6.2f} dB after: {after - before:+.2f} dB")


def print_times(model, library):
    """Both engines in turn, one thread, the same frame of noise again and again."""
    random = np.random.default_rng(1)
    frames = by_hand.frame_model(model)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tensor = library.inputs[0]
        write_inputs(library, {tensor.name: random.standard_normal(tensor.shape).astype(np.float32) * 0.05},
                     folder / "input")
        onnx.save(frames, folder / "frames.onnx")
        shapes = {value.name: tuple(d.dim_value for d in value.type.tensor_type.shape.dim)
                  for value in (*frames.graph.input, *frames.graph.output)}
        feeds = {value.name: random.standard_normal(shapes[value.name]).astype(np.float32) * 0.05
                 for value in frames.graph.input}
        results = [Tensor(value.name, "", np.dtype(np.float32), shapes[value.name]) for value in frames.graph.output]
        engines = {
            "this library": modelc_engine(library, folder / "input", folder, None),
            "onnxruntime": onnxruntime_engine(folder / "frames.onnx", feeds, results, None),
        }
        # Short blocks in turn: what disturbs the machine disturbs both.
        times = alternate(engines, Plan(rounds=25, block_ns=40_000_000, paced_calls=20))
        for engine in engines.values():
            engine.close()
    print("  microseconds per hop, hot:     median    p99.9      max   every 10 ms: median")
    for name, time in times.items():
        hot = time.hot / 1000
        print(f"  {name:25} {np.median(hot):11.1f} {np.quantile(hot, 0.999):8.1f} {hot.max():8.1f} "
              f"{time.paced_us:21.1f}")
    ratio = times["onnxruntime"].hot_us / times["this library"].hot_us
    print(f"  ratio of the medians: {ratio:.1f}. onnxruntime (C interface, 1 thread) gets frames, its transforms are")
    print("  matrix products, and adding the frames up is not in its time; the library does all of it.")


def draw(path, title, samples):
    figure, axes = plt.subplots(figsize=(11, 3.4), layout="constrained")
    floor = 1e-6 * np.random.default_rng(1).standard_normal(len(samples))  # the logarithm of nothing is none
    _, _, _, image = axes.specgram(samples + floor, NFFT=512, Fs=RATE, noverlap=384, vmin=-120, vmax=-40, cmap="magma")
    axes.set_title(title)
    axes.set_xlabel("seconds")
    axes.set_ylabel("Hz")
    figure.colorbar(image, label="dB")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: report.py MODEL.onnx FOLDER LIBRARY_FOLDER")
    model, folder = Path(sys.argv[1]), Path(sys.argv[2])
    library = read_library(Path(sys.argv[3]), "denoiser")
    noisy, cleaned = (read_wav(str(folder / f"{name}.wav"))[0] for name in ("noisy", "cleaned"))
    if (folder / "clean.wav").exists():
        clean = read_wav(str(folder / "clean.wav"))[0]
        count = min(len(clean), len(noisy))
        print_quality(noisy[:count], cleaned[:count], clean[:count])
    else:
        print("  no clean recording to compare with")
    print_times(model, library)
    weights, size = library.weights_bytes, library.archive.stat().st_size
    print(f"  library {size} bytes, of which weights {weights}")
    draw(folder / "before.png", "before", noisy)
    draw(folder / "after.png", "after", cleaned)
    error = np.abs(cleaned - by_hand.enhance(model, noisy)).max()
    print(f"  largest difference to onnxruntime, of full scale: {error:.1e} (samples of 16 bits: 1.5e-05)")
    # Written so that NaN fails.
    sys.exit(0 if error <= TOLERANCE else 1)


if __name__ == "__main__":
    main()
