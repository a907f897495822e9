// What the rigs' driver needs of a compiled model, and what it needs of the machine it runs on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_TEST_RIGS_DRIVER_H
#define MODELC_TEST_RIGS_DRIVER_H

#include <stddef.h>
#include <stdint.h>

// ---- The model: one table, written for each library from its manifest and compiled against its
// header. ----

struct rig_tensor {
  const char *name;
  size_t bytes;
  size_t align; // of one element: all that a caller owes
};

struct rig_model {
  const struct rig_tensor *inputs;
  const struct rig_tensor *outputs;
  size_t input_count;
  size_t output_count;
  size_t state_bytes;
  size_t scratch_bytes;
  size_t align; // of state and scratch
  int32_t (*init)(void **self, void *state, void *scratch);
  int32_t (*run)(void *self, void *const *inputs, void *const *outputs, int flushing);
  void (*reset)(void *self);
};

extern const struct rig_model rig_model;

// ---- The machine: port_posix.c or port_semihosting.c. ----

// Where a buffer lies between its two borders. On an operating system a border is a page that
// faults; elsewhere, and in the gaps that alignment leaves, it is a pattern that is checked after
// each run.
enum rig_place {
  RIG_END,   // ends exactly at the border
  RIG_BEGIN, // begins exactly at the border
  RIG_ODD    // aligned to what it needs and to nothing more
};

struct rig_block {
  const char *name;
  unsigned char *data;
  size_t bytes;
  unsigned char *low; // the whole writable range, data included
  size_t low_bytes;
};

// Fills `block`; returns 0, or -1 when there is no memory.
int rig_reserve(struct rig_block *block, const char *name, size_t bytes, size_t align,
                enum rig_place place);
void rig_set_writable(const struct rig_block *block, int writable);

// Both return 0, or -1 on a short read or write.
int rig_open(const char *input, const char *output);
int rig_read(void *data, size_t bytes);
int rig_write(const void *data, size_t bytes);
int rig_close(void);
void rig_say(const char *text);

// ---- Shared helpers: support.c. ----

enum { RIG_PATTERN = 0xA5 };

void rig_fill(unsigned char *data, size_t bytes, unsigned char value);
void rig_copy(unsigned char *to, const unsigned char *from, size_t bytes);
void rig_say_number(size_t value);

// Chooses data inside [low, low + low_bytes) for the place, and fills the gaps with the pattern.
void rig_settle(struct rig_block *block, size_t align, enum rig_place place);

#endif
