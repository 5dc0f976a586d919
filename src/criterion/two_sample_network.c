/* The test with a network as field: the paper's flow, trained on one half of each
   sample, judged on pairs of the other halves.

   Given the field and the two members of every pair, but not which of them is of the
   first sample, each pair's h has either sign with the same chance if the laws are
   equal. So the rank of the mean of h among means with random signs is an exact
   p-value, however the field was found.

   Several splits give several such p-values that depend on each other in unknown
   ways. Twice their mean is a valid p-value whatever the dependence (Rueschendorf,
   1982; Vovk and Wang, 2020). Letters: N rows of the pool, D columns, P pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/p_value.h"
#include "base/random.h"
#include "criterion/two_sample.h"
#include "zeroflow/flow.h"

enum { HIDDEN = 128, LAYERS = 2, BATCH = 256 };

typedef struct network_test {
    const zf_two_sample_call *call;
    const zf_pool *pool;
    size_t trained[2], pairs;
    size_t *rows[2]; /* rows of the pool of each sample, in a drawn order: those trained on
                        come first */
    size_t *column;  /* [columns]: of the pool, those that vary in training */
    size_t columns;
    double *train[2];          /* [trained, columns] */
    double *middle, *velocity; /* [P, columns] */
    double *h;                 /* [P] */
    double *witness;           /* [N]: sums over the splits */
    double *part;              /* [D] */
    double statistic, effect, p;
} network_test;

static const float *pool_row(const network_test *t, int sample, size_t i)
{
    return t->pool->local + t->rows[sample][i] * t->pool->columns;
}

/* Draws an order of each sample's rows; the first half is for training. The draw is over
   the rows as they were given: over those of the pool, which stand by their values, it
   would part low from high in the same way in every sample, and no longer be fair. */
static zf_status split(network_test *t, int which)
{
    const zf_pool *pool = t->pool;
    uint32_t *order = malloc(pool->rows * sizeof *order);
    size_t *plain = malloc(pool->rows * sizeof *plain);
    if (!order || !plain) {
        free(order);
        free(plain);
        return zf_fail_memory(pool->rows * sizeof *plain);
    }
    for (int s = 0; s < 2; s++) {
        size_t n = s ? pool->of_second : pool->of_first;
        for (size_t i = 0; i < pool->rows; i++)
            if (pool->second[i] == s) plain[pool->origin[i]] = i;
        zf_random random =
            zf_random_at(t->call->options->seed, ZF_FOR_SPLIT, (uint64_t)which, (uint32_t)s);
        zf_random_permutation(&random, order, n);
        for (size_t i = 0; i < n; i++) t->rows[s][i] = plain[order[i]];
    }
    free(order);
    free(plain);
    return ZF_OK;
}

static bool varies(const network_test *t, size_t column)
{
    float first = pool_row(t, 0, 0)[column];
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < t->trained[s]; i++)
            if (pool_row(t, s, i)[column] != first) return true;
    return false;
}

static void take_training_rows(network_test *t)
{
    t->columns = 0;
    for (size_t k = 0; k < t->pool->columns; k++)
        if (varies(t, k)) t->column[t->columns++] = k;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < t->trained[s]; i++)
            for (size_t k = 0; k < t->columns; k++)
                t->train[s][i * t->columns + k] = pool_row(t, s, i)[t->column[k]];
}

/* The velocity at the middle of every pair of held-out rows. */
static zf_status find_velocity(network_test *t, int which)
{
    const zf_two_sample_options *options = t->call->options;
    zf_flow_options wish = zf_flow_defaults();
    zf_flow *flow = NULL;
    wish.hidden = HIDDEN;
    wish.layers = LAYERS;
    wish.batch = BATCH;
    wish.iterations = options->iterations;
    wish.seed = options->seed + (uint64_t)which;
    wish.threads = options->threads;
    wish.report = options->report;
    zf_status status =
        zf_flow_fit(&flow, NULL, (zf_flow_sample){t->train[0], t->trained[0], t->columns},
                    (zf_flow_sample){t->train[1], t->trained[1], t->columns}, &wish);
    for (size_t i = 0; status == ZF_OK && i < t->pairs; i++)
        for (size_t k = 0; k < t->columns; k++)
            t->middle[i * t->columns + k] = (pool_row(t, 0, t->trained[0] + i)[t->column[k]] +
                                             pool_row(t, 1, t->trained[1] + i)[t->column[k]]) /
                                            2;
    if (status == ZF_OK)
        status = zf_flow_velocity(flow, 0.5, t->middle, NULL, NULL, t->pairs, t->velocity);
    zf_flow_free(flow);
    return status;
}

