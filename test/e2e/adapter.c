// A host that pushes and pulls a recording through the adapter of a library:
//
//   adapter f32|i16 CHANNELS STEP MODE INPUT OUTPUT TOTAL FRAMES...
//
// FRAMES are the sizes of the frames, over and over, until there were TOTAL. MODE: w (wet), b
// (bypassed from the start), h (half of it mixed), t (bypassed from the second call on).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adapted.h"
#include "driver.h"

enum { CHANNELS_MAX = 2, SIZES_MAX = 8, USE = 2, WRONG = 1 };

// A multiple of the alignment, so that one can stand behind another.
#define ROUNDED(BYTES) (((BYTES) + ADAPTED_ALIGN - 1) / ADAPTED_ALIGN * ADAPTED_ALIGN)

static _Alignas(ADAPTED_ALIGN) unsigned char state[CHANNELS_MAX][ROUNDED(ADAPTED_STATE_BYTES)];
static _Alignas(ADAPTED_ALIGN) unsigned char memory[CHANNELS_MAX][ROUNDED(ADAPTED_ADAPTER_BYTES)];
static _Alignas(ADAPTED_ALIGN) unsigned char scratch[ADAPTED_SCRATCH_BYTES];
static float floats[CHANNELS_MAX * ADAPTED_ADAPTER_FRAMES_MAX];
static int16_t integers[CHANNELS_MAX * ADAPTED_ADAPTER_FRAMES_MAX];
static adapted_adapter *adapters[CHANNELS_MAX];
static adapted *models[CHANNELS_MAX];

static int fail(const char *text) {
  rig_say(text);
  rig_say("\n");
  return WRONG;
}

static uint32_t number(const char *text) {
  uint32_t value = 0;
  for (; *text; ++text) {
    value = value * 10u + (uint32_t)(*text - '0');
  }
  return value;
}

static int prepare(uint32_t channel, uint32_t step) {
  adapted_config config = {MODELC_ABI,
                           sizeof config,
                           state[channel],
                           sizeof state[channel],
                           scratch,
                           sizeof scratch,
                           0,
                           0,
                           0};
  if (adapted_init(&models[channel], &config)) {
    return fail("init failed");
  }
  if (adapted_adapter_init(&adapters[channel], models[channel], memory[channel],
                           sizeof memory[channel], step)) {
    return fail("adapter_init failed");
  }
  return 0;
}

// What the header documents of wrong use.
static int check_refusals(void) {
  adapted_adapter *adapter = adapters[0], *none = adapter;
  size_t bytes = ADAPTED_ADAPTER_BYTES;
  int right =
      adapted_adapter_init(0, models[0], memory[1], bytes, 1) == MODELC_E_NULL &&
      adapted_adapter_init(&none, 0, memory[1], bytes, 1) == MODELC_E_NULL && !none &&
      adapted_adapter_init(&none, models[0], memory[1], bytes - 1, 1) == MODELC_E_STATE_BYTES &&
      adapted_adapter_init(&none, models[0], memory[1] + 4, bytes, 1) == MODELC_E_ALIGN &&
      adapted_adapter_init(&none, (adapted *)memory[1], memory[1], bytes, 1) == MODELC_E_ABI &&
      adapted_adapter_init(&none, models[0], memory[1], bytes, 0) == MODELC_E_EXTENT &&
      adapted_adapter_init(&none, models[0], memory[1], bytes, ADAPTED_ADAPTER_FRAMES_MAX + 1) ==
          MODELC_E_EXTENT &&
      adapted_push(0, floats, 0, 1) == MODELC_E_NULL &&
      adapted_push(adapter, 0, 1, 1) == MODELC_E_NULL &&
      adapted_push((adapted_adapter *)state[0], floats, 1, 1) == MODELC_E_ABI &&
      adapted_push(adapter, (const float *)((const char *)floats + 2), 0, 1) == MODELC_E_ALIGN &&
      adapted_push_i16(adapter, (const int16_t *)((const char *)integers + 1), 0, 1) ==
          MODELC_E_ALIGN &&
      adapted_push(adapter, floats, 0, 0) == MODELC_E_EXTENT &&
      adapted_push(adapter, floats, ADAPTED_ADAPTER_FRAMES_MAX + 1, 1) == MODELC_E_EXTENT &&
      adapted_pull(adapter, floats, 1, 1) == MODELC_E_EXTENT &&
      adapted_push(adapter, floats, ADAPTED_ADAPTER_FRAMES_MAX, 1) == MODELC_OK &&
      adapted_push(adapter, floats, 1, 1) == MODELC_E_FULL &&
      adapted_pull(adapter, floats, ADAPTED_ADAPTER_FRAMES_MAX, 1) == MODELC_OK &&
      adapted_pull_i16(adapter, integers, 1, 1) == MODELC_E_EXTENT &&
      adapted_adapter_delay(adapter) == ADAPTED_ADAPTER_DELAY_MAX && !adapted_adapter_delay(0);
  adapted_adapter_reset(0);
  adapted_adapter_mix(0, 1.0f);
  adapted_adapter_bypass(0, 1);
  return right ? 0 : fail("a wrong use has not the documented status");
}

