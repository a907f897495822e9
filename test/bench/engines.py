"""Engines of the benchmark: processes that run one model and answer with the time of every call.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy
import onnx
import onnxruntime

from manifest import Library, Tensor
from native import Rig

HERE = Path(__file__).resolve().parent

Arrays = Mapping[str, numpy.ndarray]


class Engine:
    """A running engine; `measure` returns nanoseconds per call."""

    def __init__(
        self,
        command: Sequence[str | Path],
        cpu: int | None,
        variables: Mapping[str, str] | None = None,
        messages: Path | None = None,
    ):
        stream = open(messages, "wb") if messages else None
        self.process = subprocess.Popen(
            [str(argument) for argument in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stream,
            env={**os.environ, **(variables or {})},
            preexec_fn=None if cpu is None else lambda: os.sched_setaffinity(0, {cpu}),
        )
        if stream:
            stream.close()

    def measure(self, count: int, period_ns: int = 0, evict_bytes: int = 0) -> numpy.ndarray:
        self.process.stdin.write(f"{count} {period_ns} {evict_bytes}\n".encode())
        self.process.stdin.flush()
        data = self.process.stdout.read(8 * count)
        if len(data) != 8 * count:
            raise RuntimeError(f"{self.process.args[0]} ended with status {self.process.wait()}")
        return numpy.frombuffer(data, numpy.uint64)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=60)


def write_inputs(library: Library, values: Arrays, path: Path) -> None:
    path.write_bytes(b"".join(values[tensor.name].tobytes() for tensor in library.inputs))


def build_engine(name: str, directory: Path, flags: Sequence[str] = ()) -> Path:
    output = directory / Path(name).stem
    if not output.exists():
        sources = [str(HERE / source) for source in (name, "pace.c", "read_file.c")]
        base = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O3", "-march=native"]
        subprocess.run([*base, *sources, "-o", str(output), *flags], check=True)
    return output


def link_engine(library: Library, directory: Path, loop: str = "pace.c") -> Path:
    """Links a compiled model with the loop that times it, or with the one that samples it."""
    sources = [HERE / source for source in ("engine_modelc.c", loop, "read_file.c")]
    return Rig("native", directory / Path(loop).stem, sources=sources, port=False).link(library).path


def modelc_engine(library: Library, inputs: Path, directory: Path, cpu: int | None, repeat: int = 1) -> Engine:
    return Engine([link_engine(library, directory), inputs, str(repeat)], cpu)


def read_engine(size: int, directory: Path, cpu: int | None) -> Engine:
    return Engine([build_engine("engine_read.c", directory), str(max(size, 512))], cpu)


def onnxruntime_engine(model: Path, inputs: Arrays, outputs: Sequence[Tensor], cpu: int | None) -> Engine:
    """Runs `model`; the engine is built beside it."""
    found = sorted((Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so.*"))
    if not found:
        raise RuntimeError("the onnxruntime package has no libonnxruntime.so")
    lines = [_describe("in", name, array.dtype, array.shape) for name, array in inputs.items()]
    lines += [_describe("out", tensor.name, tensor.dtype, tensor.shape) for tensor in outputs]
    description = model.with_suffix(".tensors")
    description.write_text("".join(lines), encoding="utf-8")
    data = model.with_suffix(".inputs")
    data.write_bytes(b"".join(array.tobytes() for array in inputs.values()))
    program = build_engine("engine_onnxruntime.c", model.parent, ["-ldl"])
    return Engine([program, found[0], model, description, data], cpu, messages=model.with_suffix(".log"))


def _describe(direction: str, name: str, dtype: numpy.dtype, shape: Sequence[int]) -> str:
    size = dtype.itemsize * int(numpy.prod(shape))
    element = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    return f"{direction} {' '.join(map(str, (element, size, len(shape), *shape)))} {name}\n"


def numpy_engine(rows: int, cpu: int | None, core: str) -> Engine:
    """A square matrix product in numpy's OpenBLAS, with the kernels for `core`; empty: those that it chooses."""
    variables = {"OPENBLAS_NUM_THREADS": "1", **({"OPENBLAS_CORETYPE": core} if core else {})}
    return Engine([sys.executable, HERE / "engine_numpy.py", str(rows)], cpu, variables)
