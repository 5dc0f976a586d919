/* Some variables against every other: the same tests as of all pairs, without the regressions of
   pairs that nobody asked for, sorted, and adjusted for the number of tests of each target. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "evidence/discovery.h"
#include "evidence/trial.h"
#include "io/csv_write.h"
#include "io/decimal.h"
#include "kernel/lapack.h"

static zf_status mark(unsigned char *wanted, size_t columns, const int32_t *targets, size_t n)
{
    if (n == 0) return zf_fail(ZF_EINVAL, "no target to test");
    for (size_t k = 0; k < n; k++) {
        if (targets[k] < 0 || (size_t)targets[k] >= columns)
            return zf_fail(ZF_EINVAL, "target %ld of a table of %zu columns", (long)targets[k],
                           columns);
        if (wanted[targets[k]])
            return zf_fail(ZF_EINVAL, "target %ld is named twice", (long)targets[k]);
        wanted[targets[k]] = 1;
    }
    return ZF_OK;
}

/* Small p-values first; of equals the larger effect, then the earlier column. */
static int compare(const void *a, const void *b)
{
    const zf_target_test *x = a, *y = b;
    double more = fabs(x->found.effect), less = fabs(y->found.effect);
    if (x->found.p_value != y->found.p_value) return x->found.p_value < y->found.p_value ? -1 : 1;
    if (more != less) return more > less ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

/* scores: of all columns. */
static double correlate(const zf_columns *scores, int32_t a, int32_t b)
{
    return zf_column_dot(zf_column_at(scores, (size_t)a), zf_column_at(scores, (size_t)b),
                         scores->rows) /
           (double)scores->rows;
}

/* The tests of one target. */
static zf_status take_tests(zf_target_test *out, const zf_evidence *result,
                            const zf_columns *scores, int32_t target)
{
    size_t n = 0, others = (size_t)result->columns - 1;
    double *values = malloc(2 * others * sizeof *values);
    if (!values) return zf_fail_memory(2 * others * sizeof *values);
    double *adjusted = values + others;
    for (int32_t j = 0; j < result->columns; j++)
        if (j != target)
            out[n++] = (zf_target_test){target, j, *zf_evidence_pair(result, target, j),
                                        correlate(scores, target, j)};
    qsort(out, n, sizeof *out, compare);
    for (size_t i = 0; i < n; i++) values[i] = out[i].found.p_value;
    zf_status status = zf_discovery_adjust(adjusted, values, 1, n);
    for (size_t i = 0; status == ZF_OK && i < n; i++) out[i].found.q_value = adjusted[i];
    free(values);
    return status;
}

static zf_status test(zf_evidence *result, const zf_unit_rows *rows, const unsigned char *wanted,
                      const zf_evidence_options *options)
{
    zf_crew *crew = NULL;
    zf_pace pace = zf_pace_begin(&options->report, 0);
    pace.share = 1;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(zf_crew_new(&crew, options->threads));
    zf_status status = zf_trial_run(result, rows, (zf_scope){.wanted = wanted}, crew, &pace);
    zf_crew_free(crew);
    return status;
}

static zf_status take_all(zf_target_test *out, const zf_evidence *result, const zf_unit_rows *rows,
                          const int32_t *targets, size_t n_targets)
{
    zf_arena arena = {0};
    zf_columns scores;
    size_t columns = rows->columns;
    int32_t *all = zf_arena_get(&arena, columns * sizeof *all);
    for (size_t j = 0; all && j < columns; j++) all[j] = (int32_t)j;
    zf_chosen chosen = {rows->values, rows->rows, columns, all, columns};
    zf_status status = all ? zf_columns_scores(&scores, &arena, &chosen) : ZF_ENOMEM;
    for (size_t k = 0; status == ZF_OK && k < n_targets; k++)
        status = take_tests(out + k * (columns - 1), result, &scores, targets[k]);
    zf_arena_free(&arena);
    return status;
}

zf_status zf_evidence_test_targets(zf_target_test *out, const double *values, size_t rows,
                                   const char *const *names, size_t columns, const int32_t *targets,
                                   size_t n_targets, const zf_evidence_options *given)
{
    zf_evidence_options whole = zf_evidence_defaults();
    ZF_TRY(zf_take(&whole, sizeof whole, given, "evidence"));
    zf_evidence *result = NULL;
    zf_arena arena = {0};
    zf_unit_rows all = zf_unit_rows_of(values, rows, columns);
    whole.half_samples = 0;
    zf_status status = zf_evidence_arrange(&all, &arena, &whole);
    if (status == ZF_OK) status = zf_evidence_check(&all, names, &whole);
    unsigned char *wanted = NULL;
    if (status == ZF_OK && !(wanted = zf_arena_get(&arena, columns))) status = ZF_ENOMEM;
    if (status == ZF_OK) status = mark(wanted, columns, targets, n_targets);
    if (status == ZF_OK) status = zf_evidence_new(&result, rows, columns);
    if (status == ZF_OK) status = test(result, &all, wanted, &whole);
    if (status == ZF_OK) status = take_all(out, result, &all, targets, n_targets);
    zf_evidence_free(result);
    zf_arena_free(&arena);
    return status;
}

/* A form as a cell: "interaction with NAME" names the third variable. */
static void write_form(zf_sink *sink, const zf_pair_evidence *found, const char *const *names)
{
    const char *form = zf_form_name(found->form);
    if (found->form != ZF_FORM_INTERACTION) {
        zf_sink_text(sink, form);
        return;
    }
    const char *third = names[found->third];
    size_t room = strlen(form) + strlen(third) + 8;
    char *text = malloc(room);
    if (!text) {
        zf_sink_fail(sink, zf_fail_memory(room));
        return;
    }
    snprintf(text, room, "%s with %s", form, third);
    zf_csv_write_cell(sink, text, ',');
    free(text);
}

static void write_tests(zf_sink *sink, const zf_target_test *tests, size_t n,
                        const char *const *names, double fdr)
{
    char number[ZF_DECIMAL_ROOM];
    zf_sink_text(sink, "target,column,p_value,q_value,effect,form,decided,alone\n");
    for (size_t i = 0; i < n; i++) {
        const zf_pair_evidence *found = &tests[i].found;
        const double numbers[] = {found->p_value, found->q_value, found->effect};
        zf_csv_write_cell(sink, names[tests[i].target], ',');
        zf_sink_byte(sink, ',');
        zf_csv_write_cell(sink, names[tests[i].column], ',');
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_double(number, numbers[k]));
        }
        zf_sink_byte(sink, ',');
        write_form(sink, found, names);
        zf_sink_text(sink, found->q_value <= fdr ? ",true," : ",false,");
        zf_sink_text(sink, zf_decimal_double(number, tests[i].alone));
        zf_sink_byte(sink, '\n');
    }
}

zf_status zf_target_tests_write(const char *path, const zf_target_test *tests, size_t n,
                                const char *const *names, double fdr, bool guard)
{
    zf_sink sink;
    ZF_TRY(zf_sink_open(&sink, path));
    sink.guard = guard;
    write_tests(&sink, tests, n, names, fdr);
    return zf_sink_finish(&sink);
}

zf_status zf_target_tests_encode(char **bytes, size_t *length, const zf_target_test *tests,
                                 size_t n, const char *const *names, double fdr, bool guard)
{
    zf_sink sink;
    zf_sink_open_memory(&sink);
    sink.guard = guard;
    write_tests(&sink, tests, n, names, fdr);
    return zf_sink_take(&sink, bytes, length);
}
