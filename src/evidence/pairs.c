/* Signs of dependence from residuals: sums of products are products of matrices, one for a
   variable against all before it.

   A correlation of residuals is judged as one of normal values, with the freedom that the
   regressions left, and less if the two are large in the same rows: what they share in spread
   makes products of independent residuals vary more. Products of three are sums divided by the
   root of the sum of their squares.

   Where rows belong together, all products are summed within units before they are squared and
   divided so, and a regression takes as many rows for each of its functions as the rows of a unit
   repeat each other.

   A pair of which one is a control of the other is tested three times: given the controls of the
   one, of the other, and of both. Each alone is right if it holds all that the two act through.
   Given the controls of both, least is left of either, and a dependence is hard to see: what
   explains y takes from y what x could have shown itself by. Given those of x alone, y keeps all
   that x does not need, and the same dependence shows in more deviations; but a search that
   missed something has no second one to make up for it. The mean of the three has most of the
   power of the better one, and where one search has failed most of the caution of the third.

   Rejected: the smaller of the first two, doubled (5 % more power; where searches fail, up to
   0.19 false edges at a rate of 0.1); the larger (fewest false edges, and with few rows a quarter
   of the power lost).

   Rejected: sums divided by the root of the sum of squares for products of two as well, which
   loses power with few rows: in r sqrt(N) / sqrt(1 + 2 r^2), what a normal pair gives, a
   correlation of 0.5 in 100 rows counts 4.1 deviations, not 5.3. */
#include "evidence/pairs.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "criterion/members.h"
#include "kernel/lapack.h"

enum { ROWS_A_CONTROL = 8 }; /* of two variables together */

static const double EXPLAINED = 1e-8; /* share of a shape's variance: less is no residual */

/* The rows that are left when so many functions were fitted, and the mean. */
static double freedom_left(const zf_sample *sample, const zf_columns *shapes, double functions)
{
    double repetition = zf_sample_repetition(sample, shapes);
    return fmax(1, (double)sample->rows - repetition * (1 + functions));
}

/* Replaces shapes by what a regression on n variables leaves of them; the freedom that it leaves.
   Clears scratch. */
static zf_status regress(double *freedom, zf_columns *shapes, const zf_sample *sample,
                         const int32_t *which, size_t n, zf_arena *scratch)
{
    size_t rows = shapes->rows;
    double taken = 0;
    zf_arena_clear(scratch);
    if (n > 0) {
        zf_criterion_members members;
        ZF_TRY(zf_sample_members(&members, scratch, sample, which, n));
        ZF_TRY(zf_criterion_members_explain(shapes, &taken, &members, scratch));
    }
    *freedom = freedom_left(sample, shapes, taken);
    for (size_t k = 0; k < shapes->count; k++) {
        double *column = zf_column_at(shapes, k);
        if (zf_column_dot(column, column, rows) < EXPLAINED * (double)rows)
            memset(column, 0, rows * sizeof *column);
    }
    return ZF_OK;
}

zf_status zf_residual_take(zf_residual *out, double *shapes, const zf_sample *sample,
                           size_t variable, const zf_controls *controls, zf_arena *scratch)
{
    size_t rows = sample->rows;
    zf_columns own = {shapes, ZF_SHAPES, rows};
    memcpy(shapes, zf_sample_shapes(sample, variable).values, ZF_SHAPES * rows * sizeof *shapes);
    out->shapes = shapes;
    return regress(&out->freedom, &own, sample, controls->variable, controls->n, scratch);
}

/* What a pair is tested given: ascending variables. */
typedef struct given_set {
    int32_t variable[2 * ZF_CONTROLS_MOST];
    size_t n;
} given_set;

/* Adds controls but for x and y. */
static void add_controls(given_set *to, const zf_controls *controls, size_t x, size_t y)
{
    for (size_t i = 0; i < controls->n; i++) {
        int32_t one = controls->variable[i];
        size_t at = 0;
        while (at < to->n && to->variable[at] < one) at++;
        if ((size_t)one == x || (size_t)one == y || (at < to->n && to->variable[at] == one))
            continue;
        memmove(to->variable + at + 1, to->variable + at, (to->n - at) * sizeof one);
        to->variable[at] = one;
        to->n++;
    }
}

static bool same_set(const given_set *a, const given_set *b)
{
    return a->n == b->n && memcmp(a->variable, b->variable, a->n * sizeof *a->variable) == 0;
}

