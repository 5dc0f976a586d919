/* Counting distinct things up to ZF_TABLE_DISTINCT_MAX, by their 64-bit hashes. */
#ifndef ZF_DATA_DISTINCT_H
#define ZF_DATA_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* {0} is empty. */
typedef struct zf_distinct {
    uint64_t *slots; /* 0: free */
    size_t room, count;
} zf_distinct;

uint64_t zf_hash_number(double value);
uint64_t zf_hash_text(const char *text, size_t n);

/* No effect once the count is at the maximum. ZF_ENOMEM. */
zf_status zf_distinct_add(zf_distinct *set, uint64_t hash) ZF_CHECK;
bool zf_distinct_full(const zf_distinct *set);
void zf_distinct_clear(zf_distinct *set); /* keeps the memory */
void zf_distinct_free(zf_distinct *set);

/* How many of a column's distinct values float32 still tells apart, once they are centred
   and scaled: counted on the first ZF_TABLE_DISTINCT_MAX of them. {0} is empty. */
typedef struct zf_resolution {
    zf_distinct values, floats;
} zf_resolution;

/* A value and what became of it. No effect once enough values were seen. ZF_ENOMEM. */
zf_status zf_resolution_add(zf_resolution *resolution, double value, float seen) ZF_CHECK;
/* Distinct values that were lost; 0 if that is less than one in a hundred, which chance does
   to long columns of many digits. */
size_t zf_resolution_lost(const zf_resolution *resolution);
void zf_resolution_clear(zf_resolution *resolution); /* keeps the memory */
void zf_resolution_free(zf_resolution *resolution);

#endif
