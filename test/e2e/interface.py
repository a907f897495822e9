"""The C interface of a library: every documented status is provoked, and the header is one of C and of C++.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
from pathlib import Path

import onnx
import onnx.parser

from compiler import compile_model
from native import Rig, RigError

HERE = Path(__file__).resolve().parent

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
interface (float[5,7] x, int64[3] i, float[3,7] sum) => (float[3,7] y, float[5,7] z, float[3,7] before, float[3,7] sum_out) {
  y = Gather<axis = 0>(x, i)
  sum_out = Add(sum, y)
  before = Identity(sum)
  one = Constant<value = float {1.0}>()
  z = Add(x, one)
}"""

FLAGS = ("--state=sum=sum_out",)

USE_FROM_CPP = """#include "interface.h"
#include "second.h"
int main() {
  interface_config config = {MODELC_ABI, sizeof config, nullptr, 0, nullptr, 0, nullptr, 0, nullptr};
  interface *first = nullptr;
  second *other = nullptr;
  return interface_init(&first, &config) == second_init(&other, &config) ? 0 : 1;
}
"""


def check_interface(modelc: Path, target: str, directory: Path) -> None:
    """Raises CompileError or RigError with what is wrong."""
    directory.mkdir(parents=True, exist_ok=True)
    model = directory / "interface.onnx"
    onnx.save(onnx.parser.parse_model(MODEL), str(model))
    library = compile_model(modelc, model, target, "interface", directory / "out", FLAGS)
    rig = Rig(target, directory / "rig", sources=[HERE / "interface.c"], includes=[library.directory])
    rig.link(library).call([])
    if target == "native":
        second = compile_model(modelc, model, target, "second", directory / "second", FLAGS)
        _check_cpp([library, second], directory)


def _check_cpp(libraries: list, directory: Path) -> None:
    """Two libraries in one C++ program, whose headers meet in one file; strict warnings on."""
    source = directory / "use.cpp"
    source.write_text(USE_FROM_CPP, encoding="utf-8")
    includes = [f"-I{library.directory}" for library in libraries]
    archives = [str(library.archive) for library in libraries]
    warnings = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
    program = directory / "use"
    command = ["c++", *warnings, *includes, str(source), *archives, "-o", str(program)]
    for step in (command, [str(program)]):
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            raise RigError(f"use from C++: {done.stderr.strip() or done.returncode}")
