"""Models that tools/torch exports from PyTorch: the library gives what PyTorch gives.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
from pathlib import Path

import numpy
import onnx

from case import Mismatch
from compiler import compile_model
from environment import cache_directory
from native import Rig

HERE = Path(__file__).resolve().parent
TOLERANCE = 2e-6  # of the range


def torch_python() -> Path | None:
    """The interpreter with PyTorch, if someone installed it: see tools/torch/requirements.txt."""
    python = cache_directory() / "torch/bin/python"
    return python if python.is_file() else None


def check_torch_export(modelc: Path, python: Path, target: str, rig: Rig, directory: Path) -> str:
    directory.mkdir(parents=True, exist_ok=True)
    command = [python, HERE / "torch_models.py", directory]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Mismatch(f"the export failed: {done.stderr.strip()[-1500:]}")
    models = sorted(directory.glob("*.onnx"))
    if not models:
        raise Mismatch("no model was exported")
    worst = 0.0
    for model in models:
        operators = {node.op_type for node in onnx.load(model).graph.node if node.domain == "modelc"}
        if "STFT" not in operators:
            raise Mismatch(f"{model.name}: no operator of modelc")
        x, y = (numpy.load(model.with_suffix(f".{name}.npy")) for name in "xy")
        shape = "x".join(str(extent) for extent in x.shape)
        library = compile_model(modelc, model, target, model.stem, directory / "out", [f"--shape=x={shape}"])
        got = rig.link(library).run([{"x": x}])[0]["y"]
        if got.shape != y.shape:
            raise Mismatch(f"{model.name}: shape {got.shape}, expected {y.shape}")
        error = float(numpy.abs(got - y).max() / numpy.abs(y).max())
        if not error <= TOLERANCE:
            raise Mismatch(f"{model.name}: error {error:.1e} of the range")
        worst = max(worst, error)
    return f"{len(models)} models, error {worst:.1e}"
