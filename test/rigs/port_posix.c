// The driver's machine on Linux: guard pages around every buffer, and a fault handler that names
// the buffer hit. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A border is far wider than a page, because a wrong stride jumps over one: it costs address space
// and no memory.
enum { MAX_BLOCKS = 1024, EXIT_FAULT = 2, BORDER = 1 << 20 };

static struct rig_block reserved[MAX_BLOCKS];
static size_t reserved_count;
static FILE *input_file;
static FILE *output_file;

// Says which buffer an address that faulted belongs to. Only functions that are safe in a signal
// handler are called.
static void on_fault(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t address = (uintptr_t)info->si_addr;
  for (size_t i = 0; i < reserved_count; ++i) {
    uintptr_t data = (uintptr_t)reserved[i].data;
    uintptr_t low = (uintptr_t)reserved[i].low;
    uintptr_t high = low + reserved[i].low_bytes;
    if (address < low - BORDER || address >= high + BORDER) {
      continue;
    }
    rig_say("driver: access to ");
    rig_say(reserved[i].name);
    if (address < data) {
      rig_say(", bytes in front of it: ");
      rig_say_number(data - address);
    } else if (address >= data + reserved[i].bytes) {
      rig_say(", bytes behind its end: ");
      rig_say_number(address - data - reserved[i].bytes);
    } else {
      rig_say(" for writing, at byte ");
      rig_say_number(address - data);
    }
    rig_say("\n");
    _exit(EXIT_FAULT);
  }
  rig_say(signal_number == SIGILL ? "driver: illegal instruction\n"
                                  : "driver: access outside all buffers\n");
  _exit(EXIT_FAULT);
}

// The handler needs a stack of its own: the fault may be an overflow of the stack.
static void install_fault_handler(void) {
  static unsigned char stack[64 * 1024];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaltstack(&alternative, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
  sigaction(SIGILL, &action, NULL);
}

int rig_reserve(struct rig_block *block, const char *name, size_t bytes, size_t align,
                enum rig_place place) {
  if (!reserved_count) {
    install_fault_handler();
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t slack = place == RIG_ODD ? 3 * align : 0;
  size_t inner = (bytes + slack + page - 1) / page * page;
  if (inner < page) {
    inner = page;
  }
  unsigned char *outer =
      mmap(NULL, inner + 2 * BORDER, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (outer == MAP_FAILED || mprotect(outer + BORDER, inner, PROT_READ | PROT_WRITE) ||
      reserved_count == MAX_BLOCKS) {
    return -1;
  }
  block->name = name;
  block->bytes = bytes;
  block->low = outer + BORDER;
  block->low_bytes = inner;
  rig_settle(block, align, place);
  reserved[reserved_count++] = *block;
  return 0;
}

void rig_set_writable(const struct rig_block *block, int writable) {
  if (mprotect(block->low, block->low_bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ)) {
    rig_say("driver: mprotect failed\n");
    _exit(EXIT_FAULT);
  }
}

int rig_open(const char *input, const char *output) {
  input_file = fopen(input, "rb");
  output_file = fopen(output, "wb");
  return input_file && output_file ? 0 : -1;
}

int rig_read(void *data, size_t bytes) {
  return fread(data, 1, bytes, input_file) == bytes ? 0 : -1;
}

int rig_write(const void *data, size_t bytes) {
  return fwrite(data, 1, bytes, output_file) == bytes ? 0 : -1;
}

int rig_close(void) {
  fclose(input_file);
  return fclose(output_file) ? -1 : 0;
}

void rig_say(const char *text) {
  size_t length = strlen(text);
  while (length) {
    ssize_t written = write(STDERR_FILENO, text, length);
    if (written <= 0) {
      return;
    }
    text += written;
    length -= (size_t)written;
  }
}
