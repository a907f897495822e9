// A compiled model as an engine of the benchmark: engine INPUT [REPEAT]
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// INPUT holds the bytes of every input in order. A call runs the model REPEAT times (1).

#include "driver.h"
#include "pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TENSORS = 256, LINE = 64 };

static void *input_data[MAX_TENSORS];
static void *output_data[MAX_TENSORS];

static void *reserve(size_t bytes, size_t align) {
  size_t unit = align < LINE ? LINE : align;
  size_t rounded = (bytes + unit - 1) / unit * unit;
  void *data = aligned_alloc(unit, rounded ? rounded : unit);
  if (!data) {
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
  }
  memset(data, 0, rounded ? rounded : unit);
  return data;
}

static long repeat = 1;

static int step(void *self) {
  int status = 0;
  for (long i = 0; i < repeat && !status; ++i) {
    status = rig_model.run(self, input_data, output_data, 0);
  }
  return status;
}

int main(int argc, char **argv) {
  repeat = argc == 3 ? atol(argv[2]) : 1;
  if (argc < 2 || argc > 3 || repeat < 1 || rig_model.input_count > MAX_TENSORS ||
      rig_model.output_count > MAX_TENSORS) {
    fprintf(stderr, "usage: engine INPUT [REPEAT]\n");
    return 1;
  }
  size_t bytes = 0, offset = 0;
  unsigned char *file = pace_read_file(argv[1], &bytes);
  if (!file) {
    return 1;
  }
  for (size_t i = 0; i < rig_model.input_count; ++i) {
    size_t size = rig_model.inputs[i].bytes;
    if (size > bytes - offset) {
      fprintf(stderr, "bench: %s is too short\n", argv[1]);
      return 1;
    }
    input_data[i] = reserve(size, LINE);
    memcpy(input_data[i], file + offset, size);
    offset += size;
  }
  for (size_t i = 0; i < rig_model.output_count; ++i) {
    output_data[i] = reserve(rig_model.outputs[i].bytes, LINE);
  }
  void *self = NULL;
  int32_t status = rig_model.init(&self, reserve(rig_model.state_bytes, rig_model.align),
                                  reserve(rig_model.scratch_bytes, rig_model.align));
  if (status) {
    fprintf(stderr, "bench: init returned status %d\n", (int)status);
    return 1;
  }
  return pace_serve(step, self);
}
