"""The Python environment of the tests: pinned packages in a virtual environment inside the cache.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import sys
from pathlib import Path


def cache_directory() -> Path:
    return Path(os.environ.get("MODELC_CACHE") or Path.home() / ".cache/modelc")


def enter() -> None:
    """Starts the running script again under the pinned interpreter, unless it already runs there.

    Call it before the first import of a package that is not in the standard library.
    """
    python = cache_directory() / "venv/bin/python"
    if Path(sys.prefix) == python.parent.parent:
        return
    if not python.is_file():
        sys.exit(f"{sys.argv[0]}: no Python environment at {python}: run tools/setup first")
    os.execv(python, [str(python), *sys.argv])
