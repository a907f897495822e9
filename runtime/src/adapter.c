/* The host adapter: audio in frames of any size around a model that takes hops.
   An optional part; emission leaves it out where it is not asked for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Every loop has a bound that follows from the constants of modelc__adapter, so
   that the real-time check knows how long a call can take. */
#include "internal.h"

/* The start of the adapter's memory. Three buffers of floats follow at
   ADAPTER_HEADER_BYTES: the input (the last `latency` samples, then the hop that
   is being filled), what the model made of the last hop, and the ring of samples
   to be pulled. Emission knows the sizes. */
typedef struct modelc_adapter {
  uint32_t magic;
  uint32_t step;    /* frames of every push and pull are a multiple of it */
  uint32_t lead;    /* silence in the ring at the start */
  uint32_t filled;  /* samples of the hop that is being filled */
  uint32_t first;   /* in the ring, the next sample to be pulled */
  uint32_t ready;   /* in the ring, how many there are */
  uint32_t pending; /* frames pushed and not yet pulled */
  uint32_t started; /* 0: no hop has been processed since the reset */
  uint32_t bypassed;
  float mix; /* share of the model's output that is asked for */
  float now; /* and the one at the end of the last hop */
  modelc *model;
} modelc_adapter;

enum { ADAPTER_HEADER_BYTES = 64, ADAPTER_MAGIC = 0x61646170 };
_Static_assert(sizeof(modelc_adapter) <= ADAPTER_HEADER_BYTES, "emission knows the size");

modelc_status modelc_run(modelc *self, const void *in, void *out);
void modelc_reset(modelc *self);

modelc_status modelc_adapter_init(modelc_adapter **self, modelc *model, void *memory, size_t bytes,
                                  uint32_t step);
void modelc_adapter_reset(modelc_adapter *self);
uint32_t modelc_adapter_delay(const modelc_adapter *self);
void modelc_adapter_mix(modelc_adapter *self, float wet);
void modelc_adapter_bypass(modelc_adapter *self, int32_t on);
modelc_status modelc_push(modelc_adapter *self, const float *samples, uint32_t frames,
                          uint32_t stride);
modelc_status modelc_push_i16(modelc_adapter *self, const int16_t *samples, uint32_t frames,
                              uint32_t stride);
modelc_status modelc_pull(modelc_adapter *self, float *samples, uint32_t frames, uint32_t stride);
modelc_status modelc_pull_i16(modelc_adapter *self, int16_t *samples, uint32_t frames,
                              uint32_t stride);

