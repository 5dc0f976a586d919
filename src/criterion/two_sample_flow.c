/* The flow test: fields in closed form, refitted for every labelling.

   For a scale with standardised witnesses r (mean 0, deviation 1 over the pool), d the
   difference of their means over the two samples, and C their correlations, the field
   that ridge least squares fits has the weights w = (C + ridge)^-1 d, and the mean of
   its h over all pairs is w . d. Both are functions of the labels through d alone,
   which is linear in them: a labelling costs one row of a matrix product, so the fit
   is repeated for every labelling and no rows need be held out.

   Scales whose field is a potential are plain: their witnesses are made so that w = d.

   Each labelling's value becomes a tail probability p, by a chi-square law with the mean and
   variance of the values of all labellings. The sum of weight / p over the scales is the
   labelling's evidence, and its rank among the labellings is the p-value. The chi-square law
   only makes scales comparable; the rank is exact whatever it is, because the observed
   labelling is treated as all others. Rejected: ranks instead of the law, which with 500
   labellings are too coarse for a scale that has a tenth of the level; the largest weight / p
   alone, which loses 0.02 to 0.1 of power where several scales see a difference; sums of
   (weight / p)^r with r from 0 to 1/2 of the scales that see where rows lie, which gain 0.02 on
   moved means and lose up to 0.1 on shares of many clusters.

   Rows pass by in chunks, and labellings are told row by row, so the memory is that
   of the pool, of labellings * (F + 14) numbers, and of F * F at most, whatever N is.
   Letters: N rows, D columns, F features, L labellings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/chi_square.h"
#include "base/error.h"
#include "base/labels.h"
#include "base/p_value.h"
#include "criterion/scales.h"
#include "criterion/two_sample.h"
#include "kernel/lapack.h"
#include "kernel/panel.h"

enum { CHUNK = 1024, ROWS_A_TASK = 64, LABELLINGS_A_TASK = 64 };

/* A witness that varies less than this, as a share of the largest deviation, is
   rounding. */
static const double LEAST_DEVIATION = 1e-5;

/* A statistic below this, as a share of what chance gives, is rounding. */
static const double ROUNDING = 1e-6;

typedef struct flow_test {
    const zf_two_sample_call *call;
    const zf_pool *pool;
    zf_scales scales;
    zf_labels labels;
    size_t features;
    double *mean, *scale; /* [F] of the witnesses; scale is 0 for one that does not vary */
    double *inverse[ZF_SCALE_KINDS]; /* of C + ridge */
    float *metric[ZF_SCALE_KINDS];   /* the same, packed */
    double *chunk;                   /* [CHUNK, F]: standardised witnesses */
    float *floats;                   /* the same */
    float *packed;
    float *label;    /* [workers, LABELLINGS_A_TASK, CHUNK] */
    float *weight;   /* [workers, LABELLINGS_A_TASK, F], at least [F, F] */
    float *sums;     /* [L, F]: of the witnesses over the second sample */
    double *values;  /* [kinds, L]: the statistic of each scale */
    size_t first, n; /* rows of the chunk */
} flow_test;

static void find_witnesses(void *context, int task, int worker)
{
    (void)worker;
    flow_test *t = context;
    size_t from = (size_t)task * ROWS_A_TASK, to = from + ROWS_A_TASK;
    for (size_t i = from; i < to && i < t->n; i++) {
        double *row = t->chunk + i * t->features;
        zf_scales_witness(&t->scales, t->pool, t->first + i, row);
        for (size_t f = 0; f < t->features; f++) {
            row[f] = (row[f] - t->mean[f]) * t->scale[f];
            t->floats[i * t->features + f] = (float)row[f];
        }
    }
}

/* Fills the chunk that begins at row `first`. */
static void take_chunk(flow_test *t, size_t first)
{
    size_t left = t->pool->rows - first;
    t->first = first;
    t->n = left < CHUNK ? left : CHUNK;
    zf_crew_run(t->call->crew, (int)((t->n + ROWS_A_TASK - 1) / ROWS_A_TASK), find_witnesses, t);
}

