"""Instruction counts under the emulator: the same in every run, and a measure of speed without a clock.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from pathlib import Path

from case import Case, Mismatch
from compiler import compile_model
from native import Rig
from reference import random_steps


def count_per_step(modelc: Path, case: Case, rig: Rig, directory: Path) -> int:
    """Returns the instructions of one step; raises Mismatch when a second run counts other ones."""
    library = compile_model(modelc, case.model, rig.target, f"{case.name}_counted", directory / "out", case.flags)
    program = rig.link(library)
    steps = random_steps(library, 3, case.states, case.inputs)

    def count(number: int) -> dict[str, int]:
        counts = program.count_instructions(steps[:number], case.states)
        return {name: value for name, value in counts.items() if name.startswith(f"{library.name}_")}

    one, three = count(1), count(3)
    if count(3) != three:
        raise Mismatch("two runs count different instructions")
    per_step = (sum(three.values()) - sum(one.values())) // 2
    if per_step <= 0:
        raise Mismatch("no instruction was counted in the library's functions")
    return per_step
