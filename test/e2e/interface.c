// A product that uses a library in every wrong way that its header documents, and in some right
// ones. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is the model of interface.py: y = x[i], z = x + 1, and a state that adds the y of all
// runs, returned as it was before the run. Exit status 0 when every status is the documented one.

#include "interface.h"
#include "driver.h"

enum { ROWS = 5, COLUMNS = 7, PICKED = 3 };

_Alignas(INTERFACE_ALIGN) static unsigned char state[INTERFACE_STATE_BYTES + INTERFACE_ALIGN];
_Alignas(INTERFACE_ALIGN) static unsigned char copied[INTERFACE_STATE_BYTES];
_Alignas(INTERFACE_ALIGN) static unsigned char scratch[INTERFACE_SCRATCH_BYTES + INTERFACE_ALIGN];

static float x[ROWS * COLUMNS], y[PICKED * COLUMNS], z[ROWS * COLUMNS];
static float before[PICKED * COLUMNS];
static int64_t indices[PICKED] = {4, 0, 2};
static int failures;

static void expect(int32_t got, int32_t wanted, const char *what) {
  if (got != wanted) {
    rig_say("wrong status: ");
    rig_say(what);
    rig_say(": got ");
    rig_say_number((size_t)got);
    rig_say(", expected ");
    rig_say_number((size_t)wanted);
    rig_say("\n");
    ++failures;
  }
}

static void expect_true(int truth, const char *what) {
  if (!truth) {
    rig_say("wrong: ");
    rig_say(what);
    rig_say("\n");
    ++failures;
  }
}

static interface_config good_config(void) {
  interface_config config = {MODELC_ABI, sizeof config,           state, INTERFACE_STATE_BYTES,
                             scratch,    INTERFACE_SCRATCH_BYTES, 0,     0,
                             0};
  return config;
}

static void expect_init(const interface_config *config, int32_t wanted, const char *what) {
  interface *self = (interface *)state;
  expect(interface_init(&self, config), wanted, what);
  expect_true(!self, "a failed init leaves no instance");
}

static void check_init(void) {
  interface_config config = good_config();
  expect(interface_init(0, &config), MODELC_E_NULL, "init without a place for the instance");
  expect_init(0, MODELC_E_NULL, "init without a configuration");
  config.state = 0;
  expect_init(&config, MODELC_E_NULL, "init without state memory");
  config = good_config();
  config.abi = MODELC_ABI + 1;
  expect_init(&config, MODELC_E_ABI, "init with another ABI");
  config = good_config();
  config.size = 4;
  expect_init(&config, MODELC_E_ABI, "init with a configuration of another size");
  config = good_config();
  config.state_bytes = INTERFACE_STATE_BYTES - 1;
  expect_init(&config, MODELC_E_STATE_BYTES, "init with too little state memory");
  config = good_config();
  config.state = state + 1;
  expect_init(&config, MODELC_E_ALIGN, "init with state memory that is not aligned");
  config = good_config();
  config.weights = scratch;
  config.weights_bytes = 1;
  expect_init(&config, MODELC_E_WEIGHTS, "init with weights of another size");
#if INTERFACE_SCRATCH_BYTES > 0
  config = good_config();
  config.scratch_bytes = INTERFACE_SCRATCH_BYTES - 1;
  expect_init(&config, MODELC_E_SCRATCH_BYTES, "init with too little scratch memory");
  config = good_config();
  config.scratch = 0;
  expect_init(&config, MODELC_E_NULL, "init without scratch memory");
  config = good_config();
  config.scratch = scratch + 1;
  expect_init(&config, MODELC_E_ALIGN, "init with scratch memory that is not aligned");
#endif
}

static int outputs_are_right(const float *picked, const float *added) {
  for (int row = 0; row < PICKED; ++row) {
    for (int column = 0; column < COLUMNS; ++column) {
      if (picked[row * COLUMNS + column] != (float)((int)indices[row] * COLUMNS + column)) {
        return 0;
      }
    }
  }
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    if (added[i] != (float)i + 1) {
      return 0;
    }
  }
  return 1;
}

