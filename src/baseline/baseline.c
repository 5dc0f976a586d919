/* What the methods share: looking at the values before any of them does,
   preparing the columns, and turning scores into a graph. */
#include "zeroflow/baseline.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/moments.h"
#include "baseline/method.h"
#include "data/marginals.h"
#include "data/text.h"
#include "data/values.h"
#include "kernel/lapack.h"

enum { LEAST_ROWS = 4, UNIT_EXPONENT = 400 };
static const double SHORT_SECONDS = 0.5;

/* As the largest: scores of a millionth of it still have all the digits of float32. */
static const double SMALLEST_SCORE = 1e-32;

static const struct {
    const char *name;
    zf_status (*run)(zf_method_call *);
} methods[] = {
    [ZF_BASELINE_GLASSO] = {"glasso", zf_glasso_run},
    [ZF_BASELINE_PC] = {"pc", zf_pc_run},
    [ZF_BASELINE_PARTIAL] = {"partial", zf_partial_run},
    [ZF_BASELINE_RANK] = {"rank", zf_partial_run},
};

const char *zf_baseline_name(zf_baseline method)
{
    return methods[method].name;
}

void zf_baseline_options_init(zf_baseline_options *options, size_t size, zf_baseline method)
{
    const zf_baseline_options all = {
        .method = method,
        .marginals =
            method == ZF_BASELINE_RANK ? ZF_BASELINE_NORMAL_SCORES : ZF_BASELINE_AS_THEY_ARE,
        .folds = 5,
        .penalties = 4,
        .refinements = 4,
        .depth = -1,
    };
    zf_give(options, size, &all, sizeof all);
}

void zf_method_log(const zf_method_call *call, zf_level level, const char *format, ...)
{
    const zf_report *report = &call->options->report;
    char line[512];
    if (!report->log) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    report->log(report->context, level, line);
}

double *zf_square_new(size_t n)
{
    size_t bytes = SIZE_MAX;
    double *square = NULL;
    if (!__builtin_mul_overflow(n * sizeof *square, n, &bytes)) square = calloc(1, bytes);
    if (!square) (void)zf_fail_memory(bytes);
    return square;
}

