/* The tests that zf_two_sample_test is measured against: checks, both samples in one
   place, and the method. */
#include "baseline/peer.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "data/values.h"

static const struct {
    const char *name;
    zf_status (*run)(zf_peer_result *, const zf_peer_call *);
    size_t most;
    bool distances; /* between rows: columns keep their scales to each other */
} methods[] = {
    [ZF_PEER_MMD] = {"mmd", zf_kernel_test, ZF_PEER_ROWS_MOST, true},
    [ZF_PEER_ENERGY] = {"energy", zf_kernel_test, ZF_PEER_ROWS_MOST, true},
    [ZF_PEER_CLASSIFIER] = {"classifier", zf_classifier_test, INT32_MAX, false},
    [ZF_PEER_MMD_WIDTHS] = {"mmd-widths", zf_kernel_test, ZF_PEER_ROWS_MOST, true},
    [ZF_PEER_MMDAGG] = {"mmdagg", zf_kernel_test, ZF_PEER_ROWS_MOST, true},
};

const char *zf_peer_name(zf_peer method)
{
    return methods[method].name;
}

void zf_peer_options_init(zf_peer_options *options, size_t size, zf_peer method)
{
    const zf_peer_options all = {.method = method, .permutations = 10000};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check(const zf_two_samples *samples, const zf_peer_options *options)
{
    size_t rows = samples->first_rows + samples->second_rows;
    const double *values[] = {samples->first, samples->second};
    size_t n[] = {samples->first_rows, samples->second_rows};
    if (options->permutations < 1) return zf_fail(ZF_EINVAL, "expected at least 1 permutation");
    if (samples->columns == 0) return zf_fail(ZF_EINPUT, "expected at least one column");
    if (rows > methods[options->method].most)
        return zf_fail(ZF_EINPUT, "%s: %zu rows in both samples, expected at most %zu",
                       methods[options->method].name, rows, methods[options->method].most);
    for (int i = 0; i < 2; i++) {
        const char *which = i ? "second" : "first";
        if (n[i] < ZF_TWO_SAMPLE_LEAST)
            return zf_fail(ZF_EINPUT, "the %s sample: expected at least %d rows, found %zu", which,
                           ZF_TWO_SAMPLE_LEAST, n[i]);
        for (size_t j = 0; j < n[i] * samples->columns; j++)
            if (zf_value_expected(values[i][j]))
                return zf_fail(ZF_EINPUT, "the %s sample, row %zu, column %zu: expected %s", which,
                               j / samples->columns + 1, j % samples->columns + 1,
                               zf_value_expected(values[i][j]));
    }
    return ZF_OK;
}

/* The power of two above half the distance between the ends of column k, 0 if it is
   constant. Half: the ends may be farther apart than a number can say. */
static double unit_of(const zf_two_samples *samples, size_t k)
{
    size_t columns = samples->columns;
    double least = samples->first[k], most = least;
    for (size_t i = 0; i < samples->first_rows; i++) {
        least = fmin(least, samples->first[i * columns + k]);
        most = fmax(most, samples->first[i * columns + k]);
    }
    for (size_t i = 0; i < samples->second_rows; i++) {
        least = fmin(least, samples->second[i * columns + k]);
        most = fmax(most, samples->second[i * columns + k]);
    }
    int exponent = 0;
    frexp(most / 2 - least / 2, &exponent);
    return most > least ? ldexp(1, exponent < DBL_MAX_EXP ? exponent : DBL_MAX_EXP - 1) : 0;
}

/* call->values and call->unit; *memory is for free(). */
static zf_status take_values(zf_peer_call *call, double **memory, const zf_two_samples *samples)
{
    size_t columns = call->columns, n = (call->rows + 1) * columns;
    double *values = malloc(n * sizeof *values);
    if (!values) return zf_fail_memory(n * sizeof *values);
    double *unit = values + call->rows * columns;
    for (size_t k = 0; k < columns; k++) {
        unit[k] = unit_of(samples, k);
        call->unit = fmax(call->unit, unit[k]);
    }
    for (size_t i = 0; i < call->rows * columns; i++) {
        size_t k = i % columns, of_first = call->first_rows * columns;
        double value = i < of_first ? samples->first[i] : samples->second[i - of_first];
        double own = methods[call->options->method].distances ? call->unit : unit[k];
        values[i] = unit[k] > 0 ? value / own : 0;
    }
    call->values = *memory = values;
    return ZF_OK;
}

zf_status zf_peer_test_sized(zf_peer_result *out, size_t size, const zf_two_samples *samples,
                             const zf_peer_options *given)
{
    zf_peer_options known = zf_peer_defaults(given ? given->method : 0);
    const zf_peer_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "peer"));
    zf_pace pace = zf_pace_begin(&options->report, 0);
    ZF_TRY(check(samples, options));
    zf_peer_call call = {
        .first_rows = samples->first_rows,
        .second_rows = samples->second_rows,
        .rows = samples->first_rows + samples->second_rows,
        .columns = samples->columns,
        .names = samples->names,
        .options = options,
        .pace = &pace,
    };
    double *values = NULL;
    ZF_TRY(take_values(&call, &values, samples));
    zf_peer_result result = {.rows_used = call.rows};
    zf_status status = zf_crew_new(&call.crew, options->threads);
    if (status == ZF_OK) status = methods[options->method].run(&result, &call);
    zf_crew_free(call.crew);
    free(values);
    result.seconds = zf_pace_seconds(&pace);
    if (status == ZF_OK && !isfinite(result.statistic))
        return zf_fail(ZF_ENUMERIC, "%s: the statistic is %g, expected a finite number",
                       methods[options->method].name, result.statistic);
    if (status == ZF_OK) zf_give_plain(out, size, &result, sizeof result);
    return status;
}