/* Rank of the mean of h among those with random signs. */
static zf_status flip(network_test *t, int which, double mean)
{
    const zf_two_sample_options *options = t->call->options;
    double *values = malloc((options->permutations + 1) * sizeof *values);
    if (!values) return zf_fail_memory((options->permutations + 1) * sizeof *values);
    values[0] = mean;
    for (size_t f = 1; f <= options->permutations; f++) {
        zf_random random = zf_random_at(options->seed, ZF_FOR_NULL, f, (uint32_t)which);
        double sum = 0;
        uint32_t bits = 0;
        for (size_t i = 0; i < t->pairs; i++, bits >>= 1) {
            if (i % 32 == 0) bits = zf_random_word(&random);
            sum += bits & 1 ? t->h[i] : -t->h[i];
        }
        values[f] = sum / (double)t->pairs;
    }
    double p = 1;
    zf_status status = zf_p_value_rank(&p, values, options->permutations + 1);
    t->p += p / options->splits;
    free(values);
    return status;
}

/* h of every pair, its mean, and who gives what to it. */
static double judge(network_test *t)
{
    double mean = 0, squares = 0, pairs = (double)t->pairs, splits = t->call->options->splits;
    for (size_t i = 0; i < t->pairs; i++) {
        t->h[i] = 0;
        for (size_t k = 0; k < t->columns; k++) {
            size_t column = t->column[k];
            double difference = (double)pool_row(t, 1, t->trained[1] + i)[column] -
                                pool_row(t, 0, t->trained[0] + i)[column];
            double part = t->velocity[i * t->columns + k] * difference;
            t->h[i] += part;
            t->part[column] += part / pairs / splits;
        }
        mean += t->h[i] / pairs;
    }
    for (size_t i = 0; i < t->pairs; i++) squares += (t->h[i] - mean) * (t->h[i] - mean) / pairs;
    double deviation = sqrt(squares);
    for (size_t i = 0; deviation > 0 && i < t->pairs; i++) {
        t->witness[t->rows[0][t->trained[0] + i]] -= t->h[i] / deviation / splits;
        t->witness[t->rows[1][t->trained[1] + i]] += t->h[i] / deviation / splits;
    }
    t->statistic += mean / splits;
    if (deviation > 0) t->effect += mean / deviation / splits;
    return mean;
}

static zf_status run_split(network_test *t, int which)
{
    ZF_TRY(split(t, which));
    take_training_rows(t);
    if (t->columns == 0)
        return zf_fail(ZF_EINPUT, "no column varies within the halves that are trained on");
    ZF_TRY(find_velocity(t, which));
    return flip(t, which, judge(t));
}

static zf_status allocate(network_test *t)
{
    const zf_pool *pool = t->pool;
    size_t columns = pool->columns, sizes[2] = {pool->of_first, pool->of_second};
    bool all = true;
    for (int s = 0; s < 2; s++) {
        t->trained[s] = sizes[s] / 2;
        t->rows[s] = malloc(sizes[s] * sizeof *t->rows[s]);
        t->train[s] = malloc(t->trained[s] * columns * sizeof *t->train[s]);
        all = all && t->rows[s] && t->train[s];
    }
    size_t first = sizes[0] - t->trained[0], second = sizes[1] - t->trained[1];
    t->pairs = first < second ? first : second;
    t->column = malloc(columns * sizeof *t->column);
    t->middle = malloc(t->pairs * columns * sizeof *t->middle);
    t->velocity = malloc(t->pairs * columns * sizeof *t->velocity);
    t->h = malloc(t->pairs * sizeof *t->h);
    t->witness = calloc(pool->rows, sizeof *t->witness);
    t->part = calloc(columns, sizeof *t->part);
    all = all && t->column && t->middle && t->velocity && t->h && t->witness && t->part;
    return all ? ZF_OK : zf_fail_memory(pool->rows * columns * sizeof *t->middle);
}

static void release(network_test *t)
{
    for (int s = 0; s < 2; s++) {
        free(t->rows[s]);
        free(t->train[s]);
    }
    free(t->column);
    free(t->middle);
    free(t->velocity);
    free(t->h);
    free(t->witness);
    free(t->part);
}

zf_status zf_two_sample_network(zf_two_sample_result *out, const zf_two_sample_call *call)
{
    network_test test = {.call = call, .pool = call->pool};
    zf_status status = allocate(&test);
    for (int which = 0; status == ZF_OK && which < call->options->splits; which++)
        status = run_split(&test, which);
    if (status == ZF_OK) {
        out->statistic = test.statistic;
        out->effect = test.effect;
        out->p_value = call->options->splits == 1 ? test.p : fmin(1, 2 * test.p);
        out->labellings = call->options->permutations + 1;
        status = zf_two_sample_explain(out, call, test.witness, test.part);
    }
    release(&test);
    return status;
}
