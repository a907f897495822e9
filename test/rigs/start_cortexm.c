// Reset handler and vector table of a bare Cortex-M program: memory set up, FPU on, then rig_start.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stddef.h>
#include <stdint.h>

_Noreturn void rig_start(void);
_Noreturn void rig_fault(void);
_Noreturn void rig_reset(void);

extern uint32_t rig_stack_top[], rig_data_begin[], rig_data_end[], rig_data_load[], rig_bss_begin[],
    rig_bss_end[];

// Coprocessor Access Control Register: full access to CP10 and CP11, without which the first float
// instruction (and, on ARMv8.1-M, vector instruction) faults.
static volatile uint32_t *const cpacr = (volatile uint32_t *)0xE000ED88u;

_Noreturn void rig_reset(void) {
  *cpacr |= 0xFu << 20;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  const volatile uint32_t *from = rig_data_load;
  for (volatile uint32_t *to = rig_data_begin; to < rig_data_end; ++to) {
    *to = *from++;
  }
  for (volatile uint32_t *to = rig_bss_begin; to < rig_bss_end; ++to) {
    *to = 0;
  }
  rig_start();
}

// Entries 3 to 6 are the hard, memory-management, bus and usage fault; the rest are not used.
__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    (const void *)rig_stack_top, (const void *)rig_reset, (const void *)rig_fault,
    (const void *)rig_fault,     (const void *)rig_fault, (const void *)rig_fault,
    (const void *)rig_fault};
