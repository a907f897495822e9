"""onnxruntime at its best: the variant of a model that it runs quickest.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from collections.abc import Mapping
from pathlib import Path

import numpy
import onnx
from onnx import numpy_helper

from engines import Arrays, Engine, onnxruntime_engine
from manifest import Library

SETTINGS = "C interface, 1 thread, all graph optimizations, IO binding, denormals as zero"


def best_engine(
    source: Path, library: Library, values: Arrays, constants: Mapping[str, object], directory: Path, cpu: int | None
) -> tuple[Engine, str]:
    """Starts an engine for the quickest variant; returns it and what was done to the model.

    It is told what the compiler knows: static shapes and constant inputs. That is not always quicker, and for some
    models the engine crashes on it.
    """
    best: tuple[float, Engine, str] | None = None
    for static in (True, False):
        for fold in (True, False) if constants else (False,):
            label = ", ".join(["static shapes"] * static + ["constants folded"] * fold) or "as published"
            model = directory / f"peer_{int(static)}{int(fold)}.onnx"
            inputs = {**values, **_write_variant(source, library, constants, model, static, fold)}
            engine = onnxruntime_engine(model, inputs, library.outputs, cpu)
            try:
                engine.measure(5)
                speed = float(numpy.median(engine.measure(15)))
            except (RuntimeError, BrokenPipeError):
                continue
            if best:
                slower = engine if speed >= best[0] else best[1]
                slower.close()
            if not best or speed < best[0]:
                best = (speed, engine, label)
    if not best:
        raise RuntimeError("onnxruntime runs no variant of this model")
    return best[1], best[2]


def _write_variant(
    source: Path, library: Library, constants: Mapping[str, object], output: Path, static: bool, fold: bool
) -> dict[str, numpy.ndarray]:
    """Writes the model; returns the constants that are still inputs. Weights are never inputs: that stops folding."""
    model = onnx.load(str(source))
    graph = model.graph
    weights = {tensor.name for tensor in graph.initializer}
    kept, values = [], {}
    for value in graph.input:
        if value.name in weights:
            continue
        if value.name in constants:
            dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            array = numpy.asarray(constants[value.name], dtype)
            if fold:
                graph.initializer.append(numpy_helper.from_array(array, value.name))
                continue
            values[value.name] = array
        kept.append(value)
    del graph.input[:]
    graph.input.extend(kept)
    if static:
        _fix_shapes(graph, library)
    model.ir_version = max(model.ir_version, 4)  # the first in which weights need not be inputs
    onnx.save(model, str(output))
    return values


def _fix_shapes(graph: onnx.GraphProto, library: Library) -> None:
    shapes = {tensor.name: tensor.shape for tensor in (*library.inputs, *library.outputs)}
    for value in (*graph.input, *graph.output):
        if value.name in shapes:
            del value.type.tensor_type.shape.dim[:]
            for extent in shapes[value.name]:
                value.type.tensor_type.shape.dim.add().dim_value = extent