static void check_run(interface *self) {
  const interface_inputs in = {x, indices};
  interface_outputs out = {y, z, before};
  expect(interface_run(0, &in, &out), MODELC_E_NULL, "run without an instance");
  expect(interface_run(self, 0, &out), MODELC_E_NULL, "run without inputs");
  expect(interface_run(self, &in, 0), MODELC_E_NULL, "run without outputs");
  const interface_inputs no_x = {0, indices};
  expect(interface_run(self, &no_x, &out), MODELC_E_NULL, "run without an input");
  interface_outputs no_y = {0, z, before};
  expect(interface_run(self, &in, &no_y), MODELC_E_NULL, "run without an output");
  const interface_inputs odd = {(const float *)((const char *)x + 1), indices};
  expect(interface_run(self, &odd, &out), MODELC_E_ALIGN, "run on an input that is not aligned");
  _Alignas(INTERFACE_ALIGN) static unsigned char never[INTERFACE_STATE_BYTES];
  expect(interface_run((interface *)never, &in, &out), MODELC_E_ABI,
         "run on memory that was never an instance");

  expect(interface_run(self, &in, &out), MODELC_OK, "run");
  expect_true(outputs_are_right(y, z), "outputs of run");
  indices[1] = ROWS;
  expect(interface_run(self, &in, &out), MODELC_E_INDEX, "run with an index behind the end");
  expect_true(y[COLUMNS] == x[(ROWS - 1) * COLUMNS],
              "an index behind the end is clamped to the last row");
  indices[1] = 0;
  expect(interface_run(self, &in, &out), MODELC_OK, "run after a bad index");
}

// An instance is its bytes: a copy of them elsewhere is another instance.
static void check_copy(void) {
  rig_copy(copied, state, sizeof copied);
  rig_fill(state, sizeof state, 0xff);
  rig_fill((unsigned char *)y, sizeof y, 0xff);
  const interface_inputs in = {x, indices};
  interface_outputs out = {y, x, before}; // z has the size of x and may take its place
  expect(interface_run((interface *)copied, &in, &out), MODELC_OK, "run of a copied instance");
  expect_true(outputs_are_right(y, x),
              "outputs of a copied instance, one in the place of an input");
}

// The state before the run that was the last: as often the first rows of y as
// there were good runs.
static void expect_sum(const float *first, int runs, const char *what) {
  int same = 1;
  for (int column = 0; column < COLUMNS; ++column) {
    same &= before[column] == (float)runs * first[column];
  }
  expect_true(same, what);
}

static void check_state(interface *self) {
  const interface_inputs in = {x, indices};
  interface_outputs out = {y, z, before};
  for (int run = 0; run < 3; ++run) {
    expect(interface_run(self, &in, &out), MODELC_OK, "run");
    expect_sum(y, run, "the state adds up");
  }
  indices[1] = -ROWS - 1;
  expect(interface_run(self, &in, &out), MODELC_E_INDEX, "run with an index before the start");
  indices[1] = 0;
  expect(interface_run(self, &in, &out), MODELC_OK, "run after a bad index");
  expect_sum(y, 3, "a failed run leaves the state as it was");
  interface_reset(self);
  expect(interface_run(self, &in, &out), MODELC_OK, "run after reset");
  expect_sum(y, 0, "reset sets the state to its start");
}

static void check_info(void) {
  const modelc_model_info *info = interface_info();
  expect_true(info->abi == MODELC_ABI && info->align == INTERFACE_ALIGN,
              "ABI and alignment in the info table");
  expect_true(info->state_bytes == INTERFACE_STATE_BYTES, "state bytes in the info table");
  expect_true(info->scratch_bytes == INTERFACE_SCRATCH_BYTES, "scratch bytes in the info table");
  expect_true(info->input_count == 2 && info->output_count == 3, "counts in the info table");
  const char *name = (const char *)info + info->name;
  expect_true(name[0] == 'i' && name[8] == 'e' && !name[9], "name in the info table");
}

int main(void) {
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    x[i] = (float)i;
  }
  check_init();
  interface_config config = good_config();
  interface *self = 0;
  expect(interface_init(&self, &config), MODELC_OK, "init");
  check_run(self);
  interface_reset(self);
  check_state(self);
  check_copy();
  check_info();
  return failures ? 2 : 0;
}
