/* From a table to evidence, in four rounds of independent tasks: the controls of every
   variable and what they leave of it; pairs of which one is a control of the other, each by a
   regression of its own; all other pairs, from what is left of each; the blanket of every variable,
   its edges and what stands in beside them, without what is superfluous. */
#include "evidence/trial.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "evidence/hearing.h"
#include "evidence/lasso.h"
#include "evidence/lines.h"
#include "evidence/pairs.h"
#include "evidence/superfluous.h"

enum { NEAR_A_ROUND = 64 }; /* pairs whose statuses are kept at a time */

/* A pair of which one is a control of the other. */
typedef struct near_pair {
    int32_t x, y;
} near_pair;

/* What a worker works with, test after test. */
typedef struct bench {
    zf_columns both; /* [2 ZF_SHAPES, N] */
    zf_arena scratch;
} bench;

typedef struct trial {
    zf_sample sample;
    zf_arena arena;
    zf_crew *crew;
    zf_pace *pace;
    zf_evidence *result;
    zf_scope scope;
    double *left; /* [columns, ZF_SHAPES, N] */
    zf_residual *residuals;
    zf_sign *signs; /* as result->pairs */
    bench *benches; /* of each worker */
    near_pair *near;
    size_t n_near, near_first, workers;
    zf_span describe;  /* between the pairs and the blankets */
    zf_status *status; /* of each task of a round */
} trial;

static void prepare_variable(void *context, int task, int worker)
{
    trial *t = context;
    size_t i = (size_t)task, size = ZF_SHAPES * t->sample.rows;
    zf_controls *controls = &t->result->controls[i];
    zf_arena *scratch = &t->benches[worker].scratch;
    t->status[i] = zf_controls_find(controls, &t->sample, i);
    if (t->status[i] == ZF_OK)
        t->status[i] = zf_residual_take(&t->residuals[i], t->left + i * size, &t->sample, i,
                                        controls, scratch);
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
    bench *b = &t->benches[worker];
    t->status[task] = zf_pair_near(&t->signs[zf_pair_at(x, y)], &t->sample, x, y, &controls[x],
                                   &controls[y], &b->both, &b->scratch);
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Stand-ins beside n edges of a variable, then what is superfluous among all of them. */
static zf_status change_edges(trial *t, size_t x, int32_t members[ZF_CONTROLS_MOST], size_t n,
                              bench *b)
{
    zf_changes *added = &t->result->stand_ins[x];
    double level = zf_change_level(t->scope.fdr);
    ZF_TRY(zf_stand_ins_find(added, &t->sample, x, members, n));
    for (size_t i = 0; i < added->n && added->list[i].p_value <= level; i++)
        members[n++] = added->list[i].variable;
    qsort(members, n, sizeof *members, compare);
    return zf_superfluous_find(&t->result->superfluous[x], &t->sample, x, members, n, level,
                               &b->both, &b->scratch);
}

static void make_blanket(void *context, int task, int worker)
{
    trial *t = context;
    int32_t edges[ZF_CONTROLS_MOST], x = task;
    size_t n = 0;
    t->status[task] = ZF_OK;
    for (int32_t y = 0; y < t->result->columns; y++) {
        if (y == x || zf_evidence_pair(t->result, x, y)->q_value > t->scope.fdr) continue;
        if (n == ZF_CONTROLS_MOST) return; /* so many that none is missing */
        edges[n++] = y;
    }
    t->status[task] = change_edges(t, (size_t)x, edges, n, &t->benches[worker]);
}

/* Runs a round and looks at what became of its tasks: the message of a worker stays with its
   thread, so it is said again here. */
static zf_status run_round(trial *t, zf_span span, size_t tasks, zf_task task)
{
    if (tasks == 0) return ZF_OK;
    ZF_TRY(zf_pace_run(t->pace, span, t->crew, (int)tasks, task, t));
    for (size_t i = 0; i < tasks; i++)
        if (t->status[i] == ZF_ENOMEM)
            return zf_fail(ZF_ENOMEM, "out of memory while testing %d columns of %zu rows",
                           t->result->columns, t->sample.rows);
        else if (t->status[i] != ZF_OK)
            return zf_fail(t->status[i], "a regression among %d columns of %zu rows failed",
                           t->result->columns, t->sample.rows);
    return ZF_OK;
}

/* Is a pair asked for? */
static bool is_wanted(const trial *t, size_t x, size_t y)
{
    return !t->scope.wanted || t->scope.wanted[x] || t->scope.wanted[y];
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
            if (is_wanted(t, x, y) && (y < x || !zf_controls_have(&controls[y], x)))
                t->near[t->n_near++] = (near_pair){(int32_t)x, (int32_t)y};
        }
    return ZF_OK;
}

static zf_status test_pairs(trial *t)
{
    size_t d = t->sample.variables;
    ZF_TRY(list_near(t));
    size_t total = d + t->n_near + 1 + (t->scope.fdr > 0 ? d : 0);
    t->describe = (zf_span){d + t->n_near, d + t->n_near + 1, total};
    ZF_TRY(run_round(t, (zf_span){d, d, total}, d - 1, test_far));
    for (; t->near_first < t->n_near; t->near_first += NEAR_A_ROUND) {
        size_t left = t->n_near - t->near_first, n = left < NEAR_A_ROUND ? left : NEAR_A_ROUND;
        size_t done = d + t->near_first;
        ZF_TRY(run_round(t, (zf_span){done, done + n, total}, n, test_near));
    }
    return ZF_OK;
}

