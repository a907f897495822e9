# Writes an ONNX model from text: `model.py TEXT MODEL`. TEXT holds ONNX's text
# syntax, in which `#` starts a comment. A line `# EDIT: statement` is Python
# that changes the parsed model `m`, for what the syntax cannot say.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

import onnx
import onnx.parser


def main(source, target):
    with open(source) as file:
        text = file.read()
    m = onnx.parser.parse_model(text)
    for line in text.splitlines():
        if line.startswith("# EDIT:"):
            exec(line[len("# EDIT:"):].strip(), {"m": m, "onnx": onnx})
    data = m if isinstance(m, bytes) else m.SerializeToString()
    with open(target, "wb") as file:
        file.write(data)


main(*sys.argv[1:])
