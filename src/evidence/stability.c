/* Complementary pairs of half samples (Shah and Samworth, 2013): the units of the table in a
   random order, cut in the middle; both halves are tested as if each were the table, and what
   counts is how often a pair is an edge.

   Halves are tasks, each with a crew of one, since they have nothing to wait for; which of them
   run together depends on the number of threads, what comes out of each does not. */
#include "evidence/stability.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

typedef struct halves {
    const zf_unit_rows *rows;
    const zf_evidence_options *options;
    size_t pairs;
    int first;              /* half sample of the round's first task */
    unsigned char *edges;   /* [tasks of a round, pairs] */
    zf_status *status;      /* [tasks of a round] */
    unsigned short *counts; /* [pairs] */
} halves;

static zf_status draw_half(zf_unit_rows *out, zf_arena *arena, const halves *h, int half)
{
    size_t units = h->rows->units, n = units / 2, from = half % 2 ? n : 0;
    uint32_t *order = zf_arena_get(arena, units * sizeof *order);
    unsigned char *chosen = zf_arena_get(arena, units);
    if (!order || !chosen) return ZF_ENOMEM;
    zf_random random = zf_random_at(h->options->seed, ZF_FOR_SPLIT, (uint64_t)half / 2, 0);
    zf_random_permutation(&random, order, units);
    for (size_t i = 0; i < n; i++) chosen[order[from + i]] = 1;
    return zf_unit_rows_choose(out, arena, h->rows, chosen);
}

static zf_status test_half(unsigned char *edges, const halves *h, int half, zf_arena *arena)
{
    zf_unit_rows rows;
    zf_evidence *found = NULL;
    zf_crew *crew = NULL;
    ZF_TRY(draw_half(&rows, arena, h, half));
    ZF_TRY(zf_crew_new(&crew, 1));
    zf_status status = zf_evidence_new(&found, rows.rows, rows.columns);
    if (status == ZF_OK) status = zf_trial_run(found, &rows, (zf_scope){0}, crew, NULL);
    for (size_t i = 0; status == ZF_OK && i < h->pairs; i++)
        edges[i] = found->pairs[i].q_value <= h->options->fdr;
    zf_evidence_free(found);
    zf_crew_free(crew);
    return status;
}

static void run_half(void *context, int task, int worker)
{
    halves *h = context;
    zf_arena arena = {0};
    (void)worker;
    h->status[task] = test_half(h->edges + (size_t)task * h->pairs, h, h->first + task, &arena);
    zf_arena_free(&arena);
}

static zf_status count_edges(halves *h, int tasks)
{
    for (int task = 0; task < tasks; task++) {
        const unsigned char *edges = h->edges + (size_t)task * h->pairs;
        if (h->status[task] != ZF_OK) /* its message stayed with the worker */
            return zf_fail(h->status[task], "the test of a half sample of %zu rows failed: %s",
                           h->rows->rows / 2, zf_status_name(h->status[task]));
        for (size_t i = 0; i < h->pairs; i++)
            h->counts[i] = (unsigned short)(h->counts[i] + edges[i]);
    }
    return ZF_OK;
}

static zf_status run_all(halves *h, zf_crew *crew, zf_pace *pace)
{
    int all = h->options->half_samples, round = zf_crew_size(crew);
    for (; h->first < all; h->first += round) {
        int tasks = all - h->first < round ? all - h->first : round;
        zf_crew_run(crew, tasks, run_half, h);
        ZF_TRY(count_edges(h, tasks));
        ZF_TRY(zf_pace_tell(pace, (uint64_t)(h->first + tasks), (uint64_t)all));
    }
    return ZF_OK;
}

zf_status zf_stability_measure(zf_evidence *result, const zf_unit_rows *rows,
                               const zf_evidence_options *options, zf_crew *crew, zf_pace *pace)
{
    zf_arena arena = {0};
    size_t tasks = (size_t)zf_crew_size(crew);
    halves h = {.rows = rows, .options = options, .pairs = rows->columns * (rows->columns - 1) / 2};
    h.edges = zf_arena_get(&arena, tasks * h.pairs);
    h.status = zf_arena_get(&arena, tasks * sizeof *h.status);
    h.counts = zf_arena_get(&arena, h.pairs * sizeof *h.counts);
    zf_status status = h.edges && h.status && h.counts ? run_all(&h, crew, pace) : ZF_ENOMEM;
    if (status == ZF_OK) {
        result->half_samples = options->half_samples;
        result->half_fdr = options->fdr;
        for (size_t i = 0; i < h.pairs; i++)
            result->pairs[i].stability = (double)h.counts[i] / options->half_samples;
    }
    zf_arena_free(&arena);
    return status;
}
