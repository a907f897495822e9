"""Writes the C table through which the driver calls one library.

The table is compiled against the library's own header, so that header and manifest must agree.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

from manifest import Library, Tensor


def _table(label: str, tensors: tuple[Tensor, ...]) -> str:
    # A JSON string in ASCII is a C string, except that C has no \u escapes for control characters.
    rows = [
        "    {%s, %du, %du}," % (json.dumps(tensor.c_name), tensor.bytes, tensor.dtype.itemsize) for tensor in tensors
    ]
    return "\n".join([f"static const struct rig_tensor {label}[] = {{", *rows, "    {0, 0, 0}};"])


def _fields(variable: str, array: str, tensors: tuple[Tensor, ...]) -> str:
    return "\n".join(f"  {variable}.{tensor.c_name} = {array}[{i}];" for i, tensor in enumerate(tensors))


def _flush(library: Library) -> str:
    if not library.flush_runs:
        return ""
    return f"  if (flushing) {{\n    return {library.name}_flush(self, &arguments, &results);\n  }}\n"


def glue_source(library: Library) -> str:
    name = library.name
    upper = name.upper()
    return f"""#include "{name}.h"

#include "driver.h"

_Static_assert({upper}_STATE_BYTES == {library.state_bytes}u, "state bytes of header and manifest");
_Static_assert({upper}_SCRATCH_BYTES == {library.scratch_bytes}u, "scratch bytes of header and manifest");
_Static_assert({upper}_ALIGN == {library.align}u, "alignment of header and manifest");

{_table("inputs", library.inputs)}

{_table("outputs", library.outputs)}

static int32_t init(void **self, void *state, void *scratch) {{
  {name}_config config = {{0}};
  config.abi = MODELC_ABI;
  config.size = sizeof config;
  config.state = state;
  config.state_bytes = {upper}_STATE_BYTES;
  config.scratch = scratch;
  config.scratch_bytes = {upper}_SCRATCH_BYTES;
  {name} *instance = 0;
  int32_t status = {name}_init(&instance, &config);
  *self = instance;
  return status;
}}

static int32_t run(void *self, void *const *in, void *const *out, int flushing) {{
  (void)in;
  (void)out;
  (void)flushing;
  {name}_inputs arguments = {{0}};
{_fields("arguments", "in", library.inputs)}
  {name}_outputs results = {{0}};
{_fields("results", "out", library.outputs)}
{_flush(library)}  return {name}_run(self, &arguments, &results);
}}

static void reset(void *self) {{ {name}_reset(self); }}

const struct rig_model rig_model = {{
    .inputs = inputs,
    .outputs = outputs,
    .input_count = {len(library.inputs)}u,
    .output_count = {len(library.outputs)}u,
    .state_bytes = {upper}_STATE_BYTES,
    .scratch_bytes = {upper}_SCRATCH_BYTES,
    .align = {upper}_ALIGN,
    .init = init,
    .run = run,
    .reset = reset,
}};
"""
