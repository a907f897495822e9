/* The floating-point mode around run, for each family of processors. Emission
   leaves the calls out where the target has no floating-point unit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "internal.h"

#if defined(__x86_64__)

enum {
  MXCSR_MASK_ALL_EXCEPTIONS = 0x1f80,
  MXCSR_FLUSH = 0x8000,
  MXCSR_DENORMALS_ARE_ZERO = 0x0040
};

uintptr_t modelc__float_begin(int32_t keep_denormals) {
  uint32_t saved = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(keep_denormals ? (uint32_t)MXCSR_MASK_ALL_EXCEPTIONS
                                        : (uint32_t)(MXCSR_MASK_ALL_EXCEPTIONS | MXCSR_FLUSH |
                                                     MXCSR_DENORMALS_ARE_ZERO));
  return saved;
}

void modelc__float_end(uintptr_t saved) {
  __builtin_ia32_ldmxcsr((uint32_t)saved);
}

#elif defined(__aarch64__)

/* FPCR.FZ flushes inputs and results of f32 and f64; FZ16 stays off because
   conversions from and to f16 on other processors do not flush either. All
   other bits are zero: to nearest, no default NaN, no traps. */
enum { FPCR_FZ = 1 << 24 };

uintptr_t modelc__float_begin(int32_t keep_denormals) {
  uint64_t saved = __builtin_arm_rsr64("fpcr");
  __builtin_arm_wsr64("fpcr", keep_denormals ? 0u : (uint64_t)FPCR_FZ);
  return saved;
}

void modelc__float_end(uintptr_t saved) {
  __builtin_arm_wsr64("fpcr", saved);
}

#elif defined(__arm__)

/* FPSCR also holds flags and, with vectors (MVE), the tail predication that
   must stay as it is: only the mode bits change. */
enum {
  FPSCR_TRAPS = 0x9f00,
  FPSCR_ROUNDING = 3 << 22,
  FPSCR_FZ = 1 << 24,
  FPSCR_DEFAULT_NAN = 1 << 25
};

uintptr_t modelc__float_begin(int32_t keep_denormals) {
  uint32_t saved = __builtin_arm_get_fpscr();
  uint32_t mode = saved & ~(uint32_t)(FPSCR_TRAPS | FPSCR_ROUNDING | FPSCR_FZ | FPSCR_DEFAULT_NAN);
  __builtin_arm_set_fpscr(keep_denormals ? mode : mode | (uint32_t)FPSCR_FZ);
  return saved;
}

void modelc__float_end(uintptr_t saved) {
  __builtin_arm_set_fpscr((uint32_t)saved);
}

#else
#error "say how this processor sets its floating-point mode"
#endif
