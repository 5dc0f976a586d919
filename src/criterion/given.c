/* The basis, in two parts.

   Least squares (without shrinkage, hence without bias):
   - the normal scores of the variables, and what the variables themselves add to
     them where their tails are heavy;
   - functions of the directions along which the shapes of x, and of y, change
     (pursuit.c): post-nonlinear models, whose mean is a function of one index,
     have all their mean here, in any dimension;
   - of a single variable, if there is but one, functions of its score and cosines of
     its rank; of several, functions of one or two that show (screen.c).

   These columns stand in parts: the scores, the raw variables, the functions of each
   direction, and so on. The scores are fitted always, each other part to those responses
   in which it shows. So a linear law costs no more freedom than a linear regression does,
   which with 30 variables and 300 rows is half of the power.

   Of a direction's functions a response takes the smoothest ones, as many as show, if no
   tails are heavy: all of them cost a linear law a tenth of its rows where these are few.

   Ridge regression on what is left, with penalties for each response by generalised
   cross-validation, then lowered: one for functions of single variables, down to fine
   ones, and one for products of two and random Fourier features, as smooth curves of
   single variables are far likelier than either. All count by how much their variables
   matter for what the first part explains. It may take nothing, and does for linear laws.

   The modulators are for dependence whose sign changes with the variables, as that of
   X = (Z + E)^2 on E does with the sign of Z, and whose mean is 0: the indices of the
   directions, the product of the first of x and the first of y, and up to five
   variables themselves.

   That errors of the two regressions multiply (Shah and Peters, 2020) is what keeps
   the level: what noise does to one of them is independent of the other, and only
   a mean that both fail to find is seen as dependence. So the penalty is lowered:
   variance is harmless, bias is not.

   Rejected: neighbours in the variables, which are far in 20 dimensions; kernel
   ridge regression, for the same reason (see pursuit.c) and for its n^3. */
#include "criterion/given.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "criterion/functions.h"
#include "criterion/pursuit.h"
#include "criterion/screen.h"
#include "kernel/lapack.h"

enum {
    COSINES = 15,
    RIDGE_MOST = 640,     /* columns in the second part */
    PURSUIT_INPUTS = 128, /* with more, no direction is looked for */
    LEAST_ROWS = 50,
    ROWS_A_RAW = 20, /* of each variable: with fewer, raw ones join as fits alone */
    ROWS_A_SCREENED = 10,
    WAVES = 200,       /* in directions of variables that matter */
    WAVES_LEAST = 100, /* beside all other functions */
    ROWS_A_VARIABLE = 5,
    PENALTIES = 12,
    FINE_FIRST = 3, /* cosines of single variables, beside their other functions */
    FINEST = 10,
    MODULATED = 5, /* variables */
    MODULATORS = MODULATED + 2 * ZF_DIRECTIONS + 1,
};

static const double RAW_LEAST = 0.001; /* of a variable's variance: what its scores leave */
static const double SAME = 1e-8;       /* variance below which columns are linear in others */
static const double RAW_LIGHT = 0.05;  /* as RAW_LEAST: tails with less are not heavy */
static const double SMOOTH_COST = 3; /* times noise: what a function of a direction must explain */
static const double RIDGE_LEAST = 1e-4; /* variance below which ridge columns are left out */
static const double UNDERSMOOTH = 0.3;
static const double PROFILE_SAME = 1e-6; /* as SAME, of what profiles add to what is before */
static const double RAW_MUCH = 0.03;     /* as RAW_LEAST, with few rows */
static const double SHOWS = 0.5;         /* deviations by which a part explains more than noise */
static const double RELEVANCE_LEAST = 0.01; /* of a variable, of the largest */
static const double PENALTY_FIRST = 1e-4, PENALTY_STEP = 3.1622776601683795;

size_t zf_given_least_rows(size_t variables)
{
    size_t least = ROWS_A_VARIABLE * variables;
    return least > LEAST_ROWS ? least : LEAST_ROWS;
}

