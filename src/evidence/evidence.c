/* From a table to evidence, in three rounds of independent tasks: the controls of every
   variable and what they leave of it; pairs of which one is a control of the other, each by a
   regression of its own; all other pairs, from what is left of each. */
#include "zeroflow/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/crew.h"
#include "base/error.h"
#include "data/values.h"
#include "evidence/pairs.h"
#include "evidence/result.h"
#include "kernel/lapack.h"

enum { NEAR_A_ROUND = 64 }; /* pairs between two words of progress */

/* A pair of which one is a control of the other. */
typedef struct near_pair {
    int32_t x, y;
} near_pair;

typedef struct trial {
    zf_sample sample;
    zf_arena arena;
    zf_crew *crew;
    const zf_evidence_options *options;
    zf_evidence *result;
    double *left; /* [columns, ZF_SHAPES, N] */
    zf_residual *residuals;
    zf_sign *signs; /* as result->pairs */
    near_pair *near;
    size_t n_near, near_first;
    zf_status *status; /* of each task of a round */
    double began;
} trial;

zf_evidence_options zf_evidence_defaults(void)
{
    return (zf_evidence_options){0};
}

static void prepare_variable(void *context, int task, int worker)
{
    trial *t = context;
    size_t i = (size_t)task, size = ZF_SHAPES * t->sample.rows;
    zf_controls *controls = &t->result->controls[i];
    (void)worker;
    t->status[i] = zf_controls_find(controls, &t->sample, i);
    if (t->status[i] == ZF_OK)
        t->status[i] =
            zf_residual_take(&t->residuals[i], t->left + i * size, &t->sample, i, controls);
}

static void test_far(void *context, int task, int worker)
{
    trial *t = context;
    size_t x = (size_t)task + 1;
    (void)worker;
    t->status[task] = zf_pairs_far(t->signs + x * (x - 1) / 2, &t->sample, x, t->residuals);
}

static void test_near(void *context, int task, int worker)
{
    trial *t = context;
    near_pair pair = t->near[t->near_first + (size_t)task];
    size_t x = (size_t)pair.x, y = (size_t)pair.y;
    const zf_controls *controls = t->result->controls;
    (void)worker;
    t->status[task] =
        zf_pair_near(&t->signs[zf_pair_at(x, y)], &t->sample, x, y, &controls[x], &controls[y]);
}

/* Runs a round and looks at what became of its tasks: the message of a worker stays with its
   thread, so it is said again here. */
static zf_status run_round(trial *t, size_t tasks, zf_task task)
{
    if (tasks == 0) return ZF_OK;
    zf_crew_run(t->crew, (int)tasks, task, t);
    for (size_t i = 0; i < tasks; i++)
        if (t->status[i] == ZF_ENOMEM)
            return zf_fail(ZF_ENOMEM, "out of memory while testing %d columns of %zu rows",
                           t->result->columns, t->sample.rows);
        else if (t->status[i] != ZF_OK)
            return zf_fail(t->status[i], "a regression among %d columns of %zu rows failed",
                           t->result->columns, t->sample.rows);
    return ZF_OK;
}

static zf_status tell(trial *t, size_t done, size_t total)
{
    const zf_report *report = &t->options->report;
    double seconds = zf_clock_now() - t->began, share = (double)done / (double)total;
    zf_progress progress = {.step = done,
                            .steps = total,
                            .seconds = seconds,
                            .seconds_left = done ? seconds / share - seconds : -1};
    if (!report->progress || report->progress(report->context, &progress)) return ZF_OK;
    return zf_fail(ZF_EINTERRUPT, "interrupted");
}

