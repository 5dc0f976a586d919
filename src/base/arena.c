/* Bump allocation in a chain of blocks; a piece larger than a block gets a
   block of its own. A cleared arena keeps its block if it has but one; else the
   next is as large as all were together, so that soon one is enough. */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

enum { BLOCK_BYTES = 64 * 1024 };

/* Slabs from here on ask for huge pages: a layer of images touches a new page
   every 4 KiB, and with small ones most of the time of copying it goes into
   finding them. */
enum { LARGE_BYTES = 4 << 20, HUGE_PAGE = 2 << 20 };

/* The header takes a whole alignment unit, so that the data behind it is aligned. */
struct zf_arena_block {
    _Alignas(ZF_ALIGN) zf_arena_block *previous;
    size_t used;
    size_t size;  /* of the data behind this header */
    size_t dirty; /* bytes that pieces had before the arena was cleared */
};

void *zf_slab_new(size_t bytes)
{
    if (bytes > SIZE_MAX - ZF_ALIGN) {
        zf_fail_memory(bytes);
        return NULL;
    }
    size_t rounded = (bytes + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
    if (rounded == 0) rounded = ZF_ALIGN;
    bool large = rounded >= LARGE_BYTES;
    if (large) rounded = (rounded + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *slab = aligned_alloc(large ? HUGE_PAGE : ZF_ALIGN, rounded);
    if (!slab) {
        zf_fail_memory(bytes);
        return NULL;
    }
#if defined(MADV_HUGEPAGE)
    if (large) madvise(slab, rounded, MADV_HUGEPAGE); /* a wish: nothing depends on it */
#endif
    return memset(slab, 0, rounded);
}

void *zf_arena_get(zf_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) {
        zf_fail_memory(bytes);
        return NULL;
    }
    size_t need = (bytes + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
    zf_arena_block *block = arena->last;
    if (!block || block->size - block->used < need) {
        size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
        if (size < arena->least) size = arena->least;
        block = zf_slab_new(sizeof *block + size);
        if (!block) return NULL;
        block->previous = arena->last;
        block->size = size;
        arena->last = block;
        arena->least = 0;
    }
    char *piece = (char *)(block + 1) + block->used;
    if (block->used < block->dirty) {
        size_t dirty = block->dirty - block->used;
        memset(piece, 0, need < dirty ? need : dirty);
    }
    block->used += need;
    return piece;
}

void zf_arena_clear(zf_arena *arena)
{
    zf_arena_block *block = arena->last;
    if (!block) return;
    if (!block->previous) {
        if (block->dirty < block->used) block->dirty = block->used;
        block->used = 0;
        return;
    }
    size_t total = 0;
    for (; block; block = block->previous) total += block->used;
    zf_arena_free(arena);
    arena->least = total;
}

char *zf_arena_string(zf_arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = zf_arena_get(arena, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void zf_arena_free(zf_arena *arena)
{
    while (arena->last) {
        zf_arena_block *block = arena->last;
        arena->last = block->previous;
        free(block);
    }
    arena->least = 0;
}
