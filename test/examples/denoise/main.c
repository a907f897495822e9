// Cleans a WAV file hop by hop with the denoiser that modelc compiled into libdenoiser.a, as a
// product would a microphone. Needs nothing but the C library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   denoise noisy.wav clean.wav [passes]
//
// More passes over the same recording give more times to measure.
#include "../wav.h"
#include "denoiser.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RATE = 16000, HOP = DENOISER_HOP_SAMPLES, LATENCY = DENOISER_LATENCY_SAMPLES };

static _Alignas(DENOISER_ALIGN) unsigned char instance[DENOISER_STATE_BYTES];
static _Alignas(DENOISER_ALIGN) unsigned char scratch[DENOISER_SCRATCH_BYTES];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int by_value(const void *x, const void *y) {
  double difference = *(const double *)x - *(const double *)y;
  return difference < 0 ? -1 : difference > 0;
}

// Reads `hops` hops and writes what comes out for them, LATENCY samples later.
static modelc_status clean(denoiser *self, const float *noisy, long hops, float *cleaned,
                           double *micros) {
  denoiser_reset(self);
  for (long i = 0; i < hops; ++i) {
    denoiser_inputs in = {.audio = noisy + i * HOP};
    denoiser_outputs out = {.enhanced = cleaned + i * HOP};
    double start = now();
    modelc_status status = denoiser_run(self, &in, &out);
    micros[i] = now() - start;
    if (status != MODELC_OK) {
      return status;
    }
  }
  for (long i = hops; i < hops + (long)DENOISER_FLUSH_RUNS; ++i) {
    denoiser_inputs in = {.audio = noisy};
    denoiser_outputs out = {.enhanced = cleaned + i * HOP};
    modelc_status status = denoiser_flush(self, &in, &out);
    if (status != MODELC_OK) {
      return status;
    }
  }
  return MODELC_OK;
}

int main(int argc, char **argv) {
  float *noisy = NULL;
  long count = argc == 3 || argc == 4 ? wav_read(argv[1], RATE, HOP, &noisy) : -1;
  long passes = argc == 4 ? strtol(argv[3], NULL, 10) : 1;
  if (count < 1 || passes < 1 || passes > 1000) {
    fprintf(stderr, "usage: denoise noisy.wav clean.wav [passes] (16-bit mono PCM, 16 kHz)\n");
    return 1;
  }

  denoiser_config config = {0};
  config.abi = MODELC_ABI;
  config.size = sizeof config;
  config.state = instance;
  config.state_bytes = sizeof instance;
  config.scratch = scratch;
  config.scratch_bytes = sizeof scratch;
  denoiser *self;
  if (denoiser_init(&self, &config) != MODELC_OK) {
    fprintf(stderr, "denoiser_init failed\n");
    return 1;
  }

  long hops = (count + HOP - 1) / HOP;
  float *cleaned = calloc((size_t)(hops + (long)DENOISER_FLUSH_RUNS) * HOP, sizeof *cleaned);
  double *micros = calloc((size_t)(hops * passes), sizeof *micros);
  if (!cleaned || !micros) {
    return 1;
  }
  for (long pass = 0; pass < passes; ++pass) {
    modelc_status status = clean(self, noisy, hops, cleaned, micros + pass * hops);
    if (status != MODELC_OK) {
      fprintf(stderr, "denoiser_run returned %d\n", (int)status);
      return 1;
    }
  }
  if (wav_write(argv[2], RATE, cleaned + LATENCY, count) != 0) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
    return 1;
  }

  long runs = hops * passes;
  qsort(micros, (size_t)runs, sizeof *micros, by_value);
  printf("  time per hop of %.0f ms, microseconds: median %.1f, p99.9 %.1f, max %.1f (%ld hops)\n",
         1e3 * HOP / RATE, micros[runs / 2], micros[(runs * 999) / 1000], micros[runs - 1], runs);
  printf(
      "  state %u bytes, scratch %u bytes; the output lags %d samples (%.0f ms) behind the input\n",
      (unsigned)DENOISER_STATE_BYTES, (unsigned)DENOISER_SCRATCH_BYTES, (int)LATENCY,
      1e3 * LATENCY / RATE);
  free(noisy);
  free(cleaned);
  free(micros);
  return 0;
}
