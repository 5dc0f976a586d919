/* Portraits of what tests of targets have found. The controls of the variables are searched for
   again, and regressions made again, for the few pairs that are asked for: keeping those of all
   pairs would take as much memory as the tests do. Each portrait is a task of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "criterion/given.h"
#include "criterion/portrait.h"
#include "evidence/controls.h"
#include "evidence/pairs.h"
#include "evidence/trial.h"
#include "kernel/lapack.h"

enum { ROWS_A_CONTROL = 8 };          /* of two variables together, as in pairs.c */
static const double EXPLAINED = 1e-8; /* share of a score's variance: less is no residual */

typedef struct studio {
    const zf_target_test *tests;
    zf_sample sample;
    zf_portrait *portraits;
    zf_status *status; /* of each */
} studio;

/* The controls of both without the two, ascending; if they are too many for the rows, those of
   the one that has more. */
static size_t unite(int32_t *to, const zf_controls *a, const zf_controls *b, int32_t x, int32_t y,
                    const zf_sample *sample)
{
    const zf_controls *larger = a->n >= b->n ? a : b;
    for (int both = 1;; both--) {
        size_t n = 0;
        for (size_t j = 0; j < sample->variables; j++)
            if ((int32_t)j != x && (int32_t)j != y &&
                (both ? zf_controls_have(a, j) || zf_controls_have(b, j)
                      : zf_controls_have(larger, j)))
                to[n++] = (int32_t)j;
        if (!both || n <= sample->rows / ROWS_A_CONTROL) return n;
    }
}

/* Rounding errors are nothing to draw. */
static void silence(double *column, size_t rows)
{
    if (zf_column_dot(column, column, rows) < EXPLAINED * (double)rows)
        memset(column, 0, rows * sizeof *column);
}

/* Frees the shapes of both, one after the other, of what the controls of both explain. */
static zf_status free_near(zf_columns *both, const zf_sample *sample, size_t x, size_t y,
                           const zf_controls *of_x, const zf_controls *of_y, zf_arena *arena)
{
    int32_t controls[2 * ZF_CONTROLS_MOST];
    zf_columns shapes_x = zf_sample_shapes(sample, x), shapes_y = zf_sample_shapes(sample, y);
    size_t n = unite(controls, of_x, of_y, (int32_t)x, (int32_t)y, sample);
    size_t size = ZF_SHAPES * sample->rows;
    zf_given given;
    zf_regression regression;
    memcpy(both->values, shapes_x.values, size * sizeof *both->values);
    memcpy(both->values + size, shapes_y.values, size * sizeof *both->values);
    if (n == 0) return ZF_OK;
    zf_chosen chosen = {sample->values, sample->rows, sample->variables, controls, n};
    ZF_TRY(zf_given_build(&given, arena, &chosen, &shapes_x, &shapes_y, ZF_GIVEN_MEMBERS, 0));
    ZF_TRY(zf_given_residuals(&given, both, &regression, arena));
    for (size_t k = 0; k < both->count; k++) silence(zf_column_at(both, k), sample->rows);
    return ZF_OK;
}

/* The same where neither is a control of the other: each of what its own explain. */
static zf_status free_far(zf_columns *both, const zf_sample *sample, size_t x, size_t y,
                          const zf_controls *of_x, const zf_controls *of_y)
{
    zf_residual residual;
    double *second = zf_column_at(both, ZF_SHAPES);
    ZF_TRY(zf_residual_take(&residual, both->values, sample, x, of_x));
    return zf_residual_take(&residual, second, sample, y, of_y);
}

