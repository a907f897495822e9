// The driver's machine on a bare Cortex-M under an emulator: files and exit through ARM
// semihosting, no libc. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"

// Operation numbers: Arm, "Semihosting for AArch32 and AArch64".
enum {
  SYS_OPEN = 0x01,
  SYS_CLOSE = 0x02,
  SYS_WRITE0 = 0x04,
  SYS_WRITE = 0x05,
  SYS_READ = 0x06,
  SYS_GET_CMDLINE = 0x15,
  SYS_EXIT_EXTENDED = 0x20,
  APPLICATION_EXIT = 0x20026,
  MODE_READ_BINARY = 1,
  MODE_WRITE_BINARY = 5,
  MAX_ARGUMENTS = 64,
  BORDER = 64
};

int main(int argc, char **argv);
_Noreturn void rig_start(void);
_Noreturn void rig_fault(void);

extern unsigned char rig_arena_begin[], rig_arena_end[]; // from the linker script

static unsigned char *arena_next = rig_arena_begin;
static int input_handle;
static int output_handle;

static int semihost(int operation, const void *arguments) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static _Noreturn void leave(int status) {
  uint32_t arguments[2] = {APPLICATION_EXIT, (uint32_t)status};
  semihost(SYS_EXIT_EXTENDED, arguments);
  for (;;) {
  }
}

static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length]) {
    ++length;
  }
  return length;
}

void rig_say(const char *text) {
  semihost(SYS_WRITE0, text);
}

int rig_reserve(struct rig_block *block, const char *name, size_t bytes, size_t align,
                enum rig_place place) {
  size_t slack = align < BORDER ? BORDER : align;
  // A border of at least `slack` bytes on both sides, and room for the offset that RIG_ODD adds.
  size_t total = (bytes + 6 * slack + 7) / 8 * 8;
  if (total < bytes || total > (size_t)(rig_arena_end - arena_next)) {
    return -1;
  }
  block->name = name;
  block->bytes = bytes;
  block->low = arena_next;
  block->low_bytes = total;
  arena_next += total;
  // Without pages both ends are open, so every place keeps a border: settle inside of it, then take
  // it in again.
  struct rig_block inside = {
      .bytes = bytes, .low = block->low + slack, .low_bytes = total - 2 * slack};
  inside.low += -(uintptr_t)inside.low & (align - 1);
  inside.low_bytes = (size_t)(block->low + total - slack - inside.low);
  rig_settle(&inside, align, place);
  rig_fill(block->low, block->low_bytes, RIG_PATTERN);
  block->data = inside.data;
  return 0;
}

void rig_set_writable(const struct rig_block *block, int writable) {
  (void)block;
  (void)writable;
}

static int open_file(const char *path, int mode) {
  uint32_t arguments[3] = {(uint32_t)(uintptr_t)path, (uint32_t)mode, (uint32_t)length_of(path)};
  return semihost(SYS_OPEN, arguments);
}

int rig_open(const char *input, const char *output) {
  input_handle = open_file(input, MODE_READ_BINARY);
  output_handle = open_file(output, MODE_WRITE_BINARY);
  return input_handle < 0 || output_handle < 0 ? -1 : 0;
}

// SYS_READ and SYS_WRITE return the number of bytes that were *not* moved.
static int transfer(int operation, int handle, const void *data, size_t bytes) {
  uint32_t arguments[3] = {(uint32_t)handle, (uint32_t)(uintptr_t)data, (uint32_t)bytes};
  return bytes && semihost(operation, arguments) ? -1 : 0;
}

int rig_read(void *data, size_t bytes) {
  return transfer(SYS_READ, input_handle, data, bytes);
}

int rig_write(const void *data, size_t bytes) {
  return transfer(SYS_WRITE, output_handle, data, bytes);
}

int rig_close(void) {
  uint32_t input = (uint32_t)input_handle;
  uint32_t output = (uint32_t)output_handle;
  semihost(SYS_CLOSE, &input);
  return semihost(SYS_CLOSE, &output) ? -1 : 0;
}

_Noreturn void rig_fault(void) {
  rig_say("driver: processor fault\n");
  leave(2);
}

// Splits the command line at its spaces, in place.
_Noreturn void rig_start(void) {
  static char line[1024];
  static char *arguments[MAX_ARGUMENTS];
  uint32_t request[2] = {(uint32_t)(uintptr_t)line, sizeof line};
  int count = 0;
  if (!semihost(SYS_GET_CMDLINE, request)) {
    for (char *next = line; *next && count < MAX_ARGUMENTS;) {
      arguments[count++] = next;
      while (*next && *next != ' ') {
        ++next;
      }
      while (*next == ' ') {
        *next++ = 0;
      }
    }
  }
  leave(main(count, arguments));
}
