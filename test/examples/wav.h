// WAV files of 16-bit mono samples, for the examples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_EXAMPLES_WAV_H
#define MODELC_TEST_EXAMPLES_WAV_H

// Reads samples in -1 .. 1 into memory with `room` zeros behind them, which the caller frees.
// Returns their number, or -1 if there is no such file or it has another rate or format.
long wav_read(const char *path, int rate, long room, float **samples);

// Returns 0, or -1 on failure.
int wav_write(const char *path, int rate, const float *samples, long count);

#endif
