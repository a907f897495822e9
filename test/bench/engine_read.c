// Reading memory as an engine of the benchmark: engine BYTES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the machine needs to read so many bytes once: no engine that uses every weight of a
// model of that size can be quicker, whatever its arithmetic.

#include "pace.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct footprint {
  const uint64_t *data;
  size_t words;
  volatile uint64_t sink;
};

// Eight sums, so that the additions of one do not wait for one another.
static int step(void *context) {
  struct footprint *footprint = context;
  uint64_t sums[8] = {0};
  const uint64_t *data = footprint->data;
  for (size_t i = 0; i + 64 <= footprint->words; i += 64) {
    for (size_t lane = 0; lane < 8; ++lane) {
      for (size_t part = 0; part < 8; ++part) {
        sums[lane] += data[i + part * 8 + lane];
      }
    }
  }
  uint64_t total = 0;
  for (size_t lane = 0; lane < 8; ++lane) {
    total += sums[lane];
  }
  footprint->sink = total;
  return 0;
}

int main(int argc, char **argv) {
  size_t bytes = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
  bytes = (bytes + 511) / 512 * 512;
  unsigned char *data = bytes ? aligned_alloc(512, bytes) : NULL;
  if (!data) {
    fprintf(stderr, "usage: engine BYTES\n");
    return 1;
  }
  memset(data, 1, bytes);
  struct footprint footprint = {.data = (const uint64_t *)data, .words = bytes / 8};
  return pace_serve(step, &footprint);
}
