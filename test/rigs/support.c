// Helpers of every program of the rigs; no libc, because a bare-metal rig has none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"

void rig_fill(unsigned char *data, size_t bytes, unsigned char value) {
  for (size_t i = 0; i < bytes; ++i) {
    data[i] = value;
  }
}

void rig_copy(unsigned char *to, const unsigned char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    to[i] = from[i];
  }
}

void rig_say_number(size_t value) {
  char digits[24];
  char *next = digits + sizeof digits;
  *--next = 0;
  do {
    *--next = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  rig_say(next);
}

void rig_settle(struct rig_block *block, size_t align, enum rig_place place) {
  uintptr_t low = (uintptr_t)block->low;
  uintptr_t data = low;
  if (place == RIG_END) {
    data = (low + block->low_bytes - block->bytes) & ~(uintptr_t)(align - 1);
  } else if (place == RIG_ODD) {
    data = ((low + 2 * align - 1) & ~(uintptr_t)(2 * align - 1)) + align;
  }
  block->data = block->low + (data - low);
  rig_fill(block->low, block->low_bytes, RIG_PATTERN);
}