static int process(int is_integer, uint32_t channels, uint32_t frames) {
  size_t bytes = (size_t)channels * frames * (is_integer ? sizeof *integers : sizeof *floats);
  void *samples = is_integer ? (void *)integers : (void *)floats;
  if (rig_read(samples, bytes)) {
    return fail("the input is too short");
  }
  for (uint32_t i = 0; i < channels; ++i) {
    int32_t status = is_integer ? adapted_push_i16(adapters[i], integers + i, frames, channels)
                                : adapted_push(adapters[i], floats + i, frames, channels);
    if (status) {
      return fail("push failed");
    }
  }
  rig_fill(samples, bytes, RIG_PATTERN);
  for (uint32_t i = 0; i < channels; ++i) {
    int32_t status = is_integer ? adapted_pull_i16(adapters[i], integers + i, frames, channels)
                                : adapted_pull(adapters[i], floats + i, frames, channels);
    if (status) {
      return fail("pull failed");
    }
  }
  return rig_write(samples, bytes) ? fail("cannot write") : 0;
}

// The delay goes in front of what comes out.
static int run(int is_integer, uint32_t channels, char mode, uint32_t total, const uint32_t *sizes,
               int size_count) {
  uint32_t delay = adapted_adapter_delay(adapters[0]);
  if (rig_write(&delay, sizeof delay)) {
    return fail("cannot write");
  }
  for (uint32_t i = 0; i < channels; ++i) {
    adapted_adapter_mix(adapters[i], mode == 'h' ? 0.5f : 1.0f);
    adapted_adapter_bypass(adapters[i], mode == 'b');
  }
  uint32_t done = 0;
  for (int call = 0; done < total; ++call) {
    uint32_t frames = sizes[call % size_count];
    frames = frames < total - done ? frames : total - done;
    if (process(is_integer, channels, frames)) {
      return WRONG;
    }
    for (uint32_t i = 0; mode == 't' && call == 0 && i < channels; ++i) {
      adapted_adapter_bypass(adapters[i], 1);
    }
    done += frames;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 9 || argc > 8 + SIZES_MAX) {
    return USE;
  }
  uint32_t channels = number(argv[2]), step = number(argv[3]), total = number(argv[7]);
  uint32_t sizes[SIZES_MAX];
  for (int i = 8; i < argc; ++i) {
    sizes[i - 8] = number(argv[i]);
  }
  if (channels < 1 || channels > CHANNELS_MAX || rig_open(argv[5], argv[6])) {
    return USE;
  }
  if (prepare(0, 1) || check_refusals()) {
    return WRONG;
  }
  for (uint32_t i = 0; i < channels; ++i) {
    if (prepare(i, step)) {
      return WRONG;
    }
  }
  int failed = run(argv[1][0] == 'i', channels, argv[4][0], total, sizes, argc - 8);
  return rig_close() || failed;
}
