/* If the residual r of a regression on z is noise, the products r_i r_j of different rows have
   mean 0, however close z_i and z_j lie. If something of the mean is left in it, residuals of
   rows that lie close have the same sign more often than not. So the sum of K(z_i, z_j) r_i r_j
   over pairs of rows, K nearness, is compared with what it is if each residual gets a random sign
   and is freed of the basis once more, as it was (the wild bootstrap).

   Nearness counts a variable by how much of the fitted means goes with it, so that a few
   variables that matter are not lost among many that do not. Of two widths the one that shows
   more counts.

   The two residuals of a test of independence look dependent by this only if both miss
   something: then a test that rejects cannot tell dependence from a mean that was missed. If one
   of them is noise, the products have mean 0 whatever is left in the other.

   Large tables are cut into blocks of rows, of which only pairs within a block count.

   Rejected: products of functions of two variables or three as kernels, which saw less of what
   was missed and took heavy tails for it; pairs of a residual of x with one of y, which is the
   very thing that would mislead, but shows it less surely than the two alone.

   Letters: N rows (of a block), Q variables. */
#include "criterion/missed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel/gemm.h"
#include "kernel/lapack.h"
#include "kernel/vector.h"

enum { DRAWS = 40, BLOCK = 1000, WIDTHS = 2, SAMPLE = 64 };

static const double LEAST = 1e-4; /* relevance of a variable, of the largest */
static const float FAR = 1e-8f;   /* nearness that counts as none */
static const double NEAR = 0.3;   /* share of pairs that are within two of the larger width */

typedef struct inspection {
    const zf_given *given;
    const zf_fitted *fitted;
    size_t n, vectors; /* responses; n * (1 + DRAWS) */
    size_t rows;       /* of the table */
    double *weights;   /* [Q], of squared distances, of sum 1 */
    float *residuals;  /* [vectors, rows]: of each response the data's, then draws */
    float *scores;     /* [Q, N] */
    float *products;   /* [N, N] */
    float *kernel;     /* [N, N] */
    float *image;      /* [vectors, N] */
    double *sums;      /* [WIDTHS, vectors] */
} inspection;

static zf_status weigh(inspection *s, zf_arena *arena)
{
    size_t q = s->given->scores.count;
    double most = 0, sum = 0;
    zf_columns shapes, mean;
    ZF_TRY(zf_columns_shapes(&shapes, arena, &s->given->scores));
    ZF_TRY(zf_columns_new(&mean, arena, 1, s->rows));
    for (size_t r = 0; r < s->n; r++) {
        for (size_t i = 0; i < s->rows; i++)
            mean.values[i] = s->fitted[r].response[i] - s->fitted[r].residual[i];
        ZF_TRY(zf_columns_relevance(s->weights, &shapes, mean.values));
    }
    for (size_t j = 0; j < q; j++) most = fmax(most, s->weights[j]);
    for (size_t j = 0; j < q; j++) {
        s->weights[j] = most > 0 ? fmax(s->weights[j] / most, LEAST) : 1;
        sum += s->weights[j];
    }
    for (size_t j = 0; j < q; j++) s->weights[j] /= sum;
    return ZF_OK;
}

