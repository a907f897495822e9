/* Instances: init, reset, info, and the checks at the start of run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "internal.h"

modelc_status modelc_init(modelc **self, const modelc_config *config);
void modelc_reset(modelc *self);
const modelc_model_info *modelc_info(void);

static int misaligned(const void *pointer, uint32_t align) {
  return ((uintptr_t)pointer & (align - 1u)) != 0;
}

unsigned char *modelc__scratch(const modelc *self) {
  return self->scratch;
}
const unsigned char *modelc__weights_of(const modelc *self) {
  return self->weights;
}

unsigned char *modelc__states(modelc *self) {
  const modelc_model_info *model = &modelc__model;
  return (unsigned char *)self + (size_t)(model->state_bytes - model->states_bytes);
}

const modelc_model_info *modelc_info(void) {
  return &modelc__model;
}

void modelc_reset(modelc *self) {
  const modelc_model_info *model = &modelc__model;
  if (!self || misaligned(self, model->align) || self->magic != model->magic) {
    return;
  }
  unsigned char *states = modelc__states(self);
  const unsigned char *initial = (const unsigned char *)model + model->initial_state;
  size_t given = model->initial_state_bytes, all = (size_t)model->states_bytes;
  for (size_t i = 0; i < given; ++i) {
    states[i] = initial[i];
  }
  for (size_t i = given; i < all; ++i) {
    states[i] = 0;
  }
}

modelc_status modelc_init(modelc **self, const modelc_config *config) {
  const modelc_model_info *model = &modelc__model;
  if (!self) {
    return MODELC_E_NULL;
  }
  *self = 0;
  if (!config) {
    return MODELC_E_NULL;
  }
  /* A later version may append fields; an earlier one lacks some. */
  if (config->abi != model->abi || config->size < sizeof *config) {
    return MODELC_E_ABI;
  }
  if (!config->state || (!config->scratch && model->scratch_bytes)) {
    return MODELC_E_NULL;
  }
  if (config->state_bytes < model->state_bytes) {
    return MODELC_E_STATE_BYTES;
  }
  if (config->scratch_bytes < model->scratch_bytes) {
    return MODELC_E_SCRATCH_BYTES;
  }
  if (misaligned(config->state, model->align) || misaligned(config->scratch, model->align)) {
    return MODELC_E_ALIGN;
  }
  if (config->weights) {
    if (config->weights_bytes != model->weights_bytes) {
      return MODELC_E_WEIGHTS;
    }
    if (misaligned(config->weights, model->align)) {
      return MODELC_E_ALIGN;
    }
  }
  modelc *instance = config->state;
  instance->magic = model->magic;
  instance->reserved = 0;
  instance->scratch = config->scratch;
  instance->weights = config->weights ? config->weights : modelc_weights;
  modelc_reset(instance);
  *self = instance;
  return MODELC_OK;
}

/* `fields` is an array of pointers, one per tensor. */
static modelc_status check_tensors(const void *fields, uint32_t table, uint32_t count) {
  const modelc_tensor_info *tensors = (const void *)((const char *)&modelc__model + table);
  const void *const *pointers = fields;
  if (count && !fields) {
    return MODELC_E_NULL;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!pointers[i] && tensors[i].bytes) {
      return MODELC_E_NULL;
    }
    if (misaligned(pointers[i], tensors[i].element_bytes)) {
      return MODELC_E_ALIGN;
    }
  }
  return MODELC_OK;
}

modelc_status modelc__enter(const modelc *self, const void *in, const void *out) {
  const modelc_model_info *model = &modelc__model;
  if (!self) {
    return MODELC_E_NULL;
  }
  if (misaligned(self, model->align)) {
    return MODELC_E_ALIGN;
  }
  if (self->magic != model->magic) {
    return MODELC_E_ABI;
  }
  modelc_status status = check_tensors(in, model->inputs, model->input_count);
  return status ? status : check_tensors(out, model->outputs, model->output_count);
}
