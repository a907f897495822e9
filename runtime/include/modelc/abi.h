/* Types that the headers of all libraries made by modelc share.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   This text is copied into every generated header. Its guard carries the
   version, so that the headers of several models can be included in one file. */
#ifndef MODELC_ABI
#define MODELC_ABI 1u

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && __cplusplus >= 201703L
#define MODELC_MUST_CHECK [[nodiscard]]
#elif defined(__GNUC__)
#define MODELC_MUST_CHECK __attribute__((warn_unused_result))
#else
#define MODELC_MUST_CHECK
#endif

/* Behind the parameters of functions that a real-time thread may call: compilers
   that know the attribute check callers that carry it too. In C++ it implies
   that nothing is thrown. */
#define MODELC_NONBLOCKING
#if defined(__cplusplus)
#if __cplusplus >= 201103L && defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::nonblocking)
#undef MODELC_NONBLOCKING
#define MODELC_NONBLOCKING noexcept [[clang::nonblocking]]
#endif
#endif
#elif defined(__has_attribute)
#if __has_attribute(nonblocking)
#undef MODELC_NONBLOCKING
#define MODELC_NONBLOCKING __attribute__((nonblocking))
#endif
#endif

/* Result of every call that can fail. Never an enum type: its size would depend
   on compiler flags. The numbers never change. */
typedef int32_t modelc_status;
enum {
  MODELC_OK = 0,
  MODELC_E_NULL = 1,          /* a pointer that is needed is NULL */
  MODELC_E_ABI = 2,           /* config.abi or config.size is of another version, or
                                 the instance was made by another library or never */
  MODELC_E_STATE_BYTES = 3,   /* config.state_bytes is below NAME_STATE_BYTES */
  MODELC_E_SCRATCH_BYTES = 4, /* config.scratch_bytes is below NAME_SCRATCH_BYTES */
  MODELC_E_ALIGN = 5,         /* state, scratch or weights are not aligned to NAME_ALIGN,
                                 or a tensor is not aligned to its element */
  MODELC_E_EXTENT = 6,        /* a dynamic extent is out of its range */
  MODELC_E_INDEX = 7,         /* an index in the data was out of range; it was clamped,
                                 the outputs are written */
  MODELC_E_WEIGHTS = 8,       /* config.weights_bytes does not fit the model */
  MODELC_E_DEVICE = 9,        /* a GPU or its driver failed */
  MODELC_E_FULL = 10          /* a bounded state (such as a cache) has no room left */
};

/* Reserved for a caller's thread pool: pass NULL, the library runs serially. */
typedef struct modelc_threads modelc_threads;

/* What NAME_init reads. The memory stays the caller's and must outlive the
   instance; scratch may be shared by instances that run one after the other. */
typedef struct modelc_config {
  uint32_t abi;  /* MODELC_ABI */
  uint32_t size; /* sizeof(modelc_config) */
  void *state;   /* NAME_STATE_BYTES, aligned to NAME_ALIGN */
  size_t state_bytes;
  void *scratch; /* NAME_SCRATCH_BYTES, aligned to NAME_ALIGN; NULL if that is 0 */
  size_t scratch_bytes;
  const void *weights; /* NULL: the library's own */
  size_t weights_bytes;
  const modelc_threads *threads;
} modelc_config;

/* Element types: modelc_tensor_info.type. bool is one byte (0 or 1), f16 and
   bf16 are uint16_t with the bits of the number. */
enum {
  MODELC_F32 = 0,
  MODELC_F64 = 1,
  MODELC_F16 = 2,
  MODELC_BF16 = 3,
  MODELC_I8 = 4,
  MODELC_I16 = 5,
  MODELC_I32 = 6,
  MODELC_I64 = 7,
  MODELC_U8 = 8,
  MODELC_U16 = 9,
  MODELC_U32 = 10,
  MODELC_U64 = 11,
  MODELC_BOOL = 12
};

/* Facts about a model. Everything that is not a number is given as an offset in
   bytes from the start of the modelc_model_info, so that the table has no
   relocations and can stay in flash. Texts end with a zero byte. */
typedef struct modelc_model_info {
  uint32_t abi;           /* MODELC_ABI of the library */
  uint32_t size;          /* of this struct */
  uint32_t magic;         /* marks the instances of this model */
  uint32_t align;         /* NAME_ALIGN */
  uint64_t state_bytes;   /* NAME_STATE_BYTES */
  uint64_t scratch_bytes; /* NAME_SCRATCH_BYTES */
  uint64_t weights_bytes;
  uint64_t states_bytes;        /* of the model's states, the tail of the state memory */
  uint32_t initial_state;       /* offset: what the states begin with after a reset */
  uint32_t initial_state_bytes; /* the rest of the states becomes zero */
  uint32_t name;                /* offset of a text */
  uint32_t target;              /* offset of a text: the processor */
  uint32_t source_hash;         /* offset of a text: SHA-256 of the model file in hex */
  uint32_t input_count;
  uint32_t inputs; /* offset of input_count modelc_tensor_info */
  uint32_t output_count;
  uint32_t outputs; /* offset of output_count modelc_tensor_info */
  uint32_t reserved;
} modelc_model_info;

typedef struct modelc_tensor_info {
  uint32_t name;       /* offset of a text: the name in the model, as it is there */
  uint32_t identifier; /* offset of a text: the field in NAME_inputs or NAME_outputs */
  uint32_t type;       /* MODELC_F32, ... */
  uint32_t element_bytes;
  uint32_t rank;
  uint32_t shape; /* offset of rank int64_t */
  uint64_t bytes;
} modelc_tensor_info;

#elif MODELC_ABI != 1u
#error "this header and another one come from versions of modelc that do not fit together"
#endif