static float *buffers(modelc_adapter *self) {
  return (float *)((unsigned char *)self + ADAPTER_HEADER_BYTES);
}
static float *hop_of(modelc_adapter *self) {
  return buffers(self) + modelc__adapter.latency;
}
static float *wet_of(modelc_adapter *self) {
  return hop_of(self) + modelc__adapter.hop;
}
static float *ring_of(modelc_adapter *self) {
  return wet_of(self) + modelc__adapter.hop;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static int is_adapter(const modelc_adapter *self) {
  return self && ((uintptr_t)self & (modelc__model.align - 1u)) == 0 &&
         self->magic == (modelc__model.magic ^ ADAPTER_MAGIC);
}

void modelc_adapter_reset(modelc_adapter *self) {
  if (!is_adapter(self)) {
    return;
  }
  self->filled = 0;
  self->first = 0;
  self->ready = self->lead;
  self->pending = 0;
  self->started = 0;
  float *samples = buffers(self);
  for (uint32_t i = 0; i < modelc__adapter.samples; ++i) {
    samples[i] = 0.0f;
  }
  modelc_reset(self->model);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  /* Euclid's algorithm takes at most 47 steps with 32 bits. */
  for (int i = 0; i < 48 && b; ++i) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

modelc_status modelc_adapter_init(modelc_adapter **self, modelc *model, void *memory, size_t bytes,
                                  uint32_t step) {
  if (!self) {
    return MODELC_E_NULL;
  }
  *self = 0;
  if (!model || !memory) {
    return MODELC_E_NULL;
  }
  if (((uintptr_t)memory & (modelc__model.align - 1u)) != 0) {
    return MODELC_E_ALIGN;
  }
  if (model->magic != modelc__model.magic) {
    return MODELC_E_ABI;
  }
  if (bytes < ADAPTER_HEADER_BYTES + sizeof(float) * (size_t)modelc__adapter.samples) {
    return MODELC_E_STATE_BYTES;
  }
  if (step == 0 || step > modelc__adapter.frames) {
    return MODELC_E_EXTENT;
  }
  modelc_adapter *adapter = memory;
  adapter->magic = modelc__model.magic ^ ADAPTER_MAGIC;
  adapter->step = step;
  /* What has been pushed and cannot be pulled yet is at most the part of a hop
     that is left when the frames run through all their remainders. */
  adapter->lead = modelc__adapter.hop - common_divisor(modelc__adapter.hop, step);
  adapter->bypassed = 0;
  adapter->mix = 1.0f;
  adapter->now = 1.0f;
  adapter->model = model;
  modelc_adapter_reset(adapter);
  *self = adapter;
  return MODELC_OK;
}

uint32_t modelc_adapter_delay(const modelc_adapter *self) {
  return is_adapter(self) ? self->lead + modelc__adapter.latency : 0;
}

void modelc_adapter_mix(modelc_adapter *self, float wet) {
  if (is_adapter(self)) {
    /* Written so that NaN counts as zero. */
    self->mix = wet >= 1.0f ? 1.0f : wet > 0.0f ? wet : 0.0f;
  }
}

void modelc_adapter_bypass(modelc_adapter *self, int32_t on) {
  if (is_adapter(self)) {
    self->bypassed = on != 0;
  }
}

/* Puts a hop into the ring: from the share at the end of the last hop to the
   one that is asked for now, in a straight line. */
static void mix_hop(modelc_adapter *self, int failed) {
  const float *dry = buffers(self), *wet = wet_of(self);
  float *ring = ring_of(self);
  uint32_t hop = modelc__adapter.hop, capacity = modelc__adapter.hop + modelc__adapter.frames;
  float target = self->bypassed || failed ? 0.0f : self->mix;
  float from = self->started && !failed ? self->now : target;
  float slope = (target - from) / (float)hop;
  uint32_t at = self->first + self->ready;
  at = at >= capacity ? at - capacity : at;
  for (uint32_t i = 0; i < hop; ++i) {
    float share = i + 1 == hop ? target : from + slope * (float)(i + 1);
    /* Neither is computed with the other: silence stays silence, and a bypass is
       the input bit by bit. */
    ring[at] = share >= 1.0f   ? wet[i]
               : share <= 0.0f ? dry[i]
                               : share * wet[i] + (1.0f - share) * dry[i];
    at = at + 1 == capacity ? 0 : at + 1;
  }
  self->now = target;
  self->started = 1;
  self->ready += hop;
}

static modelc_status process_hop(modelc_adapter *self) {
  const void *in[1] = {hop_of(self)};
  void *out[1] = {wet_of(self)};
  modelc_status status = modelc_run(self->model, in, out);
  mix_hop(self, status != MODELC_OK && status != MODELC_E_INDEX);
  float *samples = buffers(self);
  for (uint32_t i = 0; i < modelc__adapter.latency; ++i) {
    samples[i] = samples[i + modelc__adapter.hop];
  }
  self->filled = 0;
  return status;
}

static modelc_status check(const modelc_adapter *self, const void *samples, size_t align,
                           uint32_t frames, uint32_t stride) {
  if (!self || (!samples && frames)) {
    return MODELC_E_NULL;
  }
  if (!is_adapter(self)) {
    return MODELC_E_ABI;
  }
  if (((uintptr_t)samples & (align - 1u)) != 0) {
    return MODELC_E_ALIGN;
  }
  if (stride == 0 || frames > modelc__adapter.frames || frames % self->step != 0) {
    return MODELC_E_EXTENT;
  }
  return MODELC_OK;
}

/* Frames that fit into the hop that is being filled. */
static __attribute__((noinline)) modelc_status push_part(modelc_adapter *self, const void *samples,
                                                         int is_integer, uint32_t frames,
                                                         uint32_t stride) {
  float *to = hop_of(self) + self->filled;
  for (uint32_t i = 0; i < modelc__adapter.hop && i != frames; ++i) {
    size_t at = (size_t)i * stride;
    to[i] = is_integer ? (float)((const int16_t *)samples)[at] * (1.0f / 32768.0f)
                       : ((const float *)samples)[at];
  }
  self->filled += frames;
  return self->filled == modelc__adapter.hop ? process_hop(self) : MODELC_OK;
}

static modelc_status push(modelc_adapter *self, const void *samples, size_t sample_bytes,
                          uint32_t frames, uint32_t stride) {
  modelc_status status = check(self, samples, sample_bytes, frames, stride);
  if (status) {
    return status;
  }
  if (frames > modelc__adapter.frames - self->pending) {
    return MODELC_E_FULL;
  }
  self->pending += frames;
  uint32_t parts = modelc__adapter.frames / modelc__adapter.hop + 2u, done = 0;
  const char *from = samples;
  for (uint32_t part = 0; part < parts && done < frames; ++part) {
    uint32_t count = least(modelc__adapter.hop - self->filled, frames - done);
    modelc_status ran = push_part(self, from + sample_bytes * stride * done,
                                  sample_bytes == sizeof(int16_t), count, stride);
    status = status ? status : ran;
    done += count;
  }
  return status;
}

static int16_t integer_of(float value) {
  float scaled = value == value ? value * 32768.0f : 0.0f;
  scaled = scaled < -32768.0f ? -32768.0f : scaled > 32767.0f ? 32767.0f : scaled;
  return (int16_t)(int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
}

static modelc_status pull(modelc_adapter *self, void *samples, size_t sample_bytes, uint32_t frames,
                          uint32_t stride) {
  modelc_status status = check(self, samples, sample_bytes, frames, stride);
  if (status) {
    return status;
  }
  if (frames > self->pending) {
    return MODELC_E_EXTENT;
  }
  const float *ring = ring_of(self);
  uint32_t capacity = modelc__adapter.hop + modelc__adapter.frames, from = self->first;
  uint32_t count = least(frames, modelc__adapter.frames);
  for (uint32_t i = 0; i < count; ++i) {
    size_t at = (size_t)i * stride;
    if (sample_bytes == sizeof(int16_t)) {
      ((int16_t *)samples)[at] = integer_of(ring[from]);
    } else {
      ((float *)samples)[at] = ring[from];
    }
    from = from + 1 == capacity ? 0 : from + 1;
  }
  self->first = from;
  self->ready -= frames;
  self->pending -= frames;
  return MODELC_OK;
}

modelc_status modelc_push(modelc_adapter *self, const float *samples, uint32_t frames,
                          uint32_t stride) {
  return push(self, samples, sizeof *samples, frames, stride);
}

modelc_status modelc_push_i16(modelc_adapter *self, const int16_t *samples, uint32_t frames,
                              uint32_t stride) {
  return push(self, samples, sizeof *samples, frames, stride);
}

modelc_status modelc_pull(modelc_adapter *self, float *samples, uint32_t frames, uint32_t stride) {
  return pull(self, samples, sizeof *samples, frames, stride);
}

modelc_status modelc_pull_i16(modelc_adapter *self, int16_t *samples, uint32_t frames,
                              uint32_t stride) {
  return pull(self, samples, sizeof *samples, frames, stride);
}
