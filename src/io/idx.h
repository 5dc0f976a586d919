/* IDX files, the format of MNIST and its kin: a type, up to eight dimensions and
   big-endian data; plain or gzipped. Memory is asked for as the data comes
   (zf_io_input_take): what a header promises is believed of a plain file alone. */
#ifndef ZF_IO_IDX_H
#define ZF_IO_IDX_H

#include <stdint.h>

#include "io/element.h"
#include "io/input.h"
#include "zeroflow/status.h"

enum { ZF_IDX_RANK = 8 };

typedef struct zf_idx {
    zf_element type;
    int rank; /* at least 1; the first dimension counts the items */
    int64_t dim[ZF_IDX_RANK];
    uint64_t count; /* elements in all */
} zf_idx;

/* Do these first bytes look like IDX? */
bool zf_idx_recognise(const unsigned char *bytes, size_t n);

/* Takes the header and checks what it promises against the bound of the input. */
zf_status zf_idx_begin(zf_idx *out, zf_io_input *input) ZF_CHECK;

/* The next n elements, row-major. ZF_EINPUT: truncated. */
zf_status zf_idx_next(const zf_idx *array, zf_io_input *input, double *values, size_t n) ZF_CHECK;

/* A whole file of unsigned bytes, such as images or labels; *bytes is for
   free(). ZF_EINPUT: another type, truncated, or longer than promised. */
zf_status zf_idx_read_bytes(uint8_t **bytes, zf_idx *array, const char *path) ZF_CHECK;

/* A whole file of any type, rounded to float32; *values is for free(). */
zf_status zf_idx_read(float **values, zf_idx *array, const char *path) ZF_CHECK;

/* The same, from an input that the caller opened. */
zf_status zf_idx_read_input(float **values, zf_idx *array, zf_io_input *input) ZF_CHECK;

#endif
