"""Finds the block of instructions in which a compiled model spends its time, and reads it.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy

OBJDUMP = "llvm-objdump-19"
NM = "llvm-nm-19"

# Floating-point arithmetic of x86 (SSE, AVX, AVX-512) and AArch64; moves, broadcasts and shuffles are none.
_X86_FMA = re.compile(r"v(fn?m(add|sub))(132|213|231)(ps|ss|pd|sd)$")
_X86_OTHER = re.compile(r"v?(add|sub|mul|div|max|min|sqrt|rcp14|rsqrt14|rndscale|round)(ps|ss|pd|sd)$")
_ARM_FMA = re.compile(r"f(n?m(add|sub|la|ls))$")
_ARM_OTHER = re.compile(r"f(n?mul|add|sub|div|max|min|maxnm|minnm|sqrt|addp)$")
_JUMP = re.compile(r"(j\w+|call|ret|b|bl|br|blr|b\.\w+|cbn?z|tbn?z)$")


@dataclass(frozen=True)
class Instruction:
    address: int
    mnemonic: str
    operands: str

    @property
    def is_fma(self) -> bool:
        return bool(_X86_FMA.match(self.mnemonic) or _ARM_FMA.match(self.mnemonic))

    @property
    def is_arithmetic(self) -> bool:
        return self.is_fma or bool(_X86_OTHER.match(self.mnemonic) or _ARM_OTHER.match(self.mnemonic))

    @property
    def uses_stack(self) -> bool:
        return bool(re.search(r"\[(rsp|sp)\b", self.operands))

    @property
    def is_jump(self) -> bool:
        return bool(_JUMP.match(self.mnemonic))

    @property
    def target(self) -> int | None:
        match = re.search(r"\b0x([0-9a-f]+)(?: <|$)", self.operands) if self.is_jump else None
        return int(match[1], 16) if match else None


@dataclass(frozen=True)
class HotBlock:
    """`share` of all samples fell into `function`, and `block_share` of those into `block`."""

    function: str
    share: float
    block_share: float
    block: list[Instruction]

    def faults(self, register: str, least: float) -> list[str]:
        """`register` is how an operand of the full vector width reads, as a regular expression."""
        arithmetic = [one for one in self.block if one.is_arithmetic]
        full = [one for one in arithmetic if one.is_fma and re.search(register, one.operands)]
        faults = []
        if not arithmetic:
            faults.append("no arithmetic in the hottest block")
        elif len(full) < least * len(arithmetic):
            faults.append(f"{len(full)} of {len(arithmetic)} arithmetic instructions are full-width FMA")
        stack = [one for one in self.block if one.uses_stack]
        if stack:
            faults.append(f"{len(stack)} accesses to the stack, first: {stack[0].mnemonic} {stack[0].operands}")
        return faults


def _symbols(program: Path) -> dict[str, int]:
    command = [NM, "--defined-only", "--format=posix", program]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fields = (line.split() for line in text.splitlines())
    return {entry[0]: int(entry[2], 16) for entry in fields if len(entry) > 2 and entry[1] in "tTwW"}


def _disassemble(program: Path, function: str) -> list[Instruction]:
    command = [OBJDUMP, "-d", "--no-show-raw-insn", "--x86-asm-syntax=intel", f"--disassemble-symbols={function}"]
    text = subprocess.run([*command, program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*([0-9a-f]+):\s+(\S+)[ \t]*(.*)$", text, re.M)
    return [Instruction(int(address, 16), mnemonic, operands.strip()) for address, mnemonic, operands in found]


def _blocks(code: list[Instruction]) -> list[list[Instruction]]:
    leaders = {one.target for one in code if one.target}
    blocks: list[list[Instruction]] = [[]]
    for one in code:
        if blocks[-1] and (one.address in leaders or blocks[-1][-1].is_jump):
            blocks.append([])
        blocks[-1].append(one)
    return blocks


def find_hot_block(program: Path, arguments: list[str | Path], wanted: str = "") -> HotBlock:
    """Runs a program that was linked with sample.c; looks at functions whose names contain `wanted` alone."""
    data = subprocess.run([program, *arguments], check=True, capture_output=True, timeout=120).stdout
    words = numpy.frombuffer(data, numpy.uint64)
    symbols = _symbols(program)
    samples = [int(word) - int(words[0]) + symbols["pace_serve"] for word in words[1:]]
    starts = sorted((address, name) for name, address in symbols.items())
    addresses = numpy.array([address for address, _ in starts])
    owners = Counter(starts[max(int(numpy.searchsorted(addresses, one, "right")) - 1, 0)][1] for one in samples)
    candidates = [entry for entry in owners.most_common() if wanted in entry[0]]
    if not candidates:
        raise RuntimeError(f"no sample in a function named {wanted}")
    function, count = candidates[0]
    blocks = _blocks(_disassemble(program, function))
    inside = [sum(1 for one in samples if block[0].address <= one <= block[-1].address) for block in blocks]
    hottest = int(numpy.argmax(inside))
    return HotBlock(function, count / len(samples), inside[hottest] / max(sum(inside), 1), blocks[hottest])
