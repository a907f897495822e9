#!/usr/bin/env python3
"""Runs a model with onnxruntime for `modelc verify`: the one argument is a JSON file.

{"model": PATH,
 "inputs": [{"name", "type", "file"}],         .npy files to read
 "constants": [{"name", "text" or "file"}],    values of --const
 "outputs": [{"name", "type", "file"}]}        .npy files to write; any value of the graph

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys
from pathlib import Path

import ml_dtypes
import numpy
import onnx
import onnxruntime


def load(path, element_type=""):
    array = numpy.load(path, allow_pickle=False)
    return array.view(ml_dtypes.bfloat16) if element_type == "bf16" else array


def constant(info, entry):
    """What --const means: one number for all elements, or a comma list."""
    if "file" in entry:
        return load(entry["file"])
    tensor = info.type.tensor_type
    shape = [dim.dim_value if dim.HasField("dim_value") else 1 for dim in tensor.shape.dim]
    words = [{"true": "1", "false": "0"}.get(word.strip(), word) for word in entry["text"].split(",")]
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    integral = not numpy.issubdtype(dtype, numpy.inexact)
    values = numpy.array([int(word) if integral else float(word) for word in words]).astype(dtype)
    return numpy.full(shape, values[0]) if len(values) == 1 else values.reshape(shape)


def with_outputs(path, names):
    """The model with further values as outputs; the file's folder stays the place of external data."""
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    computed = {name for node in graph.node for name in node.output}
    known = {output.name for output in graph.output}
    extra = [name for name in names if name in computed and name not in known]
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in extra)
    return model, known | set(extra)


def main():
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    path = Path(request["model"])
    wanted = [output["name"] for output in request["outputs"]]
    model, available = with_outputs(path, wanted)

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # The values of single nodes, not of fused ones.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(path.resolve().parent)
    )
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )

    feeds = {entry["name"]: load(entry["file"], entry["type"]) for entry in request["inputs"]}
    infos = {info.name: info for info in model.graph.input}
    for entry in request["constants"]:
        feeds[entry["name"]] = constant(infos[entry["name"]], entry)
    names = [name for name in wanted if name in available]
    values = dict(zip(names, session.run(names, feeds)))
    for output in request["outputs"]:
        value = values.get(output["name"])
        # Sequences and optional values are no tensors.
        if isinstance(value, numpy.ndarray):
            numpy.save(output["file"], numpy.ascontiguousarray(value).reshape(value.shape))


if __name__ == "__main__":
    main()