/* The two parts of a basis that is being built, and the modulators. */
typedef struct build {
    zf_arena *arena;
    zf_columns inputs, white; /* of the variables */
    zf_collection plain, ridge, modulators;
    bool light;          /* no variable has heavy tails */
    size_t *ends, parts; /* of the plain columns */
    size_t undirected;   /* parts before those of directions */
    size_t single;       /* ridge columns that are functions of single variables */
    double *relevance;   /* [variables], of the largest; NULL: all alike */
} build;

/* White inputs: the scores first, then what the raw variables add: with few rows, only where
   that is much, as under heavy tails. */
static zf_status whiten(build *b, const zf_columns *scores, const zf_chosen *variables)
{
    size_t rows = scores->rows, q = scores->count;
    zf_columns raw;
    double added;
    ZF_TRY(zf_columns_raw(&raw, b->arena, variables));
    ZF_TRY(zf_whiten(&b->inputs, &b->white, &added, b->arena, scores, &raw,
                     rows < ROWS_A_RAW * q ? RAW_MUCH : RAW_LEAST));
    b->light = added < RAW_LIGHT;
    if (rows < 2 * ROWS_A_VARIABLE * q) b->inputs.count = b->white.count;
    return ZF_OK;
}

/* Makes what stands behind the last part a part of its own: orthonormal, to what is before it
   too. What it adds must be more than `least` of a column's variance. */
static zf_status end_part(build *b, double least)
{
    zf_columns *plain = &b->plain.columns;
    size_t first = b->parts ? b->ends[b->parts - 1] : 0;
    if (plain->count == first) return ZF_OK;
    zf_columns before = {plain->values, first, plain->rows};
    zf_columns part = {zf_column_at(plain, first), plain->count - first, plain->rows};
    ZF_TRY(zf_columns_project_out(&part, &before));
    ZF_TRY(zf_columns_orthonormalise(&part, NULL, least));
    plain->count = first + part.count;
    if (part.count) b->ends[b->parts++] = plain->count;
    return ZF_OK;
}

/* Sets *index to that of the first direction; NULL: none was found. */
static zf_status add_directions(build *b, const zf_columns *responses, const double **index)
{
    zf_directions found;
    *index = NULL;
    if (!responses) return ZF_OK;
    ZF_TRY(zf_pursue(&found, b->arena, &b->inputs, &b->white, responses, ZF_PURSUE_ALL));
    for (int t = 0; t < found.count; t++) {
        zf_columns *profile = &found.profile[t];
        for (size_t k = 0; k < ZF_PROFILE; k++)
            zf_column_standardise(zf_column_at(profile, k), profile->rows);
        if (b->plain.room - b->plain.columns.count >= ZF_PROFILE)
            zf_collection_add(&b->plain, profile);
        ZF_TRY(end_part(b, PROFILE_SAME));
        zf_collection_add(&b->modulators, &(zf_columns){profile->values, 1, profile->rows});
        if (t == 0) *index = profile->values;
    }
    return ZF_OK;
}

static zf_status follow(build *b, const zf_columns *x, const zf_columns *y)
{
    const double *along_x, *along_y;
    size_t rows = b->inputs.rows;
    ZF_TRY(add_directions(b, x, &along_x));
    ZF_TRY(add_directions(b, y, &along_y));
    if (!along_x || !along_y) return ZF_OK;
    double *column = zf_column_at(&b->modulators.columns, b->modulators.columns.count);
    for (size_t i = 0; i < rows; i++) column[i] = along_x[i] * along_y[i];
    zf_collection_take(&b->modulators, 1);
    return ZF_OK;
}

/* With few rows, in place of the raw variables: their sums with the coefficients that the scores
   have for the first shape of each response. */
