/* Open addressing with linear probing, at most half full. */
#include "graph/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/distinct.h"

enum { FIRST_ROOM = 64 };

/* Where the name is, or the free slot where it would be. */
static size_t probe(const zf_node_names *names, const char *name)
{
    size_t at = (size_t)zf_hash_text(name, strlen(name)) & (names->n_slots - 1);
    while (names->slots[at] && strcmp(names->list[names->slots[at] - 1], name) != 0)
        at = (at + 1) & (names->n_slots - 1);
    return at;
}

long zf_node_names_find(const zf_node_names *names, const char *name)
{
    return names->n_slots ? (long)names->slots[probe(names, name)] - 1 : -1;
}

/* Room for one name more. */
static zf_status grow(zf_node_names *names)
{
    if (names->n < names->room) return ZF_OK;
    size_t room = names->room ? 2 * names->room : FIRST_ROOM;
    const char **list = realloc(names->list, room * sizeof *list);
    if (!list) return zf_fail_memory(room * sizeof *list);
    names->list = list;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots) return zf_fail_memory(2 * room * sizeof *slots);
    free(names->slots);
    names->slots = slots;
    names->n_slots = 2 * room;
    names->room = room;
    for (size_t i = 0; i < names->n; i++) slots[probe(names, list[i])] = (uint32_t)i + 1;
    return ZF_OK;
}

zf_status zf_node_names_add(zf_node_names *names, const char *name)
{
    ZF_TRY(grow(names));
    const char *copy = zf_arena_string(&names->arena, name);
    if (!copy) return ZF_ENOMEM;
    size_t at = probe(names, name);
    names->list[names->n++] = copy;
    names->slots[at] = (uint32_t)names->n;
    return ZF_OK;
}

void zf_node_names_free(zf_node_names *names)
{
    zf_arena_free(&names->arena);
    free(names->list);
    free(names->slots);
    *names = (zf_node_names){0};
}
