// Samples where the processor is while an engine runs, in place of timing its calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link it instead of pace.c: the engine then writes the address of pace_serve, which tells where
// the program was loaded, and the sampled instruction addresses to standard output, each a 64-bit
// integer in the machine's byte order.

#include "pace.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

enum { SAMPLES = 1000, STEPS_AT_MOST = 100000000 };

static volatile sig_atomic_t taken;
static uint64_t addresses[SAMPLES];

static void on_tick(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  const ucontext_t *at = context;
  if (taken < SAMPLES) {
#if defined(__x86_64__)
    addresses[taken] = (uint64_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    addresses[taken] = at->uc_mcontext.pc;
#else
#error "no instruction pointer known for this processor"
#endif
    ++taken;
  }
}

int pace_serve(int (*step)(void *context), void *context) {
  struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct itimerval every = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
  if (sigaction(SIGPROF, &action, NULL) || setitimer(ITIMER_PROF, &every, NULL)) {
    fprintf(stderr, "bench: no profiling timer\n");
    return 1;
  }
  for (int i = 0; i < STEPS_AT_MOST && taken < SAMPLES; ++i) {
    if (step(context)) {
      fprintf(stderr, "bench: a step failed\n");
      return 1;
    }
  }
  uint64_t here = (uint64_t)(uintptr_t)pace_serve;
  if (fwrite(&here, sizeof here, 1, stdout) != 1) {
    return 1;
  }
  return fwrite(addresses, sizeof *addresses, (size_t)taken, stdout) == (size_t)taken ? 0 : 1;
}
