/* MMD, energy distance, and MMD with several kernels, which are one test with other kernels:
   with l = 1/m on the rows of the second sample and -1/n on those of the first, all are
   l' K l, with K = exp(-(distance / width)^2), sums of such, or K = -distance. Distances are
   kept, not their squares, whose exponents would not fit where some rows lie far from all
   others.

   As l adds up to 0, K may be centred first, so that its rows and columns add up to 0;
   then the statistic is (1/n + 1/m)^2 s' K s with s = 1 on the second sample, and s for
   many labellings at once is one matrix product.

   Where the statistics of several kernels are aggregated (aggregate.c), each in turn takes
   the place of the one before. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/p_value.h"
#include "baseline/peer.h"
#include "kernel/panel.h"
#include "kernel/vector.h"

enum { ROWS_A_TASK = 32, LABELLINGS_A_BLOCK = 64, WIDTHS = 5, AGGREGATED = 10 };

/* Of the squared median distance: what ZF_PEER_MMD_WIDTHS adds up the kernels of. */
static const double SQUARED_WIDTHS[WIDTHS] = {1.0 / 16, 1.0 / 4, 1, 4, 16};

/* Widths of ZF_PEER_MMDAGG lie between half the first of these quantiles of the distances
   and twice the second. */
static const double QUANTILES[2] = {0.05, 0.95};

/* exp(-this) is 0. */
static const double FARTHEST = 200;

typedef struct kernel_test {
    const zf_peer_call *call;
    size_t rows;
    int kernels;
    double *across; /* [D, N]: the values by columns */
    double *square; /* [workers, N]: squared distances of a row */
    float *power;   /* [workers, N]: exponents of a row */
    float *kernel;  /* [N, N]: distances, then the kernel */
    bool laplace;   /* distances are sums of differences, the kernel is exp(-distance / width) */
    double width[WIDTHS]; /* of the kernels to add up */
    int widths;           /* 0: the kernel is -distance */
    double *mean;         /* [N] of the rows of the kernel */
    double whole;         /* of all of it */
    zf_labels labels;
    size_t first, n; /* labellings of the block */
    float *label;    /* [LABELLINGS_A_BLOCK, N] */
    float *packed;   /* the same, transposed and packed */
    float *product;  /* [workers, ROWS_A_TASK, LABELLINGS_A_BLOCK] */
    double *part;    /* [tasks, LABELLINGS_A_BLOCK]: each task's share of s' K s */
    double *values;  /* [kernels, labellings] */
} kernel_test;

static size_t task_rows(const kernel_test *t, int task, size_t *first)
{
    *first = (size_t)task * ROWS_A_TASK;
    return t->rows - *first < ROWS_A_TASK ? t->rows - *first : ROWS_A_TASK;
}

