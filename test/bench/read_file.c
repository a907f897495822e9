// Reads the input of an engine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pace.h"

#include <stdio.h>
#include <stdlib.h>

void *pace_read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    fprintf(stderr, "bench: cannot read %s\n", path);
    return NULL;
  }
  *bytes = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(*bytes + 1);
  if (!data || fread(data, 1, *bytes, file) != *bytes) {
    fprintf(stderr, "bench: cannot read %s\n", path);
    return NULL;
  }
  fclose(file);
  return data;
}