/* Mean and deviation of every witness, in two passes. */
static zf_status measure(flow_test *t)
{
    size_t rows = t->pool->rows, features = t->features;
    double *sum = calloc(2 * features, sizeof *sum);
    if (!sum) return zf_fail_memory(2 * features * sizeof *sum);
    double *squares = sum + features;
    for (size_t f = 0; f < features; f++) t->scale[f] = 1;
    for (size_t first = 0; first < rows; first += CHUNK) {
        take_chunk(t, first);
        for (size_t i = 0; i < t->n; i++)
            for (size_t f = 0; f < features; f++) sum[f] += t->chunk[i * features + f];
    }
    for (size_t f = 0; f < features; f++) t->mean[f] = sum[f] / (double)rows;
    for (size_t first = 0; first < rows; first += CHUNK) {
        take_chunk(t, first);
        for (size_t i = 0; i < t->n; i++)
            for (size_t f = 0; f < features; f++) {
                double value = t->chunk[i * features + f];
                squares[f] += value * value;
            }
    }
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        const zf_criterion_scale *scale = &t->scales.scale[kind];
        double largest = 0;
        for (size_t f = scale->first; f < scale->first + scale->features; f++)
            largest = fmax(largest, squares[f]);
        for (size_t f = scale->first; f < scale->first + scale->features; f++)
            t->scale[f] = squares[f] > largest * LEAST_DEVIATION * LEAST_DEVIATION
                              ? (scale->plain ? 1 : 1 / sqrt(squares[f] / (double)rows))
                              : 0;
    }
    free(sum);
    return ZF_OK;
}

/* Adds the chunk's products of one scale's witnesses. */
static void add_products(const flow_test *t, const zf_criterion_scale *scale, double *block,
                         double *product, double *to)
{
    size_t n = scale->features;
    for (size_t i = 0; i < t->n; i++)
        memcpy(block + i * n, t->chunk + i * t->features + scale->first, n * sizeof *block);
    zf_cross_product(product, block, t->n, n, 1 / (double)t->pool->rows);
    for (size_t i = 0; i < n * n; i++) to[i] += product[i];
}

/* The inverse once more, as find_values wants it. */
static void pack_metric(flow_test *t, int kind)
{
    size_t n = t->scales.scale[kind].features;
    float *rows = t->weight;
    for (size_t i = 0; i < n * n; i++) rows[i] = (float)t->inverse[kind][i];
    if (n > 0) zf_panel()->pack(t->metric[kind], rows, (int)n, (int)n, (int)n);
}

/* The inverse of correlations + ridge, of every scale. The products are made on the
   calling thread: their order must not depend on threads, and they are cheap. */
static zf_status find_metric(flow_test *t)
{
    size_t most = 0;
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++)
        if (t->scales.scale[kind].features > most) most = t->scales.scale[kind].features;
    double *block = malloc((CHUNK * most + most * most) * sizeof *block);
    if (!block) return zf_fail_memory((CHUNK * most + most * most) * sizeof *block);
    for (size_t first = 0; first < t->pool->rows; first += CHUNK) {
        take_chunk(t, first);
        for (int kind = 0; kind < ZF_SCALE_KINDS; kind++)
            if (t->scales.scale[kind].features > 0 && !t->scales.scale[kind].plain)
                add_products(t, &t->scales.scale[kind], block, block + CHUNK * most,
                             t->inverse[kind]);
    }
    free(block);
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        const zf_criterion_scale *scale = &t->scales.scale[kind];
        size_t n = scale->plain ? 0 : scale->features;
        for (size_t i = 0; i < n; i++) t->inverse[kind][i * n + i] += scale->ridge;
        if (n > 0 && zf_invert_positive(t->inverse[kind], n, 0) != 0)
            return zf_fail(ZF_ENUMERIC,
                           "the correlations of the flow's witnesses (%s) cannot be "
                           "inverted",
                           scale->name);
        if (n > 0) pack_metric(t, kind);
    }
    return ZF_OK;
}

