/* How well scores find a truth's edges.

   Scores are sorted once; one walk over the groups of equal scores counts true
   and false positives, from which every figure follows. Counts are whole
   numbers, so figures are exact up to their last division.

   Pairs that neither graph says anything about score 0 and are no edges; of
   graphs that are lists these are nearly all, and they are counted, not listed. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "data/text.h"
#include "graph/graph.h"
#include "zeroflow/nearest.h"

/* A pair: its score, and whether the truth has it. */
typedef struct item {
    float score;
    bool edge;
} item;

/* Pairs: those that are listed, and how many more there are that score 0 and are no
   edges. If there are such, one of them is listed, so that a walk comes by. */
typedef struct items {
    item *list;
    size_t n;
    uint64_t more;
    uint64_t edges, others; /* of all */
} items;

/* Both graphs over the nodes of either: first those of the scored one, in its order,
   then those that only the truth has. */
typedef struct matched {
    const zf_graph *scored, *truth;
    size_t n;
    uint32_t *truth_at; /* of a node of the truth: its place here */
} matched;

/* True and false positives at a threshold. */
typedef struct point {
    uint64_t tp, fp;
} point;

/* Products of two counts of pairs. */
__extension__ typedef unsigned __int128 wide;

static int compare_items(const void *x, const void *y)
{
    const item *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

static zf_status nothing_in_common(const zf_graph *scored, const zf_graph *truth)
{
    char name[ZF_SHOWN_BYTES], near[ZF_SHOWN_BYTES];
    const char *first = zf_graph_name(truth, 0);
    const char *best = zf_nearest(first, scored->names.list, scored->names.n);
    if (!best) best = zf_graph_name(scored, 0);
    return zf_fail(ZF_EINPUT,
                   "the truth and the graph have no node in common: \"%s\" there, \"%s\" here",
                   zf_text_show(name, sizeof name, first, strlen(first)),
                   zf_text_show(near, sizeof near, best, strlen(best)));
}

static zf_status match(matched *m, zf_accuracy *out)
{
    size_t n_scored = m->scored->names.n, n_truth = m->truth->names.n, common = 0;
    m->truth_at = malloc(n_truth * sizeof *m->truth_at);
    if (!m->truth_at) return zf_fail_memory(n_truth * sizeof *m->truth_at);
    m->n = n_scored;
    for (size_t i = 0; i < n_truth; i++) {
        long found = zf_graph_find(m->scored, zf_graph_name(m->truth, i));
        common += found >= 0;
        m->truth_at[i] = (uint32_t)(found >= 0 ? (size_t)found : m->n++);
    }
    out->nodes = m->n;
    out->only_truth = n_truth - common;
    out->only_scored = n_scored - common;
    return common > 0 ? ZF_OK : nothing_in_common(m->scored, m->truth);
}

/* --- pairs ------------------------------------------------------------------------ */

/* Edges as pairs of places, in both directions or as a < b, sorted. */
static zf_status place_edges(zf_edge **out, size_t *n, const zf_edge *edges, size_t count,
                             const uint32_t *places, bool both)
{
    size_t room = both ? 2 * count : count;
    zf_edge *placed = malloc((room + 1) * sizeof *placed), *to = placed;
    if (!placed) return zf_fail_memory((room + 1) * sizeof *placed);
    for (size_t i = 0; i < count; i++) {
        uint32_t a = places ? places[edges[i].a] : edges[i].a;
        uint32_t b = places ? places[edges[i].b] : edges[i].b;
        float score = edges[i].score + 0.0f; /* -0 is 0 */
        *to++ = (zf_edge){a < b ? a : b, a < b ? b : a, score, 0};
        if (both) *to++ = (zf_edge){a < b ? b : a, a < b ? a : b, score, 0};
    }
    qsort(placed, room, sizeof *placed, zf_compare_pairs);
    *out = placed;
    *n = room;
    return ZF_OK;
}

/* What the scored graph says, pair by pair in order: every gate of a square, in both
   directions with the diagonal or the larger of a < b; every edge of a list. */
typedef struct walk {
    const zf_graph *graph;
    bool both;
    zf_edge *placed; /* of a list */
    size_t n, place; /* of it */
    zf_edge pair;    /* the current one */
} walk;

static zf_status walk_begin(walk *w, const zf_graph *graph, bool both)
{
    *w = (walk){.graph = graph, .both = both};
    if (graph->gates) return ZF_OK;
    return place_edges(&w->placed, &w->n, graph->edges, graph->n_edges, NULL, both);
}

static uint64_t walk_length(const walk *w)
{
    uint64_t n = w->graph->names.n;
    return !w->graph->gates ? w->n : w->both ? n * n : n * (n - 1) / 2;
}

static bool walk_next(walk *w)
{
    if (!w->graph->gates) {
        if (w->place == w->n) return false;
        w->pair = w->placed[w->place++];
        return true;
    }
    uint32_t n = (uint32_t)w->graph->names.n, *i = &w->pair.a, *j = &w->pair.b;
    if (w->place++ == 0) {
        *j = w->both ? 0 : 1;
    } else if (++*j == n) {
        ++*i;
        *j = w->both ? 0 : *i + 1;
    }
    if (*i >= n || *j >= n) return false;
    w->pair.score =
        (w->both ? zf_graph_gate(w->graph, *i, *j) : zf_graph_score(w->graph, *i, *j)) + 0.0f;
    return true;
}

/* Merges what the scored graph says with the truth's edges, both in order. */
static void list_items(items *out, walk *w, const zf_edge *edges, size_t n_edges)
{
    size_t e = 0;
    while (walk_next(w)) {
        const zf_edge *pair = &w->pair;
        for (; e < n_edges &&
               (edges[e].a < pair->a || (edges[e].a == pair->a && edges[e].b < pair->b));
             e++)
            out->list[out->n++] = (item){0, true};
        bool edge = e < n_edges && edges[e].a == pair->a && edges[e].b == pair->b;
        e += edge;
        out->list[out->n++] = (item){pair->score, edge};
    }
    for (; e < n_edges; e++) out->list[out->n++] = (item){0, true};
}

/* The pairs i < j, or every (i, j); strongest first. out->list is for free(). */
static zf_status make_items(items *out, const matched *m, const zf_edge *truth, size_t n_truth,
                            bool both)
{
    zf_edge *edges = NULL;
    size_t n_edges = 0;
    walk w;
    *out = (items){0};
    ZF_TRY(walk_begin(&w, m->scored, both));
    zf_status status = place_edges(&edges, &n_edges, truth, n_truth, m->truth_at, both);
    if (status == ZF_OK) {
        size_t room = walk_length(&w) + n_edges + 1;
        out->list = malloc(room * sizeof *out->list);
        if (!out->list) status = zf_fail_memory(room * sizeof *out->list);
    }
    if (status == ZF_OK) {
        uint64_t n = m->n, all = both ? n * n : n * (n - 1) / 2;
        list_items(out, &w, edges, n_edges);
        out->edges = n_edges;
        out->others = all - n_edges;
        out->more = all - out->n;
        if (out->more > 0) {
            out->list[out->n++] = (item){0, false};
            out->more--;
        }
        qsort(out->list, out->n, sizeof *out->list, compare_items);
    }
    free(w.placed);
    free(edges);
    return status;
}

/* Takes the group of equal scores from item i on; returns where the next begins. */
static size_t take_group(point *at, const items *all, size_t i)
{
    float score = all->list[i].score;
    for (; i < all->n && all->list[i].score == score; i++) {
        at->tp += all->list[i].edge;
        at->fp += !all->list[i].edge;
    }
    if (score == 0) at->fp += all->more;
    return i;
}

/* --- figures ---------------------------------------------------------------------- */

/* Twice the area counts pairs of an edge and another: a whole number. */
static double area_under(const items *all)
{
    wide area = 0;
    point now = {0}, before;
    for (size_t i = 0; i < all->n;) {
        before = now;
        i = take_group(&now, all, i);
        area += (wide)(now.fp - before.fp) * (now.tp + before.tp);
    }
    return (double)area / 2 / ((double)all->edges * (double)all->others);
}

static void find_precision(zf_accuracy *out, const items *all)
{
    point now = {0}, before;
    out->best_f1 = -1;
    for (size_t i = 0; i < all->n;) {
        float score = all->list[i].score;
        before = now;
        i = take_group(&now, all, i);
        double precision = (double)now.tp / (double)(now.tp + now.fp);
        out->average_precision += precision * (double)(now.tp - before.tp) / (double)out->edges;
        double f1 = 2 * (double)now.tp / (double)(now.tp + now.fp + out->edges);
        if (f1 <= out->best_f1) continue;
        out->best_f1 = f1;
        out->best_threshold = (double)score;
    }
}

/* Does b lie on the line from a to c? */
static bool on_line(point a, point b, point c)
{
    return (wide)(b.fp - a.fp) * (c.tp - b.tp) == (wide)(b.tp - a.tp) * (c.fp - b.fp);
}

/* Corners of the curve; points must have a place for every item and one more. */
static size_t find_corners(point *points, const items *all)
{
    size_t count = 1;
    point now = {0};
    points[0] = now;
    for (size_t i = 0; i < all->n;) {
        i = take_group(&now, all, i);
        if (count > 1 && on_line(points[count - 2], points[count - 1], now)) count--;
        points[count++] = now;
    }
    return count;
}

static zf_status find_curve(zf_accuracy *out, const items *all)
{
    point *points = malloc((all->n + 1) * sizeof *points);
    if (!points) return zf_fail_memory((all->n + 1) * sizeof *points);
    size_t count = find_corners(points, all);
    out->fpr = malloc(2 * count * sizeof *out->fpr);
    if (!out->fpr) {
        free(points);
        return zf_fail_memory(2 * count * sizeof *out->fpr);
    }
    out->tpr = out->fpr + count;
    out->n_roc = count;
    for (size_t i = 0; i < count; i++) {
        out->fpr[i] = (double)points[i].fp / (double)all->others;
        out->tpr[i] = (double)points[i].tp / (double)all->edges;
    }
    free(points);
    return ZF_OK;
}

static zf_status measure_pairs(zf_accuracy *out, const matched *m, const items *all)
{
    out->edges = all->edges;
    out->pairs = all->edges + all->others;
    if (out->edges == 0)
        return zf_fail(ZF_EINPUT, "the truth has no edge among %zu nodes, expected at least one",
                       m->n);
    if (all->others == 0)
        return zf_fail(ZF_EINPUT,
                       "the truth has all %zu edges of %zu nodes, expected a pair without one",
                       out->pairs, m->n);
    out->auc = area_under(all);
    find_precision(out, all);
    return find_curve(out, all);
}

static zf_status measure(zf_accuracy *out, const matched *m, const zf_edge *truth, size_t n_truth)
{
    items all;
    zf_status status = make_items(&all, m, truth, n_truth, false);
    if (status == ZF_OK) status = measure_pairs(out, m, &all);
    free(all.list);
    ZF_TRY(status);
    status = make_items(&all, m, truth, n_truth, true);
    if (status == ZF_OK) out->auc_paper = area_under(&all);
    free(all.list);
    return status;
}

zf_status zf_graph_compare_sized(zf_accuracy *out, size_t size, const zf_graph *scored,
                                 const zf_graph *truth)
{
    zf_accuracy found = {0};
    matched m = {.scored = scored, .truth = truth};
    zf_edge *edges = NULL;
    size_t n_edges = 0;
    zf_status status = match(&m, &found);
    /* Above 0: at or above the least positive number. */
    if (status == ZF_OK) status = zf_graph_edges(&edges, &n_edges, truth, FLT_TRUE_MIN);
    if (status == ZF_OK) status = measure(&found, &m, edges, n_edges);
    free(edges);
    free(m.truth_at);
    if (status == ZF_OK)
        zf_give(out, size, &found, sizeof found);
    else
        zf_accuracy_free(&found);
    return status;
}

void zf_accuracy_free(zf_accuracy *accuracy)
{
    free(accuracy->fpr);
    accuracy->fpr = accuracy->tpr = NULL;
    zf_clear(accuracy);
}
