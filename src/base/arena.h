/* An arena: many small pieces that live and die together.

   Pieces are zeroed and aligned to 64 bytes (a cache line, and the widest
   vector). Memory comes in blocks that never move, so pointers stay valid
   until zf_arena_clear or zf_arena_free. */
#ifndef ZF_BASE_ARENA_H
#define ZF_BASE_ARENA_H

#include <stddef.h>

#include "zeroflow/status.h"

enum { ZF_ALIGN = 64 };

typedef struct zf_arena_block zf_arena_block;

/* {0} is an empty arena. */
typedef struct zf_arena {
    zf_arena_block *last;
    size_t least; /* bytes of the next block at least */
} zf_arena;

/* NULL when memory ran out (zf_error() says so). */
void *zf_arena_get(zf_arena *arena, size_t bytes);

/* A copy of the string that lives in the arena; NULL when memory ran out. */
char *zf_arena_string(zf_arena *arena, const char *text);

/* Forgets all pieces and keeps memory for as many: work that is done again and again, each time
   with an arena of its own, takes its memory from the system but once. */
void zf_arena_clear(zf_arena *arena);

/* Leaves an empty arena. */
void zf_arena_free(zf_arena *arena);

/* A slab outside any arena: zeroed, aligned to ZF_ALIGN, freed by free().
   bytes = 0 gives a valid pointer. NULL when memory ran out. */
void *zf_slab_new(size_t bytes);

#endif
