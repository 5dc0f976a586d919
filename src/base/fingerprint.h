/* What a run was given, as one number: other numbers would not give it. */
#ifndef ZF_BASE_FINGERPRINT_H
#define ZF_BASE_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#define ZF_FINGERPRINT_START UINT64_C(0xcbf29ce484222325)

/* Adds so many 32-bit words (floats, int32_t; a double is two) to what was seen so far. */
uint64_t zf_fingerprint(uint64_t hash, const void *words, size_t n);

#endif
