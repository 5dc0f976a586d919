/* What is the same for every method: the options, the pool, the clock, and telling
   where the samples differ. */
#include "criterion/two_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

enum { PERMUTATIONS_LEAST = 19, PERMUTATIONS_MOST = 1000000 };

/* A bar that is full at once is only noise. */
static const double SHORT_SECONDS = 1;

static const struct {
    zf_status (*run)(zf_two_sample_result *, const zf_two_sample_call *);
    size_t least;
} methods[] = {
    [ZF_TWO_SAMPLE_FLOW] = {zf_two_sample_flow, ZF_TWO_SAMPLE_LEAST},
    [ZF_TWO_SAMPLE_NETWORK] = {zf_two_sample_network, ZF_TWO_SAMPLE_LEAST_SPLIT},
};

void zf_two_sample_options_init(zf_two_sample_options *options, size_t size,
                                zf_two_sample_method method)
{
    const zf_two_sample_options all = {
        .method = method,
        .marginals = ZF_MARGINALS_AUTO,
        .permutations = 10000,
        .splits = 1,
        .iterations = 1000,
        .points = 5,
    };
    zf_give(options, size, &all, sizeof all);
}

/* Of one sample, the rows that lie farthest on its side, farthest first; ties in the
   order of the pool. Returns how many. */
static size_t take_points(zf_two_sample_point *to, const zf_pool *pool, const double *witness,
                          bool second, size_t most)
{
    double side = second ? 1 : -1;
    size_t n = 0;
    for (size_t i = 0; most > 0 && i < pool->rows; i++) {
        double value = side * witness[i];
        if ((pool->second[i] != 0) != second || !(value > 0)) continue;
        if (n == most && side * to[n - 1].witness >= value) continue;
        size_t at = n < most ? n++ : most - 1;
        for (; at > 0 && side * to[at - 1].witness < value; at--) to[at] = to[at - 1];
        to[at] = (zf_two_sample_point){second, pool->origin[i], witness[i]};
    }
    return n;
}

zf_status zf_two_sample_explain(zf_two_sample_result *out, const zf_two_sample_call *call,
                                const double *witness, const double *part)
{
    const zf_pool *pool = call->pool;
    size_t most = call->options->points;
    double sum = 0;
    double *share = calloc(pool->columns, sizeof *share);
    zf_two_sample_point *points = calloc(2 * most + 1, sizeof *points);
    if (!share || !points) {
        free(share);
        free(points);
        return zf_fail_memory((pool->columns + 2 * most) * sizeof *points);
    }
    for (size_t k = 0; k < pool->columns; k++) sum += fmax(part[k], 0);
    for (size_t k = 0; k < pool->columns; k++) share[k] = sum > 0 ? fmax(part[k], 0) / sum : 0;
    size_t n = take_points(points, pool, witness, false, most);
    n += take_points(points + n, pool, witness, true, most);
    out->share = share;
    out->points = points;
    out->n_points = n;
    return ZF_OK;
}

static zf_status check_options(const zf_two_sample_options *options)
{
    if (options->permutations < PERMUTATIONS_LEAST || options->permutations > PERMUTATIONS_MOST)
        return zf_fail(ZF_EINVAL, "%zu permutations, expected %d to %d", options->permutations,
                       PERMUTATIONS_LEAST, PERMUTATIONS_MOST);
    if (options->splits < 1)
        return zf_fail(ZF_EINVAL, "expected at least 1 split, found %d", options->splits);
    if (options->iterations < 1) return zf_fail(ZF_EINVAL, "expected at least 1 iteration");
    return ZF_OK;
}

static zf_status run(zf_two_sample_result *out, const zf_pool *pool,
                     const zf_two_sample_options *options, zf_pace *pace)
{
    zf_two_sample_call call = {.pool = pool, .options = options, .pace = pace};
    ZF_TRY(zf_crew_new(&call.crew, options->threads));
    zf_status status = methods[options->method].run(out, &call);
    zf_crew_free(call.crew);
    return status;
}

zf_status zf_two_sample_test_sized(zf_two_sample_result *out, size_t size,
                                   const zf_two_samples *samples,
                                   const zf_two_sample_options *given)
{
    zf_two_sample_options known = zf_two_sample_defaults(given ? given->method : 0);
    const zf_two_sample_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "two_sample"));
    zf_pace pace = zf_pace_begin(&options->report, SHORT_SECONDS);
    zf_pool pool = {0};
    ZF_TRY(check_options(options));
    ZF_TRY(zf_pool_new(&pool, samples, options->marginals, methods[options->method].least,
                       &options->report));
    zf_two_sample_result result = {.scale = "", .rows_used = pool.rows};
    zf_status status = run(&result, &pool, options, &pace);
    zf_pool_free(&pool);
    result.seconds = zf_pace_seconds(&pace);
    if (status == ZF_OK)
        zf_give(out, size, &result, sizeof result);
    else
        zf_two_sample_free(&result);
    return status;
}

void zf_two_sample_free(zf_two_sample_result *result)
{
    free(result->share);
    free(result->points);
    result->share = NULL;
    result->points = NULL;
    zf_clear(result);
}