/* Sums of the chunk's witnesses over the rows that some labellings call second. */
static void add_labelled(void *context, int task, int worker)
{
    flow_test *t = context;
    size_t from = (size_t)task * LABELLINGS_A_TASK, left = t->labels.count - from;
    size_t n = left < LABELLINGS_A_TASK ? left : LABELLINGS_A_TASK;
    float *label = t->label + (size_t)worker * LABELLINGS_A_TASK * CHUNK;
    for (size_t i = 0; i < n; i++)
        zf_labels_take(&t->labels, from + i, t->first, t->n, label + i * CHUNK);
    zf_panel()->multiply(t->sums + from * t->features, (int)t->features, label, CHUNK, t->packed,
                         (int)n, (int)t->features, (int)t->n, true);
}

/* 1 / rows of the first sample + 1 / rows of the second: as the witnesses add up to 0,
   this times a sum over the second is the difference of the means. */
static double mean_factor(const zf_pool *pool)
{
    return 1 / (double)pool->of_first + 1 / (double)pool->of_second;
}

/* w . d of every scale for some labellings. */
static void find_values(void *context, int task, int worker)
{
    flow_test *t = context;
    size_t from = (size_t)task * LABELLINGS_A_TASK, left = t->labels.count - from;
    size_t n = left < LABELLINGS_A_TASK ? left : LABELLINGS_A_TASK;
    double factor = mean_factor(t->pool);
    float *weight = t->weight + (size_t)worker * LABELLINGS_A_TASK * t->features;
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        size_t features = t->scales.scale[kind].features;
        bool plain = t->scales.scale[kind].plain;
        const float *sum = t->sums + from * t->features + t->scales.scale[kind].first;
        if (features == 0) continue;
        if (!plain)
            zf_panel()->multiply(weight, (int)features, sum, (int)t->features, t->metric[kind],
                                 (int)n, (int)features, (int)features, false);
        for (size_t i = 0; i < n; i++) {
            double value = 0;
            for (size_t f = 0; f < features; f++)
                value += (double)(plain ? sum[i * t->features + f] : weight[i * features + f]) *
                         sum[i * t->features + f];
            t->values[(size_t)kind * t->labels.count + from + i] = value * factor * factor;
        }
    }
}

/* w of one scale for the observed labelling. */
static void find_weight(const flow_test *t, int kind, double *weight)
{
    const zf_criterion_scale *scale = &t->scales.scale[kind];
    const float *sum = t->sums + scale->first;
    double factor = mean_factor(t->pool);
    for (size_t i = 0; i < scale->features; i++) {
        if (scale->plain) {
            weight[i] = sum[i] * factor;
            continue;
        }
        const double *row = t->inverse[kind] + i * scale->features;
        for (size_t j = 0; j < scale->features; j++) weight[i] += row[j] * sum[j] * factor;
    }
}

static zf_status label_rows(flow_test *t)
{
    int tasks = (int)((t->labels.count + LABELLINGS_A_TASK - 1) / LABELLINGS_A_TASK);
    for (size_t first = 0; first < t->pool->rows; first += CHUNK) {
        take_chunk(t, first);
        zf_panel()->pack(t->packed, t->floats, (int)t->features, (int)t->n, (int)t->features);
        zf_span span = {t->first, t->first + t->n, t->pool->rows};
        ZF_TRY(zf_pace_run(t->call->pace, span, t->call->crew, tasks, add_labelled, t));
        ZF_TRY(zf_pace_tell(t->call->pace, span.to, span.steps));
    }
    zf_crew_run(t->call->crew, tasks, find_values, t);
    return ZF_OK;
}

/* log(e^a + e^b). */
static double log_sum(double a, double b)
{
    double larger = fmax(a, b), smaller = fmin(a, b);
    return smaller == -INFINITY ? larger : larger + log1p(exp(smaller - larger));
}

/* Adds weight / tail probability of a scale's value to evidence[labellings], as logarithms.
   Returns the logarithm of what was added to the observed one; *mean is that of the values. */
static double add_evidence(const flow_test *t, int kind, double *evidence, double *mean)
{
    const double *values = t->values + (size_t)kind * t->labels.count;
    double count = (double)t->labels.count, variance = 0, own = -INFINITY;
    *mean = 0;
    for (size_t i = 0; i < t->labels.count; i++) *mean += values[i] / count;
    for (size_t i = 0; i < t->labels.count; i++)
        variance += (values[i] - *mean) * (values[i] - *mean) / count;
    if (!(*mean > 0) || !(variance > *mean * *mean * 1e-18)) return -INFINITY;
    double unit = variance / (2 * *mean), weight = log(t->scales.scale[kind].weight);
    for (size_t i = t->labels.count; i-- > 0;) {
        own = weight - zf_chi_square_log_tail(values[i] / unit, *mean / unit);
        evidence[i] = log_sum(evidence[i], own);
    }
    return own;
}