/* Keeps the strongest of the signs between two residuals. sums and squares: [ZF_SHAPES,
   stride] of their products and of the squares of these, or of sums over units. */
static void weigh_shapes(zf_sign *best, const double *sums, const double *squares, size_t stride,
                         const double *x_lengths, const double *y_lengths, const zf_sample *sample,
                         double freedom)
{
    double rows = (double)sample->rows;
    for (size_t k = 0; k < ZF_SHAPES; k++)
        for (size_t l = 0; l < ZF_SHAPES; l++) {
            double square = squares[k * stride + l], lengths = x_lengths[k] * y_lengths[l];
            if (!(square > 0)) continue;
            zf_sign sign = {.correlation = sums[k * stride + l] / lengths,
                            .x_shape = (int)k,
                            .y_shape = (int)l,
                            .third = -1};
            double deviations =
                sample->first ? sqrt(freedom / rows) * sums[k * stride + l] / sqrt(square)
                              : zf_sign_deviations(sign.correlation,
                                                   rows * square / (lengths * lengths), freedom);
            if (k == 0 && l == 0) {
                best->linear = deviations;
                best->linear_correlation = sign.correlation;
            }
            zf_sign_weigh(best, deviations, zf_sign_share(k, l, sample->hearing), sign);
        }
}

/* Products of the same shape of two, times that of each other variable. */
static void weigh_interactions(zf_sign *best, const double *sums, const double *squares, size_t n,
                               size_t x, size_t y, double scale, size_t rows)
{
    double share = zf_sign_interaction_share(n - 2);
    for (size_t k = 0; k < n; k++) {
        if (k == x || k == y || !(squares[k] > 0)) continue;
        double entry = sums[k] / sqrt(squares[k]);
        zf_sign sign = {.correlation = entry / sqrt((double)rows), .third = (int32_t)k};
        zf_sign_weigh(best, scale * entry, share, sign);
    }
}

static void measure(double *lengths, const double *shapes, size_t count, size_t rows)
{
    for (size_t k = 0; k < count; k++)
        lengths[k] = sqrt(zf_column_dot(shapes + k * rows, shapes + k * rows, rows));
}

static void square_all(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = from[i] * from[i];
}

/* x [ZF_SHAPES, N] against `count` variables, y [count * ZF_SHAPES, N]. */
typedef struct meeting {
    const zf_sample *sample;
    const double *x, *y;
    size_t count;
    double *sums, *squares; /* [ZF_SHAPES, count * ZF_SHAPES] */
    double *x_square, *y_square;
    double *x_lengths, *y_lengths;
    bool interactions;
    double *products, *product_squares;                        /* [count, N] of one shape */
    double *third[ZF_INTERACTIONS], *squared[ZF_INTERACTIONS]; /* [count, variables] */
} meeting;

static zf_status meeting_new(meeting *m, zf_arena *arena)
{
    size_t rows = m->sample->rows, across = m->count * ZF_SHAPES, d = m->sample->variables;
    size_t total = 2 * ZF_SHAPES * across + (ZF_SHAPES + across) * (rows + 1);
    m->interactions = zf_sample_sees_interactions(m->sample);
    if (m->interactions) total += 2 * m->count * (rows + ZF_INTERACTIONS * d);
    double *at = zf_arena_get(arena, total * sizeof *at);
    if (!at) return ZF_ENOMEM;
    m->sums = at;
    m->squares = at += ZF_SHAPES * across;
    m->x_square = at += ZF_SHAPES * across;
    m->y_square = at += ZF_SHAPES * rows;
    m->x_lengths = at += across * rows;
    m->y_lengths = at += ZF_SHAPES;
    if (!m->interactions) return ZF_OK;
    m->products = at += across;
    m->product_squares = at += m->count * rows;
    at += m->count * rows;
    for (size_t k = 0; k < ZF_INTERACTIONS; k++, at += 2 * m->count * d) {
        m->third[k] = at;
        m->squared[k] = at + m->count * d;
    }
    return ZF_OK;
}

