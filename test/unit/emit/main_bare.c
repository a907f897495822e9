// Calls `check` on a bare Cortex-M; the line that failed becomes the exit status of the emulator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

int check(void);
_Noreturn void rig_start(void);
_Noreturn void rig_fault(void);

// What a C compiler may call even in freestanding code.
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
void __aeabi_memcpy4(void *to, const void *from, size_t bytes);
void __aeabi_memcpy(void *to, const void *from, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    ((volatile char *)to)[i] = ((const char *)from)[i];
  }
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    ((volatile char *)to)[i] = (char)value;
  }
  return to;
}

void __aeabi_memcpy4(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}
void __aeabi_memcpy(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}

static _Noreturn void leave(int status) {
  // SYS_EXIT_EXTENDED of ARM's semihosting, with ADP_Stopped_ApplicationExit.
  uint32_t arguments[2] = {0x20026, (uint32_t)status};
  register int r0 __asm__("r0") = 0x20;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  for (;;) {
  }
}

_Noreturn void rig_fault(void) {
  leave(99);
}

_Noreturn void rig_start(void) {
  leave(check() != 0);
}
