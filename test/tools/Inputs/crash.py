"""crash.py MODELC FOLDER: ends modelc by a segmentation fault while it waits for its model; prints how it ended.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import signal
import subprocess
import sys
import time

modelc, folder = sys.argv[1:]
pipe = os.path.join(folder, "model.onnx")
os.mkfifo(pipe)
process = subprocess.Popen(
    [modelc, "compile", "model.onnx", "-o", "out"], cwd=folder, stderr=subprocess.PIPE, text=True
)
# Opening succeeds once the other side reads: then its handlers are installed.
with open(pipe, "wb"):
    time.sleep(0.1)
    process.send_signal(signal.SIGSEGV)
    print(process.communicate(timeout=60)[1], end="")
print("status", process.returncode)