static zf_status add_raw_fits(build *b, const zf_columns *scores, const zf_chosen *variables,
                              const zf_columns *x, const zf_columns *y)
{
    const zf_columns *sides[] = {x, y};
    size_t rows = scores->rows, q = scores->count;
    zf_columns raw;
    double *cross = zf_arena_get(b->arena, (q * q + 2 * q + 1) * sizeof *cross);
    if (!cross) return ZF_ENOMEM;
    double *reach = cross + q * q, *share = reach + q;
    ZF_TRY(zf_columns_raw(&raw, b->arena, variables));
    zf_multiply(cross, (zf_factor){scores->values, false}, (zf_factor){scores->values, true}, q, q,
                rows, 1, 0);
    ZF_TRY(zf_invert_symmetric(cross, q));
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; sides[side] && r < sides[side]->count && !zf_collection_full(&b->plain);
             r += ZF_SHAPES) {
            zf_factor response = {zf_column_at(sides[side], r), true};
            double *column = zf_column_at(&b->plain.columns, b->plain.columns.count);
            zf_multiply(reach, (zf_factor){scores->values, false}, response, q, 1, rows, 1, 0);
            zf_multiply(share, (zf_factor){cross, false}, (zf_factor){reach, false}, q, 1, q, 1, 0);
            zf_multiply(column, (zf_factor){share, false}, (zf_factor){raw.values, false}, 1, rows,
                        q, 1, 0);
            zf_collection_take(&b->plain, 1);
            ZF_TRY(end_part(b, SAME));
        }
    return ZF_OK;
}

/* Sets b->relevance, from what the plain columns explain of the responses; left: what they do
   not. */
static zf_status find_relevance(build *b, const zf_columns *scores, const zf_columns *responses,
                                const zf_columns *left)
{
    size_t rows = scores->rows, q = scores->count;
    zf_columns shapes, mean;
    double most = 0;
    ZF_TRY(zf_columns_shapes(&shapes, b->arena, scores));
    ZF_TRY(zf_columns_new(&mean, b->arena, 1, rows));
    b->relevance = zf_arena_get(b->arena, q * sizeof *b->relevance);
    if (!b->relevance) return ZF_ENOMEM;
    for (size_t r = 0; r < left->count; r++) {
        const double *response = zf_column_at(responses, r), *rest = zf_column_at(left, r);
        for (size_t i = 0; i < rows; i++) mean.values[i] = response[i] - rest[i];
        ZF_TRY(zf_columns_relevance(b->relevance, &shapes, mean.values));
    }
    for (size_t j = 0; j < q; j++) most = fmax(most, b->relevance[j]);
    for (size_t j = 0; j < q; j++) {
        double share = most > 0 ? b->relevance[j] / most : 1;
        b->relevance[j] = fmax(share, RELEVANCE_LEAST);
    }
    return ZF_OK;
}

/* Functions that show in these responses join, each as a part. They are all in `left`, which
   loses what the basis explains. */
static zf_status add_screened(build *b, const zf_columns *scores, zf_columns *left, size_t most)
{
    size_t before = b->plain.columns.count;
    zf_screen_basis basis = {b->plain.columns, b->plain.room};
    ZF_TRY(zf_screen(&basis, b->arena, scores, left, most));
    b->plain.columns.count = basis.columns.count;
    for (size_t k = before; k < basis.columns.count; k++) b->ends[b->parts++] = k + 1;
    return ZF_OK;
}

/* Functions of what explains a variable itself. If X is a function of f(Z) and noise, then the
   means of all its shapes are functions of f(Z), but may be no short sums of simple ones. */
static zf_status add_fits(build *b, const zf_columns *scores, const zf_columns *x,
                          const zf_columns *y)
{
    const zf_columns *sides[] = {x, y};
    size_t rows = scores->rows, count = ((x ? x->count : 0) + (y ? y->count : 0)) / ZF_SHAPES;
    zf_collection responses, left;
    if (count == 0) return ZF_OK;
    double *index = zf_arena_get(b->arena, (1 + 2 * ZF_PROFILE) * rows * sizeof *index);
    if (!index) return ZF_ENOMEM;
    zf_columns profile = {index + rows, ZF_PROFILE, rows};
    ZF_TRY(zf_collection_new(&responses, b->arena, count, rows));
    ZF_TRY(zf_collection_new(&left, b->arena, count, rows));
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; sides[side] && r < sides[side]->count; r += ZF_SHAPES)
            zf_collection_add(&responses, &(zf_columns){zf_column_at(sides[side], r), 1, rows});
    zf_collection_add(&left, &responses.columns);
    ZF_TRY(add_screened(b, scores, &left.columns, rows / ROWS_A_SCREENED / 2));
    for (size_t r = 0; r < count; r++) {
        const double *all = zf_column_at(&responses.columns, r);
        const double *rest = zf_column_at(&left.columns, r);
        for (size_t i = 0; i < rows; i++) index[i] = all[i] - rest[i];
        if (!zf_column_standardise(index, rows)) continue;
        zf_spread_profile(profile.values, profile.values + ZF_PROFILE * rows, index, rows);
        for (size_t k = 0; k < ZF_PROFILE; k++)
            zf_column_standardise(zf_column_at(&profile, k), rows);
        if (b->plain.room - b->plain.columns.count < ZF_PROFILE) break;
        zf_collection_add(&b->plain, &profile);
        ZF_TRY(end_part(b, PROFILE_SAME));
    }
    return ZF_OK;
}

