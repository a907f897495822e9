// WAV files of 16-bit mono samples, for the examples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wav.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t little_endian(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static long read_samples(FILE *file, long count, long room, float **samples) {
  *samples = calloc((size_t)(count + room), sizeof **samples);
  unsigned char raw[2];
  long i = 0;
  for (; *samples && i < count && fread(raw, 1, 2, file) == 2; ++i) {
    (*samples)[i] = (float)(int16_t)little_endian(raw, 2) / 32768.0f;
  }
  return *samples ? i : -1;
}

long wav_read(const char *path, int rate, long room, float **samples) {
  unsigned char header[12], chunk[8], format[16];
  FILE *file = fopen(path, "rb");
  long count = -1;
  int known = 0;
  if (!file) {
    return -1;
  }
  if (fread(header, 1, 12, file) != 12 || memcmp(header, "RIFF", 4) != 0 ||
      memcmp(header + 8, "WAVE", 4) != 0) {
    fclose(file);
    return -1;
  }
  while (fread(chunk, 1, 8, file) == 8) {
    long bytes = (long)little_endian(chunk + 4, 4);
    if (memcmp(chunk, "fmt ", 4) == 0 && bytes >= 16) {
      if (fread(format, 1, 16, file) != 16) {
        break;
      }
      known = little_endian(format, 2) == 1 && little_endian(format + 2, 2) == 1 &&
              little_endian(format + 4, 4) == (uint32_t)rate && little_endian(format + 14, 2) == 16;
      bytes -= 16;
    } else if (memcmp(chunk, "data", 4) == 0 && known) {
      count = read_samples(file, bytes / 2, room, samples);
      break;
    }
    if (fseek(file, bytes + (bytes & 1), SEEK_CUR) != 0) {
      break;
    }
  }
  fclose(file);
  return count;
}

static void put(unsigned char *bytes, uint32_t value, int count) {
  for (int i = 0; i < count; ++i) {
    bytes[i] = (unsigned char)(value >> 8 * i);
  }
}

int wav_write(const char *path, int rate, const float *samples, long count) {
  unsigned char header[44] = {0};
  memcpy(header, "RIFF", 4);
  memcpy(header + 8, "WAVEfmt ", 8);
  memcpy(header + 36, "data", 4);
  put(header + 4, (uint32_t)(36 + 2 * count), 4);
  put(header + 16, 16, 4);
  put(header + 20, 1, 2); // integers
  put(header + 22, 1, 2); // channel
  put(header + 24, (uint32_t)rate, 4);
  put(header + 28, (uint32_t)rate * 2, 4);
  put(header + 32, 2, 2);
  put(header + 34, 16, 2);
  put(header + 40, (uint32_t)(2 * count), 4);
  FILE *file = fopen(path, "wb");
  if (!file) {
    return -1;
  }
  int failed = fwrite(header, 1, sizeof header, file) != sizeof header;
  for (long i = 0; i < count && !failed; ++i) {
    float scaled = samples[i] * 32768.0f;
    int value = scaled >= 32767.0f    ? 32767
                : scaled <= -32768.0f ? -32768
                                      : (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
    unsigned char raw[2];
    put(raw, (uint32_t)value, 2);
    failed = fwrite(raw, 1, 2, file) != 2;
  }
  return fclose(file) != 0 || failed ? -1 : 0;
}