static zf_status check_values(const flow_test *t)
{
    for (size_t i = 0; i < ZF_SCALE_KINDS * t->labels.count; i++)
        if (!isfinite(t->values[i]))
            return zf_fail(ZF_ENUMERIC,
                           "the statistic of the scale \"%s\" is %g, expected a finite "
                           "number",
                           t->scales.scale[i / t->labels.count].name, t->values[i]);
    return ZF_OK;
}

/* The scale that says most of the observed labelling, by logarithms. Drift in place of wide
   and clusters if its probability is not more than the root of theirs, as much the same
   difference is seen by all of them, and drift tells plainest which columns differ. */
static int loudest_of(const zf_scales *scales, const double own[ZF_SCALE_KINDS])
{
    int loudest = 0;
    for (int kind = 1; kind < ZF_SCALE_KINDS; kind++)
        if (own[kind] > own[loudest]) loudest = kind;
    if (loudest < ZF_SCALE_WIDE || loudest > ZF_SCALE_EIGHTHS) return loudest;
    double drift = log(scales->scale[ZF_SCALE_DRIFT].weight) - own[ZF_SCALE_DRIFT];
    double place = log(scales->scale[loudest].weight) - own[loudest];
    return 2 * drift <= place ? ZF_SCALE_DRIFT : loudest;
}

/* Combines the scales; *chance is the mean of the loudest one's value over all labellings. */
static zf_status combine(zf_two_sample_result *out, const flow_test *t, int *loudest,
                         double *chance)
{
    size_t count = t->labels.count;
    double own[ZF_SCALE_KINDS], mean[ZF_SCALE_KINDS] = {0};
    double *evidence = malloc(count * sizeof *evidence);
    if (!evidence) return zf_fail_memory(count * sizeof *evidence);
    for (size_t i = 0; i < count; i++) evidence[i] = -INFINITY;
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        bool there = t->scales.scale[kind].features > 0;
        own[kind] = there ? add_evidence(t, kind, evidence, &mean[kind]) : -INFINITY;
    }
    *loudest = loudest_of(&t->scales, own);
    *chance = mean[*loudest];
    out->p_value = 1;
    zf_status status = ZF_OK;
    if (own[*loudest] > -INFINITY) status = zf_p_value_rank(&out->p_value, evidence, count);
    free(evidence);
    return status;
}

/* A ridge makes a field too weak, and that of a plain scale has no unit: to what least squares
   makes of it, the field times the number that fits best. Then the statistic is the square of
   how far apart the samples are in deviations of the witness; variance is that of the
   witness. */
static void rescale(zf_two_sample_result *out, double variance)
{
    if (!(variance > 0)) return;
    double times = out->statistic / variance;
    out->statistic *= times;
    out->effect *= sqrt(times);
}

/* The witness of the loudest scale over the rows, and each coordinate's part. */
static zf_status explain(zf_two_sample_result *out, flow_test *t, int kind)
{
    const zf_pool *pool = t->pool;
    const zf_criterion_scale *scale = &t->scales.scale[kind];
    size_t columns = pool->columns;
    double *memory = calloc(scale->features + pool->rows + 2 * columns, sizeof *memory);
    if (!memory) return zf_fail_memory((pool->rows + scale->features) * sizeof *memory);
    double *weight = memory, *witness = weight + scale->features, *part = witness + pool->rows;
    double *own = part + columns, squares = 0;
    if (out->statistic > 0) find_weight(t, kind, weight);
    for (size_t first = 0; first < pool->rows; first += CHUNK) {
        take_chunk(t, first);
        for (size_t i = 0; i < t->n; i++)
            for (size_t f = 0; f < scale->features; f++)
                witness[first + i] += weight[f] * t->chunk[i * t->features + scale->first + f];
    }
    for (size_t f = 0; f < scale->features; f++) weight[f] *= t->scale[scale->first + f];
    for (size_t i = 0; i < pool->rows; i++) {
        double side = pool->second[i] ? 1 / (double)pool->of_second : -1 / (double)pool->of_first;
        memset(own, 0, columns * sizeof *own);
        zf_scales_parts(&t->scales, (zf_scale_kind)kind, weight, pool, i, own);
        for (size_t k = 0; k < columns; k++) part[k] += side * own[k];
        squares += witness[i] * witness[i];
    }
    double deviation = sqrt(squares / (double)pool->rows);
    rescale(out, deviation * deviation);
    for (size_t i = 0; i < pool->rows; i++) witness[i] = deviation > 0 ? witness[i] / deviation : 0;
    zf_status status = zf_two_sample_explain(out, t->call, witness, part);
    free(memory);
    return status;
}

