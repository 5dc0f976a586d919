/* A list of different names, found by a hash. */
#ifndef ZF_GRAPH_NAMES_H
#define ZF_GRAPH_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "zeroflow/status.h"

/* {0} is empty. */
typedef struct zf_node_names {
    zf_arena arena;
    const char **list;
    size_t n, room;
    uint32_t *slots; /* 0: free, else a place in the list from 1 */
    size_t n_slots;  /* a power of two, or 0 */
} zf_node_names;

/* -1: none. */
long zf_node_names_find(const zf_node_names *names, const char *name);

/* Appends; the name must be new. ZF_ENOMEM. */
zf_status zf_node_names_add(zf_node_names *names, const char *name) ZF_CHECK;

void zf_node_names_free(zf_node_names *names); /* leaves an empty list */

#endif
