/* From a table to evidence: the test of every pair, then the same of half samples, if asked. */
#include "zeroflow/evidence.h"

#include "base/error.h"
#include "base/grow.h"
#include "base/units.h"
#include "data/values.h"
#include "evidence/stability.h"
#include "evidence/trial.h"
#include "kernel/lapack.h"

void zf_evidence_options_init(zf_evidence_options *options, size_t size)
{
    const zf_evidence_options all = {.fdr = 0.1};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_options(const zf_evidence_options *options)
{
    if (!(options->fdr > 0 && options->fdr < 1))
        return zf_fail(ZF_EINVAL, "false discovery rate %g, expected a number between 0 and 1",
                       options->fdr);
    if (options->half_samples < 0 || options->half_samples % 2 ||
        options->half_samples > ZF_HALF_SAMPLES_MOST)
        return zf_fail(ZF_EINVAL, "%d half samples, expected an even number up to %d",
                       options->half_samples, ZF_HALF_SAMPLES_MOST);
    return ZF_OK;
}

zf_status zf_evidence_arrange(zf_unit_rows *rows, zf_arena *arena,
                              const zf_evidence_options *options)
{
    zf_unit_rows plain = *rows;
    ZF_TRY(zf_units_check(plain.rows, options->groups, options->block));
    if (options->block) return zf_unit_rows_cut(rows, arena, &plain, options->block);
    if (!options->groups) return ZF_OK;
    return zf_unit_rows_group(rows, arena, &plain, options->groups);
}

zf_status zf_evidence_check(const zf_unit_rows *rows, const char *const *names,
                            const zf_evidence_options *options)
{
    const char *what = options->groups ? "groups" : options->block ? "blocks" : "rows";
    if (rows->units < ZF_EVIDENCE_ROWS_LEAST)
        return zf_fail(ZF_EINPUT, "%zu %s, expected at least %d to decide on edges", rows->units,
                       what, ZF_EVIDENCE_ROWS_LEAST);
    if (options->half_samples && rows->units < 2 * ZF_EVIDENCE_ROWS_LEAST)
        return zf_fail(ZF_EINPUT, "%zu %s, expected at least %d for half samples of %d",
                       rows->units, what, 2 * ZF_EVIDENCE_ROWS_LEAST, ZF_EVIDENCE_ROWS_LEAST);
    if (rows->columns > ZF_EVIDENCE_COLUMNS_MOST)
        return zf_fail(ZF_EINPUT, "%zu columns, expected at most %d to test every pair",
                       rows->columns, ZF_EVIDENCE_COLUMNS_MOST);
    return zf_values_check(rows->values, rows->rows, names, rows->columns);
}

/* A half sample takes about half of the time of the whole. */
static zf_status weigh(zf_evidence *result, const zf_unit_rows *rows,
                       const zf_evidence_options *options)
{
    zf_crew *crew = NULL;
    double share = 1 / (1 + 0.5 * options->half_samples);
    zf_pace pace = zf_pace_begin(&options->report, 0);
    pace.share = share;
    result->units = rows->units;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(zf_crew_new(&crew, options->threads));
    zf_scope scope = {.fdr = options->fdr, .lines = true};
    zf_status status = zf_trial_run(result, rows, scope, crew, &pace);
    pace.from = share, pace.share = 1 - share;
    if (status == ZF_OK && options->half_samples)
        status = zf_stability_measure(result, rows, options, crew, &pace);
    zf_crew_free(crew);
    result->seconds = zf_pace_seconds(&pace);
    return status;
}

zf_status zf_evidence_count(size_t *units, size_t rows, const zf_evidence_options *given)
{
    zf_evidence_options known = zf_evidence_defaults();
    const zf_evidence_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "evidence"));
    zf_arena arena = {0};
    zf_unit_rows all = zf_unit_rows_of(NULL, rows, 0);
    zf_status status = check_options(options);
    if (status == ZF_OK) status = zf_evidence_arrange(&all, &arena, options);
    if (status == ZF_OK) *units = all.units;
    zf_arena_free(&arena);
    return status;
}

zf_status zf_evidence_test(zf_evidence **out, const double *values, size_t rows,
                           const char *const *names, size_t columns,
                           const zf_evidence_options *given)
{
    zf_evidence_options known = zf_evidence_defaults();
    const zf_evidence_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "evidence"));
    zf_evidence *result = NULL;
    zf_arena arena = {0};
    zf_unit_rows all = zf_unit_rows_of(values, rows, columns);
    ZF_TRY(check_options(options));
    zf_status status = zf_evidence_arrange(&all, &arena, options);
    if (status == ZF_OK) status = zf_evidence_check(&all, names, options);
    if (status == ZF_OK) status = zf_evidence_new(&result, rows, columns);
    if (status == ZF_OK) status = weigh(result, &all, options);
    zf_arena_free(&arena);
    if (status == ZF_OK)
        *out = result;
    else
        zf_evidence_free(result);
    return status;
}