/* The functions of single variables and of two that show join, each as a part. */
static zf_status screen(build *b, const zf_columns *scores, const zf_columns *x,
                        const zf_columns *y)
{
    size_t rows = scores->rows;
    size_t count = (x ? x->count : 0) + (y ? y->count : 0);
    zf_collection responses, left;
    ZF_TRY(zf_collection_new(&responses, b->arena, count, rows));
    ZF_TRY(zf_collection_new(&left, b->arena, count, rows));
    if (x) zf_collection_add(&responses, x);
    if (y) zf_collection_add(&responses, y);
    zf_collection_add(&left, &responses.columns);
    ZF_TRY(add_screened(b, scores, &left.columns, rows / ROWS_A_SCREENED));
    return find_relevance(b, scores, &responses.columns, &left.columns);
}

/* The variables themselves. */
static zf_status add_inputs(build *b, const zf_columns *scores, const zf_chosen *variables,
                            const zf_columns *x, const zf_columns *y)
{
    size_t rows = scores->rows, linear = b->white.count;
    zf_columns raw = {zf_column_at(&b->inputs, linear), b->inputs.count - linear, rows};
    zf_collection_add(&b->plain, &(zf_columns){b->inputs.values, linear, rows});
    ZF_TRY(end_part(b, SAME));
    if (rows < ROWS_A_RAW * scores->count) ZF_TRY(add_raw_fits(b, scores, variables, x, y));
    zf_collection_add(&b->plain, &raw);
    ZF_TRY(end_part(b, SAME));
    if (variables->n <= MODULATED) zf_collection_add(&b->modulators, scores);
    return ZF_OK;
}

/* Columns that there may be besides the inputs. */
static size_t extra_room(const build *b, size_t rows)
{
    size_t third = rows / 3, most = third > b->inputs.count ? third - b->inputs.count : 0;
    return rows < most ? rows : most;
}

static zf_status build_plain(build *b, const zf_columns *scores, const zf_chosen *variables,
                             const zf_columns *x, const zf_columns *y)
{
    size_t rows = variables->rows;
    ZF_TRY(whiten(b, scores, variables));
    size_t room = b->inputs.count + extra_room(b, rows);
    ZF_TRY(zf_collection_new(&b->plain, b->arena, room, rows));
    ZF_TRY(zf_collection_new(&b->modulators, b->arena, MODULATORS, rows));
    b->ends = zf_arena_get(b->arena, (room + 1) * sizeof *b->ends);
    if (!b->ends) return ZF_ENOMEM;
    ZF_TRY(add_inputs(b, scores, variables, x, y));
    b->undirected = b->parts;
    if (b->inputs.count <= PURSUIT_INPUTS) ZF_TRY(follow(b, x, y));
    if (variables->n == 1) {
        zf_columns ranks;
        ZF_TRY(zf_columns_ranks(&ranks, b->arena, scores));
        zf_add_single_functions(&b->plain, scores, NULL);
        zf_add_cosines(&b->plain, &ranks, NULL, 1, COSINES);
    }
    ZF_TRY(end_part(b, SAME));
    if (variables->n > 1) ZF_TRY(add_fits(b, scores, x, y));
    return variables->n > 1 ? screen(b, scores, x, y) : ZF_OK;
}

