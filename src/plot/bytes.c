/* Growing bytes, by doubling. */
#include "plot/bytes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

unsigned char *zf_bytes_reserve(zf_bytes *bytes, size_t n)
{
    if (bytes->status != ZF_OK) return NULL;
    if (n > bytes->room - bytes->n) {
        size_t wanted = n < SIZE_MAX / 2 - bytes->n ? 2 * (bytes->n + n) : SIZE_MAX;
        unsigned char *data = wanted < SIZE_MAX ? realloc(bytes->data, wanted) : NULL;
        if (!data) {
            bytes->status = zf_fail_memory(wanted);
            return NULL;
        }
        bytes->data = data;
        bytes->room = wanted;
    }
    return bytes->data + bytes->n;
}

void zf_bytes_add(zf_bytes *bytes, const void *data, size_t n)
{
    unsigned char *end = zf_bytes_reserve(bytes, n);
    if (!end || n == 0) return;
    memcpy(end, data, n);
    bytes->n += n;
}

void zf_bytes_text(zf_bytes *bytes, const char *text)
{
    zf_bytes_add(bytes, text, strlen(text));
}

void zf_bytes_number(zf_bytes *bytes, double value)
{
    enum { LARGEST = 1000000 };
    long hundredths = lround(100 * fmin(fmax(value, -LARGEST), LARGEST));
    long size = labs(hundredths);
    char text[32];
    int n = snprintf(text, sizeof text, "%s%ld", hundredths < 0 ? "-" : "", size / 100);
    if (size % 100) n += snprintf(text + n, sizeof text - (size_t)n, ".%02ld", size % 100);
    while (size % 100 && text[n - 1] == '0') n--;
    zf_bytes_add(bytes, text, (size_t)n);
}
