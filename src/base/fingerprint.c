/* FNV-1a over 32-bit words. */
#include "base/fingerprint.h"

#include <string.h>

uint64_t zf_fingerprint(uint64_t hash, const void *words, size_t n)
{
    const unsigned char *at = words;
    for (size_t i = 0; i < n; i++, at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    return hash;
}
