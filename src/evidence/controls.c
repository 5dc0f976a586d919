/* Orthogonal greedy search. What is left of the variable's shapes is compared with what is
   left of the shapes of every other variable; the one with the strongest sign joins, and
   functions of it are taken from both sides; until no sign is stronger than chance makes the
   strongest of so many. When single variables end there, products of two are tried, since
   the sign of a product is seen in neither factor alone.

   What a search misses is harmless in a pair as long as the other variable's search has found
   it (Belloni, Chernozhukov and Hansen's double selection, 2014), and what it takes in beyond
   need costs a little power. So it goes on a little longer than a test would.

   Rejected: all other variables as controls, which with few rows leaves no freedom and with
   many is as right but finds less; the gates of a fitted model, which change with its seed. */
#include "evidence/controls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"

enum {
    CONTROLS_LEAST = 2, /* may be found with any number of rows */
    ROWS_A_CONTROL = 12,
    ROWS_A_FUNCTION = 4, /* of the basis */
    FEW_ROWS = 200,      /* with fewer, only functions that show are taken away */
};

static const double CHANCE = 0.1; /* of going on where there is nothing more */
static const double SAME = 1e-8;  /* mean square below which a function is one of the others */

typedef struct search {
    const zf_sample *sample;
    size_t variable;
    zf_arena arena;
    zf_columns left;   /* of the variable's shapes */
    zf_columns others; /* left of the shapes of all variables */
    zf_columns basis;  /* orthonormal; count: columns so far */
    size_t basis_most;
    int32_t *member; /* [variables] */
    double *chance;  /* [variables] of each member that was found */
    size_t n, most;
    unsigned char *taken; /* [variables] */
    double *crossed;      /* [ZF_SHAPES, all shapes], then [variables, variables] twice */
    double *weighted;     /* [variables, N] */
    double *lengths;      /* [all shapes] */
} search;

static zf_status search_new(search *s)
{
    const zf_sample *sample = s->sample;
    size_t rows = sample->rows, all = sample->shapes.count, d = sample->variables;
    bool pairs = zf_sample_sees_interactions(sample);
    zf_columns own = zf_sample_shapes(sample, s->variable);
    size_t effective = (size_t)((double)rows / zf_sample_repetition(sample, &own));
    size_t most = effective / ROWS_A_CONTROL;
    most = most < CONTROLS_LEAST ? CONTROLS_LEAST : most;
    s->most = most < ZF_CONTROLS_MOST ? most : ZF_CONTROLS_MOST;
    if (s->most > d - 1) s->most = d - 1;
    s->basis_most = effective / ROWS_A_FUNCTION;
    ZF_TRY(zf_columns_new(&s->left, &s->arena, ZF_SHAPES, rows));
    ZF_TRY(zf_columns_new(&s->others, &s->arena, all, rows));
    ZF_TRY(zf_columns_new(&s->basis, &s->arena, s->basis_most + s->most, rows));
    s->basis.count = 0;
    size_t crossed = ZF_SHAPES * all > 2 * d * d || !pairs ? ZF_SHAPES * all : 2 * d * d;
    s->crossed = zf_arena_get(&s->arena, crossed * sizeof *s->crossed);
    s->lengths = zf_arena_get(&s->arena, all * sizeof *s->lengths);
    s->taken = zf_arena_get(&s->arena, d);
    s->member = zf_arena_get(&s->arena, d * sizeof *s->member);
    s->chance = zf_arena_get(&s->arena, d * sizeof *s->chance);
    s->weighted = pairs ? zf_arena_get(&s->arena, 2 * d * rows * sizeof *s->weighted) : NULL;
    if (!s->crossed || !s->lengths || !s->taken || !s->member || !s->chance) return ZF_ENOMEM;
    if (pairs && !s->weighted) return ZF_ENOMEM;
    memcpy(s->left.values, zf_sample_shapes(sample, s->variable).values,
           ZF_SHAPES * rows * sizeof *s->left.values);
    memcpy(s->others.values, sample->shapes.values, all * rows * sizeof *s->others.values);
    s->taken[s->variable] = 1;
    return ZF_OK;
}

/* A candidate, and how sure it is that chance made it: its p-value times their number. */
typedef struct candidate {
    size_t first, second; /* the same, if it is a single variable */
    double chance;
} candidate;

/* The p-value of a sign once more, where rows belong together: products are summed within units
   before they are squared. */
