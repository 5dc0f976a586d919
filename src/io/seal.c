#include "io/seal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *zf_seal_find(char *bytes, size_t n)
{
    /* Within a string of the header the quotes would have backslashes before them. */
    static const char before[] = "\"" ZF_SEAL_KEY "\":\"";
    size_t length = sizeof before - 1;
    char *at = memmem(bytes, n, before, length);
    return at && (size_t)(bytes + n - at) > length + ZF_SEAL_DIGITS ? at + length : NULL;
}

void zf_seal_set(char *digits, uint64_t hash)
{
    char text[ZF_SEAL_DIGITS + 1];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    memcpy(digits, text, ZF_SEAL_DIGITS);
}
