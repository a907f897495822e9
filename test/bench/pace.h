// The timed loop that every engine of the benchmark shares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_TEST_BENCH_PACE_H
#define MODELC_TEST_BENCH_PACE_H

#include <stddef.h>

// Serves requests from standard input, one per line:
//
//   COUNT PERIOD_NS EVICT_BYTES
//
// calls `step` COUNT times and answers with COUNT times in nanoseconds, each a 64-bit integer in
// the machine's byte order. With a period the calls start at its multiples and the processor sleeps
// in between, as in a product that is called once per frame; with EVICT_BYTES so much other memory
// is read before each call. Ends with the input. Returns the exit status of the program; `step`
// returns non-zero on failure.
int pace_serve(int (*step)(void *context), void *context);

// Reads a whole file; prints the reason and returns NULL on failure.
void *pace_read_file(const char *path, size_t *bytes);

#endif
