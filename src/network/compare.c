/* How well scores find a truth's edges.

   Scores are sorted once; one walk over the groups of equal scores counts true
   and false positives, from which every figure follows. Counts are whole
   numbers, so figures are exact up to their last division. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "network/network.h"
#include "zeroflow/nearest.h"

/* A pair: its score, and whether the truth has it. */
typedef struct item {
    float score;
    bool edge;
} item;

/* Both networks over the nodes of either; -1: a network lacks the node. */
typedef struct matched {
    const zf_network *scored, *truth;
    size_t n;
    long *in_scored, *in_truth;
} matched;

/* True and false positives at a threshold. */
typedef struct point {
    uint64_t tp, fp;
} point;

static int compare_items(const void *x, const void *y)
{
    const item *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

static zf_status nothing_in_common(const zf_network *scored, const zf_network *truth)
{
    char name[ZF_SHOWN_BYTES], near[ZF_SHOWN_BYTES];
    const char *first = zf_network_name(truth, 0);
    const char *best = zf_nearest(first, scored->names.list, scored->names.n);
    if (!best) best = zf_network_name(scored, 0);
    return zf_fail(ZF_EINPUT,
                   "the truth and the graph have no node in common: \"%s\" there, \"%s\" here",
                   zf_text_show(name, sizeof name, first, strlen(first)),
                   zf_text_show(near, sizeof near, best, strlen(best)));
}

static zf_status match(matched *m, zf_accuracy *out)
{
    size_t n_scored = m->scored->names.n, n_truth = m->truth->names.n;
    m->in_scored = malloc(2 * (n_scored + n_truth) * sizeof *m->in_scored);
    if (!m->in_scored) return zf_fail_memory(2 * (n_scored + n_truth) * sizeof *m->in_scored);
    m->in_truth = m->in_scored + n_scored + n_truth;
    for (size_t i = 0; i < n_scored; i++) {
        m->in_scored[i] = (long)i;
        m->in_truth[i] = zf_network_find(m->truth, zf_network_name(m->scored, i));
        out->only_scored += m->in_truth[i] < 0;
    }
    m->n = n_scored;
    for (size_t i = 0; i < n_truth; i++) {
        if (zf_network_find(m->scored, zf_network_name(m->truth, i)) >= 0) continue;
        m->in_scored[m->n] = -1;
        m->in_truth[m->n++] = (long)i;
        out->only_truth++;
    }
    out->nodes = m->n;
    return out->only_scored < n_scored ? ZF_OK : nothing_in_common(m->scored, m->truth);
}

static float gate_of(const zf_network *network, long i, long j)
{
    return i < 0 || j < 0 ? 0 : zf_network_gate(network, (size_t)i, (size_t)j) + 0.0f;
}

static bool is_edge(const matched *m, size_t i, size_t j)
{
    long a = m->in_truth[i], b = m->in_truth[j];
    return a >= 0 && b >= 0 && a != b && zf_network_score(m->truth, (size_t)a, (size_t)b) > 0;
}

static float score_of(const matched *m, size_t i, size_t j)
{
    float forth = gate_of(m->scored, m->in_scored[i], m->in_scored[j]);
    float back = gate_of(m->scored, m->in_scored[j], m->in_scored[i]);
    return forth > back ? forth : back;
}

/* The pairs i < j, or every (i, j). */
static size_t list_items(item *items, const matched *m, bool all)
{
    size_t count = 0;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = all ? 0 : i + 1; j < m->n; j++)
            items[count++] = (item){all ? gate_of(m->scored, m->in_scored[i], m->in_scored[j])
                                        : score_of(m, i, j),
                                    is_edge(m, i, j)};
    return count;
}

/* Takes the group of equal scores from item i on; returns where the next begins. */
static size_t take_group(point *at, const item *items, size_t i, size_t n)
{
    float score = items[i].score;
    for (; i < n && items[i].score == score; i++) {
        at->tp += items[i].edge;
        at->fp += !items[i].edge;
    }
    return i;
}

