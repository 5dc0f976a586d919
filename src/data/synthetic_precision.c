/* Precision matrices of the synthetic graphs, their Cholesky factors, and the
   variances that they imply. LAPACK has banded factors too, but lives in
   another room; a chain of 10,000 needs a hundred thousand operations here. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/synthetic.h"

static const double CHAIN_MARGIN = 0.5, CHAIN_END = 0.125, LATTICE_MARGIN = 0.1;
static const double RANDOM_MARGIN = 0.5, RANDOM_LEAST = 0.3, RANDOM_MOST = 0.9;

/* Rows of a draw use the steps from 0 on; the random graph's edges this one. */
static const uint64_t GRAPH_STEP = (uint64_t)1 << 48;

static zf_status band_new(zf_band *band, int d, int width)
{
    size_t count = (size_t)d * ((size_t)width + 1);
    zf_band made = {d, width, calloc(count, sizeof(double))};
    if (!made.values) return zf_fail_memory(count * sizeof(double));
    *band = made;
    return ZF_OK;
}

void zf_band_free(zf_band *band)
{
    free(band->values);
    *band = (zf_band){0};
}

double zf_band_at(const zf_band *band, int i, int j)
{
    if (j > i) return zf_band_at(band, j, i);
    return i - j > band->width ? 0 : zf_band_row(band, i)[j];
}

static int first_column(const zf_band *band, int i)
{
    return i > band->width ? i - band->width : 0;
}

/* Makes every row dominant by the margin. */
static void set_diagonal(zf_band *band, double margin)
{
    for (int i = 0; i < band->d; i++) zf_band_row(band, i)[i] += margin;
    for (int i = 0; i < band->d; i++)
        for (int j = first_column(band, i); j < i; j++) {
            double size = fabs(zf_band_row(band, i)[j]);
            zf_band_row(band, i)[i] += size;
            zf_band_row(band, j)[j] += size;
        }
}

zf_status zf_synthetic_chain(zf_band *precision, int d, int order)
{
    ZF_TRY(band_new(precision, d, order));
    for (int i = 0; i < d; i++) {
        double weight = 0.8;
        for (int j = i - 1; j >= first_column(precision, i); j--, weight /= 2)
            zf_band_row(precision, i)[j] = weight;
    }
    set_diagonal(precision, CHAIN_MARGIN);
    zf_band_row(precision, 0)[0] += CHAIN_END;
    zf_band_row(precision, d - 1)[d - 1] += CHAIN_END;
    return ZF_OK;
}

zf_status zf_synthetic_lattice(zf_band *precision, int side)
{
    ZF_TRY(band_new(precision, side * side, side));
    for (int i = 0; i < side * side; i++) {
        if (i % side > 0) zf_band_row(precision, i)[i - 1] = 1;
        if (i >= side) zf_band_row(precision, i)[i - side] = 1;
    }
    set_diagonal(precision, LATTICE_MARGIN);
    return ZF_OK;
}

/* Floyd's way to draw without repetition: of the numbers up to n - 1, one below
   each of the last `edges`, or that itself if the other is taken. Number
   k = i (i - 1) / 2 + j stands for the pair j < i. */
static void put_edge(zf_band *precision, int64_t k, int64_t otherwise, double weight)
{
    for (int64_t pair = k;; pair = otherwise) {
        int i = (int)((1 + sqrt(1 + 8 * (double)pair)) / 2);
        while ((int64_t)i * (i - 1) / 2 > pair) i--;
        while ((int64_t)(i + 1) * i / 2 <= pair) i++;
        double *entry = &zf_band_row(precision, i)[pair - (int64_t)i * (i - 1) / 2];
        if (*entry != 0) continue;
        *entry = weight;
        return;
    }
}

zf_status zf_synthetic_random(zf_band *precision, int d, int edges, uint64_t seed)
{
    ZF_TRY(band_new(precision, d, d - 1));
    zf_random random = zf_random_at(seed, ZF_FOR_DATA, GRAPH_STEP, 0);
    int64_t pairs = (int64_t)d * (d - 1) / 2;
    for (int64_t last = pairs - edges; last < pairs; last++) {
        int64_t k = zf_random_below(&random, (uint32_t)(last + 1));
        double weight =
            RANDOM_LEAST + (RANDOM_MOST - RANDOM_LEAST) * zf_random_uniform_double(&random);
        put_edge(precision, k, last, zf_random_word(&random) & 1 ? weight : -weight);
    }
    set_diagonal(precision, RANDOM_MARGIN);
    return ZF_OK;
}

zf_status zf_synthetic_independent(zf_band *precision, int d, int width)
{
    ZF_TRY(band_new(precision, d, width));
    for (int i = 0; i < d; i++) zf_band_row(precision, i)[i] = 1;
    return ZF_OK;
}

/* Eight sums side by side, which the compiler can keep in vectors. */
static double dot(const double *a, const double *b, int n)
{
    enum { LANES = 8 };
    double sums[LANES] = {0}, sum = 0;
    int k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++) sums[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++) sum += a[k] * b[k];
    for (int lane = 0; lane < LANES; lane++) sum += sums[lane];
    return sum;
}

zf_status zf_band_factor(zf_band *factor, const zf_band *precision)
{
    ZF_TRY(band_new(factor, precision->d, precision->width));
    for (int i = 0; i < factor->d; i++) {
        double *row = zf_band_row(factor, i);
        const double *from = zf_band_row(precision, i);
        int first = first_column(factor, i);
        for (int j = first; j < i; j++) {
            const double *other = zf_band_row(factor, j);
            row[j] = (from[j] - dot(row + first, other + first, j - first)) / other[j];
        }
        double rest = from[i] - dot(row + first, row + first, i - first);
        if (!(rest > 0)) {
            zf_band_free(factor);
            return zf_fail(ZF_ENUMERIC, "the precision matrix is not positive definite");
        }
        row[i] = sqrt(rest);
    }
    return ZF_OK;
}

/* Takahashi's recursion from the last row up: the entries of the inverse that
   lie within the band need only each other. */
zf_status zf_band_variances(double *variances, const zf_band *factor)
{
    zf_band inverse = {0};
    int d = factor->d;
    ZF_TRY(band_new(&inverse, d, factor->width));
    for (int i = d - 1; i >= 0; i--) {
        double diagonal = zf_band_row(factor, i)[i];
        int last = i + factor->width < d ? i + factor->width : d - 1;
        for (int j = last; j >= i; j--) {
            double sum = j == i ? 1 / diagonal : 0;
            for (int k = i + 1; k <= last; k++)
                sum -= zf_band_row(factor, k)[i] * zf_band_at(&inverse, k, j);
            zf_band_row(&inverse, j)[i] = sum / diagonal;
        }
        variances[i] = zf_band_row(&inverse, i)[i];
    }
    zf_band_free(&inverse);
    return ZF_OK;
}