/* Makes the ridge columns from `first` on orthonormal, to all before them too. */
static zf_status end_ridge(build *b, double *weights, size_t first)
{
    zf_columns *ridge = &b->ridge.columns;
    zf_columns before = {ridge->values, first, ridge->rows};
    zf_columns group = {zf_column_at(ridge, first), ridge->count - first, ridge->rows};
    ZF_TRY(zf_columns_project_out(&group, &b->plain.columns));
    if (first) ZF_TRY(zf_columns_project_out(&group, &before));
    ZF_TRY(zf_columns_orthonormalise(&group, weights + first, RIDGE_LEAST));
    ridge->count = first + group.count;
    return ZF_OK;
}

static zf_status build_ridge(build *b, const zf_columns *scores, double *weights, uint64_t seed)
{
    zf_columns ranks;
    ZF_TRY(zf_columns_ranks(&ranks, b->arena, scores));
    zf_add_single_functions(&b->ridge, scores, b->relevance);
    zf_add_cosines(&b->ridge, &ranks, b->relevance, FINE_FIRST, FINEST);
    ZF_TRY(end_ridge(b, weights, 0));
    b->single = b->ridge.columns.count;
    zf_add_products(&b->ridge, scores, b->relevance);
    zf_add_waves(&b->ridge, scores, b->relevance, b->relevance ? WAVES : WAVES_LEAST, seed);
    return end_ridge(b, weights, b->single);
}

/* How many columns build_ridge may add for so many variables. */
static size_t ridge_columns(size_t n)
{
    size_t single = ZF_SINGLE_FUNCTIONS + FINEST - FINE_FIRST + 1;
    return single * n + n * (n - 1) / 2 + WAVES_LEAST;
}

zf_status zf_given_build(zf_given *out, zf_arena *arena, const zf_chosen *variables,
                         const zf_columns *x, const zf_columns *y, uint64_t seed)
{
    size_t rows = variables->rows, room = rows / 2 < RIDGE_MOST ? rows / 2 : RIDGE_MOST;
    zf_given given = {0};
    size_t needed = ridge_columns(variables->n);
    build b = {.arena = arena};
    if (needed < room) room = needed;
    if (variables->n == 1) room = 0; /* cosines say it all */
    zf_collection all;
    ZF_TRY(zf_columns_scores(&given.scores, arena, variables));
    ZF_TRY(build_plain(&b, &given.scores, variables, x, y));
    given.weights = zf_arena_get(arena, (room + 1) * sizeof *given.weights);
    if (!given.weights) return ZF_ENOMEM;
    ZF_TRY(zf_collection_new(&b.ridge, arena, room, rows));
    ZF_TRY(build_ridge(&b, &given.scores, given.weights, seed));
    given.plain = b.plain.columns.count;
    given.ends = b.ends;
    given.parts = b.parts;
    given.undirected = b.undirected;
    given.light = b.light;
    given.single = b.single;
    if (b.inputs.count == b.white.count) given.searched = b.inputs.count;
    ZF_TRY(zf_collection_new(&all, arena, given.plain + b.ridge.columns.count, rows));
    zf_collection_add(&all, &b.plain.columns);
    zf_collection_add(&all, &b.ridge.columns);
    given.basis = all.columns;
    given.modulators = b.modulators.columns;
    *out = given;
    return ZF_OK;
}

/* Penalty number k, in units of a column's mean square; the last takes nothing. */
static double penalty_at(int k)
{
    return k == PENALTIES - 1 ? INFINITY : PENALTY_FIRST * pow(PENALTY_STEP, k);
}

static double share_of(double weight, double penalty)
{
    return weight / (weight + penalty);
}

/* What ridge columns take: degrees of freedom, and of a sum of squares. */
typedef struct toll {
    double degrees, squares;
} toll;

/* Ridge columns from first to end at a penalty. reach: the response's coordinates on them all. */
static toll toll_of(const zf_given *given, const double *reach, size_t first, size_t end,
                    double penalty)
{
    toll sum = {0};
    for (size_t j = first; j < end; j++) {
        double share = share_of(given->weights[j], penalty);
        sum.degrees += share;
        sum.squares += share * (2 - share) * reach[j] * reach[j];
    }
    return sum;
}

