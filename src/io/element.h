/* The numbers that NPY and IDX files are made of. */
#ifndef ZF_IO_ELEMENT_H
#define ZF_IO_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum zf_element {
    ZF_BOOL, /* one byte, anything but 0 is 1 */
    ZF_INT8,
    ZF_INT16,
    ZF_INT32,
    ZF_INT64,
    ZF_UINT8,
    ZF_UINT16,
    ZF_UINT32,
    ZF_UINT64,
    ZF_FLOAT32,
    ZF_FLOAT64,
} zf_element;

size_t zf_element_bytes(zf_element type);

/* n elements to float64; 64-bit integers above 2^53 are rounded. raw need not be
   aligned and may not overlap values. */
void zf_element_decode(double *values, const void *raw, size_t n, zf_element type, bool big_endian);

#endif