void zf_correlate(double *to, double *deviation, const zf_method_call *call)
{
    size_t n = call->columns;
    zf_cross_product(to, call->values, call->rows, n, 1.0 / (double)call->rows);
    for (size_t i = 0; i < n; i++) deviation[i] = sqrt(to[i * n + i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[i * n + j] = i == j ? 1 : to[i * n + j] / (deviation[i] * deviation[j]);
}

static zf_status check_options(const zf_baseline_options *options)
{
    if (options->folds < 2)
        return zf_fail(ZF_EINVAL, "expected at least 2 folds, found %d", options->folds);
    if (options->penalties < 2 || options->refinements < 1)
        return zf_fail(ZF_EINVAL,
                       "%d penalties in %d refinements, expected at least 2 in at least 1",
                       options->penalties, options->refinements);
    for (int i = 0; options->alphas && i < options->n_alphas; i++)
        if (!(options->alphas[i] > 0 && options->alphas[i] < 1))
            return zf_fail(ZF_EINVAL, "alpha %g, expected a number between 0 and 1",
                           options->alphas[i]);
    if (options->alphas && options->n_alphas < 1)
        return zf_fail(ZF_EINVAL, "no alpha, expected at least one");
    if (!(options->fdr >= 0 && options->fdr < 1))
        return zf_fail(ZF_EINVAL, "false discovery rate %g, expected a number between 0 and 1",
                       options->fdr);
    if (options->fdr > 0 && methods[options->method].run != zf_partial_run)
        return zf_fail(ZF_EINVAL, "%s has no p-values, so that no false discovery rate can be kept",
                       zf_baseline_name(options->method));
    return ZF_OK;
}

static zf_status check_values(const double *values, const zf_method_call *call)
{
    int folds = call->options->method == ZF_BASELINE_GLASSO ? call->options->folds : 0;
    size_t least = folds > LEAST_ROWS ? (size_t)folds : LEAST_ROWS;
    if (call->columns < 2)
        return zf_fail(ZF_EINPUT, "expected at least 2 columns, found %zu", call->columns);
    if (call->rows < least)
        return zf_fail(ZF_EINPUT, "expected at least %zu rows%s, found %zu", least,
                       folds > LEAST_ROWS ? " (one for each fold)" : "", call->rows);
    if (call->rows > INT32_MAX || call->columns > INT32_MAX)
        return zf_fail(ZF_EINPUT, "expected less than 2^31 rows and columns, found %zu and %zu",
                       call->rows, call->columns);
    for (size_t j = 0; j < call->columns; j++)
        ZF_TRY(zf_values_check_column(values, call->rows, call->columns, j, call->names[j]));
    return ZF_OK;
}

/* Centres column j, to the last digit also where its mean is far from 0, and scales it if
   asked to. A column whose squares could leave the range of double is given in units of a
   power of two, which changes no digit: returns the unit, mostly 1. */
static double centre(double *values, size_t rows, size_t columns, size_t j, bool scale)
{
    zf_moments moments = {0};
    for (int pass = 0; pass < 2; pass++) { /* the mean of the first is rounded itself */
        moments = zf_moments_of(values + j, rows, columns);
        for (size_t i = 0; i < rows; i++) values[i * columns + j] -= moments.mean;
    }
    int exponent;
    frexp(moments.deviation, &exponent);
    double unit = exponent > UNIT_EXPONENT || exponent < -UNIT_EXPONENT ? ldexp(1, exponent) : 1;
    double divisor = scale ? moments.deviation : unit;
    for (size_t i = 0; divisor != 1 && i < rows; i++) values[i * columns + j] /= divisor;
    return scale ? 1 : unit;
}

/* Column j as the options want it. */
static zf_status prepare_column(double *prepared, zf_method_call *call, size_t j)
{
    const zf_baseline_options *options = call->options;
    size_t rows = call->rows, columns = call->columns;
    char label[ZF_COLUMN_LABEL];
    zf_baseline_marginals marginals =
        options->method == ZF_BASELINE_RANK ? ZF_BASELINE_NORMAL_SCORES : options->marginals;
    if (marginals == ZF_BASELINE_NORMAL_SCORES)
        ZF_TRY(zf_normal_scores(prepared + j, prepared + j, rows, columns));
    call->unit[j] = centre(prepared, rows, columns, j, marginals == ZF_BASELINE_STANDARD);
    if (call->unit[j] == 1 || options->method != ZF_BASELINE_GLASSO) return ZF_OK;
    return zf_fail(
        ZF_EINPUT,
        "%s: a single penalty for all columns is unsuitable when one varies by about %g; "
        "standardise them",
        zf_text_column(label, call->names[j], j), call->unit[j]);
}

static zf_status prepare(double **out, const double *values, zf_method_call *call)
{
    size_t bytes;
    if (__builtin_mul_overflow(call->rows * sizeof(double), call->columns, &bytes))
        return zf_fail_memory(SIZE_MAX);
    double *prepared = malloc(bytes);
    if (!prepared) return zf_fail_memory(bytes);
    zf_status status = ZF_OK;
    memcpy(prepared, values, bytes);
    for (size_t j = 0; status == ZF_OK && j < call->columns; j++)
        status = prepare_column(prepared, call, j);
    if (status == ZF_OK)
        *out = prepared;
    else
        free(prepared);
    return status;
}

/* Scores are kept as float32, and those of the graphical lasso have a unit. */
static zf_status check_scores(const zf_method_call *call)
{
    double largest = 0;
    for (size_t i = 0; i < call->columns * call->columns; i++) {
        if (isnan(call->scores[i]))
            return zf_fail(ZF_ENUMERIC, "the score of column %zu and %zu is not a number",
                           i / call->columns + 1, i % call->columns + 1);
        if (i / call->columns != i % call->columns) largest = fmax(largest, call->scores[i]);
    }
    if (largest == 0 || (largest >= SMALLEST_SCORE && largest <= FLT_MAX)) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "the largest score is %.3g, expected %.0g to %.0g: give the columns another "
                   "unit, or standardise them",
                   largest, SMALLEST_SCORE, (double)FLT_MAX);
}

static zf_status make_graph(zf_graph **out, const zf_method_call *call)
{
    size_t n = call->columns;
    ZF_TRY(check_scores(call));
    float *gates = malloc(n * n * sizeof *gates);
    if (!gates) return zf_fail_memory(n * n * sizeof *gates);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gates[i * n + j] = i == j ? 0 : (float)call->scores[i * n + j];
    zf_graph *graph = NULL;
    zf_status status = zf_graph_new(&graph, call->names, n, gates);
    free(gates);
    if (status == ZF_OK && call->options->fdr > 0) status = zf_partial_decide(graph, call);
    if (status == ZF_OK)
        *out = graph;
    else
        zf_graph_free(graph);
    return status;
}

static zf_status run_prepared(zf_graph **out, zf_method_call *call)
{
    zf_status status = ZF_ENOMEM;
    call->scores = zf_square_new(call->columns);
    if (call->scores) status = zf_crew_new(&call->crew, call->options->threads);
    if (status == ZF_OK) status = methods[call->options->method].run(call);
    if (status == ZF_OK) status = make_graph(out, call);
    zf_crew_free(call->crew);
    free(call->scores);
    return status;
}

zf_status zf_baseline_run_sized(zf_graph **out, zf_baseline_details *details, size_t size,
                                const double *values, size_t rows, const char *const *names,
                                size_t columns, const zf_baseline_options *given)
{
    zf_baseline_options known = zf_baseline_defaults(given ? given->method : 0);
    const zf_baseline_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "baseline"));
    zf_baseline_details found = {0};
    zf_method_call call = {.rows = rows,
                           .columns = columns,
                           .names = names,
                           .options = options,
                           .pace = zf_pace_begin(&options->report, SHORT_SECONDS),
                           .details = &found};
    double *prepared = NULL;
    ZF_TRY(check_options(options));
    ZF_TRY(check_values(values, &call));
    ZF_TRY(zf_lapack_open());
    call.unit = malloc(columns * sizeof *call.unit);
    if (!call.unit) return zf_fail_memory(columns * sizeof *call.unit);
    zf_status status = prepare(&prepared, values, &call);
    call.values = prepared;
    if (status == ZF_OK) status = run_prepared(out, &call);
    free(prepared);
    free(call.unit);
    found.seconds = zf_pace_seconds(&call.pace);
    if (status == ZF_OK && details)
        zf_give_plain(details, size, &found, sizeof found);
    else
        free(found.precision);
    return status;
}