/* Twice the area, in pairs of an edge and another: a whole number. */
static uint64_t doubled_area(const item *items, size_t n)
{
    uint64_t area = 0;
    point now = {0}, before;
    for (size_t i = 0; i < n;) {
        before = now;
        i = take_group(&now, items, i, n);
        area += (now.fp - before.fp) * (now.tp + before.tp);
    }
    return area;
}

static double area_under(const item *items, size_t n)
{
    uint64_t edges = 0;
    for (size_t i = 0; i < n; i++) edges += items[i].edge;
    return (double)doubled_area(items, n) / 2 / ((double)edges * (double)(n - edges));
}

static void find_precision(zf_accuracy *out, const item *items, size_t n)
{
    point now = {0}, before;
    out->best_f1 = -1;
    for (size_t i = 0; i < n;) {
        float score = items[i].score;
        before = now;
        i = take_group(&now, items, i, n);
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
    return (b.fp - a.fp) * (c.tp - b.tp) == (b.tp - a.tp) * (c.fp - b.fp);
}

/* Corners of the curve; points must have a place for every item and one more. */
static size_t find_corners(point *points, const item *items, size_t n)
{
    size_t count = 1;
    point now = {0};
    points[0] = now;
    for (size_t i = 0; i < n;) {
        i = take_group(&now, items, i, n);
        if (count > 1 && on_line(points[count - 2], points[count - 1], now)) count--;
        points[count++] = now;
    }
    return count;
}

static zf_status find_curve(zf_accuracy *out, const item *items, size_t n)
{
    point *points = malloc((n + 1) * sizeof *points);
    if (!points) return zf_fail_memory((n + 1) * sizeof *points);
    size_t count = find_corners(points, items, n);
    out->fpr = malloc(2 * count * sizeof *out->fpr);
    if (!out->fpr) {
        free(points);
        return zf_fail_memory(2 * count * sizeof *out->fpr);
    }
    out->tpr = out->fpr + count;
    out->n_roc = count;
    for (size_t i = 0; i < count; i++) {
        out->fpr[i] = (double)points[i].fp / (double)(n - out->edges);
        out->tpr[i] = (double)points[i].tp / (double)out->edges;
    }
    free(points);
    return ZF_OK;
}

static zf_status measure(zf_accuracy *out, const matched *m, item *items)
{
    size_t n = list_items(items, m, false);
    for (size_t i = 0; i < n; i++) out->edges += items[i].edge;
    out->pairs = n;
    if (out->edges == 0)
        return zf_fail(ZF_EINPUT, "the truth has no edge among %zu nodes, expected at least one",
                       m->n);
    if (out->edges == n)
        return zf_fail(ZF_EINPUT,
                       "the truth has all %zu edges of %zu nodes, expected a pair without one", n,
                       m->n);
    qsort(items, n, sizeof *items, compare_items);
    out->auc = area_under(items, n);
    find_precision(out, items, n);
    ZF_TRY(find_curve(out, items, n));
    n = list_items(items, m, true);
    qsort(items, n, sizeof *items, compare_items);
    out->auc_paper = area_under(items, n);
    return ZF_OK;
}

zf_status zf_network_compare(zf_accuracy *out, const zf_network *scored, const zf_network *truth)
{
    zf_accuracy found = {0};
    matched m = {.scored = scored, .truth = truth};
    item *items = NULL;
    zf_status status = match(&m, &found);
    if (status == ZF_OK) {
        items = malloc(m.n * m.n * sizeof *items);
        status = items ? measure(&found, &m, items) : zf_fail_memory(m.n * m.n * sizeof *items);
    }
    free(items);
    free(m.in_scored);
    if (status == ZF_OK)
        *out = found;
    else
        zf_accuracy_free(&found);
    return status;
}

void zf_accuracy_free(zf_accuracy *accuracy)
{
    free(accuracy->fpr);
    *accuracy = (zf_accuracy){0};
}
