/* Tensors by name in one file, the safetensors format: eight bytes of header
   length, a JSON header, the data without gaps. Python's `safetensors` opens
   what is written here. Only float32 and float64 are written and read.

   Opening takes memory by the header, which is at most 100 MB and in the file: its text
   and up to 40 bytes for each comma and bracket of it (io/json.h), and about 150 for a
   tensor. Data is read into memory of the caller, who knows its shape by then. */
#ifndef ZF_IO_SAFETENSORS_H
#define ZF_IO_SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

enum { ZF_TENSOR_RANK = 8 };

/* A tensor to write, or one that was found; data is NULL in the latter. */
typedef struct zf_tensor {
    const char *name; /* UTF-8, not empty, not "__metadata__" */
    int rank;         /* 0 .. ZF_TENSOR_RANK */
    int64_t dim[ZF_TENSOR_RANK];
    const void *data; /* row-major float32, */
    bool wide;        /* or else float64 */
} zf_tensor;

/* A line of text about the file; numbers go in as text too. */
typedef struct zf_metadata {
    const char *key;
    const char *value; /* UTF-8 */
} zf_metadata;

/* Writes the file whole or not at all (io/file.h). The same content gives the
   same bytes: tensors in the order given, metadata sorted by key. The data
   starts at a multiple of 64 bytes. Metadata of the key ZF_SEAL_KEY and the value
   ZF_SEAL_BLANK becomes the file's checksum (io/seal.h). ZF_EINVAL: a name or key
   twice, text that is not UTF-8, an impossible shape. ZF_ENUMERIC: a value
   that is not finite. ZF_EIO, ZF_EOUTPUT: as zf_file_create. */
zf_status zf_safetensors_write(const char *path, const zf_tensor *tensors, size_t n_tensors,
                               const zf_metadata *metadata, size_t n_metadata) ZF_CHECK;

/* The same in memory: *bytes is for free(). path is for messages. */
zf_status zf_safetensors_encode(void **bytes, size_t *n, const char *path, const zf_tensor *tensors,
                                size_t n_tensors, const zf_metadata *metadata,
                                size_t n_metadata) ZF_CHECK;

typedef struct zf_safetensors zf_safetensors;

/* Reads and checks the header: every offset, size and type against the file's
   size; the data stays on disk until asked for, but is read once if the file has
   a checksum. ZF_EINPUT: malformed, not as the checksum says, or a
   tensor that is neither float32 nor float64. */
zf_status zf_safetensors_open(zf_safetensors **out, const char *path) ZF_CHECK;

/* The same of bytes in memory, which the caller keeps alive; name is for messages. */
zf_status zf_safetensors_open_memory(zf_safetensors **out, const char *name, const void *bytes,
                                     size_t n) ZF_CHECK;

/* For messages. */
const char *zf_safetensors_path(const zf_safetensors *file);

/* Tensors in the order of their data. */
size_t zf_safetensors_count(const zf_safetensors *file);
const zf_tensor *zf_safetensors_tensor(const zf_safetensors *file, size_t i);

/* NULL if there is none of that name. The result belongs to the file. */
const zf_tensor *zf_safetensors_find(const zf_safetensors *file, const char *name);

/* The number of elements; 1 for rank 0. And the bytes of one. */
size_t zf_tensor_size(const zf_tensor *tensor);
size_t zf_tensor_element(const zf_tensor *tensor);

/* Copies the data of a tensor that must be there, be float32, have this shape and finite
   values only (ZF_EINPUT otherwise, and values may be partly written). */
zf_status zf_safetensors_read(const zf_safetensors *file, float *values, const char *name, int rank,
                              const int64_t *dim) ZF_CHECK;

/* The same of a float64 tensor, or of a float32 one, whose numbers are widened. */
zf_status zf_safetensors_read_doubles(const zf_safetensors *file, double *values, const char *name,
                                      int rank, const int64_t *dim) ZF_CHECK;

/* The value of a key, NULL if absent. It belongs to the file. */
const char *zf_safetensors_metadata(const zf_safetensors *file, const char *key);

void zf_safetensors_close(zf_safetensors *file); /* NULL is fine */

#endif
