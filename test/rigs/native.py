"""Runs compiled models as native programs, on guarded buffers, in a process of their own.

    rig = Rig("cortex-a53", work_directory)
    program = rig.link(read_library(directory, "mnist"))
    outputs = program.run([{"image": array}, ...])     # one dictionary per step, keyed by the model's own names

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from glue import glue_source
from manifest import Library, Tensor
from toolchain import RIGS, toolchain_for

PLACES = ("end", "begin", "odd")

Arrays = Mapping[str, numpy.ndarray]


class RigError(Exception):
    """The program could not be built, crashed, or broke the library's contract; the text says which."""


def _call(command: Sequence[str | Path], timeout: float, cwd: Path | None = None) -> None:
    shown = Path(command[0]).name
    try:
        done = subprocess.run(command, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        raise RigError(f"{shown}: no result after {timeout:.0f} s") from None
    if done.returncode:
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        text = (done.stderr + done.stdout).decode(errors="replace").strip()
        raise RigError(f"{shown}: {how}: {text[-2000:]}" if text else f"{shown}: {how}")


def _bytes_of(tensor: Tensor, array: numpy.ndarray) -> bytes:
    array = numpy.asarray(array)
    if array.dtype != tensor.dtype or array.shape != tensor.shape:
        raise RigError(
            f"{tensor.name}: got {array.dtype}{list(array.shape)}, "
            f"the library takes {tensor.dtype}{list(tensor.shape)}"
        )
    return array.tobytes()


@dataclass(frozen=True)
class Program:
    """One library linked with the driver."""

    library: Library
    path: Path
    rig: "Rig"

    def run(
        self,
        steps: Sequence[Arrays],
        feeds: Mapping[str, str] | None = None,
        place: str = "end",
        timeout: float = 600,
        plugin: str | None = None,
        streams: int = 1,
    ) -> list[dict[str, numpy.ndarray]]:
        """Runs all steps on one instance. `feeds` maps an output to the input that receives it in the next step.

        With several `streams` the steps are those of all of them; before each the instance is reset. A library that
        lags is flushed after each stream: there are more outputs than steps.
        """
        feeds = feeds or {}
        with tempfile.TemporaryDirectory(dir=self.rig.directory) as name:
            directory = Path(name)
            with open(directory / "in", "wb") as stream:
                for index, values in enumerate(steps):
                    for tensor in self.library.inputs:
                        if index == 0 or tensor.name not in feeds.values():
                            stream.write(_bytes_of(tensor, values[tensor.name]))
            flushes = self.library.flush_runs
            options = [f"flush={flushes}", f"streams={streams}"]
            arguments = [place, str(len(steps) // streams), "in", "out", *options, *self._feed_arguments(feeds)]
            self.call(arguments, timeout, directory, plugin)
            return self._read_outputs(directory / "out", len(steps) + streams * flushes)

    def call(
        self, arguments: Sequence[str], timeout: float = 600, cwd: Path | None = None, plugin: str | None = None
    ) -> None:
        """Runs the program with its own arguments; raises RigError with its messages when it fails."""
        _call(self.rig.command(self.path, arguments, plugin), timeout, cwd)

    def remove(self) -> None:
        """Deletes the files that linking made."""
        for suffix in (".c", ".o", ".elf"):
            self.path.with_suffix(suffix).unlink(missing_ok=True)

    def count_instructions(self, steps: Sequence[Arrays], feeds: Mapping[str, str] | None = None) -> dict[str, int]:
        """Runs under the emulator and returns the number of executed instructions per symbol."""
        counts = self.rig.directory / f"{self.library.name}.counts"
        self.run(steps, feeds, plugin=f"{self.rig.plugin()},out={counts}")
        result = {}
        for line in counts.read_text().splitlines():
            if line.startswith("symbol "):
                symbol, count = line.removeprefix("symbol ").rsplit(" ", 1)
                result[symbol] = int(count)
        return result

    def _feed_arguments(self, feeds: Mapping[str, str]) -> list[str]:
        inputs = [tensor.name for tensor in self.library.inputs]
        outputs = [tensor.name for tensor in self.library.outputs]
        try:
            return [f"{outputs.index(source)}:{inputs.index(target)}" for source, target in feeds.items()]
        except ValueError as error:
            raise RigError(f"state pair: {error}") from None

    def _read_outputs(self, path: Path, steps: int) -> list[dict[str, numpy.ndarray]]:
        data = path.read_bytes()
        size = sum(tensor.bytes for tensor in self.library.outputs)
        if len(data) != size * steps:
            raise RigError(f"got {len(data)} bytes of outputs, expected {size * steps}")
        results: list[dict[str, numpy.ndarray]] = []
        offset = 0
        for _ in range(steps):
            step = {}
            for tensor in self.library.outputs:
                raw = data[offset : offset + tensor.bytes]
                if tensor.dtype == numpy.bool_ and raw.strip(b"\0\1"):
                    raise RigError(f"{tensor.name}: a bool is neither 0 nor 1")
                step[tensor.name] = numpy.frombuffer(raw, tensor.dtype).reshape(tensor.shape)
                offset += tensor.bytes
            results.append(step)
        return results


@dataclass
class Rig:
    """Builds programs for one target below `directory`; the driver is compiled once."""

    target: str
    directory: Path
    sources: Sequence[str | Path] = ("driver.c",)  # of the program, beside the table of the library
    includes: Sequence[Path] = ()
    port: bool = True  # whether the program uses the interface to the machine in driver.h
    _objects: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.directory = Path(self.directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.toolchain = toolchain_for(self.target)
        missing = self.toolchain.missing()
        if missing:
            raise RigError(f"{self.target} needs the command {missing}")
        for source in (*self.sources, *(self.toolchain.port if self.port else ())):
            output = self.directory / f"{Path(source).stem}.o"
            self._compile(RIGS / source, output, (RIGS, *self.includes))
            self._objects.append(output)

    def _compile(self, source: Path, output: Path, includes: Sequence[Path]) -> None:
        flags = [flag for include in includes for flag in ("-I", str(include))]
        _call([*self.toolchain.compile, *flags, "-c", str(source), "-o", str(output)], timeout=120)

    def link(self, library: Library) -> Program:
        """Compiles the table for `library` against its header and links a program."""
        base = self.directory / f"{library.name}-{self.target}"
        source = base.with_suffix(".c")
        source.write_text(glue_source(library), encoding="utf-8")
        self._compile(source, base.with_suffix(".o"), (library.directory.resolve(), RIGS))
        program = base.with_suffix(".elf")
        objects = [*self._objects, base.with_suffix(".o"), library.archive.resolve()]
        _call([*self.toolchain.link, *map(str, objects), "-o", str(program)], timeout=300)
        return Program(library, program, self)

    def command(self, program: Path, arguments: Sequence[str], plugin: str | None = None) -> list[str]:
        toolchain = self.toolchain
        options = ["-plugin", plugin] if plugin else []
        if plugin and not toolchain.run:
            raise RigError(f"{self.target} runs without an emulator, so its instructions cannot be counted")
        if toolchain.bare:
            passed = ",".join(f"arg={argument}" for argument in ("driver", *arguments))
            semihosting = f"enable=on,target=native,{passed}"
            return [*toolchain.run, *options, "-semihosting-config", semihosting, "-kernel", str(program)]
        return [*toolchain.run, *options, str(program), *arguments]

    def plugin(self) -> Path:
        """Builds the instruction counter and returns its path."""
        output = self.directory / "libicount.so"
        if not output.exists():
            temporary = self.directory / f"libicount.{os.getpid()}"
            flags = ["-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
            _call(["cc", *flags, str(RIGS / "icount.c"), "-o", str(temporary)], timeout=120)
            temporary.rename(output)
        return output
