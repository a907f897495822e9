/* What the parts of the runtime know of each other and of emission.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Emission renames every symbol modelc_x to NAME_x, so that two libraries share
   none. Names with two underscores are called by generated code or by other
   parts of the runtime and become local. The code is freestanding: it calls
   nothing but itself. */
#ifndef MODELC_RUNTIME_INTERNAL_H
#define MODELC_RUNTIME_INTERNAL_H

#include "modelc/abi.h"

#define MODELC_HIDDEN __attribute__((visibility("hidden")))

/* Start of the state memory; the model's states follow at the next multiple of
   modelc_model_info.align. It holds no pointer into itself, so a copy of the
   state memory is an instance as well. Emission knows its size. */
typedef struct modelc {
  uint32_t magic;
  uint32_t reserved;
  unsigned char *scratch;
  const unsigned char *weights;
} modelc;

/* Defined by emission for the model at hand. */
extern const modelc_model_info modelc__model MODELC_HIDDEN;
extern const unsigned char modelc_weights[] MODELC_HIDDEN;

/* Of the host adapter, where it is asked for. */
typedef struct modelc_adapter_plan {
  uint32_t hop;     /* samples that a run takes and gives */
  uint32_t latency; /* samples that its output lags behind its input */
  uint32_t frames;  /* the most that may be pushed before they are pulled */
  uint32_t samples; /* in the adapter's buffers: latency + 2 hop + (hop + frames) */
} modelc_adapter_plan;
extern const modelc_adapter_plan modelc__adapter MODELC_HIDDEN;

/* Checks the arguments of run. `in` and `out` point to structs that hold
   nothing but one pointer per tensor. */
modelc_status modelc__enter(const modelc *self, const void *in, const void *out);

/* The three memories that the operands of kernels lie in. */
unsigned char *modelc__scratch(const modelc *self);
const unsigned char *modelc__weights_of(const modelc *self);
unsigned char *modelc__states(modelc *self);

/* Sets the floating-point mode that kernels are written for: round to nearest,
   no traps, denormals flushed unless `keep_denormals`; returns the caller's. */
uintptr_t modelc__float_begin(int32_t keep_denormals);
void modelc__float_end(uintptr_t saved);

#endif
