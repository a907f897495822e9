// The timed loop that every engine of the benchmark shares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pace.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t second = 1000000000;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

static void sleep_until(int64_t when) {
  struct timespec time = {.tv_sec = when / second, .tv_nsec = when % second};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL)) {
  }
}

// Volatile, so that the reads happen.
static void read_all(const volatile unsigned char *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) {
    (void)data[i];
  }
}

static int serve_one(int (*step)(void *context), void *context, uint64_t *times, size_t count,
                     int64_t period, const unsigned char *other, size_t other_bytes) {
  int64_t next = now();
  for (size_t i = 0; i < count; ++i) {
    if (other_bytes) {
      read_all(other, other_bytes);
    }
    if (period) {
      // A call that overran skips the periods it missed.
      int64_t current = now();
      next += period;
      if (next < current) {
        next += (current - next) / period * period + period;
      }
      sleep_until(next);
    }
    int64_t start = now();
    int failed = step(context);
    times[i] = (uint64_t)(now() - start);
    if (failed) {
      return -1;
    }
  }
  return 0;
}

int pace_serve(int (*step)(void *context), void *context) {
  size_t count = 0, other_bytes = 0;
  int64_t period = 0;
  while (scanf("%zu %" SCNd64 " %zu", &count, &period, &other_bytes) == 3) {
    uint64_t *times = calloc(count ? count : 1, sizeof *times);
    unsigned char *other = other_bytes ? malloc(other_bytes) : NULL;
    if (!times || (other_bytes && !other)) {
      fprintf(stderr, "bench: out of memory\n");
      return 1;
    }
    if (other) {
      memset(other, 1, other_bytes);
    }
    if (serve_one(step, context, times, count, period, other, other_bytes)) {
      fprintf(stderr, "bench: a step failed\n");
      return 1;
    }
    fwrite(times, sizeof *times, count, stdout);
    fflush(stdout);
    free(times);
    free(other);
  }
  return 0;
}
