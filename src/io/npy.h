/* NumPy's NPY files, versions 1 to 3: arrays of float32, float64, integers of
   every width and bool, either byte order, C or Fortran order; plain or gzipped.
   Objects, strings, records, dates, complex and half-precision numbers are
   refused by name.

   Memory is asked for as the data comes (zf_io_input_take): what a header promises is
   believed of a plain file that is large enough, not of gzip or a pipe. */
#ifndef ZF_IO_NPY_H
#define ZF_IO_NPY_H

#include <stdint.h>

#include "io/element.h"
#include "io/input.h"
#include "zeroflow/status.h"

enum {
    ZF_NPY_RANK = 8,
    ZF_NPY_HEADER_MAX = 6 * 64, /* holds any shape of ZF_NPY_RANK dimensions */
};

typedef struct zf_npy {
    zf_element type;
    bool big_endian;
    bool fortran; /* the first index runs fastest */
    int rank;
    int64_t dim[ZF_NPY_RANK];
    uint64_t count; /* elements; 1 for rank 0 */
} zf_npy;

/* Do these first bytes look like NPY? */
bool zf_npy_recognise(const unsigned char *bytes, size_t n);

/* Takes the header from the input and checks what it promises against the
   bound of the input. */
zf_status zf_npy_begin(zf_npy *out, zf_io_input *input) ZF_CHECK;

/* The next n elements in the order of the file. ZF_EINPUT: truncated. */
zf_status zf_npy_next(const zf_npy *array, zf_io_input *input, double *values, size_t n) ZF_CHECK;

/* A whole file in C order, rounded to float32; *values is for free(). */
zf_status zf_npy_read(float **values, zf_npy *array, const char *path) ZF_CHECK;

/* Writes version 1, C order, whole or not at all (io/file.h). type is ZF_FLOAT32,
   ZF_FLOAT64, ZF_INT32 or ZF_INT64. ZF_ENUMERIC: a value is not finite. */
zf_status zf_npy_write(const char *path, zf_element type, int rank, const int64_t *dim,
                       const void *values) ZF_CHECK;

/* What such a file starts with, for those who write the data behind it
   themselves; returns its length. type and rank as above. */
size_t zf_npy_header(char bytes[ZF_NPY_HEADER_MAX], zf_element type, int rank, const int64_t *dim);

#endif