static double weigh_units(const search *s, const zf_sign *sign, size_t variable)
{
    const zf_sample *sample = s->sample;
    const double *x = zf_column_at(&s->left, (size_t)sign->x_shape);
    const double *y = zf_column_at(&s->others, variable * ZF_SHAPES + (size_t)sign->y_shape);
    double square = zf_unit_rows_square(sample->first, sample->units, x, y);
    double sum = zf_column_dot(x, y, sample->rows);
    double share = zf_sign_share((size_t)sign->x_shape, (size_t)sign->y_shape, ZF_HEAR_NOTHING);
    return square > 0 ? zf_normal_two_sided(sum / sqrt(square)) / share : INFINITY;
}

static candidate best_single(search *s)
{
    size_t rows = s->sample->rows, all = s->others.count, d = s->sample->variables;
    double freedom = sqrt((double)(rows - 1 - s->basis.count)), lengths[ZF_SHAPES];
    candidate best = {.chance = INFINITY};
    zf_multiply(s->crossed, (zf_factor){s->left.values, false}, (zf_factor){s->others.values, true},
                ZF_SHAPES, all, rows, 1, 0);
    for (size_t k = 0; k < ZF_SHAPES; k++) {
        const double *column = zf_column_at(&s->left, k);
        lengths[k] = sqrt(zf_column_dot(column, column, rows));
    }
    for (size_t j = 0; j < d; j++) {
        zf_sign sign = ZF_SIGN_NONE;
        for (size_t k = 0; k < ZF_SHAPES && !s->taken[j]; k++)
            for (size_t l = 0; l < ZF_SHAPES; l++) {
                size_t at = j * ZF_SHAPES + l;
                double length = lengths[k] * s->lengths[at];
                if (!(length > SAME * (double)rows)) continue;
                zf_sign_weigh(&sign, freedom * s->crossed[k * all + at] / length,
                              zf_sign_share(k, l, ZF_HEAR_NOTHING),
                              (zf_sign){.x_shape = (int)k, .y_shape = (int)l, .third = -1});
            }
        if (s->sample->first && isfinite(sign.p_value)) sign.p_value = weigh_units(s, &sign, j);
        if (sign.p_value < best.chance) best = (candidate){j, j, sign.p_value};
    }
    best.chance *= (double)(d - 1 - s->n);
    return best;
}

/* The strongest product of two scores in what is left of the first shape. */
static candidate best_product(search *s)
{
    const zf_sample *sample = s->sample;
    size_t rows = sample->rows, d = sample->variables, others = d - 1 - s->n;
    const double *left = s->left.values;
    double *squared = s->weighted + d * rows, *squares = s->crossed + d * d, strongest = 0;
    candidate best = {.chance = INFINITY};
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < rows; i++) {
            double product = left[i] * zf_column_at(&sample->scores, j)[i];
            s->weighted[j * rows + i] = product;
            squared[j * rows + i] = product * product;
        }
    zf_multiply(s->crossed, (zf_factor){s->weighted, false},
                (zf_factor){sample->scores.values, true}, d, d, rows, 1, 0);
    zf_multiply(squares, (zf_factor){squared, false},
                (zf_factor){sample->third_squares[0].values, true}, d, d, rows, 1, 0);
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < a; b++) {
            if (s->taken[a] || s->taken[b] || !(squares[a * d + b] > 0)) continue;
            double entry = fabs(s->crossed[a * d + b]) / sqrt(squares[a * d + b]);
            if (entry <= strongest) continue;
            strongest = entry;
            best = (candidate){b, a, 0};
        }
    if (strongest > 0 && sample->first) {
        const double *with = zf_column_at(&sample->scores, best.first);
        strongest = fabs(s->crossed[best.second * d + best.first]) /
                    sqrt(zf_unit_rows_square(sample->first, sample->units,
                                             s->weighted + best.second * rows, with));
    }
    if (strongest > 0)
        best.chance = zf_normal_two_sided(strongest) * (double)others * (double)others / 2;
    return best;
}

static void measure_lengths(search *s)
{
    for (size_t c = 0; c < s->others.count; c++) {
        const double *column = zf_column_at(&s->others, c);
        s->lengths[c] = sqrt(zf_column_dot(column, column, s->others.rows));
    }
}

/* The functions of a new member: its score; its other shapes and its products with the
   members, while there are rows enough. */
