/* The tests that zf_two_sample_test is measured against: checks, both samples in one
   place, and the method. */
#include "baseline/peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

static const struct {
    const char *name;
    zf_status (*run)(zf_peer_result *, const zf_peer_call *);
    size_t most;
} methods[] = {
    [ZF_PEER_MMD] = {"mmd", zf_kernel_test, ZF_PEER_ROWS_MOST},
    [ZF_PEER_ENERGY] = {"energy", zf_kernel_test, ZF_PEER_ROWS_MOST},
    [ZF_PEER_CLASSIFIER] = {"classifier", zf_classifier_test, INT32_MAX},
};

const char *zf_peer_name(zf_peer method)
{
    return methods[method].name;
}

zf_peer_options zf_peer_defaults(zf_peer method)
{
    return (zf_peer_options){.method = method, .permutations = 10000};
}

zf_status zf_peer_progress(const zf_peer_call *call, uint64_t step, uint64_t steps)
{
    const zf_report *report = &call->options->report;
    zf_progress progress = {.step = step, .steps = steps, .seconds_left = -1};
    if (!report->progress || report->progress(report->context, &progress)) return ZF_OK;
    return zf_fail(ZF_EINTERRUPT, "interrupted");
}

static zf_status check(const zf_two_samples *samples, const zf_peer_options *options)
{
    size_t rows = samples->first_rows + samples->second_rows;
    const float *values[] = {samples->first, samples->second};
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
            if (!isfinite(values[i][j]))
                return zf_fail(ZF_EINPUT,
                               "the %s sample, row %zu, column %zu: expected a finite number",
                               which, j / samples->columns + 1, j % samples->columns + 1);
    }
    return ZF_OK;
}

zf_status zf_peer_test(zf_peer_result *out, const zf_two_samples *samples,
                       const zf_peer_options *options)
{
    double began = zf_clock_now();
    ZF_TRY(check(samples, options));
    zf_peer_call call = {
        .first_rows = samples->first_rows,
        .second_rows = samples->second_rows,
        .rows = samples->first_rows + samples->second_rows,
        .columns = samples->columns,
        .options = options,
    };
    size_t first = call.first_rows * call.columns, second = call.second_rows * call.columns;
    float *values = malloc((first + second) * sizeof *values);
    if (!values) return zf_fail_memory((first + second) * sizeof *values);
    memcpy(values, samples->first, first * sizeof *values);
    memcpy(values + first, samples->second, second * sizeof *values);
    call.values = values;
    zf_peer_result result = {.rows_used = call.rows};
    zf_status status = zf_crew_new(&call.crew, options->threads);
    if (status == ZF_OK) status = methods[options->method].run(&result, &call);
    zf_crew_free(call.crew);
    free(values);
    result.seconds = zf_clock_now() - began;
    if (status == ZF_OK) *out = result;
    return status;
}
