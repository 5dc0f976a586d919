/* Writing NPY as numpy.save does, byte for byte: version 1, the header padded
   with spaces so that the data starts at a multiple of 64. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "io/file.h"
#include "io/npy.h"

enum {
    ALIGN = 64,
    PREFIX_BYTES = 10,  /* magic, version, header length */
    GROWTH_DIGITS = 21, /* NumPy leaves room for the first dimension to grow to 2^64 in place */
};

static const char *type_code(zf_element type)
{
    switch (type) {
    case ZF_FLOAT32:
        return "<f4";
    case ZF_FLOAT64:
        return "<f8";
    case ZF_INT32:
        return "<i4";
    case ZF_INT64:
        return "<i8";
    default:
        return NULL;
    }
}

size_t zf_npy_header(char bytes[ZF_NPY_HEADER_MAX], zf_element type, int rank, const int64_t *dim)
{
    const char *code = type_code(type);
    char *text = bytes + PREFIX_BYTES;
    size_t room = ZF_NPY_HEADER_MAX - PREFIX_BYTES, used;
    used = (size_t)snprintf(text, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", code);
    for (int i = 0; i < rank; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRId64, i ? ", " : "", dim[i]);
    used += (size_t)snprintf(text + used, room - used, "%s), }", rank == 1 ? "," : "");
    char first[24];
    if (rank > 0) {
        size_t digits = (size_t)snprintf(first, sizeof first, "%" PRId64, dim[0]);
        if (digits < GROWTH_DIGITS) {
            memset(text + used, ' ', GROWTH_DIGITS - digits);
            used += GROWTH_DIGITS - digits;
        }
    }
    size_t total = PREFIX_BYTES + used + 1; /* with the newline */
    size_t padding = ALIGN - total % ALIGN; /* NumPy adds a whole block to an aligned one */
    memset(text + used, ' ', padding);
    text[used + padding] = '\n';
    total += padding;
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (char)((total - PREFIX_BYTES) & 0xff);
    bytes[9] = (char)((total - PREFIX_BYTES) >> 8);
    return total;
}

/* Rows by the first dimension, columns by all others. */
static zf_status check_finite(const char *path, zf_element type, int rank, const int64_t *dim,
                              const void *values, size_t bytes)
{
    if (type != ZF_FLOAT32 && type != ZF_FLOAT64) return ZF_OK;
    size_t rows = rank > 0 ? (size_t)dim[0] : 1;
    return zf_finite_check(
        path, &(zf_grid){.floats = type == ZF_FLOAT32 ? values : NULL,
                         .doubles = type == ZF_FLOAT64 ? values : NULL,
                         .rows = rows,
                         .columns = rows > 0 ? bytes / zf_element_bytes(type) / rows : 0});
}

zf_status zf_npy_write(const char *path, zf_element type, int rank, const int64_t *dim,
                       const void *values)
{
    if (!type_code(type) || rank < 0 || rank > ZF_NPY_RANK)
        return zf_fail(
            ZF_EINVAL,
            "%s: NPY of element type %d and rank %d, expected float32, float64, int32 or "
            "int64 and at most %d dimensions",
            path, (int)type, rank, ZF_NPY_RANK);
    size_t bytes = zf_element_bytes(type);
    for (int i = 0; i < rank; i++)
        if (dim[i] < 0 || __builtin_mul_overflow(bytes, (size_t)dim[i], &bytes))
            return zf_fail(ZF_EINVAL, "%s: dimension %d is %" PRId64 ", expected a size that fits",
                           path, i, dim[i]);
    ZF_TRY(check_finite(path, type, rank, dim, values, bytes));
    char header[ZF_NPY_HEADER_MAX];
    size_t n = zf_npy_header(header, type, rank, dim);
    zf_file *file;
    ZF_TRY(zf_file_create(&file, path));
    zf_status status = zf_file_write(file, header, n);
    if (status == ZF_OK) status = zf_file_write(file, values, bytes);
    if (status == ZF_OK) return zf_file_commit(file);
    zf_file_drop(file);
    return status;
}