/* The penalty of the columns from first to end with the least generalised cross-validation error.
   left, degrees: the response's sum of squares without all other columns, and what these took. */
static double choose_penalty(const zf_given *given, const double *reach, size_t first, size_t end,
                             double left, double degrees)
{
    double rows = (double)given->basis.rows, best = INFINITY, chosen = INFINITY;
    for (int k = 0; k < PENALTIES; k++) {
        double penalty = penalty_at(k);
        toll own = toll_of(given, reach, first, end, penalty);
        double freedom = 1 - (1 + degrees + own.degrees) / rows;
        if (freedom < 0.1) continue;
        double error = (left - own.squares) / (freedom * freedom);
        if (error < best) {
            best = error;
            chosen = penalty;
        }
    }
    return chosen;
}

/* Penalties of the functions of single variables and of the others, each given the other, the
   first twice. left, fitted: of the response without the plain columns that were fitted to it. */
static void choose_penalties(double penalties[2], const zf_given *given, const double *reach,
                             double left, size_t fitted)
{
    const size_t ends[] = {0, given->single, given->basis.count - given->plain};
    penalties[0] = penalties[1] = INFINITY;
    for (int step = 0; step < 3; step++) {
        int g = step % 2, other = 1 - g;
        toll rest = toll_of(given, reach, ends[other], ends[other + 1], penalties[other]);
        penalties[g] = choose_penalty(given, reach, ends[g], ends[g + 1], left - rest.squares,
                                      (double)fitted + rest.degrees);
    }
    for (int g = 0; g < 2; g++) penalties[g] *= UNDERSMOOTH;
}

/* What so many columns of noise would explain of a response, in units of its noise, and somewhat
   more. What is missed below that is too little to look like dependence, even if two responses
   miss the same. A direction that was looked for explains more by chance. */
static double chance_of(const zf_given *given, size_t part, size_t columns)
{
    double chance = (double)columns + SHOWS * sqrt(2 * (double)columns);
    return part > 0 && columns > 1 ? chance + (double)given->searched : chance;
}

/* Which parts of the plain columns are fitted to a response: shares of 1, of the others 0. The
   first part always is. noise: the variance of what no column explains; NAN: what is left after
   each part in turn. */
typedef struct choice {
    double *share;
    size_t taken; /* columns */
    double left;  /* sum of squares of the response without them */
} choice;

/* How many of a part's columns are fitted, the last ones, which are the smoothest. each: the
   variance of noise. */
static size_t count_showing(const zf_given *given, const double *reach, size_t part, size_t columns,
                            double each)
{
    double explained = zf_column_dot(reach, reach, columns), most = 0;
    size_t taken = 0;
    if (part == 0) return columns;
    if (part < given->undirected || columns == 1 || !given->light)
        return explained > chance_of(given, part, columns) * each ? columns : 0;
    explained = 0;
    for (size_t k = 1; k <= columns; k++) {
        explained += reach[columns - k] * reach[columns - k];
        double beyond = explained - each * (SMOOTH_COST * (double)k + (double)given->searched);
        if (beyond <= most) continue;
        most = beyond;
        taken = k;
    }
    return taken;
}

static void choose_parts(choice *c, const zf_given *given, const double *reach, double noise)
{
    double rows = (double)given->basis.rows;
    for (size_t p = 0, first = 0, end; p < given->parts; p++, first = end) {
        end = given->ends[p];
        double explained = zf_column_dot(reach + first, reach + first, end - first);
        double freedom = rows - 1 - (double)(c->taken + end - first);
        double each = isnan(noise) ? (c->left - explained) / fmax(freedom, 1) : noise;
        size_t taken = count_showing(given, reach + first, p, end - first, each);
        for (size_t j = first; j < end; j++) c->share[j] = j >= end - taken;
        c->taken += taken;
        c->left -= zf_column_dot(reach + end - taken, reach + end - taken, taken);
    }
}

