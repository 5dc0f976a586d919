/* An open-addressing set of hashes. Two things with the same hash count as one,
   which among a thousand happens with probability 3e-14. */
#include "data/distinct.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zeroflow/table.h"

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t zf_hash_number(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return mix(bits + 0x9e3779b97f4a7c15u);
}

uint64_t zf_hash_text(const char *text, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u ^ n;
    for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return mix(hash);
}

/* Where the hash is or belongs. */
static uint64_t *slot_of(uint64_t *slots, size_t room, uint64_t hash)
{
    size_t i = (size_t)hash & (room - 1);
    while (slots[i] != 0 && slots[i] != hash) i = (i + 1) & (room - 1);
    return &slots[i];
}

static zf_status grow(zf_distinct *set)
{
    size_t room = set->room ? 2 * set->room : 16;
    uint64_t *slots = calloc(room, sizeof *slots);
    if (!slots) return zf_fail_memory(room * sizeof *slots);
    for (size_t i = 0; i < set->room; i++)
        if (set->slots[i] != 0) *slot_of(slots, room, set->slots[i]) = set->slots[i];
    free(set->slots);
    set->slots = slots;
    set->room = room;
    return ZF_OK;
}

bool zf_distinct_full(const zf_distinct *set)
{
    return set->count >= ZF_TABLE_DISTINCT_MAX;
}

zf_status zf_distinct_add(zf_distinct *set, uint64_t hash)
{
    if (zf_distinct_full(set)) return ZF_OK;
    if (hash == 0) hash = 1;
    if (4 * (set->count + 1) > 3 * set->room) ZF_TRY(grow(set));
    uint64_t *slot = slot_of(set->slots, set->room, hash);
    if (*slot == 0) {
        *slot = hash;
        set->count++;
    }
    return ZF_OK;
}

void zf_distinct_clear(zf_distinct *set)
{
    if (set->room) memset(set->slots, 0, set->room * sizeof *set->slots);
    set->count = 0;
}

void zf_distinct_free(zf_distinct *set)
{
    free(set->slots);
    *set = (zf_distinct){0};
}

zf_status zf_resolution_add(zf_resolution *resolution, double value, float seen)
{
    if (zf_distinct_full(&resolution->values)) return ZF_OK;
    ZF_TRY(zf_distinct_add(&resolution->values, zf_hash_number(value)));
    return zf_distinct_add(&resolution->floats, zf_hash_number((double)seen));
}

size_t zf_resolution_lost(const zf_resolution *resolution)
{
    size_t all = resolution->values.count, kept = resolution->floats.count;
    return kept < all && 100 * (all - kept) >= all ? all - kept : 0;
}

void zf_resolution_clear(zf_resolution *resolution)
{
    zf_distinct_clear(&resolution->values);
    zf_distinct_clear(&resolution->floats);
}

void zf_resolution_free(zf_resolution *resolution)
{
    zf_distinct_free(&resolution->values);
    zf_distinct_free(&resolution->floats);
}
