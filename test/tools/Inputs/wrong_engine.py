"""wrong_engine.py SOURCE NAME... REQUEST: the reference engine, with 1 added to the named values.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy

source, *names, request = sys.argv[1:]
subprocess.run([sys.executable, f"{source}/tools/reference/onnxruntime_run.py", request], check=True)
for output in json.loads(Path(request).read_text(encoding="utf-8"))["outputs"]:
    if output["name"] in names:
        numpy.save(output["file"], numpy.load(output["file"]) + numpy.float32(1))