/* Flips signs of a residual's rows, DRAWS times, and takes away what the regression would. */
static zf_status draw_residuals(inspection *s, const zf_fitted *f, float *to, uint64_t seed)
{
    const zf_columns *basis = &s->given->basis;
    size_t rows = basis->rows, count = basis->count, total = DRAWS * (rows + count);
    double *vectors = malloc(total * sizeof *vectors);
    if (!vectors) return zf_fail_memory(total * sizeof *vectors);
    double *reach = vectors + DRAWS * rows;
    for (size_t d = 0; d < DRAWS; d++) {
        zf_random random = zf_random_at(seed, ZF_FOR_NULL, d, 1);
        for (size_t i = 0; i < rows; i++)
            vectors[d * rows + i] = zf_random_word(&random) & 1 ? f->residual[i] : -f->residual[i];
    }
    zf_multiply(reach, (zf_factor){vectors, false}, (zf_factor){basis->values, true}, DRAWS, count,
                rows, 1, 0);
    for (size_t d = 0; d < DRAWS; d++)
        for (size_t j = 0; j < count; j++)
            reach[d * count + j] *= 1 - sqrt(fmax(1 - f->taken[j], 0));
    zf_multiply(vectors, (zf_factor){reach, false}, (zf_factor){basis->values, false}, DRAWS, rows,
                count, -1, 1);
    for (size_t i = 0; i < rows; i++) to[i] = (float)f->residual[i];
    for (size_t k = 0; k < DRAWS * rows; k++) to[rows + k] = (float)vectors[k];
    free(vectors);
    return ZF_OK;
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sets s->kernel to nearness in a block of n rows, from the squared distances in it. */
static void measure_nearness(inspection *s, size_t n)
{
    float distances[SAMPLE * SAMPLE] = {0};
    size_t count = 0, step = n > SAMPLE ? n / SAMPLE : 1;
    for (size_t a = 0; a < SAMPLE && a * step < n; a++)
        for (size_t b = 0; b < a; b++) distances[count++] = s->kernel[a * step * n + b * step];
    qsort(distances, count, sizeof *distances, ascending);
    float near = fmaxf(distances[(size_t)(NEAR * (double)count)], 1e-12f) / 4;
    for (size_t k = 0; k < n * n; k++) s->kernel[k] = -fmaxf(s->kernel[k], 0) / near;
    zf_vector()->exp(s->kernel, s->kernel, n * n);
    for (size_t k = 0; k < n * n; k++) /* denormal numbers are slow */
        if (s->kernel[k] < FAR) s->kernel[k] = 0;
    for (size_t i = 0; i < n; i++) s->kernel[i * n + i] = 0;
}

/* sums += v' K v over this block, of each vector v. */
static void add_sums(inspection *s, double *sums, size_t first, size_t n)
{
    zf_gemm(false, false, (int)s->vectors, (int)n, (int)n, 1, s->residuals + first, (int)s->rows,
            s->kernel, (int)n, 0, s->image, (int)n);
    for (size_t v = 0; v < s->vectors; v++) {
        const float *vector = s->residuals + v * s->rows + first, *image = s->image + v * n;
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += (double)vector[i] * (double)image[i];
        sums[v] += sum;
    }
}

static void inspect_block(inspection *s, size_t first, size_t n)
{
    size_t q = s->given->scores.count;
    for (size_t j = 0; j < q; j++) {
        float weight = (float)sqrt(s->weights[j]);
        const double *score = zf_column_at(&s->given->scores, j) + first;
        for (size_t i = 0; i < n; i++) s->scores[j * n + i] = weight * (float)score[i];
    }
    zf_gemm(true, false, (int)n, (int)n, (int)q, 1, s->scores, (int)n, s->scores, (int)n, 0,
            s->products, (int)n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            s->kernel[i * n + j] =
                s->products[i * n + i] + s->products[j * n + j] - 2 * s->products[i * n + j];
    measure_nearness(s, n);
    for (size_t width = 0; width < WIDTHS; width++) {
        add_sums(s, s->sums + width * s->vectors, first, n);
        for (size_t k = 0; width + 1 < WIDTHS && k < n * n; k++) { /* half as wide */
            float square = s->kernel[k] * s->kernel[k];
            s->kernel[k] = square * square;
        }
    }
}

/* The larger of both widths' deviations. */
static double deviation_of(const inspection *s, size_t response)
{
    double most = -INFINITY;
    for (size_t width = 0; width < WIDTHS; width++) {
        const double *sums = s->sums + width * s->vectors + response * (1 + DRAWS);
        double mean = 0, square = 0;
        for (int d = 1; d <= DRAWS; d++) mean += sums[d] / DRAWS;
        for (int d = 1; d <= DRAWS; d++) square += (sums[d] - mean) * (sums[d] - mean) / DRAWS;
        if (square > 0) most = fmax(most, (sums[0] - mean) / sqrt(square));
    }
    return isfinite(most) ? most : 0;
}

static zf_status inspection_new(inspection *s, zf_arena *arena)
{
    size_t block = s->rows < BLOCK ? s->rows : BLOCK;
    s->weights = zf_arena_get(arena, s->given->scores.count * sizeof *s->weights);
    s->sums = zf_arena_get(arena, WIDTHS * s->vectors * sizeof *s->sums);
    s->residuals = zf_arena_get(arena, s->vectors * s->rows * sizeof *s->residuals);
    s->scores = zf_arena_get(arena, s->given->scores.count * block * sizeof *s->scores);
    s->products = zf_arena_get(arena, block * block * sizeof *s->products);
    s->kernel = zf_arena_get(arena, block * block * sizeof *s->kernel);
    s->image = zf_arena_get(arena, s->vectors * block * sizeof *s->image);
    if (!s->weights || !s->sums || !s->residuals || !s->scores || !s->products || !s->kernel ||
        !s->image)
        return ZF_ENOMEM;
    return weigh(s, arena);
}

static zf_status inspect(inspection *s, zf_arena *arena, uint64_t seed)
{
    size_t blocks = (s->rows + BLOCK - 1) / BLOCK;
    ZF_TRY(zf_gemm_open());
    ZF_TRY(inspection_new(s, arena));
    for (size_t r = 0; r < s->n; r++)
        ZF_TRY(draw_residuals(s, &s->fitted[r], s->residuals + r * (1 + DRAWS) * s->rows, seed));
    for (size_t b = 0; b < blocks; b++) {
        size_t first = b * s->rows / blocks;
        inspect_block(s, first, (b + 1) * s->rows / blocks - first);
    }
    return ZF_OK;
}

zf_status zf_missed(double *to, const zf_given *given, const zf_fitted *fitted, size_t n,
                    uint64_t seed)
{
    inspection s = {.given = given,
                    .fitted = fitted,
                    .n = n,
                    .vectors = n * (1 + DRAWS),
                    .rows = given->scores.rows};
    zf_arena arena = {0};
    zf_status status = inspect(&s, &arena, seed);
    for (size_t r = 0; status == ZF_OK && r < n; r++) to[r] = deviation_of(&s, r);
    zf_arena_free(&arena);
    return status;
}
