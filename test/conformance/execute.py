"""Compiles one backend test, runs it as native code in a process of its own, and classifies the result.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy
import onnx

from compiler import CompileError, compile_model
from manifest import Library
from native import Rig, RigError
from suite import Test, compare, graph_inputs, read_inputs, read_tensor

# How the registry says that it lacks something. Any other message of a failed compile counts as wrong.
REFUSAL = re.compile(r"\bunsupported\b")


@dataclass(frozen=True)
class Outcome:
    """`kind` is passed, refused or wrong; `baked` names the inputs that were compiled in as constants."""

    kind: str
    reason: str = ""
    baked: tuple[str, ...] = ()


class Cache:
    """Outcomes by the hash of all that they depend on; one JSON file."""

    def __init__(self, path: Path):
        self.path = path
        self.entries: dict[str, dict] = {}
        if path.is_file():
            try:
                self.entries = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                pass  # a torn file costs time, nothing else
        self.used: dict[str, dict] = {}

    def find(self, key: str) -> Outcome | None:
        entry = self.entries.get(key)
        if not entry:
            return None
        self.used[key] = entry
        return Outcome(entry["kind"], entry["reason"], tuple(entry["baked"]))

    def store(self, key: str, outcome: Outcome) -> None:
        self.entries[key] = self.used[key] = asdict(outcome)

    def save(self, keep_unused: bool) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(self.entries if keep_unused else self.used), encoding="utf-8")
        temporary.replace(self.path)


def hash_files(paths: Iterable[Path], *more: str) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"\n{path.name}\n".encode())
        digest.update(path.read_bytes())
    digest.update("\0".join(more).encode())
    return digest.hexdigest()


def _all_nodes(graph: onnx.GraphProto) -> Iterable[onnx.NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _all_nodes(inner)


def _is_open(value: onnx.ValueInfoProto) -> bool:
    if not value.type.HasField("tensor_type"):
        return False
    tensor = value.type.tensor_type
    return not tensor.HasField("shape") or any(not extent.HasField("dim_value") for extent in tensor.shape.dim)


class Runner:
    """Runs tests with one compiler for one target. Safe to call from several threads."""

    def __init__(
        self, modelc: Path, rig: Rig, flags: Sequence[str], shape_operands: dict[str, set[int]], cache: Cache, key: str
    ):
        self.modelc = modelc
        self.rig = rig
        self.flags = tuple(flags)
        self.shape_operands = shape_operands
        self.cache = cache
        self.key = key

    def run(self, test: Test) -> Outcome:
        key = hash_files(test.files(), "test", self.key, *self.flags)
        outcome = self.cache.find(key)
        if not outcome:
            outcome = self._run(test)
            self.cache.store(key, outcome)
        return outcome

    def _run(self, test: Test) -> Outcome:
        model = onnx.load(str(test.model), load_external_data=False)
        with tempfile.TemporaryDirectory(dir=self.rig.directory) as name:
            directory = Path(name)
            outcome = self._attempt(test, model, directory / "plain", {})
            # Wrong values stay wrong: constants must not hide them.
            if outcome.kind in ("passed", "wrong"):
                return outcome
            operands = self._bakeable(test, model)
            if not operands:
                return outcome
            return self._attempt(test, model, directory / "baked", operands)

    def _bakeable(self, test: Test, model: onnx.ModelProto) -> dict[str, numpy.ndarray]:
        """Inputs of the graph that a node takes as an operand that the registry marks as shape-like."""
        names = {value.name for value in graph_inputs(model)}
        found = set()
        for node in _all_nodes(model.graph):
            marked = self.shape_operands.get(f"{node.domain}:{node.op_type}", ())
            found |= {node.input[index] for index in marked if index < len(node.input)} & names
        if not found:
            return {}
        try:
            values = read_inputs(test, model)
        except ValueError:
            return {}
        return {name: values[name] for name in sorted(found) if name in values}

    def _attempt(
        self, test: Test, model: onnx.ModelProto, directory: Path, operands: dict[str, numpy.ndarray]
    ) -> Outcome:
        baked = tuple(operands)
        directory.mkdir()
        try:
            flags = [*self.flags, *self._shape_flags(test, model, baked)]
            for index, (name, value) in enumerate(operands.items()):
                path = directory / f"operand_{index}.npy"
                numpy.save(path, value)
                flags += ["--const", f"{name}=@{path}"]
            out = directory / "out"
            library = compile_model(
                self.modelc, test.model, self.rig.target, test.identifier, out, flags, timeout=600
            )
        except CompileError as error:
            refused = error.status == 1 and REFUSAL.search(error.text)
            text = error.text if refused else str(error)
            return Outcome("refused" if refused else "wrong", _first_line(text.replace(f"{test.model}: ", "")), baked)
        except ValueError as error:
            return Outcome("wrong", str(error), baked)
        return self._execute(test, model, library, baked)

    def _shape_flags(self, test: Test, model: onnx.ModelProto, baked: tuple[str, ...]) -> list[str]:
        """Binds open dimensions to the extents of the test's data, as a user would."""
        opened = [value.name for value in graph_inputs(model) if _is_open(value) and value.name not in baked]
        if not opened:
            return []
        try:
            values = read_inputs(test, model)
        except ValueError:
            return []  # sequences have no extents to bind: the compiler says what it thinks of them
        shapes = {name: "x".join(map(str, values[name].shape)) for name in opened if name in values}
        return [flag for name, shape in shapes.items() for flag in ("--shape", f"{name}={shape}")]

    def _execute(self, test: Test, model: onnx.ModelProto, library: Library, baked: tuple[str, ...]) -> Outcome:
        """Links and runs, unless the very same library has been run before on the very same data."""
        files = [*sorted(library.directory.iterdir()), *test.input_files(), *test.output_files()]
        key = hash_files(files, "library", str(test.rtol), str(test.atol), *baked)
        outcome = self.cache.find(key)
        if not outcome:
            try:
                reason = self._compare(test, model, library)
            except (RigError, ValueError, KeyError) as error:
                reason = _first_line(str(error))
            outcome = Outcome("wrong", reason, baked) if reason else Outcome("passed", "", baked)
            self.cache.store(key, outcome)
        shutil.rmtree(library.directory)
        return outcome

    def _compare(self, test: Test, model: onnx.ModelProto, library: Library) -> str:
        inputs = read_inputs(test, model)
        program = self.rig.link(library)
        try:
            values = {tensor.name: inputs[tensor.name] for tensor in library.inputs}
            outputs = program.run([values], timeout=300)[0]
        finally:
            program.remove()
        names = [value.name for value in model.graph.output]
        for name, path in zip(names, test.output_files(), strict=True):
            if name not in outputs:
                return f"output {name} is missing"
            problem = compare(outputs[name], read_tensor(path), test.rtol, test.atol)
            if problem:
                return f"{name}: {problem}"
        return ""


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:300] if lines else ""
