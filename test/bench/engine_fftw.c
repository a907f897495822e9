// One real transform by FFTW as an engine of the benchmark: engine LENGTH INPUT REPEAT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// INPUT begins with LENGTH numbers. The plan is FFTW's patient one; a call makes REPEAT transforms.

#include "pace.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct transforms {
  fftwf_plan plan;
  long repeat;
};

static int step(void *context) {
  struct transforms *transforms = context;
  for (long i = 0; i < transforms->repeat; ++i) {
    fftwf_execute(transforms->plan);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: engine LENGTH INPUT REPEAT\n");
    return 1;
  }
  int length = atoi(argv[1]);
  size_t bytes = 0;
  void *data = pace_read_file(argv[2], &bytes);
  struct transforms transforms = {.repeat = atol(argv[3])};
  if (!data || length < 1 || bytes < (size_t)length * sizeof(float) || transforms.repeat < 1) {
    fprintf(stderr, "bench: expected %d numbers or more in %s\n", length, argv[2]);
    return 1;
  }
  float *input = fftwf_alloc_real((size_t)length);
  fftwf_complex *output = fftwf_alloc_complex((size_t)length / 2 + 1);
  if (!input || !output) {
    fprintf(stderr, "bench: out of memory\n");
    return 1;
  }
  transforms.plan = fftwf_plan_dft_r2c_1d(length, input, output, FFTW_PATIENT);
  memcpy(input, data, (size_t)length * sizeof(float)); // planning writes it
  return transforms.plan ? pace_serve(step, &transforms) : 1;
}
