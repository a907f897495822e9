"""save.py FILE VALUES [TYPE]: writes a Python literal as .npy, or as an ONNX tensor if FILE ends with .pb.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ast
import sys

import numpy
import onnx.numpy_helper

path, text, *rest = sys.argv[1:]
array = numpy.array(ast.literal_eval(text), dtype=rest[0] if rest else "float32")
if path.endswith(".pb"):
    with open(path, "wb") as file:
        file.write(onnx.numpy_helper.from_array(array).SerializeToString())
else:
    numpy.save(path, array)
