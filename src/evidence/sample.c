#include "evidence/sample.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "evidence/hearing.h"

/* Interactions are as many as there are triples of variables. */
enum { INTERACTION_ROWS = 6 }; /* a variable */

bool zf_rows_see_interactions(size_t rows, size_t variables)
{
    return variables > 2 && rows / INTERACTION_ROWS >= variables;
}

bool zf_sample_sees_interactions(const zf_sample *sample)
{
    return zf_rows_see_interactions(sample->rows, sample->variables);
}

double zf_sample_repetition(const zf_sample *sample, const zf_columns *columns)
{
    double most = 1;
    for (size_t k = 0; sample->first && k < columns->count; k++)
        most = fmax(
            most, zf_unit_rows_repetition(sample->first, sample->units, zf_column_at(columns, k)));
    return most;
}

/* Their squared correlation, whose law with normal values Royston (1993) gives. */
bool zf_may_be_normal(const double *column, const double *scores, size_t rows)
{
    enum { ROWS_LEAST = 5, ROWS_MOST = 5000 };
    static const double UPPER = 1.6448536269514722; /* of the standard normal law, 0.05 lie above */
    if (rows < ROWS_LEAST || rows > ROWS_MOST) return false;
    double correlation = zf_column_dot(column, scores, rows) / (double)rows;
    double far = 1 - correlation * correlation, length = log((double)rows);
    double mean = -1.2725 + 1.0521 * (log(length) - length);
    double deviation = 1.0308 - 0.26758 * (log(length) + 2 / length);
    return far > 0 && log(far) < mean + UPPER * deviation;
}

static zf_status take_lines(zf_sample *sample, zf_arena *arena)
{
    size_t rows = sample->rows;
    ZF_TRY(zf_columns_new(&sample->lines, arena, sample->variables, rows));
    for (size_t j = 0; j < sample->variables; j++) {
        const double *raw = zf_column_at(&sample->raw, j),
                     *score = zf_column_at(&sample->scores, j);
        const double *from = zf_may_be_normal(raw, score, rows) ? raw : score;
        memcpy(zf_column_at(&sample->lines, j), from, rows * sizeof *from);
    }
    return ZF_OK;
}

static void take_third(zf_sample *sample, size_t shape, size_t variable)
{
    const double *from = zf_column_at(&sample->shapes, variable * ZF_SHAPES + shape);
    double *to = zf_column_at(&sample->thirds[shape], variable);
    double *square = zf_column_at(&sample->third_squares[shape], variable);
    for (size_t i = 0; i < sample->rows; i++) {
        to[i] = from[i];
        square[i] = from[i] * from[i];
    }
}

zf_status zf_sample_new(zf_sample *out, zf_arena *arena, const zf_unit_rows *from)
{
    size_t rows = from->rows, variables = from->columns;
    zf_sample sample = {.values = from->values,
                        .rows = rows,
                        .variables = variables,
                        .first = from->first,
                        .units = from->units};
    int32_t *all = zf_arena_get(arena, variables * sizeof *all);
    if (!all) return ZF_ENOMEM;
    for (size_t j = 0; j < variables; j++) all[j] = (int32_t)j;
    zf_chosen chosen = {from->values, rows, variables, all, variables};
    ZF_TRY(zf_columns_scores(&sample.scores, arena, &chosen));
    ZF_TRY(zf_columns_ranks(&sample.ranks, arena, &sample.scores));
    ZF_TRY(zf_columns_raw(&sample.raw, arena, &chosen));
    ZF_TRY(take_lines(&sample, arena));
    ZF_TRY(zf_columns_bounded_shapes(&sample.shapes, arena, &sample.scores));
    size_t thirds = zf_sample_sees_interactions(&sample) ? variables : 0;
    for (size_t k = 0; k < ZF_INTERACTIONS; k++) {
        ZF_TRY(zf_columns_new(&sample.thirds[k], arena, thirds, rows));
        ZF_TRY(zf_columns_new(&sample.third_squares[k], arena, thirds, rows));
        for (size_t j = 0; j < thirds; j++) take_third(&sample, k, j);
    }
    ZF_TRY(zf_hearing_of(&sample.hearing, &sample));
    *out = sample;
    return ZF_OK;
}

static zf_status pick(zf_columns *out, zf_arena *arena, const zf_columns *from,
                      const int32_t *which, size_t n)
{
    ZF_TRY(zf_columns_new(out, arena, n, from->rows));
    for (size_t j = 0; j < n; j++)
        memcpy(zf_column_at(out, j), zf_column_at(from, (size_t)which[j]),
               from->rows * sizeof *from->values);
    return ZF_OK;
}

zf_status zf_sample_members(zf_criterion_members *out, zf_arena *arena, const zf_sample *sample,
                            const int32_t *which, size_t n)
{
    ZF_TRY(pick(&out->scores, arena, &sample->scores, which, n));
    ZF_TRY(pick(&out->ranks, arena, &sample->ranks, which, n));
    return pick(&out->raw, arena, &sample->raw, which, n);
}

zf_columns zf_sample_shapes(const zf_sample *sample, size_t variable)
{
    return (zf_columns){zf_column_at(&sample->shapes, variable * ZF_SHAPES), ZF_SHAPES,
                        sample->rows};
}
