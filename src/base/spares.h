/* Things that one thread at a time can use and that are dear to make, such as planned programs:
   who needs one takes it, or makes another where none is idle, and gives it back. So there come to
   be as many as threads have ever asked at once, and the lock is held for a moment only.

   A thing begins with a zf_spare. The one that was given back last, which is still in the cache,
   is taken first. */
#ifndef ZF_BASE_SPARES_H
#define ZF_BASE_SPARES_H

#include <stddef.h>

#include "base/lock.h"

typedef struct zf_spare {
    struct zf_spare *next;
} zf_spare;

typedef struct zf_spares {
    zf_lock lock;
    zf_spare *idle;
} zf_spares;

static inline void zf_spares_init(zf_spares *spares)
{
    zf_lock_init(&spares->lock);
    spares->idle = NULL;
}

/* NULL: none is idle. */
static inline void *zf_spares_take(zf_spares *spares)
{
    zf_lock_take(&spares->lock);
    zf_spare *spare = spares->idle;
    if (spare) spares->idle = spare->next;
    zf_lock_give(&spares->lock);
    return spare;
}

static inline void zf_spares_give(zf_spares *spares, void *thing)
{
    zf_spare *spare = thing;
    zf_lock_take(&spares->lock);
    spare->next = spares->idle;
    spares->idle = spare;
    zf_lock_give(&spares->lock);
}

/* Frees what is idle, each by the function; all have been given back. */
static inline void zf_spares_destroy(zf_spares *spares, void (*release)(void *thing))
{
    while (spares->idle) release(zf_spares_take(spares));
    zf_lock_destroy(&spares->lock);
}

#endif
