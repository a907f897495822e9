// A product with two libraries of the test model; `check` returns 0 or the line that failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "net.h"
#include "other.h"

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    return __LINE__;                                                                               \
  }

int check(void);

static _Alignas(NET_ALIGN) unsigned char state[NET_STATE_BYTES + NET_ALIGN];
static _Alignas(NET_ALIGN) unsigned char snapshot[NET_STATE_BYTES];
static _Alignas(NET_ALIGN) unsigned char scratch[NET_SCRATCH_BYTES];
static _Alignas(OTHER_ALIGN) unsigned char other_state[OTHER_STATE_BYTES];
static _Alignas(NET_ALIGN) unsigned char own_weights[1280];
static float x[NET_IN_IN_PUT_HOME__COUNT + 1], y[NET_OUT_Y_COUNT], picked[1];
static int32_t index_of, count;

static net_config good_config(void) {
  net_config config = {
      MODELC_ABI, sizeof config, state, NET_STATE_BYTES, scratch, sizeof scratch, 0, 0, 0};
  return config;
}

static int check_init(void) {
  net *self = 0;
  net_config config = good_config();
  REQUIRE(net_init(0, &config) == MODELC_E_NULL);
  REQUIRE(net_init(&self, 0) == MODELC_E_NULL && !self);
  config.abi = MODELC_ABI + 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_ABI && !self);
  config = good_config();
  config.size = sizeof config - 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_ABI);
  config = good_config();
  config.state = 0;
  REQUIRE(net_init(&self, &config) == MODELC_E_NULL);
  config = good_config();
  config.scratch = 0;
  REQUIRE(net_init(&self, &config) == MODELC_E_NULL);
  config = good_config();
  config.state_bytes = NET_STATE_BYTES - 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_STATE_BYTES);
  config = good_config();
  config.scratch_bytes = NET_SCRATCH_BYTES - 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_SCRATCH_BYTES);
  config = good_config();
  config.state = state + NET_ALIGN / 2;
  REQUIRE(net_init(&self, &config) == MODELC_E_ALIGN);
  config = good_config();
  config.scratch = scratch + 4;
  REQUIRE(net_init(&self, &config) == MODELC_E_ALIGN);
  config = good_config();
  config.weights = own_weights;
  config.weights_bytes = sizeof own_weights - 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_WEIGHTS);
  config.weights_bytes = sizeof own_weights;
  config.weights = own_weights + 1;
  REQUIRE(net_init(&self, &config) == MODELC_E_ALIGN && !self);
  config.weights = own_weights;
  REQUIRE(net_init(&self, &config) == MODELC_OK && self);
  return 0;
}

static float weight(int i) {
  return (float)((i * 37 + 11) % 29 - 14) * 0.125f;
}

static int check_outputs(int scale) {
  for (int r = 0; r < 16; ++r) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) {
      sum += weight(r * 16 + k) * x[k];
    }
    sum = sum < 0 ? 0 : sum;
    REQUIRE(y[r] == (float)scale * (sum + (float)r * 0.5f + 1.0f));
  }
  return 0;
}

static int check_run(net *self) {
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  index_of = 3;
  REQUIRE(net_run(self, &in, &out) == MODELC_OK);
  REQUIRE(count == 6 && picked[0] == 2 * x[3]);
  int line = check_outputs(1);
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && count == 7);
  // A bad index is reported after all outputs were written.
  index_of = 16;
  REQUIRE(net_run(self, &in, &out) == MODELC_E_INDEX);
  REQUIRE(count == 8 && picked[0] == 2 * x[0]);
  index_of = 3;
  net_reset(self);
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && count == 6);
  net_reset(0);
  return line;
}

static int check_misuse(net *self) {
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  REQUIRE(net_run(0, &in, &out) == MODELC_E_NULL);
  REQUIRE(net_run(self, 0, &out) == MODELC_E_NULL);
  REQUIRE(net_run(self, &in, 0) == MODELC_E_NULL);
  in._int = 0;
  REQUIRE(net_run(self, &in, &out) == MODELC_E_NULL);
  in._int = &index_of;
  out.y_2 = 0;
  REQUIRE(net_run(self, &in, &out) == MODELC_E_NULL);
  out.y_2 = &count;
  in.in_put_HOME_ = (const float *)(const void *)((const char *)x + 2);
  REQUIRE(net_run(self, &in, &out) == MODELC_E_ALIGN);
  // The alignment of an element is enough.
  for (int i = 16; i > 0; --i) {
    x[i] = x[i - 1];
  }
  in.in_put_HOME_ = x + 1;
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && picked[0] == 2 * x[4]);
  for (int i = 0; i < 16; ++i) {
    x[i] = x[i + 1];
  }
  // Neither memory that is no instance, nor an instance of another model.
  in.in_put_HOME_ = x;
  REQUIRE(net_run((net *)(void *)own_weights, &in, &out) == MODELC_E_ABI);
  REQUIRE(net_run((net *)(void *)other_state, &in, &out) == MODELC_E_ABI);
  REQUIRE(net_run((net *)(void *)(state + NET_ALIGN / 2), &in, &out) == MODELC_E_ALIGN);
  return 0;
}

