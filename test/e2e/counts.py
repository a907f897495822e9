"""Instruction counts under the emulator: the same in every run, and a measure of speed without a clock.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from itertools import pairwise
from pathlib import Path

from case import Case, Mismatch
from compiler import compile_model
from manifest import Library
from native import Rig
from reference import random_steps


SLACK = 1.25  # how far a bound may be above what was counted


def check_bound(library: Library, steps: list[int]) -> None:
    """The manifest's bound of the instructions of a step is there, holds, and is not far from the truth."""
    bound = library.run_instructions_max
    if bound is None:
        raise Mismatch("the manifest has no bound of instructions")
    if max(steps) > bound:
        raise Mismatch(f"a step executed {max(steps)} instructions, the bound is {bound}")
    if bound > SLACK * max(steps):
        raise Mismatch(f"the bound of {bound} instructions is more than {SLACK} times the {max(steps)} of a step")


def count_per_step(modelc: Path, case: Case, rig: Rig, directory: Path) -> tuple[int, int | None]:
    """Returns the instructions of one step, and the bound in the manifest."""
    library = compile_model(modelc, case.model, rig.target, f"{case.name}_counted", directory / "out", case.flags)
    program = rig.link(library)
    feeds = {} if case.keeps else case.states
    steps = random_steps(library, 3, case.states, case.inputs)

    def count(number: int) -> dict[str, int]:
        counts = program.count_instructions(steps[:number], feeds)
        return {name: value for name, value in counts.items() if name.startswith(f"{library.name}_")}

    one, two, three = count(1), count(2), count(3)
    if count(3) != three:
        raise Mismatch("two runs count different instructions")
    totals = [sum(counts.values()) for counts in (one, two, three)]
    steps = [after - before for before, after in pairwise(totals)]
    if min(steps) <= 0:
        raise Mismatch("no instruction was counted in the library's functions")
    check_bound(library, steps)
    return sum(steps) // len(steps), library.run_instructions_max
