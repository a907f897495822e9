"""What the checks share: the tracked files, and the closing line.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def tracked_files(*suffixes):
    """Paths, relative to the root, of the files in git that still exist."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [
        path
        for path in listed
        if path.endswith(suffixes) and os.path.isfile(os.path.join(ROOT, path))
    ]


def cached(build, variable):
    """The value of a variable in the CMake cache of a build tree."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return re.search(rf"^{variable}:PATH=(.*)$", file.read(), re.M).group(1)


def finish(passed, failed, skipped=0):
    """Prints the line that tools/check reads and ends the process."""
    line = f"{passed} passed, {failed} failed"
    if skipped:
        line += f", {skipped} skipped"
    print(line, flush=True)
    sys.exit(1 if failed else 0)
