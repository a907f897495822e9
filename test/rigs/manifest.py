"""Reads the manifest NAME.json that lies beside every compiled library.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy

# Element types as the manifest spells them, and what a caller's buffer holds.
DTYPES = {
    "f64": numpy.dtype(numpy.float64),
    "f32": numpy.dtype(numpy.float32),
    "f16": numpy.dtype(numpy.float16),
    "bf16": numpy.dtype(ml_dtypes.bfloat16),
    "i8": numpy.dtype(numpy.int8),
    "i16": numpy.dtype(numpy.int16),
    "i32": numpy.dtype(numpy.int32),
    "i64": numpy.dtype(numpy.int64),
    "u8": numpy.dtype(numpy.uint8),
    "u16": numpy.dtype(numpy.uint16),
    "u32": numpy.dtype(numpy.uint32),
    "u64": numpy.dtype(numpy.uint64),
    "bool": numpy.dtype(numpy.bool_),
}


@dataclass(frozen=True)
class Tensor:
    """An input, an output or a state: `name` is the model's, `c_name` the header's (none of a state)."""

    name: str
    c_name: str
    dtype: numpy.dtype
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count * self.dtype.itemsize


@dataclass(frozen=True)
class Library:
    """A compiled model on disk: DIR/libNAME.a, DIR/NAME.h and what DIR/NAME.json says."""

    directory: Path
    name: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    states: tuple[Tensor, ...]
    hop_samples: int  # of a model that was made streaming, else 0
    latency_samples: int
    flush_runs: int
    state_bytes: int
    scratch_bytes: int
    weights_bytes: int
    align: int
    stack_bytes: int | None
    run_instructions_max: int | None

    @property
    def archive(self) -> Path:
        return self.directory / f"lib{self.name}.a"

    @property
    def header(self) -> Path:
        return self.directory / f"{self.name}.h"


def _tensor(entry: dict) -> Tensor:
    return Tensor(entry["name"], entry.get("c_name", ""), DTYPES[entry["type"]], tuple(entry["shape"]))


def read_library(directory: Path, name: str) -> Library:
    """Reads DIR/NAME.json; raises KeyError or ValueError on one that is not as documented."""
    text = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))
    if text["schema"] != 1:
        raise ValueError(f"{name}.json has schema {text['schema']}, expected 1")
    return Library(
        directory=directory,
        name=text["name"],
        inputs=tuple(_tensor(entry) for entry in text["inputs"]),
        outputs=tuple(_tensor(entry) for entry in text["outputs"]),
        states=tuple(_tensor(entry) for entry in text["states"]),
        hop_samples=text.get("stream", {}).get("hop_samples", 0),
        latency_samples=text.get("stream", {}).get("latency_samples", 0),
        flush_runs=text.get("stream", {}).get("flush_runs", 0),
        state_bytes=text["state_bytes"],
        scratch_bytes=text["scratch_bytes"],
        weights_bytes=text["weights_bytes"],
        align=text["align"],
        stack_bytes=text["stack_bytes"],
        run_instructions_max=text["run_instructions_max"],
    )