/* Room for a packed matrix [k, n]. */
static float *panel_new(size_t k, size_t n)
{
    size_t bytes = k > 0 && n > 0 ? zf_panel()->bytes((int)k, (int)n) : 1;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static zf_status allocate(flow_test *t)
{
    size_t n = t->features, count = t->labels.count;
    size_t workers = (size_t)zf_crew_size(t->call->crew);
    size_t weights = workers * LABELLINGS_A_TASK > n ? workers * LABELLINGS_A_TASK : n;
    t->mean = calloc(n, sizeof *t->mean);
    t->scale = calloc(n, sizeof *t->scale);
    t->chunk = calloc(CHUNK * n, sizeof *t->chunk);
    t->floats = calloc(CHUNK * n, sizeof *t->floats);
    t->packed = panel_new(CHUNK, n);
    t->label = calloc(workers * LABELLINGS_A_TASK * CHUNK, sizeof *t->label);
    t->weight = calloc(weights * n, sizeof *t->weight);
    t->sums = calloc(count * n, sizeof *t->sums);
    t->values = calloc(ZF_SCALE_KINDS * count, sizeof *t->values);
    bool all = t->mean && t->scale && t->chunk && t->floats && t->packed && t->label && t->weight &&
               t->sums && t->values;
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        size_t features = t->scales.scale[kind].plain ? 0 : t->scales.scale[kind].features;
        t->inverse[kind] = calloc(features * features + 1, sizeof *t->inverse[kind]);
        t->metric[kind] = panel_new(features, features);
        all = all && t->inverse[kind] && t->metric[kind];
    }
    return all ? ZF_OK : zf_fail_memory(count * n * sizeof *t->sums);
}

static void release(flow_test *t)
{
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        free(t->inverse[kind]);
        free(t->metric[kind]);
    }
    free(t->mean);
    free(t->scale);
    free(t->chunk);
    free(t->floats);
    free(t->packed);
    free(t->label);
    free(t->weight);
    free(t->sums);
    free(t->values);
    zf_labels_free(&t->labels);
    zf_scales_free(&t->scales);
}

static zf_status run(zf_two_sample_result *out, flow_test *t)
{
    const zf_two_sample_options *options = t->call->options;
    int loudest = 0;
    double chance = 0;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(zf_scales_new(&t->scales, t->pool, t->call->crew));
    ZF_TRY(zf_labels_new(&t->labels, t->pool->second, t->pool->rows, options->permutations,
                         options->seed));
    t->features = t->scales.features;
    ZF_TRY(allocate(t));
    ZF_TRY(measure(t));
    ZF_TRY(find_metric(t));
    ZF_TRY(label_rows(t));
    ZF_TRY(check_values(t));
    ZF_TRY(combine(out, t, &loudest, &chance));
    out->scale = t->scales.scale[loudest].name;
    out->statistic = t->values[(size_t)loudest * t->labels.count];
    if (out->statistic < chance * ROUNDING) out->statistic = 0; /* as of the same rows twice */
    out->effect = sqrt(fmax(out->statistic - chance, 0));
    out->labellings = t->labels.count;
    out->enumerated = t->labels.all;
    return explain(out, t, loudest);
}

zf_status zf_two_sample_flow(zf_two_sample_result *out, const zf_two_sample_call *call)
{
    flow_test test = {.call = call, .pool = call->pool};
    zf_status status = run(out, &test);
    release(&test);
    return status;
}