static size_t spread_functions(const search *s, zf_columns *to, size_t j)
{
    const zf_sample *sample = s->sample;
    size_t rows = sample->rows, n = 0, room = s->basis_most;
    const double *score = zf_column_at(&sample->scores, j);
    memcpy(zf_column_at(to, n++), score, rows * sizeof *score);
    if (s->basis.count + ZF_SHAPES <= room)
        for (size_t k = 1; k < ZF_SHAPES; k++)
            memcpy(zf_column_at(to, n++), zf_column_at(&sample->shapes, j * ZF_SHAPES + k),
                   rows * sizeof *score);
    if (s->basis.count + n + s->n <= room)
        for (size_t m = 0; m < s->n; m++, n++) {
            const double *other = zf_column_at(&sample->scores, (size_t)s->member[m]);
            for (size_t i = 0; i < rows; i++) zf_column_at(to, n)[i] = score[i] * other[i];
            zf_column_standardise(zf_column_at(to, n), rows);
        }
    return n;
}

/* Leaves the score, and of the other functions those that show in what is left. */
static void keep_showing(const search *s, zf_columns *functions)
{
    size_t rows = functions->rows, n = 1;
    for (size_t k = 1; k < functions->count; k++) {
        const double *column = zf_column_at(functions, k);
        if (!zf_column_shows(column, &s->left)) continue;
        memmove(zf_column_at(functions, n++), column, rows * sizeof *column);
    }
    functions->count = n;
}

static zf_status join(search *s, size_t j, double chance)
{
    zf_columns more;
    ZF_TRY(zf_columns_new(&more, &s->arena, ZF_SHAPES + s->n, s->sample->rows));
    more.count = spread_functions(s, &more, j);
    if (s->basis.count) ZF_TRY(zf_columns_project_out(&more, &s->basis));
    if (s->sample->rows < FEW_ROWS) keep_showing(s, &more);
    ZF_TRY(zf_columns_orthonormalise(&more, NULL, SAME));
    size_t room = s->basis_most + s->most - s->basis.count;
    if (more.count > room) more.count = room;
    memcpy(zf_column_at(&s->basis, s->basis.count), more.values,
           more.count * more.rows * sizeof *more.values);
    s->basis.count += more.count;
    ZF_TRY(zf_columns_project_out(&s->left, &more));
    ZF_TRY(zf_columns_project_out(&s->others, &more));
    s->chance[s->n] = chance;
    s->member[s->n++] = (int32_t)j;
    s->taken[j] = 1;
    return ZF_OK;
}

static zf_status look(search *s)
{
    while (s->n < s->most) {
        measure_lengths(s);
        candidate best = best_single(s);
        if (best.chance > CHANCE && s->weighted && s->n + 2 <= s->most) {
            candidate product = best_product(s);
            if (product.chance < best.chance) best = product;
        }
        if (!(best.chance <= CHANCE)) return ZF_OK;
        ZF_TRY(join(s, best.first, best.chance));
        if (best.second != best.first) ZF_TRY(join(s, best.second, best.chance));
    }
    return ZF_OK;
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

zf_status zf_controls_find(zf_controls *out, const zf_sample *sample, size_t variable)
{
    search s = {.sample = sample, .variable = variable};
    zf_status status = search_new(&s);
    if (status == ZF_OK) status = look(&s);
    if (status == ZF_OK) {
        qsort(s.member, s.n, sizeof *s.member, compare);
        memcpy(out->variable, s.member, s.n * sizeof *s.member);
        out->n = s.n;
    }
    zf_arena_free(&s.arena);
    return status;
}

static zf_status go_on_from(search *s, const int32_t *known, size_t n)
{
    ZF_TRY(search_new(s));
    if (n >= s->most) return ZF_OK;
    for (size_t i = 0; i < n; i++) ZF_TRY(join(s, (size_t)known[i], 0));
    return look(s);
}

zf_status zf_stand_ins_find(zf_changes *out, const zf_sample *sample, size_t variable,
                            const int32_t *known, size_t n)
{
    search s = {.sample = sample, .variable = variable};
    zf_status status = go_on_from(&s, known, n);
    double most = 0;
    out->n = 0;
    for (size_t i = n; status == ZF_OK && i < s.n; i++) {
        most = fmax(most, s.chance[i]);
        out->list[out->n++] = (zf_change){s.member[i], most};
    }
    zf_arena_free(&s.arena);
    return status;
}

bool zf_controls_have(const zf_controls *controls, size_t variable)
{
    for (size_t i = 0; i < controls->n; i++)
        if ((size_t)controls->variable[i] == variable) return true;
    return false;
}
