/* Sums of few of these columns come near to any smooth function of the variables: polynomials
   and waves of single variables, products of two, waves along random directions (random Fourier
   features, Rahimi and Recht 2007) for all that depends on more. */
#include "criterion/functions.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel/index.h"

static const double SAME = 1e-8;      /* variance below which columns are linear in others */
static const double WAVE_SCALE = 0.7; /* of waves beside the others */

zf_status zf_collection_new(zf_collection *out, zf_arena *arena, size_t room, size_t rows)
{
    ZF_TRY(zf_columns_new(&out->columns, arena, room, rows));
    out->columns.count = 0;
    out->room = room;
    return ZF_OK;
}

bool zf_collection_full(const zf_collection *collection)
{
    return collection->columns.count == collection->room;
}

void zf_collection_add(zf_collection *to, const zf_columns *more)
{
    size_t n = to->room - to->columns.count;
    if (more->count < n) n = more->count;
    if (n == 0) return;
    memcpy(zf_collection_next(to), more->values, n * more->rows * sizeof *more->values);
    to->columns.count += n;
}

double *zf_collection_next(const zf_collection *collection)
{
    return zf_column_at(&collection->columns, collection->columns.count);
}

void zf_collection_take(zf_collection *to, double scale)
{
    double *column = zf_collection_next(to);
    if (!zf_column_standardise(column, to->columns.rows)) return;
    for (size_t i = 0; scale != 1 && i < to->columns.rows; i++) column[i] *= scale;
    to->columns.count++;
}

static void spread_single(double *to, const double *score, int function, size_t rows)
{
    switch (function) {
    case 0:
        for (size_t i = 0; i < rows; i++) to[i] = score[i] * score[i];
        return;
    case 1:
        for (size_t i = 0; i < rows; i++) to[i] = score[i] * (score[i] * score[i] - 3);
        return;
    case 2:
        zf_index()->cosine(to, score, 2, -M_PI / 2, rows);
        return;
    default:
        zf_index()->cosine(to, score, 2, 0, rows);
    }
}

void zf_add_single_functions(zf_collection *to, const zf_columns *scores)
{
    for (int function = 0; function < ZF_SINGLE_FUNCTIONS; function++)
        for (size_t j = 0; j < scores->count && !zf_collection_full(to); j++) {
            spread_single(zf_collection_next(to), zf_column_at(scores, j), function, scores->rows);
            zf_collection_take(to, 1);
        }
}

void zf_add_products(zf_collection *to, const zf_columns *scores)
{
    for (size_t a = 0; a < scores->count; a++)
        for (size_t b = a + 1; b < scores->count && !zf_collection_full(to); b++) {
            const double *x = zf_column_at(scores, a), *y = zf_column_at(scores, b);
            double *column = zf_collection_next(to);
            for (size_t i = 0; i < scores->rows; i++) column[i] = x[i] * y[i];
            zf_collection_take(to, 1);
        }
}

void zf_add_cosines(zf_collection *to, const zf_columns *ranks, int first, int last)
{
    for (int k = first; k <= last; k++)
        for (size_t j = 0; j < ranks->count && !zf_collection_full(to); j++) {
            zf_index()->cosine(zf_collection_next(to), zf_column_at(ranks, j), k * M_PI, 0,
                               ranks->rows);
            zf_collection_take(to, 1);
        }
}

void zf_add_waves(zf_collection *to, const zf_columns *scores, const double *weights, uint32_t most,
                  uint64_t seed)
{
    size_t q = scores->count, rows = scores->rows;
    for (uint32_t wave = 0; wave < most && !zf_collection_full(to); wave++) {
        zf_random random = zf_random_at(seed, ZF_FOR_INIT, 0, wave);
        double *column = zf_collection_next(to);
        double length = 0, frequency = 0, phase = 2 * M_PI * zf_random_uniform_double(&random);
        for (int k = 0; k < 3; k++) {
            double value = (double)zf_random_normal(&random);
            frequency += value * value / 3;
        }
        memset(column, 0, rows * sizeof *column);
        for (size_t j = 0; j < q; j++) {
            const double *score = zf_column_at(scores, j);
            double along = (double)zf_random_normal(&random);
            if (weights) along *= weights[j];
            length += along * along;
            for (size_t i = 0; i < rows; i++) column[i] += along * score[i];
        }
        double scale = 1.5 * sqrt(frequency / length);
        zf_index()->cosine(column, column, scale, phase, rows);
        zf_collection_take(to, WAVE_SCALE);
    }
}

static void scale_all(zf_columns *columns, double scale)
{
    for (size_t i = 0; i < columns->count * columns->rows; i++) columns->values[i] *= scale;
}

zf_status zf_whiten(zf_columns *inputs, zf_columns *white, zf_arena *arena,
                    const zf_columns *scores, const zf_columns *raw, double raw_least)
{
    size_t rows = scores->rows;
    zf_columns more;
    zf_collection both;
    ZF_TRY(zf_columns_copy(white, arena, scores));
    ZF_TRY(zf_columns_orthonormalise(white, NULL, SAME));
    ZF_TRY(zf_columns_copy(&more, arena, raw));
    ZF_TRY(zf_columns_project_out(&more, white));
    ZF_TRY(zf_columns_orthonormalise(&more, NULL, raw_least));
    ZF_TRY(zf_collection_new(&both, arena, white->count + more.count, rows));
    zf_collection_add(&both, white);
    zf_collection_add(&both, &more);
    *inputs = both.columns;
    scale_all(inputs, sqrt((double)rows));
    scale_all(white, sqrt((double)rows));
    return ZF_OK;
}
