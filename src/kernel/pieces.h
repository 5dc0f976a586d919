/* A caller's memory, cut into pieces that each have cache lines of their own. */
#ifndef ZF_KERNEL_PIECES_H
#define ZF_KERNEL_PIECES_H

#include <stddef.h>

/* The next piece, behind the `used` bytes, which grow by it. NULL while sizes are only added up:
   where memory is NULL. */
static inline void *zf_take_piece(void *memory, size_t *used, size_t bytes)
{
    void *piece = memory ? (unsigned char *)memory + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return piece;
}

#endif
