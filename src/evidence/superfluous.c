/* Backward elimination: a blanket is the smallest set that is enough, and its edges and stand-ins
   were found without a look back. A pair is tested given controls that were chosen, not given the
   blanket that comes out; and a stand-in may say what two edges before it said together. So each
   member is tested once more, given all others, and the one that is needed least leaves, one at a
   time, because of two members that tell the same one has to stay. What is needed beside many is
   needed beside fewer, but for rare cases, so that after one has left only the next to leave is
   tested anew.

   A member is looked at twice: by a straight line, a partial correlation of scores given the
   scores of the others; if that does not show it, by the test of pairs, which sees any form. The
   smaller p-value counts. Nothing joins here, so there is no false discovery to control: what
   matters is that nothing needed leaves. Freed of flexible functions of all others, a weak straight
   line is hard to see (diabetes, 309 rows: blood pressure 0.06, by a straight line 0.002), and the
   first look is nearly free, so that in most blankets few members take the second.

   Rejected: the second look alone (diabetes lost another 0.02 of R2); held-out accuracy in place of
   a test (a member is worth its standard error where it is two deviations from chance, which is a
   test by another name and costs a regression for every fold). */
#include "evidence/superfluous.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "evidence/pairs.h"

enum { ROWS_A_MEMBER = 8 }; /* or units */

static const double SAME = 1e-8;     /* mean square below which a column is a function of others */
static const double CERTAIN = 1e-12; /* 1 - r^2 */

/* A variable, and one of its members given the others. */
typedef struct look {
    const zf_sample *sample;
    size_t variable, member;
    int32_t others[ZF_CONTROLS_MOST]; /* ascending */
    size_t n;
    zf_columns *both; /* to work with, as zf_pair_given */
    zf_arena *scratch;
} look;

static zf_status copy_scores(zf_columns *out, zf_arena *arena, const zf_sample *sample,
                             const int32_t *which, size_t n)
{
    ZF_TRY(zf_columns_new(out, arena, n, sample->rows));
    for (size_t i = 0; i < n; i++)
        memcpy(zf_column_at(out, i), zf_column_at(&sample->scores, (size_t)which[i]),
               sample->rows * sizeof *out->values);
    return ZF_OK;
}

/* What the scores of the others leave of the two. */
static zf_status take_scores(zf_columns *both, const look *l, zf_arena *arena)
{
    zf_columns others;
    int32_t two[] = {(int32_t)l->variable, (int32_t)l->member};
    ZF_TRY(copy_scores(both, arena, l->sample, two, 2));
    ZF_TRY(copy_scores(&others, arena, l->sample, l->others, l->n));
    ZF_TRY(zf_columns_orthonormalise(&others, NULL, SAME));
    return zf_columns_project_out(both, &others);
}

/* How often chance alone correlates the two as much, in the normal law; where rows belong together,
   from sums over units. */
static double line_chance(const zf_columns *both, const look *l)
{
    const zf_sample *sample = l->sample;
    const double *x = zf_column_at(both, 0), *y = zf_column_at(both, 1);
    size_t rows = sample->rows;
    double x_square = zf_column_dot(x, x, rows), y_square = zf_column_dot(y, y, rows);
    double least = SAME * (double)rows, sum = zf_column_dot(x, y, rows);
    if (!(x_square > least && y_square > least)) return 1;
    if (sample->first) {
        double square = zf_unit_rows_square(sample->first, sample->units, x, y);
        return square > 0 ? zf_normal_two_sided(sum / sqrt(square)) : 1;
    }
    double square = fmin(sum * sum / (x_square * y_square), 1 - CERTAIN);
    double freedom = (double)rows - 2 - (double)l->n;
    return zf_normal_two_sided(sqrt(-freedom * log1p(-square)));
}

static zf_status look_for_line(double *chance, const look *l)
{
    zf_columns both;
    zf_arena_clear(l->scratch);
    ZF_TRY(take_scores(&both, l, l->scratch));
    *chance = line_chance(&both, l);
    return ZF_OK;
}

/* The p-value of a member given the others, or, where a straight line shows that it is needed at
   this level, that of the line. */
static zf_status test_member(double *chance, const look *l, double level)
{
    zf_sign sign;
    ZF_TRY(look_for_line(chance, l));
    if (*chance <= level) return ZF_OK;
    ZF_TRY(zf_pair_given(&sign, l->sample, l->variable, l->member, l->others, l->n, l->both,
                         l->scratch));
    *chance = fmin(*chance, sign.p_value);
    return ZF_OK;
}

/* The members that are left, and what is known of each. */
typedef struct left_members {
    int32_t variable[ZF_CONTROLS_MOST]; /* ascending */
    double chance[ZF_CONTROLS_MOST];    /* when it was tested last */
    bool fresh[ZF_CONTROLS_MOST];       /* since then none has left */
    size_t n;
} left_members;

static zf_status test_one(left_members *left, size_t i, look *l, double level)
{
    const int32_t *members = left->variable;
    l->n = left->n - 1;
    l->member = (size_t)members[i];
    memcpy(l->others, members, i * sizeof *members);
    memcpy(l->others + i, members + i + 1, (l->n - i) * sizeof *members);
    left->fresh[i] = true;
    return test_member(&left->chance[i], l, level);
}

/* The one with the largest p-value, which is tested anew until it is fresh. */
static zf_status find_least(size_t *place, left_members *left, look *l, double level)
{
    for (;;) {
        size_t most = 0;
        for (size_t i = 1; i < left->n; i++)
            if (left->chance[i] > left->chance[most]) most = i;
        *place = most;
        if (left->fresh[most] || left->chance[most] <= level) return ZF_OK;
        ZF_TRY(test_one(left, most, l, level));
    }
}

static void leave(left_members *left, size_t place)
{
    size_t after = left->n - 1 - place;
    memmove(left->variable + place, left->variable + place + 1, after * sizeof *left->variable);
    memmove(left->chance + place, left->chance + place + 1, after * sizeof *left->chance);
    memset(left->fresh, 0, sizeof left->fresh);
    left->n--;
}

zf_status zf_superfluous_find(zf_changes *out, const zf_sample *sample, size_t variable,
                              const int32_t *members, size_t n, double level, zf_columns *both,
                              zf_arena *scratch)
{
    look l = {.sample = sample, .variable = variable, .both = both, .scratch = scratch};
    left_members left = {.n = n};
    double least = 1;
    size_t place;
    out->n = 0;
    if (n * ROWS_A_MEMBER > sample->units) return ZF_OK;
    memcpy(left.variable, members, n * sizeof *members);
    for (size_t i = 0; i < n && n > 1; i++) ZF_TRY(test_one(&left, i, &l, level));
    while (left.n > 1) {
        ZF_TRY(find_least(&place, &left, &l, level));
        if (left.chance[place] <= level) return ZF_OK;
        least = fmin(least, left.chance[place]);
        out->list[out->n++] = (zf_change){left.variable[place], least};
        leave(&left, place);
    }
    return ZF_OK;
}
