"""Single operators whose speed has a known bound: large matrix products and one step of a recurrent cell.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def _save(name: str, nodes: list, inputs: dict, outputs: dict, weights: dict, directory: Path) -> Path:
    def values(shapes: dict) -> list:
        return [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in shapes.items()]

    generator = numpy.random.default_rng(len(name))
    tensors = []
    for key, shape in weights.items():
        array = generator.standard_normal(shape) / numpy.sqrt(shape[-1])
        tensors.append(numpy_helper.from_array(array.astype(numpy.float32), key))
    graph = helper.make_graph(nodes, name, values(inputs), values(outputs), tensors)
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    path = directory / f"{name}.onnx"
    onnx.save(model, str(path))
    return path


def matmul_model(rows: int, directory: Path) -> Path:
    node = helper.make_node("MatMul", ["a", "b"], ["c"])
    square = (rows, rows)
    return _save(f"matmul_{rows}", [node], {"a": square}, {"c": square}, {"b": square}, directory)


def gru_model(inputs: int, hidden: int, directory: Path) -> Path:
    node = helper.make_node(
        "GRU", ["x", "w", "r", "b", "", "h"], ["", "h_out"], hidden_size=hidden, linear_before_reset=1
    )
    weights = {"w": (1, 3 * hidden, inputs), "r": (1, 3 * hidden, hidden), "b": (1, 6 * hidden)}
    state = (1, 1, hidden)
    name = f"gru_{inputs}_{hidden}"
    return _save(name, [node], {"x": (1, 1, inputs), "h": state}, {"h_out": state}, weights, directory)


def conv_model(channels: int, filters: int, size: int, kernel: int, directory: Path) -> Path:
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4)
    weights = {"w": (filters, channels, kernel, kernel), "b": (filters,)}
    name = f"conv_{kernel}x{kernel}_{channels}_{filters}"
    return _save(name, [node], {"x": (1, channels, size, size)}, {"y": (1, filters, size, size)}, weights, directory)
