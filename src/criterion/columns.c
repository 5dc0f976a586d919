/* Double precision throughout: the regressions are solved through cross products,
   which halves the digits, and n rows by some hundred columns cost nothing.
   Columns lie one after the other, unlike the rows of a table, so that each is
   centred, multiplied and appended as one run of memory. */
#include "criterion/columns.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/moments.h"
#include "data/marginals.h"
#include "kernel/index.h"
#include "kernel/lapack.h"

static const double RAW_MOST = 6;   /* deviations */
static const double NOTHING = 1e-8; /* mean square of a column that rounding left */
static const double CHANCE = 2;     /* times the mean square that chance gives a correlation */
static const double SHOWS = 2.5;    /* deviations of a sum of products */

zf_status zf_columns_new(zf_columns *out, zf_arena *arena, size_t count, size_t rows)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, rows * sizeof(double), &bytes))
        return zf_fail_memory(SIZE_MAX);
    double *values = zf_arena_get(arena, bytes);
    if (!values) return ZF_ENOMEM;
    *out = (zf_columns){.values = values, .count = count, .rows = rows};
    return ZF_OK;
}

zf_status zf_columns_copy(zf_columns *out, zf_arena *arena, const zf_columns *of)
{
    ZF_TRY(zf_columns_new(out, arena, of->count, of->rows));
    if (of->count) memcpy(out->values, of->values, of->count * of->rows * sizeof *of->values);
    return ZF_OK;
}

