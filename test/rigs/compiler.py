"""Calls the compiler under test.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import jsonschema

from manifest import Library, read_library

ROOT = Path(__file__).resolve().parents[2]


class CompileError(Exception):
    """`modelc compile` failed: `status` is its exit status, negative for a signal, the text its messages."""

    def __init__(self, status: int, text: str):
        super().__init__(f"modelc compile: status {status}: {text.strip()}")
        self.status = status
        self.text = text


def default_modelc() -> Path:
    """The compiler of the build that MODELC_BUILD names, else the newest among the presets' folders."""
    if "MODELC_BUILD" in os.environ:
        return Path(os.environ["MODELC_BUILD"]) / "bin/modelc"
    builds = [path for path in ROOT.glob("build/*/bin/modelc") if path.is_file()]
    return max(builds, key=lambda path: path.stat().st_mtime, default=ROOT / "build/release/bin/modelc")


@lru_cache(maxsize=1)
def _validator() -> jsonschema.protocols.Validator:
    schema = json.loads((ROOT / "codegen/emit/manifest.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    return validator(schema)


@dataclass(frozen=True)
class Cost:
    """What one compile took: wall time, and the most memory that the process held."""

    seconds: float
    peak_bytes: int


def _run(command: list[str], cwd: Path | None, timeout: float) -> Cost:
    """Runs the compiler; raises CompileError when it fails. What it says goes to a file: pipes can fill up."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=messages, stderr=subprocess.STDOUT
        )
        timer = threading.Timer(timeout, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode:
            messages.seek(0)
            text = messages.read().decode(errors="replace")
            if seconds >= timeout:
                text = f"no result after {timeout:.0f} s\n{text}"
            raise CompileError(process.returncode, text)
    return Cost(seconds, usage.ru_maxrss * 1024)


def compile_measured(
    modelc: Path,
    model: Path,
    target: str,
    name: str,
    directory: Path,
    flags: Sequence[str] = (),
    cwd: Path | None = None,
    timeout: float = 900,
) -> tuple[Library, Cost]:
    """Compiles into `directory`, validates the manifest, and returns what it says and what it cost."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [modelc, "compile", model, f"--target={target}", f"--name={name}", "-o", directory, *flags]
    try:
        cost = _run([str(argument) for argument in command], cwd, timeout)
    except CompileError as error:
        left = sorted(path.name for path in directory.iterdir())
        if left:
            raise CompileError(error.status, f"{error.text}\nfiles left by a failed command: {left}") from None
        raise
    manifest = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))
    problem = jsonschema.exceptions.best_match(_validator().iter_errors(manifest))
    if problem:
        raise CompileError(0, f"{name}.json breaks its schema at {problem.json_path}: {problem.message}")
    return read_library(directory, name), cost


def compile_model(modelc: Path, model: Path, target: str, name: str, directory: Path, *rest, **named) -> Library:
    """As compile_measured, without the cost."""
    return compile_measured(modelc, model, target, name, directory, *rest, **named)[0]
