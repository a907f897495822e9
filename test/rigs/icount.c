// QEMU plugin that counts executed guest instructions, in total and per symbol.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   qemu-aarch64 -plugin libicount.so,out=FILE PROGRAM
//
// writes "total N" and one "symbol NAME N" line per symbol, by falling count. The counts of a
// function that makes no system call do not depend on machine, load or environment, so tests can
// compare them exactly.
//
// Distributions ship QEMU without qemu-plugin.h; what is used of version 1 of that interface is
// declared here, and it is stable: QEMU only loads a plugin whose version it supports.

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t,
                                                            struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
                                                enum qemu_plugin_op op, void *counter,
                                                uint64_t step);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, void *),
                                    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;

// A counter keeps its address from the first translation on, because generated code adds to it:
// entries are allocated one by one and never freed or moved.
struct counter {
  struct counter *next;
  uint64_t count;
  char name[];
};

enum { BUCKETS = 4096 };
static struct counter *buckets[BUCKETS];
static size_t counters;
static uint64_t total;
static uint64_t nameless;
static const char *output_path;

// Returns the counter of `name`, or the one for code without a symbol when there is no name or no
// memory.
static uint64_t *counter_of(const char *name) {
  if (!name) {
    return &nameless;
  }
  uint32_t hash = 2166136261u;
  for (const char *c = name; *c; ++c) {
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  }
  struct counter **bucket = &buckets[hash % BUCKETS];
  for (struct counter *entry = *bucket; entry; entry = entry->next) {
    if (!strcmp(entry->name, name)) {
      return &entry->count;
    }
  }
  size_t length = strlen(name) + 1;
  struct counter *entry = malloc(sizeof *entry + length);
  if (!entry) {
    return &nameless;
  }
  entry->next = *bucket;
  entry->count = 0;
  memcpy(entry->name, name, length);
  *bucket = entry;
  ++counters;
  return &entry->count;
}

// QEMU serializes translation callbacks, so the table needs no lock.
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; ++i) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
    uint64_t *counter = counter_of(qemu_plugin_insn_symbol(insn));
    qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &total, 1);
    qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, counter, 1);
  }
}

static int by_falling_count(const void *left, const void *right) {
  const struct counter *a = *(struct counter *const *)left;
  const struct counter *b = *(struct counter *const *)right;
  if (a->count != b->count) {
    return a->count < b->count ? 1 : -1;
  }
  return strcmp(a->name, b->name);
}

static void write_counts(FILE *out) {
  fprintf(out, "total %" PRIu64 "\n", total);
  struct counter **sorted = malloc((counters + 1) * sizeof *sorted);
  if (!sorted) {
    return;
  }
  size_t filled = 0;
  for (size_t i = 0; i < BUCKETS; ++i) {
    for (struct counter *entry = buckets[i]; entry; entry = entry->next) {
      sorted[filled++] = entry;
    }
  }
  qsort(sorted, filled, sizeof *sorted, by_falling_count);
  for (size_t i = 0; i < filled; ++i) {
    if (sorted[i]->count) {
      fprintf(out, "symbol %s %" PRIu64 "\n", sorted[i]->name, sorted[i]->count);
    }
  }
  if (nameless) {
    fprintf(out, "symbol ? %" PRIu64 "\n", nameless);
  }
  free(sorted);
}

static void on_exit_of_guest(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  FILE *out = output_path ? fopen(output_path, "w") : stderr;
  if (!out) {
    fprintf(stderr, "icount: cannot write %s\n", output_path);
    return;
  }
  write_counts(out);
  if (output_path) {
    fclose(out);
  }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
                               char **argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "out=", 4)) {
      fprintf(stderr, "icount: unknown argument '%s', expected out=FILE\n", argv[i]);
      return -1;
    }
    output_path = strdup(argv[i] + 4); // argv does not outlive this call.
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_atexit_cb(id, on_exit_of_guest, NULL);
  return 0;
}