double zf_column_dot(const double *a, const double *b, size_t rows)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= rows; i += 4)
        for (size_t k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < rows; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

bool zf_column_standardise(double *column, size_t rows)
{
    return zf_index()->standardise(column, rows);
}

bool zf_column_shows(const double *column, const zf_columns *responses)
{
    if (!responses) return false;
    size_t rows = responses->rows;
    double length = zf_column_dot(column, column, rows);
    if (!(length > NOTHING * (double)rows)) return false;
    for (size_t r = 0; r < responses->count; r++) {
        const double *response = zf_column_at(responses, r);
        double sum = zf_column_dot(column, response, rows);
        double deviation = sqrt(length * zf_column_dot(response, response, rows) / (double)rows);
        if (fabs(sum) > SHOWS * deviation) return true;
    }
    return false;
}

/* Copies the j-th of the chosen columns to its place. */
static double *take_column(zf_columns *out, size_t j, const zf_chosen *chosen)
{
    const double *from = chosen->values + chosen->which[j];
    double *to = zf_column_at(out, j);
    for (size_t i = 0; i < chosen->rows; i++) to[i] = from[i * chosen->columns];
    return to;
}

zf_status zf_columns_scores(zf_columns *out, zf_arena *arena, const zf_chosen *chosen)
{
    size_t rows = chosen->rows;
    ZF_TRY(zf_columns_new(out, arena, chosen->n, rows));
    for (size_t j = 0; j < chosen->n; j++) {
        double *to = take_column(out, j, chosen);
        ZF_TRY(zf_normal_scores(to, to, rows, 1));
        zf_column_standardise(to, rows);
    }
    return ZF_OK;
}

zf_status zf_columns_ranks(zf_columns *out, zf_arena *arena, const zf_columns *scores)
{
    ZF_TRY(zf_columns_new(out, arena, scores->count, scores->rows));
    for (size_t i = 0; i < scores->count * scores->rows; i++)
        out->values[i] = 0.5 * erfc(-scores->values[i] / sqrt(2));
    return ZF_OK;
}

zf_status zf_columns_raw(zf_columns *out, zf_arena *arena, const zf_chosen *chosen)
{
    size_t rows = chosen->rows;
    ZF_TRY(zf_columns_new(out, arena, chosen->n, rows));
    for (size_t j = 0; j < chosen->n; j++) {
        double *to = take_column(out, j, chosen);
        /* However far from 0 they lie, raw values that differ vary. */
        zf_moments moments = zf_moments_of(to, rows, 1);
        for (size_t i = 0; moments.deviation > 0 && i < rows; i++) {
            double off = (to[i] - moments.mean) / moments.deviation;
            to[i] = fmin(RAW_MOST, fmax(-RAW_MOST, off));
        }
        zf_column_standardise(to, rows);
    }
    return ZF_OK;
}

/* The second and third shape of a score. */
typedef struct bends {
    double second, third;
} bends;

static bends hermite(double s)
{
    return (bends){s * s, s * s * s - 3 * s};
}

static bends legendre(double s)
{
    double u = erf(s / sqrt(2)); /* the rank, from -1 to 1 */
    return (bends){(3 * u * u - 1) / 2, (5 * u * u * u - 3 * u) / 2};
}

static zf_status make_shapes(zf_columns *out, zf_arena *arena, const zf_columns *scores,
                             bends (*bend)(double score))
{
    size_t rows = scores->rows;
    ZF_TRY(zf_columns_new(out, arena, ZF_SHAPES * scores->count, rows));
    for (size_t c = 0; c < scores->count; c++) {
        const double *score = zf_column_at(scores, c);
        double *to = zf_column_at(out, ZF_SHAPES * c);
        for (size_t i = 0; i < rows; i++) {
            double s = score[i];
            bends b = bend(s);
            to[i] = s;
            to[rows + i] = b.second;
            to[2 * rows + i] = b.third;
            to[3 * rows + i] = sin(2 * s);
            to[4 * rows + i] = cos(2 * s);
        }
        for (size_t k = 0; k < ZF_SHAPES; k++) zf_column_standardise(to + k * rows, rows);
    }
    return ZF_OK;
}

zf_status zf_columns_shapes(zf_columns *out, zf_arena *arena, const zf_columns *scores)
{
    return make_shapes(out, arena, scores, hermite);
}

zf_status zf_columns_bounded_shapes(zf_columns *out, zf_arena *arena, const zf_columns *scores)
{
    return make_shapes(out, arena, scores, legendre);
}

zf_status zf_columns_relevance(double *to, const zf_columns *shapes, const double *column)
{
    size_t rows = shapes->rows;
    double *copy = malloc(rows * sizeof *copy);
    if (!copy) return zf_fail_memory(rows * sizeof *copy);
    for (int squared = 0; squared < 2; squared++) {
        for (size_t i = 0; i < rows; i++) copy[i] = squared ? column[i] * column[i] : column[i];
        zf_column_standardise(copy, rows);
        for (size_t k = 0; k < shapes->count; k++) {
            double r = zf_column_dot(copy, zf_column_at(shapes, k), rows) / (double)rows;
            to[k / ZF_SHAPES] += fmax(r * r - CHANCE / (double)rows, 0);
        }
    }
    free(copy);
    return ZF_OK;
}

zf_status zf_columns_orthonormalise(zf_columns *columns, double *weights, double least)
{
    size_t count = columns->count, rows = columns->rows;
    size_t total = count * count + count + count * rows;
    double *memory = malloc((total + 1) * sizeof *memory);
    if (!memory) return zf_fail_memory(total * sizeof *memory);
    double *vectors = memory, *values = memory + count * count, *copy = values + count;
    zf_factor all = {columns->values, false}, across = {columns->values, true};
    zf_multiply(vectors, all, across, count, count, rows, 1 / (double)rows, 0);
    zf_status status = count ? zf_eigenvectors(vectors, values, count) : ZF_OK;
    size_t kept = 0;
    while (status == ZF_OK && kept < count && values[count - 1 - kept] > least) kept++;
    if (status == ZF_OK) {
        size_t first = count - kept;
        for (size_t i = first; i < count; i++) {
            double scale = 1 / sqrt(values[i] * (double)rows);
            for (size_t j = 0; j < count; j++) vectors[i * count + j] *= scale;
            if (weights) weights[i - first] = values[i];
        }
        memcpy(copy, columns->values, count * rows * sizeof *copy);
        zf_multiply(columns->values, (zf_factor){vectors + first * count, false},
                    (zf_factor){copy, false}, kept, rows, count, 1, 0);
        columns->count = kept;
    }
    free(memory);
    return status;
}

zf_status zf_columns_project_out(zf_columns *columns, const zf_columns *basis)
{
    size_t count = columns->count, rows = columns->rows;
    double *shares = malloc((count * basis->count + 1) * sizeof *shares);
    if (!shares) return zf_fail_memory(count * basis->count * sizeof *shares);
    zf_multiply(shares, (zf_factor){columns->values, false}, (zf_factor){basis->values, true},
                count, basis->count, rows, 1, 0);
    zf_multiply(columns->values, (zf_factor){shares, false}, (zf_factor){basis->values, false},
                count, rows, basis->count, -1, 1);
    free(shares);
    return ZF_OK;
}
