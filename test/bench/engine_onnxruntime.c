// onnxruntime as an engine of the benchmark, through its C interface: engine LIBRARY MODEL
// DESCRIPTION INPUT SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION has a line "in|out TYPE BYTES RANK EXTENT... NAME" per tensor; INPUT holds the bytes
// of every input in order. One thread, all graph optimizations, every tensor bound once to memory
// of ours: nothing is allocated or copied per run, and no interpreter of another language is in the
// timed loop.
//
// The wheel ships the library without its header. What is used of the interface is declared here:
// it is a table of function pointers that only ever grows at its end, so the places below hold for
// every version since 1.5.

#include "pace.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ort_place {
  GET_ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  CREATE_SESSION_OPTIONS = 10,
  SET_GRAPH_OPTIMIZATION_LEVEL = 23,
  SET_INTRA_OP_NUM_THREADS = 24,
  SET_INTER_OP_NUM_THREADS = 25,
  CREATE_TENSOR_WITH_DATA = 49,
  CREATE_CPU_MEMORY_INFO = 69,
  ADD_SESSION_CONFIG_ENTRY = 130,
  RUN_WITH_BINDING = 133,
  CREATE_IO_BINDING = 134,
  BIND_INPUT = 136,
  BIND_OUTPUT = 137
};

enum {
  ORT_API_VERSION = 8,
  ORT_LOG_ERROR = 3,
  ORT_ENABLE_ALL = 99,
  ORT_DEVICE_ALLOCATOR = 0,
  MAX_RANK = 16
};

typedef void ort_object;
typedef ort_object ort_status; // NULL: no error
typedef void (*ort_function)(void);

struct ort_api_base {
  const ort_function *(*get_api)(uint32_t version);
  const char *(*get_version)(void);
};

static const ort_function *api;

// The function at one place of the table, with the type that stands in the parameter list.
#define ORT(place, ...) ((ort_status * (*)(__VA_ARGS__)) api[place])

static void check(ort_status *status) {
  if (status) {
    const char *(*message)(const ort_status *) =
        (const char *(*)(const ort_status *))api[GET_ERROR_MESSAGE];
    fprintf(stderr, "onnxruntime: %s\n", message(status));
    exit(1);
  }
}

struct engine {
  ort_object *session;
  ort_object *binding;
};

static int step(void *context) {
  struct engine *engine = context;
  ort_status *status = ORT(RUN_WITH_BINDING, ort_object *, const ort_object *,
                           const ort_object *)(engine->session, NULL, engine->binding);
  check(status);
  return 0;
}

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct ort_api_base *(*base)(void) = NULL;
  if (library) {
    *(void **)&base = dlsym(library, "OrtGetApiBase");
  }
  if (!base || !(api = base()->get_api(ORT_API_VERSION))) {
    fprintf(stderr, "bench: %s is no onnxruntime\n", path);
    exit(1);
  }
}

static ort_object *create_session(const char *model) {
  ort_object *environment = NULL, *options = NULL, *session = NULL;
  check(ORT(CREATE_ENV, int, const char *, ort_object **)(ORT_LOG_ERROR, "bench", &environment));
  check(ORT(CREATE_SESSION_OPTIONS, ort_object **)(&options));
  check(ORT(SET_INTRA_OP_NUM_THREADS, ort_object *, int)(options, 1));
  check(ORT(SET_INTER_OP_NUM_THREADS, ort_object *, int)(options, 1));
  check(ORT(SET_GRAPH_OPTIMIZATION_LEVEL, ort_object *, int)(options, ORT_ENABLE_ALL));
  check(ORT(ADD_SESSION_CONFIG_ENTRY, ort_object *, const char *,
            const char *)(options, "session.set_denormal_as_zero", "1"));
  check(ORT(CREATE_SESSION, const ort_object *, const char *, const ort_object *,
            ort_object **)(environment, model, options, &session));
  return session;
}

// Reads one tensor of the description; returns 0 at its end.
static int read_tensor(FILE *file, char *direction, char *name, int *type, size_t *bytes,
                       size_t *rank, int64_t *shape) {
  if (fscanf(file, "%7s %d %zu %zu", direction, type, bytes, rank) != 4) {
    return 0;
  }
  for (size_t i = 0; i < *rank; ++i) {
    long long extent = 0;
    if (*rank > MAX_RANK || fscanf(file, "%lld", &extent) != 1) {
      return 0;
    }
    shape[i] = extent;
  }
  return fscanf(file, " %255[^\n]", name) == 1;
}

static void bind_tensors(struct engine *engine, const char *description, const unsigned char *input,
                         size_t left) {
  ort_object *memory = NULL;
  check(ORT(CREATE_CPU_MEMORY_INFO, int, int, ort_object **)(ORT_DEVICE_ALLOCATOR, 0, &memory));
  check(ORT(CREATE_IO_BINDING, ort_object *, ort_object **)(engine->session, &engine->binding));
  FILE *file = fopen(description, "r");
  char direction[8], name[256];
  int type;
  size_t bytes, rank;
  int64_t shape[MAX_RANK];
  while (file && read_tensor(file, direction, name, &type, &bytes, &rank, shape)) {
    int is_input = !strcmp(direction, "in");
    unsigned char *data = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (!data || (is_input && bytes > left)) {
      fprintf(stderr, "bench: no memory for %s, or its input is too short\n", name);
      exit(1);
    }
    memset(data, 0, bytes);
    if (is_input) {
      memcpy(data, input, bytes);
      input += bytes;
      left -= bytes;
    }
    ort_object *value = NULL;
    check(ORT(CREATE_TENSOR_WITH_DATA, const ort_object *, void *, size_t, const int64_t *, size_t,
              int, ort_object **)(memory, data, bytes, shape, rank, type, &value));
    check(ORT(is_input ? BIND_INPUT : BIND_OUTPUT, ort_object *, const char *,
              const ort_object *)(engine->binding, name, value));
  }
  if (file) {
    fclose(file);
  }
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: engine LIBRARY MODEL DESCRIPTION INPUT\n");
    return 1;
  }
  size_t bytes = 0;
  const unsigned char *input = pace_read_file(argv[4], &bytes);
  if (!input) {
    return 1;
  }
  load(argv[1]);
  struct engine engine = {.session = create_session(argv[2]), .binding = NULL};
  bind_tensors(&engine, argv[3], input, bytes);
  return pace_serve(step, &engine);
}