static zf_status list_near(trial *t)
{
    const zf_controls *controls = t->result->controls;
    size_t d = t->sample.variables;
    t->near = zf_arena_get(&t->arena, (d * ZF_CONTROLS_MOST + 1) * sizeof *t->near);
    if (!t->near) return ZF_ENOMEM;
    for (size_t x = 0; x < d; x++)
        for (size_t i = 0; i < controls[x].n; i++) {
            size_t y = (size_t)controls[x].variable[i];
            if (y < x || !zf_controls_have(&controls[y], x))
                t->near[t->n_near++] = (near_pair){(int32_t)x, (int32_t)y};
        }
    return ZF_OK;
}

static zf_status test_pairs(trial *t)
{
    size_t d = t->sample.variables;
    ZF_TRY(list_near(t));
    size_t total = d + t->n_near + 1;
    ZF_TRY(tell(t, d, total));
    ZF_TRY(run_round(t, d - 1, test_far));
    for (; t->near_first < t->n_near; t->near_first += NEAR_A_ROUND) {
        size_t left = t->n_near - t->near_first;
        ZF_TRY(run_round(t, left < NEAR_A_ROUND ? left : NEAR_A_ROUND, test_near));
        ZF_TRY(tell(t, d + t->near_first, total));
    }
    return tell(t, total, total);
}

static zf_status describe(trial *t)
{
    size_t d = t->sample.variables;
    for (size_t x = 1; x < d; x++)
        for (size_t y = 0; y < x; y++) {
            size_t at = zf_pair_at(x, y);
            t->result->pairs[at] = zf_sign_describe(&t->signs[at], (int32_t)x, (int32_t)y);
        }
    return zf_evidence_adjust(t->result);
}

static zf_status trial_new(trial *t, const double *values, size_t rows, size_t columns)
{
    size_t tasks = columns > NEAR_A_ROUND ? columns : NEAR_A_ROUND;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(zf_crew_new(&t->crew, t->options->threads));
    ZF_TRY(zf_sample_new(&t->sample, &t->arena, values, rows, columns));
    t->left = zf_arena_get(&t->arena, columns * ZF_SHAPES * rows * sizeof *t->left);
    t->residuals = zf_arena_get(&t->arena, columns * sizeof *t->residuals);
    t->signs = zf_arena_get(&t->arena, columns * (columns - 1) / 2 * sizeof *t->signs);
    t->status = zf_arena_get(&t->arena, tasks * sizeof *t->status);
    return t->left && t->residuals && t->signs && t->status ? ZF_OK : ZF_ENOMEM;
}

static zf_status check(const double *values, size_t rows, const char *const *names, size_t columns)
{
    if (rows < ZF_EVIDENCE_ROWS_LEAST)
        return zf_fail(ZF_EINPUT, "%zu rows, expected at least %d to decide on edges", rows,
                       ZF_EVIDENCE_ROWS_LEAST);
    if (columns > ZF_EVIDENCE_COLUMNS_MOST)
        return zf_fail(ZF_EINPUT, "%zu columns, expected at most %d to test every pair", columns,
                       ZF_EVIDENCE_COLUMNS_MOST);
    return zf_values_check(values, rows, names, columns);
}

zf_status zf_evidence_test(zf_evidence **out, const double *values, size_t rows,
                           const char *const *names, size_t columns,
                           const zf_evidence_options *options)
{
    trial t = {.options = options, .began = zf_clock_now()};
    ZF_TRY(check(values, rows, names, columns));
    ZF_TRY(zf_evidence_new(&t.result, rows, columns));
    zf_status status = trial_new(&t, values, rows, columns);
    if (status == ZF_OK) status = tell(&t, 0, 2 * columns);
    if (status == ZF_OK) status = run_round(&t, columns, prepare_variable);
    if (status == ZF_OK) status = test_pairs(&t);
    if (status == ZF_OK) status = describe(&t);
    t.result->seconds = zf_clock_now() - t.began;
    zf_crew_free(t.crew);
    zf_arena_free(&t.arena);
    if (status == ZF_OK)
        *out = t.result;
    else
        zf_evidence_free(t.result);
    return status;
}
