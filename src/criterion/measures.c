/* Every measure is a ratio of sums over folds, so that leaving one out is a subtraction. */
#include "criterion/measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Of one fold. */
typedef struct sums {
    double squares, error; /* of y about the middle; of y about what was predicted */
    double right, count;
    double above, pairs; /* of a high and a low value, in the right order; ties count half */
} sums;

/* The two values of a target; false: it has more, or one. */
static bool find_two(double *low, double *high, const zf_told *t)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < t->rows; i++) {
        *low = fmin(*low, t->y[i]);
        *high = fmax(*high, t->y[i]);
    }
    for (size_t i = 0; i < t->rows; i++)
        if (t->y[i] != *low && t->y[i] != *high) return false;
    return *low < *high;
}

typedef struct ranked {
    double predicted;
    bool high;
} ranked;

static int compare(const void *a, const void *b)
{
    double x = ((const ranked *)a)->predicted, y = ((const ranked *)b)->predicted;
    return (x > y) - (x < y);
}

/* Pairs in the right order among n rows of a fold. */
static void count_pairs(sums *to, ranked *rows, size_t n)
{
    double low = 0, high = 0;
    qsort(rows, n, sizeof *rows, compare);
    for (size_t i = 0, end; i < n; i = end) {
        double lows = 0, highs = 0;
        for (end = i; end < n && rows[end].predicted == rows[i].predicted; end++)
            *(rows[end].high ? &highs : &lows) += 1;
        to->above += highs * (low + lows / 2);
        low += lows;
        high += highs;
    }
    to->pairs += low * high;
}

static zf_status sum_up(sums *folds, const zf_told *t, const double *predicted, double half)
{
    ranked *rows = malloc(t->rows * sizeof *rows);
    if (!rows) return zf_fail_memory(t->rows * sizeof *rows);
    memset(folds, 0, (size_t)t->folds * sizeof *folds);
    for (int f = 0; f < t->folds; f++) {
        size_t n = 0;
        for (size_t i = 0; i < t->rows; i++) {
            if (t->fold[i] != f) continue;
            double y = t->y[i], off = y - t->middle[i], error = y - predicted[i];
            folds[f].squares += off * off;
            folds[f].error += error * error;
            folds[f].right += (y > half) == (predicted[i] > half);
            folds[f].count += 1;
            rows[n++] = (ranked){predicted[i], y > half};
        }
        count_pairs(&folds[f], rows, n);
    }
    free(rows);
    return ZF_OK;
}

typedef enum measure { R2, ACCURACY, AUC, MEASURES } measure;

/* A measure of all folds but one (-1: of all). */
static double value_without(const sums *folds, int n, measure which, int without)
{
    double part = 0, whole = 0;
    for (int f = 0; f < n; f++) {
        if (f == without) continue;
        part += which == R2 ? folds[f].error : which == AUC ? folds[f].above : folds[f].right;
        whole += which == R2 ? folds[f].squares : which == AUC ? folds[f].pairs : folds[f].count;
    }
    if (!(whole > 0)) return which == AUC ? 0.5 : 0;
    return which == R2 ? 1 - part / whole : part / whole;
}

/* Of a, less b if that is not NULL. */
static zf_estimate measure_of(const sums *a, const sums *b, int n, measure which)
{
    double mean = 0, squares = 0;
    for (int f = 0; f < n; f++) {
        double one = value_without(a, n, which, f) - (b ? value_without(b, n, which, f) : 0);
        double step = one - mean;
        mean += step / (f + 1);
        squares += step * (one - mean);
    }
    return (zf_estimate){.value = value_without(a, n, which, -1) -
                                  (b ? value_without(b, n, which, -1) : 0),
                         .error = sqrt(squares * (n - 1) / n)};
}

zf_status zf_measures_take(zf_prediction *out, const zf_told *told, size_t n_sets)
{
    int n = told->folds;
    double low, high;
    bool two = find_two(&low, &high, told);
    sums *first = malloc(2 * (size_t)n * sizeof *first);
    if (!first) return zf_fail_memory(2 * (size_t)n * sizeof *first);
    sums *own = first + n;
    zf_status status = ZF_OK;
    for (size_t s = 0; s < n_sets && status == ZF_OK; s++) {
        status = sum_up(own, told, told->predicted + s * told->rows, low / 2 + high / 2);
        if (s == 0) memcpy(first, own, (size_t)n * sizeof *own);
        if (status != ZF_OK) break;
        out[s] = (zf_prediction){.r2 = measure_of(own, NULL, n, R2),
                                 .less = measure_of(first, own, n, R2),
                                 .two_valued = two};
        if (two) out[s].accuracy = measure_of(own, NULL, n, ACCURACY);
        if (two) out[s].auc = measure_of(own, NULL, n, AUC);
    }
    free(first);
    return status;
}
