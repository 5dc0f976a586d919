/* Portraits of what tests of targets have found. The controls of the variables are searched for
   again, and regressions made again, for the few pairs that are asked for: keeping those of all
   pairs would take as much memory as the tests do. Each portrait is a task of its own. */
#include <stdlib.h>

#include "base/crew.h"
#include "base/error.h"
#include "base/grow.h"
#include "criterion/portrait.h"
#include "evidence/controls.h"
#include "evidence/pairs.h"
#include "evidence/trial.h"
#include "kernel/lapack.h"

typedef struct studio {
    const zf_target_test *tests;
    zf_sample sample;
    zf_portrait *portraits;
    zf_status *status; /* of each */
} studio;

static zf_status sit(zf_portrait *out, const zf_sample *sample, const zf_target_test *test,
                     zf_arena *arena, zf_arena *scratch)
{
    const zf_pair_evidence *found = &test->found;
    size_t x = (size_t)test->column, y = (size_t)test->target;
    zf_controls of_x, of_y;
    zf_columns both;
    ZF_TRY(zf_controls_find(&of_x, sample, x));
    ZF_TRY(zf_controls_find(&of_y, sample, y));
    ZF_TRY(zf_columns_new(&both, arena, 2 * ZF_SHAPES, sample->rows));
    ZF_TRY(zf_pair_residuals(&both, sample, x, y, &of_x, &of_y, scratch));
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
    zf_arena arena = {0}, scratch = {0};
    (void)worker;
    s->status[task] = sit(&s->portraits[task], &s->sample, &s->tests[task], &arena, &scratch);
    zf_arena_free(&scratch);
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

static zf_status draw_all(studio *s, size_t n, const zf_unit_rows *rows, zf_arena *arena,
                          int threads)
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

zf_status zf_target_portraits_sized(zf_portrait *out, size_t size, const double *values,
                                    size_t rows, const char *const *names, size_t columns,
                                    const zf_target_test *tests, size_t n,
                                    const zf_evidence_options *given)
{
    zf_evidence_options whole = zf_evidence_defaults();
    ZF_TRY(zf_take(&whole, sizeof whole, given, "evidence"));
    zf_arena arena = {0};
    zf_unit_rows all = zf_unit_rows_of(values, rows, columns);
    whole.half_samples = 0;
    studio s = {.tests = tests};
    ZF_TRY(check_tests(tests, n, columns));
    zf_status status = zf_evidence_arrange(&all, &arena, &whole);
    if (status == ZF_OK) status = zf_evidence_check(&all, names, &whole);
    if (status == ZF_OK && !(s.portraits = calloc(n + 1, sizeof *s.portraits)))
        status = zf_fail_memory(n * sizeof *s.portraits);
    if (status == ZF_OK) status = draw_all(&s, n, &all, &arena, whole.threads);
    for (size_t i = 0; s.portraits && i < n; i++)
        if (status == ZF_OK)
            zf_give((char *)out + i * size, size, &s.portraits[i], sizeof s.portraits[i]);
        else
            zf_portrait_free(&s.portraits[i]);
    free(s.portraits);
    zf_arena_free(&arena);
    return status;
}
