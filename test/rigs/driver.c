// Runs a compiled model step by step on guarded buffers and reports every access or effect it must
// not have. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   driver end|begin|odd STEPS INPUT OUTPUT [OUT:IN ...]
//
// INPUT holds, step after step, the bytes of every input in order; OUTPUT receives the same of
// every output. With OUT:IN the bytes of output OUT become those of input IN in the next step, and
// INPUT holds that input for the first step only. Before each run outputs and scratch are filled
// with 0xff: a NaN in every float type, and -1 in every integer. Exit status: 0 done, 1 wrong use,
// 2 the library broke its contract, 3 the library returned a status.

#include "driver.h"

enum { EXIT_USE = 1, EXIT_CONTRACT = 2, EXIT_STATUS = 3, MAX_TENSORS = 256 };

// The control bits of the floating-point unit: `run` may change them but must put them back.
static uint64_t float_mode(void) {
#if defined(__x86_64__)
  return __builtin_ia32_stmxcsr() & ~UINT64_C(0x3f); // without the sticky exception flags
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
#elif defined(__arm__) && defined(__VFP_FP__) && !defined(__SOFTFP__)
  uint32_t mode;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
  return mode & UINT32_C(0x07f79f00); // without condition and exception flags
#else
  return 0;
#endif
}

static int fail(int status, const char *what, const char *which) {
  rig_say("driver: ");
  rig_say(what);
  rig_say(which);
  rig_say("\n");
  return status;
}

// Returns the contract's exit status when a byte around the block has changed.
static int check_gaps(const struct rig_block *block) {
  const unsigned char *end = block->low + block->low_bytes;
  for (const unsigned char *byte = block->low; byte < end; ++byte) {
    if (byte == block->data) {
      byte += block->bytes;
      if (byte == end) {
        break;
      }
    }
    if (*byte != RIG_PATTERN) {
      return fail(EXIT_CONTRACT, byte < block->data ? "written in front of " : "written behind ",
                  block->name);
    }
  }
  return 0;
}

struct rig {
  struct rig_block state;
  struct rig_block scratch;
  struct rig_block inputs[MAX_TENSORS];
  struct rig_block outputs[MAX_TENSORS];
  void *input_data[MAX_TENSORS];
  void *output_data[MAX_TENSORS];
  int feed[MAX_TENSORS]; // of each input: the output it continues, or -1
  size_t flushes;        // after the steps of each stream
  size_t streams;        // each begins with a reset
  void *self;
};

static struct rig rig; // too large for the stack of a small machine

static int reserve_tensors(struct rig_block *blocks, void **data, const struct rig_tensor *tensors,
                           size_t count, enum rig_place place) {
  for (size_t i = 0; i < count; ++i) {
    if (rig_reserve(&blocks[i], tensors[i].name, tensors[i].bytes, tensors[i].align, place)) {
      return -1;
    }
    data[i] = blocks[i].data;
  }
  return 0;
}

static int prepare(enum rig_place place) {
  const struct rig_model *model = &rig_model;
  if (model->input_count > MAX_TENSORS || model->output_count > MAX_TENSORS) {
    return fail(EXIT_USE, "too many inputs or outputs", "");
  }
  if (rig_reserve(&rig.state, "state", model->state_bytes, model->align, place) ||
      rig_reserve(&rig.scratch, "scratch", model->scratch_bytes, model->align, place) ||
      reserve_tensors(rig.inputs, rig.input_data, model->inputs, model->input_count, place) ||
      reserve_tensors(rig.outputs, rig.output_data, model->outputs, model->output_count, place)) {
    return fail(EXIT_USE, "out of memory", "");
  }
  rig_fill(rig.state.data, rig.state.bytes, 0xff);
  int32_t status = model->init(&rig.self, rig.state.data, rig.scratch.data);
  if (status) {
    rig_say("driver: init returned status ");
    rig_say_number((size_t)status);
    rig_say("\n");
    return EXIT_STATUS;
  }
  return 0;
}

static int read_inputs(size_t step) {
  for (size_t i = 0; i < rig_model.input_count; ++i) {
    if (step && rig.feed[i] >= 0) {
      rig_copy(rig.inputs[i].data, rig.outputs[rig.feed[i]].data, rig.inputs[i].bytes);
    } else if (rig_read(rig.inputs[i].data, rig.inputs[i].bytes)) {
      return fail(EXIT_USE, "the input file is too short for ", rig.inputs[i].name);
    }
  }
  return 0;
}