/* Sums of products of three, of one shape, and the squares of these; or of sums over units. */
static void interact(meeting *m, size_t shape)
{
    const zf_sample *sample = m->sample;
    const zf_columns *thirds = &sample->thirds[shape];
    size_t rows = sample->rows, d = sample->variables;
    for (size_t j = 0; j < m->count; j++)
        for (size_t i = 0; i < rows; i++)
            m->products[j * rows + i] =
                m->x[shape * rows + i] * m->y[(j * ZF_SHAPES + shape) * rows + i];
    zf_multiply(m->third[shape], (zf_factor){m->products, false}, (zf_factor){thirds->values, true},
                m->count, d, rows, 1, 0);
    if (!sample->first) {
        square_all(m->product_squares, m->products, m->count * rows);
        zf_multiply(m->squared[shape], (zf_factor){m->product_squares, false},
                    (zf_factor){sample->third_squares[shape].values, true}, m->count, d, rows, 1,
                    0);
        return;
    }
    for (size_t j = 0; j < m->count; j++)
        for (size_t k = 0; k < d; k++)
            m->squared[shape][j * d + k] = zf_unit_rows_square(
                sample->first, sample->units, m->products + j * rows, zf_column_at(thirds, k));
}

/* The sums of the squares of products of two; where rows belong together, of sums over units. */
static void square_products(meeting *m)
{
    const zf_sample *sample = m->sample;
    size_t rows = sample->rows, across = m->count * ZF_SHAPES;
    if (!sample->first) {
        square_all(m->x_square, m->x, ZF_SHAPES * rows);
        square_all(m->y_square, m->y, across * rows);
        zf_multiply(m->squares, (zf_factor){m->x_square, false}, (zf_factor){m->y_square, true},
                    ZF_SHAPES, across, rows, 1, 0);
        return;
    }
    for (size_t k = 0; k < ZF_SHAPES; k++)
        for (size_t c = 0; c < across; c++)
            m->squares[k * across + c] =
                zf_unit_rows_square(sample->first, sample->units, m->x + k * rows, m->y + c * rows);
}

static void multiply_all(meeting *m)
{
    size_t rows = m->sample->rows, across = m->count * ZF_SHAPES;
    measure(m->x_lengths, m->x, ZF_SHAPES, rows);
    measure(m->y_lengths, m->y, across, rows);
    zf_multiply(m->sums, (zf_factor){m->x, false}, (zf_factor){m->y, true}, ZF_SHAPES, across, rows,
                1, 0);
    square_products(m);
    for (size_t k = 0; m->interactions && k < ZF_INTERACTIONS; k++) interact(m, k);
}

/* The strongest sign between x and variable j of y. */
static zf_sign conclude(const meeting *m, size_t j, size_t x, size_t y, double freedom)
{
    size_t d = m->sample->variables;
    double scale = sqrt(freedom / (double)m->sample->rows);
    zf_sign best = ZF_SIGN_NONE;
    weigh_shapes(&best, m->sums + j * ZF_SHAPES, m->squares + j * ZF_SHAPES, m->count * ZF_SHAPES,
                 m->x_lengths, m->y_lengths + j * ZF_SHAPES, m->sample, freedom);
    for (size_t k = 0; m->interactions && k < ZF_INTERACTIONS; k++)
        weigh_interactions(&best, m->third[k] + j * d, m->squared[k] + j * d, d, x, y, scale,
                           m->sample->rows);
    return best;
}

static zf_status regress_both(double *freedom, zf_columns *both, const zf_sample *sample, size_t x,
                              size_t y, const given_set *set, zf_arena *scratch)
{
    size_t rows = sample->rows;
    zf_columns of_x = zf_sample_shapes(sample, x), of_y = zf_sample_shapes(sample, y);
    memcpy(both->values, of_x.values, ZF_SHAPES * rows * sizeof *both->values);
    memcpy(zf_column_at(both, ZF_SHAPES), of_y.values, ZF_SHAPES * rows * sizeof *both->values);
    return regress(freedom, both, sample, set->variable, set->n, scratch);
}

/* both: room for the residuals, [2 ZF_SHAPES, N]. */
static zf_status test_given(zf_sign *out, const zf_sample *sample, size_t x, size_t y,
                            const given_set *set, zf_columns *both, zf_arena *scratch)
{
    double freedom;
    meeting m = {.sample = sample, .count = 1};
    ZF_TRY(regress_both(&freedom, both, sample, x, y, set, scratch));
    ZF_TRY(meeting_new(&m, scratch));
    m.x = both->values;
    m.y = zf_column_at(both, ZF_SHAPES);
    multiply_all(&m);
    *out = conclude(&m, 0, x, y, freedom);
    return ZF_OK;
}

zf_status zf_pair_given(zf_sign *out, const zf_sample *sample, size_t x, size_t y,
                        const int32_t *given, size_t n, zf_columns *both, zf_arena *scratch)
{
    given_set set = {.n = n};
    memcpy(set.variable, given, n * sizeof *given);
    return test_given(out, sample, x, y, &set, both, scratch);
}

