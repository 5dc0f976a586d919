/* Decoding goes through memcpy of each element: raw bytes have no alignment, and
   compilers turn it into one load. */
#include "io/element.h"

#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "big-endian elements are swapped");

size_t zf_element_bytes(zf_element type)
{
    switch (type) {
    case ZF_BOOL:
    case ZF_INT8:
    case ZF_UINT8:
        return 1;
    case ZF_INT16:
    case ZF_UINT16:
        return 2;
    case ZF_INT32:
    case ZF_UINT32:
    case ZF_FLOAT32:
        return 4;
    case ZF_INT64:
    case ZF_UINT64:
    case ZF_FLOAT64:
        return 8;
    }
    return 1;
}

/* One element in host order as it stands in memory, widened to 64 bits. */
static uint64_t load(const unsigned char *raw, size_t bytes, bool big_endian)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint64_t)raw[big_endian ? bytes - 1 - i : i] << 8 * i;
    return word;
}

#define DECODE_AS(type)                                                                            \
    for (size_t i = 0; i < n; i++) {                                                               \
        type value;                                                                                \
        uint64_t word = load(bytes + i * sizeof value, sizeof value, big_endian);                  \
        memcpy(&value, &word, sizeof value);                                                       \
        values[i] = (double)value;                                                                 \
    }                                                                                              \
    break

void zf_element_decode(double *values, const void *raw, size_t n, zf_element type, bool big_endian)
{
    const unsigned char *bytes = raw;
    switch (type) {
    case ZF_BOOL:
        for (size_t i = 0; i < n; i++) values[i] = bytes[i] != 0;
        break;
    case ZF_INT8:
        DECODE_AS(int8_t);
    case ZF_INT16:
        DECODE_AS(int16_t);
    case ZF_INT32:
        DECODE_AS(int32_t);
    case ZF_INT64:
        DECODE_AS(int64_t);
    case ZF_UINT8:
        DECODE_AS(uint8_t);
    case ZF_UINT16:
        DECODE_AS(uint16_t);
    case ZF_UINT32:
        DECODE_AS(uint32_t);
    case ZF_UINT64:
        DECODE_AS(uint64_t);
    case ZF_FLOAT32:
        DECODE_AS(float);
    case ZF_FLOAT64:
        DECODE_AS(double);
    }
}
