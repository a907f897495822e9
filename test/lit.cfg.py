# How lit runs the text tests. Start it with `cmake --build build/<preset>
# --target check-lit`, or give lit build/<preset>/test/<part> for a part of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import platform
import shutil

import lit.formats

config.name = "modelc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".onnxtxt"]
# Folders of other kinds of test, and files that tests read.
config.excludes = ["unit", "e2e", "rigs", "examples", "fuzz", "Inputs", "build"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.modelc_build, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.modelc_build, "bin"), config.llvm_tools, os.environ.get("PATH", "")]
)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "MODELC_CACHE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Variables of FileCheck end with the function they were captured in.
config.substitutions += [
    (r"(?<![\w./-])FileCheck(?![\w./-])", "FileCheck --enable-var-scope"),
    ("%python", os.path.join(config.modelc_cache, "venv", "bin", "python")),
    ("%source", config.modelc_source),
    ("%cc", "clang-19"),
]

config.available_features.add(platform.machine())
for tool in ("qemu-aarch64", "qemu-arm", "qemu-system-arm", "aarch64-linux-gnu-gcc"):
    if shutil.which(tool):
        config.available_features.add(tool)