/* The controls of x, those of y, and those of both: if these are too many for the rows, the larger
   set once more. */
enum { OF_X, OF_Y, OF_BOTH, GIVEN_SETS };

static void list_sets(given_set sets[GIVEN_SETS], const zf_sample *sample, size_t x, size_t y,
                      const zf_controls *of_x, const zf_controls *of_y)
{
    memset(sets, 0, GIVEN_SETS * sizeof *sets);
    add_controls(&sets[OF_X], of_x, x, y);
    add_controls(&sets[OF_Y], of_y, x, y);
    sets[OF_BOTH] = sets[OF_X];
    add_controls(&sets[OF_BOTH], of_y, x, y);
    if (sets[OF_BOTH].n > sample->rows / ROWS_A_CONTROL)
        sets[OF_BOTH] = sets[of_x->n >= of_y->n ? OF_X : OF_Y];
}

static zf_status test_sets(zf_sign signs[GIVEN_SETS], const zf_sample *sample, size_t x, size_t y,
                           const given_set sets[GIVEN_SETS], zf_columns *both, zf_arena *scratch)
{
    for (size_t k = 0; k < GIVEN_SETS; k++) {
        size_t before = 0;
        while (before < k && !same_set(&sets[before], &sets[k])) before++;
        if (before < k)
            signs[k] = signs[before];
        else
            ZF_TRY(test_given(&signs[k], sample, x, y, &sets[k], both, scratch));
    }
    return ZF_OK;
}

zf_status zf_pair_near(zf_sign *out, const zf_sample *sample, size_t x, size_t y,
                       const zf_controls *of_x, const zf_controls *of_y, zf_columns *both,
                       zf_arena *scratch)
{
    given_set sets[GIVEN_SETS];
    zf_sign signs[GIVEN_SETS];
    list_sets(sets, sample, x, y, of_x, of_y);
    ZF_TRY(test_sets(signs, sample, x, y, sets, both, scratch));
    *out = zf_sign_average(signs, GIVEN_SETS);
    return ZF_OK;
}

/* Given the set of controls in which the pair's sign is the strongest. */
static zf_status residuals_near(zf_columns *both, const zf_sample *sample, size_t x, size_t y,
                                const zf_controls *of_x, const zf_controls *of_y, zf_arena *scratch)
{
    given_set sets[GIVEN_SETS];
    zf_sign signs[GIVEN_SETS];
    size_t strongest = 0;
    double freedom;
    list_sets(sets, sample, x, y, of_x, of_y);
    ZF_TRY(test_sets(signs, sample, x, y, sets, both, scratch));
    for (size_t k = 1; k < GIVEN_SETS; k++)
        if (signs[k].p_value < signs[strongest].p_value) strongest = k;
    return regress_both(&freedom, both, sample, x, y, &sets[strongest], scratch);
}

bool zf_pair_is_near(size_t x, size_t y, const zf_controls *of_x, const zf_controls *of_y)
{
    return zf_controls_have(of_x, y) || zf_controls_have(of_y, x);
}

zf_status zf_pair_residuals(zf_columns *both, const zf_sample *sample, size_t x, size_t y,
                            const zf_controls *of_x, const zf_controls *of_y, zf_arena *scratch)
{
    zf_residual residual;
    double *second = zf_column_at(both, ZF_SHAPES);
    if (zf_pair_is_near(x, y, of_x, of_y))
        return residuals_near(both, sample, x, y, of_x, of_y, scratch);
    ZF_TRY(zf_residual_take(&residual, both->values, sample, x, of_x, scratch));
    return zf_residual_take(&residual, second, sample, y, of_y, scratch);
}

zf_status zf_pairs_far(zf_sign *out, const zf_sample *sample, size_t x,
                       const zf_residual *residuals)
{
    zf_arena arena = {0};
    meeting m = {.sample = sample, .count = x};
    m.x = residuals[x].shapes;
    m.y = residuals[0].shapes; /* residuals lie one after the other */
    zf_status status = meeting_new(&m, &arena);
    if (status == ZF_OK) {
        multiply_all(&m);
        for (size_t y = 0; y < x; y++)
            out[y] = conclude(&m, y, x, y, fmin(residuals[x].freedom, residuals[y].freedom));
    }
    zf_arena_free(&arena);
    return status;
}
