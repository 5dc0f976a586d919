/* Bytes that grow at their end. A failure to grow is remembered, and what comes
   after it is dropped, so that a writer checks once, when it is done. */
#ifndef ZF_PLOT_BYTES_H
#define ZF_PLOT_BYTES_H

#include <stddef.h>

#include "zeroflow/status.h"

/* {0} is empty. */
typedef struct zf_bytes {
    unsigned char *data; /* for free() */
    size_t n, room;
    zf_status status; /* of the first failure */
} zf_bytes;

/* Room for n more bytes, which the caller fills and counts; NULL on failure. */
unsigned char *zf_bytes_reserve(zf_bytes *bytes, size_t n);

void zf_bytes_add(zf_bytes *bytes, const void *data, size_t n);
void zf_bytes_text(zf_bytes *bytes, const char *text);

/* A number with at most two decimals, always with a point whatever the locale;
   beyond a million it is cut there. */
void zf_bytes_number(zf_bytes *bytes, double value);

#endif
