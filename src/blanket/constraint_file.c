/* Constraints from lists of edges. Memory: about 30 bytes an edge that has come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "graph/graph.h"
#include "zeroflow/blanket.h"

/* The two lists; either may be empty. */
typedef struct lists {
    const char *path[2]; /* forbidden, required */
    zf_edge *edges[2];
    size_t n[2];
} lists;

static int compare_edges(const void *x, const void *y)
{
    const zf_edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    return 0;
}

/* "forbid.csv:3", or the file alone where lines are not known. */
static void write_place(char *place, size_t room, const char *path, const zf_edge *edge)
{
    if (edge->line)
        snprintf(place, room, "%s:%u", path, edge->line);
    else
        snprintf(place, room, "%s", path);
}

static zf_status contradiction(const lists *l, const zf_edge *forbidden, const zf_edge *required,
                               const char *const *names)
{
    char first[300], second[300], a[ZF_SHOWN_BYTES], b[ZF_SHOWN_BYTES];
    const char *name_a = names[forbidden->a], *name_b = names[forbidden->b];
    write_place(first, sizeof first, l->path[0], forbidden);
    write_place(second, sizeof second, l->path[1], required);
    return zf_fail(ZF_EINPUT,
                   "%s: the edge of \"%s\" and \"%s\" is forbidden here and required in %s", first,
                   zf_text_show(a, sizeof a, name_a, strlen(name_a)),
                   zf_text_show(b, sizeof b, name_b, strlen(name_b)), second);
}

static zf_status check(lists *l, const char *const *names)
{
    if (l->n[0] == 0) return ZF_OK;
    qsort(l->edges[0], l->n[0], sizeof **l->edges, compare_edges);
    for (size_t i = 0; i < l->n[1]; i++) {
        const zf_edge *required = &l->edges[1][i];
        const zf_edge *found =
            bsearch(required, l->edges[0], l->n[0], sizeof **l->edges, compare_edges);
        if (found) return contradiction(l, found, required, names);
    }
    return ZF_OK;
}

static zf_status gather(zf_constraint **out, int *n, const lists *l)
{
    size_t count = 2 * (l->n[0] + l->n[1]), at = 0;
    if (count > 1 << 30) return zf_fail(ZF_EINPUT, "%s: too many edges", l->path[l->n[1] > 0]);
    zf_constraint *list = malloc((count + 1) * sizeof *list);
    if (!list) return zf_fail_memory((count + 1) * sizeof *list);
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < l->n[kind]; i++) {
            int32_t a = (int32_t)l->edges[kind][i].a, b = (int32_t)l->edges[kind][i].b;
            list[at++] = (zf_constraint){a, b, kind == 1};
            list[at++] = (zf_constraint){b, a, kind == 1};
        }
    *out = list;
    *n = (int)count;
    return ZF_OK;
}

zf_status zf_constraints_read(zf_constraint **out, int *n, const char *forbid, const char *require,
                              const char *const *names, size_t n_names)
{
    lists l = {.path = {forbid, require}};
    zf_status status = ZF_OK;
    for (int kind = 0; kind < 2 && status == ZF_OK; kind++)
        if (l.path[kind])
            status = zf_graph_read_list(&l.edges[kind], &l.n[kind], l.path[kind], names, n_names);
    if (status == ZF_OK) status = check(&l, names);
    if (status == ZF_OK) status = gather(out, n, &l);
    free(l.edges[0]);
    free(l.edges[1]);
    return status;
}