static int check_contract(uint64_t mode_before) {
  if (float_mode() != mode_before) {
    return fail(EXIT_CONTRACT, "run changed the caller's floating-point mode", "");
  }
  int status = check_gaps(&rig.state);
  if (!status) {
    status = check_gaps(&rig.scratch);
  }
  for (size_t i = 0; !status && i < rig_model.input_count; ++i) {
    status = check_gaps(&rig.inputs[i]);
  }
  for (size_t i = 0; !status && i < rig_model.output_count; ++i) {
    status = check_gaps(&rig.outputs[i]);
  }
  return status;
}

static void set_inputs_writable(int writable) {
  for (size_t i = 0; i < rig_model.input_count; ++i) {
    rig_set_writable(&rig.inputs[i], writable);
  }
}

static int run_step(size_t step, int flushing) {
  int failed = flushing ? 0 : read_inputs(step);
  if (failed) {
    return failed;
  }
  for (size_t i = 0; i < rig_model.output_count; ++i) {
    rig_fill(rig.outputs[i].data, rig.outputs[i].bytes, 0xff);
  }
  rig_fill(rig.scratch.data, rig.scratch.bytes, 0xff);
  set_inputs_writable(0);
  uint64_t mode = float_mode();
  int32_t status = rig_model.run(rig.self, rig.input_data, rig.output_data, flushing);
  failed = check_contract(mode);
  set_inputs_writable(1);
  if (failed) {
    return failed;
  }
  if (status) {
    rig_say("driver: run returned status ");
    rig_say_number((size_t)status);
    rig_say(" in step ");
    rig_say_number(step);
    rig_say("\n");
    return EXIT_STATUS;
  }
  for (size_t i = 0; i < rig_model.output_count; ++i) {
    if (rig_write(rig.outputs[i].data, rig.outputs[i].bytes)) {
      return fail(EXIT_USE, "cannot write the output file", "");
    }
  }
  return 0;
}

// Reads a number and moves past it; an argument without digits reads as `limit`.
static size_t parse_number(const char **text, size_t limit) {
  size_t value = 0;
  const char *begin = *text;
  while (**text >= '0' && **text <= '9' && value < limit) {
    value = value * 10 + (size_t)(*(*text)++ - '0');
  }
  return *text == begin ? limit : value;
}

// "flush=N", "streams=N" or a pair of output and input.
static int parse_option(const char *text) {
  size_t *number = text[0] == 'f' ? &rig.flushes : text[0] == 's' ? &rig.streams : 0;
  if (number) {
    while (*text && *text++ != '=') {
    }
    *number = parse_number(&text, (size_t)1 << 16);
    return *text ? -1 : 0;
  }
  size_t output = parse_number(&text, MAX_TENSORS);
  if (*text++ != ':') {
    return -1;
  }
  size_t input = parse_number(&text, MAX_TENSORS);
  if (*text || output >= rig_model.output_count || input >= rig_model.input_count ||
      rig_model.inputs[input].bytes != rig_model.outputs[output].bytes) {
    return -1;
  }
  rig.feed[input] = (int)output;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    return fail(EXIT_USE,
                "usage: driver end|begin|odd STEPS INPUT OUTPUT [OUT:IN ...] [flush=N] [streams=N]",
                "");
  }
  enum rig_place place = argv[1][0] == 'e' ? RIG_END : argv[1][0] == 'b' ? RIG_BEGIN : RIG_ODD;
  const char *number = argv[2];
  size_t steps = parse_number(&number, (size_t)1 << 24);
  rig.streams = 1;
  for (size_t i = 0; i < MAX_TENSORS; ++i) {
    rig.feed[i] = -1;
  }
  for (int i = 5; i < argc; ++i) {
    if (parse_option(argv[i])) {
      return fail(EXIT_USE, "no such option, or pair of output and input of one size: ", argv[i]);
    }
  }
  if (rig_open(argv[3], argv[4])) {
    return fail(EXIT_USE, "cannot open the input or output file", "");
  }
  int failed = prepare(place);
  for (size_t stream = 0; !failed && stream < rig.streams; ++stream) {
    if (stream) {
      rig_model.reset(rig.self);
    }
    for (size_t step = 0; !failed && step < steps + rig.flushes; ++step) {
      failed = run_step(step, step >= steps);
    }
  }
  if (rig_close() && !failed) {
    failed = fail(EXIT_USE, "cannot write the output file", "");
  }
  return failed;
}