/* The correlation of both kinds of deviations among pairs that are not near, most of which are no
   edges; never below LEAST, as it is only an estimate. */
static double common_part(const trial *t, const double *lasso)
{
    static const double LEAST = 0.3;
    const zf_controls *controls = t->result->controls;
    double square = 0, other_square = 0, product = 0;
    for (size_t x = 1; x < t->sample.variables; x++)
        for (size_t y = 0; y < x; y++) {
            size_t at = zf_pair_at(x, y);
            double linear = t->signs[at].linear;
            if (zf_pair_is_near(x, y, &controls[x], &controls[y])) continue;
            square += linear * linear;
            other_square += lasso[at] * lasso[at];
            product += linear * lasso[at];
        }
    double lengths = sqrt(square * other_square);
    return lengths > 0 ? fmin(1, fmax(LEAST, product / lengths)) : 1;
}

/* With few rows, the lasso's partial correlations are another opinion on what rises or falls. */
static zf_status hear_lasso(trial *t)
{
    size_t d = t->sample.variables, pairs = d * (d - 1) / 2;
    if (t->sample.hearing == ZF_HEAR_NOTHING) return ZF_OK;
    double *lasso = zf_arena_get(&t->arena, pairs * sizeof *lasso);
    if (!lasso) return ZF_ENOMEM;
    ZF_TRY(zf_lasso_deviations(lasso, &t->sample));
    double common = common_part(t, lasso);
    for (size_t at = 0; at < pairs; at++)
        zf_sign_hear(&t->signs[at], lasso[at], common, t->sample.hearing);
    return ZF_OK;
}

static zf_status describe(trial *t)
{
    size_t d = t->sample.variables;
    for (size_t x = 1; x < d; x++)
        for (size_t y = 0; y < x; y++) {
            size_t at = zf_pair_at(x, y);
            const zf_sign *sign = is_wanted(t, x, y) ? &t->signs[at] : &ZF_SIGN_NONE;
            t->result->pairs[at] = zf_sign_describe(sign, (int32_t)x, (int32_t)y);
            t->result->pairs[at].stability = -1;
        }
    return zf_evidence_adjust(t->result);
}

/* A second ranking of the pairs. Rows that belong together would count too much in it. */
static zf_status hear_lines(trial *t)
{
    bool straight;
    if (!t->scope.lines || t->sample.first) return ZF_OK;
    ZF_TRY(zf_hearing_straight(&straight, &t->sample));
    if (!straight) return ZF_OK;
    ZF_TRY(zf_evidence_add_lines(t->result));
    zf_span span = {t->describe.from, t->describe.from, t->describe.steps};
    return zf_lines_odds(t->result->lines, &t->sample, t->crew, t->pace, span);
}

static zf_status make_blankets(trial *t)
{
    zf_span span = {t->describe.to, t->describe.steps, t->describe.steps};
    return run_round(t, span, t->sample.variables, make_blanket);
}

static zf_status trial_new(trial *t, const zf_unit_rows *rows)
{
    size_t columns = rows->columns, tasks = columns > NEAR_A_ROUND ? columns : NEAR_A_ROUND;
    ZF_TRY(zf_sample_new(&t->sample, &t->arena, rows));
    t->left = zf_arena_get(&t->arena, columns * ZF_SHAPES * rows->rows * sizeof *t->left);
    t->residuals = zf_arena_get(&t->arena, columns * sizeof *t->residuals);
    t->signs = zf_arena_get(&t->arena, columns * (columns - 1) / 2 * sizeof *t->signs);
    t->status = zf_arena_get(&t->arena, tasks * sizeof *t->status);
    t->workers = (size_t)zf_crew_size(t->crew);
    t->benches = zf_arena_get(&t->arena, t->workers * sizeof *t->benches);
    if (!t->left || !t->residuals || !t->signs || !t->status || !t->benches) return ZF_ENOMEM;
    for (size_t k = 0; k < t->workers; k++)
        ZF_TRY(zf_columns_new(&t->benches[k].both, &t->arena, 2 * ZF_SHAPES, rows->rows));
    return ZF_OK;
}

static void trial_free(trial *t)
{
    for (size_t k = 0; t->benches && k < t->workers; k++) zf_arena_free(&t->benches[k].scratch);
    zf_arena_free(&t->arena);
}

zf_status zf_trial_run(zf_evidence *result, const zf_unit_rows *rows, zf_scope scope, zf_crew *crew,
                       zf_pace *pace)
{
    trial t = {.result = result, .scope = scope, .crew = crew, .pace = pace};
    size_t d = rows->columns;
    /* Before it is known how many pairs there are: about as many as two for each variable. */
    zf_span first = {0, d, 4 * d};
    result->fdr = scope.fdr;
    zf_status status = trial_new(&t, rows);
    if (status == ZF_OK) status = run_round(&t, first, d, prepare_variable);
    if (status == ZF_OK) status = test_pairs(&t);
    if (status == ZF_OK) status = hear_lasso(&t);
    if (status == ZF_OK) status = describe(&t);
    if (status == ZF_OK) status = hear_lines(&t);
    if (status == ZF_OK && scope.fdr > 0) status = make_blankets(&t);
    if (status == ZF_OK) status = zf_pace_tell(pace, 1, 1);
    trial_free(&t);
    return status;
}