static int check_snapshot(net *self) {
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  net_reset(self);
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && count == 6);
  for (size_t i = 0; i < sizeof snapshot; ++i) {
    snapshot[i] = state[i];
  }
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && count == 7);
  y[0] = -1;
  REQUIRE(net_run((net *)(void *)snapshot, &in, &out) == MODELC_OK && count == 7);
  return check_outputs(1);
}

static int check_two_libraries(net *self) {
  other *second = 0;
  other_config config = {
      MODELC_ABI, sizeof config, other_state, sizeof other_state, scratch, sizeof scratch, 0, 0, 0};
  REQUIRE(other_init(&second, &config) == MODELC_OK);
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  other_inputs other_in = {x, &index_of};
  other_outputs other_out = {y, &count, picked};
  net_reset(self);
  REQUIRE(other_run(second, &other_in, &other_out) == MODELC_OK && count == 101);
  REQUIRE(net_run(self, &in, &out) == MODELC_OK && count == 6);
  REQUIRE(other_run(second, &other_in, &other_out) == MODELC_OK && count == 102);
  return check_outputs(1);
}

static int check_own_weights(void) {
  for (int i = 0; i < 256; ++i) {
    ((float *)(void *)own_weights)[i] = 2 * weight(i);
  }
  for (int i = 0; i < 16; ++i) {
    ((float *)(void *)own_weights)[288 + i] = 2 * ((float)i * 0.5f + 1.0f);
  }
  net *self = 0;
  net_config config = good_config();
  config.weights = own_weights;
  config.weights_bytes = sizeof own_weights;
  REQUIRE(net_init(&self, &config) == MODELC_OK);
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  REQUIRE(net_run(self, &in, &out) == MODELC_OK);
  return check_outputs(2);
}

static int same(const char *a, const char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

static int check_info(void) {
  const modelc_model_info *info = net_info();
  const char *base = (const char *)info;
  REQUIRE(info->abi == MODELC_ABI && info->size == sizeof *info && info->align == NET_ALIGN);
  REQUIRE(info->state_bytes == NET_STATE_BYTES && info->scratch_bytes == NET_SCRATCH_BYTES);
  REQUIRE(info->weights_bytes == 1280 && info->states_bytes == 8);
  REQUIRE(info->initial_state_bytes == 4 && base[info->initial_state] == 5);
  REQUIRE(same(base + info->name, "net") && base[info->source_hash] == 'a');
  REQUIRE(info->input_count == 2 && info->output_count == 3);
  const modelc_tensor_info *in = (const void *)(base + info->inputs);
  const modelc_tensor_info *out = (const void *)(base + info->outputs);
  REQUIRE(same(base + in[0].name, "in*/put\n\"${HOME}\\"));
  REQUIRE(same(base + in[0].identifier, "in_put_HOME_"));
  REQUIRE(in[0].type == MODELC_F32 && in[0].rank == 2 && in[0].bytes == 64);
  const int64_t *shape = (const void *)(base + in[0].shape);
  REQUIRE(shape[0] == 1 && shape[1] == 16);
  REQUIRE(in[1].type == MODELC_I32 && in[1].rank == 0 && in[1].bytes == 4);
  REQUIRE(same(base + out[1].identifier, "y_2") && out[1].element_bytes == 4);
  return 0;
}

#if defined __x86_64__
static uintptr_t read_mode(void) {
  uint32_t mode;
  __asm__ volatile("stmxcsr %0" : "=m"(mode));
  return mode;
}
static void write_mode(uintptr_t wide) {
  uint32_t mode = (uint32_t)wide;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
}
enum { ROUND_DOWN = 0x2000 };
#elif defined __aarch64__
static uintptr_t read_mode(void) {
  uintptr_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
static void write_mode(uintptr_t mode) {
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}
enum { ROUND_DOWN = 0x800000 };
#else
static uintptr_t read_mode(void) {
  uintptr_t mode;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
  return mode & ~(uintptr_t)0xf800009f; // without the flags
}
static void write_mode(uintptr_t mode) {
  __asm__ volatile("vmsr fpscr, %0" : : "r"(mode));
}
enum { ROUND_DOWN = 0x800000 };
#endif

// Denormals are flushed inside of run only, and the caller's rounding neither changes what is
// computed nor is it changed.
static int check_float_mode(net *self) {
  union {
    uint32_t bits;
    float number;
  } denormal = {0x00200000u}, result;
  net_inputs in = {x, &index_of};
  net_outputs out = {y, &count, picked};
  float kept = x[3];
  x[3] = denormal.number;
  uintptr_t before = read_mode();
  write_mode(before | ROUND_DOWN);
  uintptr_t mine = read_mode();
  modelc_status status = net_run(self, &in, &out);
  uintptr_t after = read_mode();
  write_mode(before);
  result.number = picked[0];
  REQUIRE(status == MODELC_OK && result.bits == 0 && after == mine);
  x[3] = kept;
  return 0;
}

int check(void) {
  for (int i = 0; i < 16; ++i) {
    x[i] = (float)(i - 7) * 0.5f;
  }
  int line = check_init();
  net *self = 0;
  net_config config = good_config();
  REQUIRE(line || net_init(&self, &config) == MODELC_OK);
  line = line ? line : check_run(self);
  line = line ? line : check_misuse(self);
  line = line ? line : check_snapshot(self);
  line = line ? line : check_two_libraries(self);
  line = line ? line : check_float_mode(self);
  line = line ? line : check_info();
  return line ? line : check_own_weights();
}
