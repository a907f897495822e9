"""Calls the compiler under test.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import subprocess
from collections.abc import Sequence
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


def compile_model(
    modelc: Path,
    model: Path,
    target: str,
    name: str,
    directory: Path,
    flags: Sequence[str] = (),
    cwd: Path | None = None,
    timeout: float = 900,
) -> Library:
    """Compiles into `directory`, validates the manifest, and returns what it says."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [modelc, "compile", model, f"--target={target}", f"--name={name}", "-o", directory, *flags]
    try:
        done = subprocess.run(
            [str(argument) for argument in command],
            cwd=cwd,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise CompileError(-1, f"no result after {timeout:.0f} s") from None
    if done.returncode:
        left = sorted(path.name for path in directory.iterdir())
        trouble = f"\nfiles left behind by a failed command: {left}" if left else ""
        raise CompileError(done.returncode, done.stderr + trouble)
    manifest = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))
    problem = jsonschema.exceptions.best_match(_validator().iter_errors(manifest))
    if problem:
        raise CompileError(0, f"{name}.json breaks its schema at {problem.json_path}: {problem.message}")
    return read_library(directory, name)