/* Twice, as what is chosen first tells the noise. all: the response's sum of squares. */
static choice take_parts(double *share, const zf_given *given, const double *reach, double all)
{
    choice c = {.share = share, .left = all};
    if (given->parts == 0) {
        for (size_t j = 0; j < given->plain; j++) share[j] = 1;
        c.taken = given->plain;
        c.left -= zf_column_dot(reach, reach, given->plain);
        return c;
    }
    choose_parts(&c, given, reach, NAN);
    double noise = c.left / fmax((double)given->basis.rows - 1 - (double)c.taken, 1);
    c = (choice){.share = share, .left = all};
    choose_parts(&c, given, reach, noise);
    return c;
}

/* The shares that each response has of the basis, from its coordinates, which become
   what is to be taken away. */
static void shrink(const zf_given *given, const zf_columns *responses, double *reach, double *taken)
{
    size_t count = given->basis.count, plain = given->plain;
    for (size_t r = 0; r < responses->count; r++, reach += count, taken += count) {
        const double *response = zf_column_at(responses, r);
        choice plainly =
            take_parts(taken, given, reach, zf_column_dot(response, response, responses->rows));
        double penalties[2];
        choose_penalties(penalties, given, reach + plain, plainly.left, plainly.taken);
        for (size_t j = 0; j < count; j++) {
            double penalty = j < plain ? 0 : penalties[j - plain >= given->single];
            double share = j < plain ? taken[j] : share_of(given->weights[j - plain], penalty);
            reach[j] *= share;
            taken[j] = share * (2 - share);
        }
    }
}

zf_status zf_given_residuals(const zf_given *given, zf_columns *responses, zf_regression *out,
                             zf_arena *arena)
{
    const zf_columns *basis = &given->basis;
    size_t rows = basis->rows, count = responses->count;
    zf_columns reach, squares;
    ZF_TRY(zf_columns_new(&reach, arena, count, basis->count));
    ZF_TRY(zf_columns_new(&out->taken, arena, count, basis->count));
    ZF_TRY(zf_columns_new(&out->diagonal, arena, count, rows));
    ZF_TRY(zf_columns_new(&squares, arena, basis->count, rows));
    zf_multiply(reach.values, (zf_factor){responses->values, false},
                (zf_factor){basis->values, true}, count, basis->count, rows, 1, 0);
    shrink(given, responses, reach.values, out->taken.values);
    zf_multiply(responses->values, (zf_factor){reach.values, false},
                (zf_factor){basis->values, false}, count, rows, basis->count, -1, 1);
    for (size_t i = 0; i < basis->count * rows; i++)
        squares.values[i] = basis->values[i] * basis->values[i];
    for (size_t i = 0; i < count * rows; i++) out->diagonal.values[i] = 1 - 1 / (double)rows;
    zf_multiply(out->diagonal.values, (zf_factor){out->taken.values, false},
                (zf_factor){squares.values, false}, count, rows, basis->count, -1, 1);
    return ZF_OK;
}

zf_status zf_given_inflation(double *to, const zf_regression *x, const zf_regression *y)
{
    size_t nx = x->taken.count, ny = y->taken.count, basis = x->taken.rows;
    size_t rows = x->diagonal.rows;
    zf_arena arena = {0};
    zf_columns squares;
    ZF_TRY(zf_columns_new(&squares, &arena, nx, ny));
    zf_multiply(squares.values, (zf_factor){x->diagonal.values, false},
                (zf_factor){y->diagonal.values, true}, nx, ny, rows, 1, 0);
    zf_multiply(to, (zf_factor){x->taken.values, false}, (zf_factor){y->taken.values, true}, nx, ny,
                basis, 1, 0);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++) {
            double trace = to[i * ny + j] + (double)rows - 1;
            for (size_t b = 0; b < basis; b++)
                trace -= zf_column_at(&x->taken, i)[b] + zf_column_at(&y->taken, j)[b];
            to[i * ny + j] = sqrt(trace / squares.values[i * ny + j]);
        }
    zf_arena_free(&arena);
    return ZF_OK;
}
