// Finds speech in a WAV file with the voice activity detector that modelc
// compiled into libvad.a. Needs nothing but the C library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   vad speech.wav probabilities.txt [passes]
//
// More passes over the same recording give more times to measure.
// The model hears 512 new samples (32 ms at 16 kHz) per run, preceded by the
// last 64 samples of the run before.
#include "../wav.h"
#include "vad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RATE = 16000, CONTEXT = 64, CHUNK = 512, STATE = 2 * 128 };

// A segment begins at ENTER and ends after PATIENCE chunks below LEAVE; what is
// shorter than SHORTEST chunks is no speech.
static const float ENTER = 0.5f, LEAVE = 0.35f;
enum { PATIENCE = 4, SHORTEST = 8 };

static _Alignas(VAD_ALIGN) unsigned char instance[VAD_STATE_BYTES];
static _Alignas(VAD_ALIGN) unsigned char scratch[VAD_SCRATCH_BYTES];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int by_value(const void *x, const void *y) {
  double difference = *(const double *)x - *(const double *)y;
  return difference < 0 ? -1 : difference > 0;
}

static void print_segments(const float *probability, long chunks) {
  const double seconds = (double)CHUNK / RATE;
  long begin = -1, quiet = 0;
  for (long i = 0; i <= chunks; ++i) {
    float p = i < chunks ? probability[i] : 0.0f;
    if (begin < 0) {
      begin = p >= ENTER ? i : -1;
      quiet = 0;
      continue;
    }
    quiet = p < LEAVE ? quiet + 1 : 0;
    if (quiet >= PATIENCE || i == chunks) {
      long end = i + 1 - quiet;
      if (end - begin >= SHORTEST) {
        printf("  speech from %5.2f s to %5.2f s\n", (double)begin * seconds,
               (double)end * seconds);
      }
      begin = -1;
    }
  }
}

int main(int argc, char **argv) {
  float *samples = NULL;
  long count = argc == 3 || argc == 4 ? wav_read(argv[1], RATE, CHUNK, &samples) : -1;
  long passes = argc == 4 ? strtol(argv[3], NULL, 10) : 1;
  if (count < CHUNK || passes < 1 || passes > 1000) {
    fprintf(stderr, "usage: vad speech.wav probabilities.txt [passes] (16-bit mono PCM, 16 kHz)\n");
    return 1;
  }

  vad_config config = {0};
  config.abi = MODELC_ABI;
  config.size = sizeof config;
  config.state = instance;
  config.state_bytes = sizeof instance;
  config.scratch = scratch;
  config.scratch_bytes = sizeof scratch;
  vad *self;
  if (vad_init(&self, &config) != MODELC_OK) {
    fprintf(stderr, "vad_init failed\n");
    return 1;
  }

  // The recurrent state is an input and an output of this model; both may be
  // the same memory.
  float window[CONTEXT + CHUNK], state[STATE];
  long chunks = (count + CHUNK - 1) / CHUNK;
  float *probability = calloc((size_t)chunks, sizeof *probability);
  long runs = chunks * passes;
  double *micros = calloc((size_t)runs, sizeof *micros);
  if (!probability || !micros) {
    return 1;
  }
  for (long run = 0; run < runs; ++run) {
    long i = run % chunks;
    if (i == 0) {
      memset(window, 0, sizeof window);
      memset(state, 0, sizeof state);
    }
    memcpy(window + CONTEXT, samples + i * CHUNK, CHUNK * sizeof *samples);
    vad_inputs in = {.input = window, .state = state};
    vad_outputs out = {.output = &probability[i], .stateN = state};
    double start = now();
    modelc_status status = vad_run(self, &in, &out);
    micros[run] = now() - start;
    if (status != MODELC_OK) {
      fprintf(stderr, "vad_run returned %d\n", (int)status);
      return 1;
    }
    memmove(window, window + CHUNK, CONTEXT * sizeof *window);
  }

  FILE *list = fopen(argv[2], "w");
  if (!list) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
    return 1;
  }
  for (long i = 0; i < chunks; ++i) {
    fprintf(list, "%.9g\n", (double)probability[i]);
  }
  fclose(list);

  print_segments(probability, chunks);
  qsort(micros, (size_t)runs, sizeof *micros, by_value);
  printf("  time per 32 ms chunk, microseconds: median %.1f, p99.9 %.1f, max %.1f (%ld runs)\n",
         micros[runs / 2], micros[(runs * 999) / 1000], micros[runs - 1], runs);
  printf("  state %u bytes, scratch %u bytes\n", (unsigned)VAD_STATE_BYTES,
         (unsigned)VAD_SCRATCH_BYTES);
  free(samples);
  free(probability);
  free(micros);
  return 0;
}