static int task_count(const kernel_test *t)
{
    return (int)((t->rows + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

/* Distances of some rows from all. */
static void find_distances(void *context, int task, int worker)
{
    kernel_test *t = context;
    size_t first, n = task_rows(t, task, &first), columns = t->call->columns;
    for (size_t i = first; i < first + n; i++) {
        float *row = t->kernel + i * t->rows;
        double *square = t->square + (size_t)worker * t->rows;
        memset(square, 0, t->rows * sizeof *square);
        for (size_t k = 0; k < columns; k++) {
            const double *other = t->across + k * t->rows;
            double own = other[i];
            if (t->laplace)
                for (size_t j = 0; j < t->rows; j++) square[j] += fabs(own - other[j]);
            else
                for (size_t j = 0; j < t->rows; j++)
                    square[j] += (own - other[j]) * (own - other[j]);
        }
        for (size_t j = 0; j < t->rows; j++)
            row[j] = (float)(t->laplace ? square[j] : sqrt(square[j]));
    }
}

/* Row i of distances to the sum of the kernels. */
static void kernel_row(const kernel_test *t, float *row, float *power, double *sum)
{
    memset(sum, 0, t->rows * sizeof *sum);
    for (int w = 0; w < t->widths; w++) {
        for (size_t j = 0; j < t->rows; j++) {
            double share = row[j] / t->width[w];
            power[j] = (float)-fmin(t->laplace ? share : share * share, FARTHEST);
        }
        zf_vector()->exp(power, power, t->rows);
        for (size_t j = 0; j < t->rows; j++) sum[j] += power[j];
    }
    for (size_t j = 0; j < t->rows; j++) row[j] = t->widths > 0 ? (float)sum[j] : -row[j];
}

/* Distances to the kernel, with the means of its rows. */
static void find_kernel(void *context, int task, int worker)
{
    kernel_test *t = context;
    size_t first, n = task_rows(t, task, &first), scratch = (size_t)worker * t->rows;
    for (size_t i = first; i < first + n; i++) {
        float *row = t->kernel + i * t->rows;
        double sum = 0;
        kernel_row(t, row, t->power + scratch, t->square + scratch);
        for (size_t j = 0; j < t->rows; j++) sum += row[j];
        t->mean[i] = sum / (double)t->rows;
    }
}

static void centre_kernel(void *context, int task, int worker)
{
    (void)worker;
    kernel_test *t = context;
    size_t first, n = task_rows(t, task, &first);
    for (size_t i = first; i < first + n; i++)
        for (size_t j = 0; j < t->rows; j++)
            t->kernel[i * t->rows + j] =
                (float)(t->kernel[i * t->rows + j] - t->mean[i] - t->mean[j] + t->whole);
}

/* The distance above the diagonal that `rank` others are below or beside: by its bits,
   whose order is that of the numbers as none is negative, in two passes. */
static float ranked_distance(const kernel_test *t, size_t rank, size_t *count)
{
    uint32_t chosen = 0;
    for (int half = 0; half < 2; half++) {
        memset(count, 0, ((size_t)1 << 16) * sizeof *count);
        for (size_t i = 0; i < t->rows; i++)
            for (size_t j = i + 1; j < t->rows; j++) {
                uint32_t bits;
                memcpy(&bits, &t->kernel[i * t->rows + j], sizeof bits);
                if (half == 0)
                    count[bits >> 16]++;
                else if (bits >> 16 == chosen >> 16)
                    count[bits & 0xffff]++;
            }
        uint32_t at = 0;
        while (rank >= count[at]) rank -= count[at++];
        chosen |= half == 0 ? at << 16 : at;
    }
    float found;
    memcpy(&found, &chosen, sizeof found);
    return found;
}

/* The distance that a share of all pairs are nearer than; of the median of an even number,
   the mean of the middle two. Where that is 0, the smallest that is not, for the result must
   not depend on units; 1 where all are 0. */
static double quantile(const kernel_test *t, double share, size_t *count)
{
    size_t pairs = t->rows * (t->rows - 1) / 2, at = (size_t)(share * (double)(pairs - 1));
    bool between = share == 0.5 && pairs % 2 == 0;
    double low = ranked_distance(t, at, count);
    double found = between ? (low + ranked_distance(t, at + 1, count)) / 2 : low;
    if (found > 0) return found;
    found = ranked_distance(t, pairs - 1, count);
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = i + 1; j < t->rows; j++) {
            double distance = t->kernel[i * t->rows + j];
            if (distance > 0 && distance < found) found = distance;
        }
    return found > 0 ? found : 1;
}

/* The widths of one kernel of the method, from the distances. */
static zf_status find_widths(kernel_test *t, int which)
{
    zf_peer method = t->call->options->method;
    t->widths = 0;
    if (method == ZF_PEER_ENERGY) return ZF_OK;
    size_t *count = malloc(((size_t)1 << 16) * sizeof *count);
    if (!count) return zf_fail_memory(((size_t)1 << 16) * sizeof *count);
    if (method == ZF_PEER_MMDAGG) {
        double low = quantile(t, QUANTILES[0], count) / 2;
        double high = quantile(t, QUANTILES[1], count) * 2;
        t->width[0] = low * pow(high / low, which % AGGREGATED / (AGGREGATED - 1.0));
        t->widths = 1;
    } else {
        double median = quantile(t, 0.5, count);
        t->widths = method == ZF_PEER_MMD ? 1 : WIDTHS;
        for (int w = 0; w < t->widths; w++)
            t->width[w] = t->widths == 1 ? median : median * sqrt(SQUARED_WIDTHS[w]);
    }
    free(count);
    return ZF_OK;
}

/* Some rows' share of s' K s, for the labellings of the block. */
static void find_parts(void *context, int task, int worker)
{
    kernel_test *t = context;
    size_t first, n = task_rows(t, task, &first);
    float *product = t->product + (size_t)worker * ROWS_A_TASK * LABELLINGS_A_BLOCK;
    double *part = t->part + (size_t)task * LABELLINGS_A_BLOCK;
    zf_panel()->multiply(product, LABELLINGS_A_BLOCK, t->kernel + first * t->rows, (int)t->rows,
                         t->packed, (int)n, (int)t->n, (int)t->rows, false);
    for (size_t p = 0; p < t->n; p++) {
        part[p] = 0;
        for (size_t i = 0; i < n; i++)
            part[p] +=
                (double)product[i * LABELLINGS_A_BLOCK + p] * t->label[p * t->rows + first + i];
    }
}

static void take_label(void *context, int task, int worker)
{
    (void)worker;
    kernel_test *t = context;
    zf_labels_take(&t->labels, t->first + (size_t)task, 0, t->rows,
                   t->label + (size_t)task * t->rows);
}

/* The statistics of one kernel, of every labelling. */
static zf_status find_values(kernel_test *t, int which)
{
    double *values = t->values + (size_t)which * t->labels.count;
    uint64_t steps = t->labels.count * (uint64_t)t->kernels;
    double factor = 1 / (double)t->call->first_rows + 1 / (double)t->call->second_rows;
    for (t->first = 0; t->first < t->labels.count; t->first += LABELLINGS_A_BLOCK) {
        size_t left = t->labels.count - t->first;
        t->n = left < LABELLINGS_A_BLOCK ? left : LABELLINGS_A_BLOCK;
        zf_crew_run(t->call->crew, (int)t->n, take_label, t);
        zf_panel()->pack_transposed(t->packed, t->label, (int)t->rows, (int)t->rows, (int)t->n);
        zf_crew_run(t->call->crew, task_count(t), find_parts, t);
        for (size_t p = 0; p < t->n; p++) {
            double sum = 0;
            for (int task = 0; task < task_count(t); task++)
                sum += t->part[(size_t)task * LABELLINGS_A_BLOCK + p];
            values[t->first + p] = sum * factor * factor;
        }
        ZF_TRY(zf_pace_tell(t->call->pace, (uint64_t)which * t->labels.count + t->first + t->n,
                            steps));
    }
    return ZF_OK;
}

static zf_status prepare(kernel_test *t)
{
    const zf_peer_call *call = t->call;
    size_t rows = t->rows, workers = (size_t)zf_crew_size(call->crew);
    size_t packed = zf_panel()->bytes((int)rows, LABELLINGS_A_BLOCK);
    t->across = malloc(rows * call->columns * sizeof *t->across);
    t->square = malloc(workers * rows * sizeof *t->square);
    t->power = malloc(workers * rows * sizeof *t->power);
    t->kernel = malloc(rows * rows * sizeof *t->kernel);
    t->mean = malloc(rows * sizeof *t->mean);
    t->label = malloc(LABELLINGS_A_BLOCK * rows * sizeof *t->label);
    t->packed = aligned_alloc(64, (packed + 63) / 64 * 64);
    t->product = malloc(workers * ROWS_A_TASK * LABELLINGS_A_BLOCK * sizeof *t->product);
    t->part = malloc((size_t)task_count(t) * LABELLINGS_A_BLOCK * sizeof *t->part);
    t->values = malloc((size_t)t->kernels * (call->options->permutations + 1) * sizeof *t->values);
    if (!t->across || !t->square || !t->power || !t->kernel || !t->mean || !t->label ||
        !t->packed || !t->product || !t->part || !t->values)
        return zf_fail_memory(rows * rows * sizeof *t->kernel);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < call->columns; k++)
            t->across[k * rows + i] = call->values[i * call->columns + k];
    return ZF_OK;
}

/* Before the labellings of a kernel, all of its rows. */
static zf_status run_rows(kernel_test *t, int which, zf_task task)
{
    uint64_t count = t->labels.count, done = (uint64_t)which * count;
    zf_span span = {done, done, count * (uint64_t)t->kernels};
    return zf_pace_run(t->call->pace, span, t->call->crew, task_count(t), task, t);
}

/* One kernel after the other; labellings are told from their first row again for each. */
static zf_status run_kernel(kernel_test *t, int which, const uint8_t *second)
{
    const zf_peer_options *options = t->call->options;
    t->laplace = which >= AGGREGATED;
    zf_labels_free(&t->labels);
    ZF_TRY(zf_labels_new(&t->labels, second, t->rows, options->permutations, options->seed));
    ZF_TRY(run_rows(t, which, find_distances));
    ZF_TRY(find_widths(t, which));
    ZF_TRY(run_rows(t, which, find_kernel));
    t->whole = 0;
    for (size_t i = 0; i < t->rows; i++) t->whole += t->mean[i] / (double)t->rows;
    ZF_TRY(run_rows(t, which, centre_kernel));
    return find_values(t, which);
}

static zf_status run(zf_peer_result *out, kernel_test *t, const uint8_t *second)
{
    zf_peer method = t->call->options->method;
    ZF_TRY(prepare(t));
    for (int which = 0; which < t->kernels; which++) ZF_TRY(run_kernel(t, which, second));
    out->labellings = t->labels.count;
    if (method == ZF_PEER_MMDAGG)
        return zf_peer_aggregate(out, t->values, t->kernels, t->labels.count);
    /* An energy distance has the unit of the values. */
    out->statistic = t->values[0] * (method == ZF_PEER_ENERGY ? t->call->unit : 1);
    return zf_p_value_rank(&out->p_value, t->values, t->labels.count);
}

zf_status zf_kernel_test(zf_peer_result *out, const zf_peer_call *call)
{
    bool aggregates = call->options->method == ZF_PEER_MMDAGG;
    kernel_test test = {
        .call = call, .rows = call->rows, .kernels = aggregates ? 2 * AGGREGATED : 1};
    uint8_t *second = calloc(call->rows, 1);
    if (!second) return zf_fail_memory(call->rows);
    memset(second + call->first_rows, 1, call->second_rows);
    zf_status status = run(out, &test, second);
    zf_labels_free(&test.labels);
    free(test.across);
    free(test.square);
    free(test.power);
    free(test.kernel);
    free(test.mean);
    free(test.label);
    free(test.packed);
    free(test.product);
    free(test.part);
    free(test.values);
    free(second);
    return status;
}
