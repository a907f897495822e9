"""One model on one target: compile, check the library, run it everywhere a buffer can lie, compare.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy

from compiler import ROOT, Cost, compile_measured, compile_model
from manifest import Library
from native import PLACES, Program, Rig
from reference import compare, random_steps, run_reference


class Mismatch(Exception):
    """The library ran and is not right."""


@dataclass(frozen=True)
class Case:
    """A model with what is needed to compile it and to feed it. `keeps`: the library keeps the states inside."""

    name: str
    model: Path
    flags: tuple[str, ...] = ()
    steps: int = 2
    tolerance: float = 1e-4
    states: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, list[float]] = field(default_factory=dict)
    constants: dict[str, object] = field(default_factory=dict)
    targets: tuple[str, ...] = ("native", "cortex-a53")
    keeps: bool = False
    counted: bool = False

    def keeping(self) -> "Case":
        """The same model with its states inside the library."""
        flags = tuple(f"--state={target}={source}" for source, target in self.states.items())
        return replace(self, name=f"{self.name}_kept", flags=(*self.flags, *flags), keeps=True)


def check_library(library: Library) -> None:
    command = [ROOT / "tools/checks/library", library.archive]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Mismatch(done.stderr.strip().replace(f"{library.archive}: ", ""))


def check_real_time(modelc: Path, library: Library) -> None:
    """Nothing in the machine code allocates, locks, calls anyone or loops without a bound."""
    done = subprocess.run([modelc, "rt-check", library.archive], capture_output=True, text=True)
    if done.returncode:
        raise Mismatch(f"the real-time check fails: {done.stderr.strip()}: {done.stdout.strip()[:300]}")


def check_places(program: Program, inputs: list, states: dict, expected: list) -> None:
    """Where the buffers lie must not change one bit of the outputs."""
    for place in PLACES[1:]:
        count = min(2, len(inputs))
        got = program.run(inputs[:count], states, place=place)
        for step in range(count):
            for name, array in expected[step].items():
                if got[step][name].tobytes() != array.tobytes():
                    raise Mismatch(f"{name} changes with the place of the buffers ({place}), step {step}")


def check_same_bytes(modelc: Path, case: Case, target: str, first: Library, directory: Path) -> None:
    """A second compile, from another folder and with another number of threads, gives the same files."""
    elsewhere = directory / "elsewhere"
    elsewhere.mkdir(parents=True, exist_ok=True)
    flags = (*case.flags, "--threads=1")
    second = compile_model(modelc, case.model.resolve(), target, first.name, directory / "again", flags, cwd=elsewhere)
    for path in sorted(first.directory.iterdir()):
        if path.is_file() and path.read_bytes() != (second.directory / path.name).read_bytes():
            raise Mismatch(f"{path.name} differs after a second compile with one thread")


def run_case(modelc: Path, case: Case, target: str, rig: Rig, directory: Path) -> tuple[float, Cost, Program]:
    """Returns the largest relative error and the cost of the compile; raises CompileError, RigError or Mismatch."""
    library, cost = compile_measured(modelc, case.model, target, case.name, directory / "out", case.flags)
    check_library(library)
    check_real_time(modelc, library)
    if target == "native":
        check_same_bytes(modelc, case, target, library, directory)
    program = rig.link(library)
    inputs = random_steps(library, case.steps, case.states, case.inputs)
    start = {tensor.name: numpy.zeros(tensor.shape, tensor.dtype) for tensor in library.states}
    expected = run_reference(case.model, inputs, case.states, case.constants, start)
    feeds = {} if case.keeps else case.states
    if case.keeps:
        expected = [{name: step[name] for name in step if name not in case.states} for step in expected]
    got = program.run(inputs, feeds)
    error, faults = compare(got, expected, case.tolerance)
    if faults:
        raise Mismatch("; ".join(faults))
    check_places(program, inputs, feeds, got)
    return error, cost, program
