"""The denoiser as one streams it by hand with onnxruntime: one frame per call, states as inputs and outputs.

onnxruntime has no inverse STFT, and its STFT is slow; so both are products with constant matrices, as exporters write
them, with the window inside. Cutting frames and adding them up is left to the caller.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIZE, STEP = 320, 160
BINS = SIZE // 2 + 1


def frame_model(path):
    """frame [1, SIZE] and a state per recurrent layer -> enhanced frame, states."""
    model = onnx.load(path)
    graph = model.graph
    forward, inverse = _bases(window_of(model))
    kept, inputs, outputs = [], [("frame", [1, SIZE])], [("enhanced", [1, SIZE])]
    constants = {"forward": forward, "inverse": inverse, "to_pairs": np.array([1, BINS, 1, 2]),
                 "to_row": np.array([1, 2 * BINS])}
    for node in graph.node:
        if node.op_type == "STFT":
            kept.append(helper.make_node("MatMul", ["frame", "forward"], ["row"]))
            kept.append(helper.make_node("Reshape", ["row", "to_pairs"], [node.output[0]]))
        elif node.op_type == "ISTFT":
            kept.append(helper.make_node("Reshape", [node.input[0], "to_row"], ["enhanced_row"]))
            kept.append(helper.make_node("MatMul", ["enhanced_row", "inverse"], ["enhanced"]))
        else:
            if node.op_type == "GRU":
                width = next(attribute.i for attribute in node.attribute if attribute.name == "hidden_size")
                state = f"state{len(inputs) - 1}"
                node.input[5] = state
                node.output[:] = [node.output[0], f"{state}_out"]
                inputs.append((state, [1, 1, width]))
                outputs.append((f"{state}_out", [1, 1, width]))
            kept.append(node)
    values = [*graph.initializer, *(numpy_helper.from_array(value, name) for name, value in constants.items())]
    used = {name for node in kept for name in node.input}
    values = [value for value in values if value.name in used]
    typed = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in side]
             for side in (inputs, outputs)]
    opset = next(opset for opset in model.opset_import if opset.domain == "")
    result = helper.make_model(helper.make_graph(kept, "frame", *typed, values), opset_imports=[opset])
    result.ir_version = 10
    return result


def window_of(model):
    return next(numpy_helper.to_array(value) for value in model.graph.initializer if value.name == "window")


def _bases(window):
    """The rows of a frame to pairs of its spectrum, and back."""
    angle = 2 * np.pi * np.outer(np.arange(SIZE), np.arange(BINS)) / SIZE
    forward = np.stack([np.cos(angle), -np.sin(angle)], -1).reshape(SIZE, 2 * BINS) * window[:, None]
    share = np.full(BINS, 2.0 / SIZE)  # a bin stands for its mirror image too, the outer ones for themselves
    share[[0, -1]] = 1.0 / SIZE
    inverse = np.stack([np.cos(angle) * share, -np.sin(angle) * share], -1).reshape(SIZE, 2 * BINS).T * window
    return forward.astype(np.float32), inverse.astype(np.float32)


def enhance(path, noisy):
    """The whole recording, frame by frame."""
    model = frame_model(path)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    window = window_of(onnx.load(path))
    frames = -(-len(noisy) // STEP) + 1
    padded = np.pad(noisy.astype(np.float32), (SIZE // 2, SIZE + STEP))
    total, weight = np.zeros(len(padded)), np.full(len(padded), 1e-20)
    states = {value.name: np.zeros([d.dim_value for d in value.type.tensor_type.shape.dim], np.float32)
              for value in model.graph.input if value.name != "frame"}
    for i in range(frames):
        place = slice(i * STEP, i * STEP + SIZE)
        frame, *after = session.run(None, {"frame": padded[None, place], **states})
        states = dict(zip(states, after))
        total[place] += frame[0]
        weight[place] += window.astype(np.float64) ** 2
    return (total / weight)[SIZE // 2 :][: len(noisy)]