static zf_status sit(zf_portrait *out, const zf_sample *sample, const zf_target_test *test,
                     zf_arena *arena)
{
    const zf_pair_evidence *found = &test->found;
    size_t x = (size_t)test->column, y = (size_t)test->target;
    zf_controls of_x, of_y;
    zf_columns both;
    ZF_TRY(zf_controls_find(&of_x, sample, x));
    ZF_TRY(zf_controls_find(&of_y, sample, y));
    ZF_TRY(zf_columns_new(&both, arena, 2 * ZF_SHAPES, sample->rows));
    if (zf_controls_have(&of_x, y) || zf_controls_have(&of_y, x))
        ZF_TRY(free_near(&both, sample, x, y, &of_x, &of_y, arena));
    else
        ZF_TRY(free_far(&both, sample, x, y, &of_x, &of_y));
    zf_sitter column = {test->column, zf_column_at(&both, 0), zf_column_at(&both, 1),
                        zf_column_at(&sample->scores, x)};
    zf_sitter target = {test->target, zf_column_at(&both, ZF_SHAPES),
                        zf_column_at(&both, ZF_SHAPES + 1), zf_column_at(&sample->scores, y)};
    bool turned = found->curved == test->column;
    zf_sitting sitting = {
        .form = found->form,
        .across = turned ? target : column,
        .up = turned ? column : target,
        .third = found->third,
        .rows = sample->rows,
        .turning = found->third >= 0 ? zf_column_at(&sample->scores, (size_t)found->third) : NULL,
        .first = sample->first,
        .units = sample->units,
    };
    return zf_portrait_make(out, &sitting);
}

static void draw(void *context, int task, int worker)
{
    studio *s = context;
    zf_arena arena = {0};
    (void)worker;
    s->status[task] = sit(&s->portraits[task], &s->sample, &s->tests[task], &arena);
    zf_arena_free(&arena);
}

static zf_status check_tests(const zf_target_test *tests, size_t n, size_t columns)
{
    for (size_t i = 0; i < n; i++) {
        int32_t third = tests[i].found.third;
        const int32_t named[] = {tests[i].target, tests[i].column, third < 0 ? 0 : third};
        for (int k = 0; k < 3; k++)
            if (named[k] < 0 || (size_t)named[k] >= columns)
                return zf_fail(ZF_EINVAL, "test of column %ld of a table of %zu", (long)named[k],
                               columns);
    }
    return ZF_OK;
}

static zf_status draw_all(studio *s, size_t n, const zf_rows *rows, zf_arena *arena, int threads)
{
    zf_crew *crew = NULL;
    s->status = zf_arena_get(arena, n * sizeof *s->status);
    if (!s->status) return ZF_ENOMEM;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(zf_sample_new(&s->sample, arena, rows));
    ZF_TRY(zf_crew_new(&crew, threads));
    zf_crew_run(crew, (int)n, draw, s);
    zf_crew_free(crew);
    for (size_t i = 0; i < n; i++)
        if (s->status[i] == ZF_ENOMEM) /* the message of a worker stays with its thread */
            return zf_fail(ZF_ENOMEM, "out of memory while drawing %zu rows", rows->rows);
        else if (s->status[i] != ZF_OK)
            return zf_fail(s->status[i], "a regression on %zu rows failed", rows->rows);
    return ZF_OK;
}

zf_status zf_target_portraits(zf_portrait *out, const double *values, size_t rows,
                              const char *const *names, size_t columns, const zf_target_test *tests,
                              size_t n, const zf_evidence_options *options)
{
    zf_arena arena = {0};
    zf_rows all = zf_rows_of(values, rows, columns);
    zf_evidence_options whole = *options;
    whole.half_samples = 0;
    studio s = {.tests = tests};
    ZF_TRY(check_tests(tests, n, columns));
    zf_status status = zf_evidence_arrange(&all, &arena, &whole);
    if (status == ZF_OK) status = zf_evidence_check(&all, names, &whole);
    if (status == ZF_OK && !(s.portraits = calloc(n + 1, sizeof *s.portraits)))
        status = zf_fail_memory(n * sizeof *s.portraits);
    if (status == ZF_OK) status = draw_all(&s, n, &all, &arena, options->threads);
    for (size_t i = 0; s.portraits && i < n; i++)
        if (status == ZF_OK)
            out[i] = s.portraits[i];
        else
            zf_portrait_free(&s.portraits[i]);
    free(s.portraits);
    zf_arena_free(&arena);
    return status;
}
