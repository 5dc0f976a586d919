/* The means of the responses are sought in two parts, as in given.c, but with finer functions of
   single variables, since each of these matters.

   Least squares: the scores and what the variables themselves add to them; functions of the
   directions along which the shapes of each variable of the responses change (pursuit.c); of a
   single member, functions of its score and cosines of its rank. With few rows freedom counts
   most: then of the functions of single members those that show, and nothing else.

   Ridge regression on what is left: functions of single members, cosines of their ranks, products
   of two, waves, with a penalty for each response by generalised cross-validation, then lowered.

   Each pair of neighbours in a table takes some such regressions, so they make no basis. With F
   the functions less what least squares explains, and A = F F^T / N, the fit of a response y at
   the penalty p is F^T (A + p)^-1 F y / N. A comes from products with the functions as they are.
   It is turned to a tridiagonal matrix T, in which a system of equations, and the trace of an
   inverse, cost as much as a vector: so every penalty can be tried, and only the fit that is
   chosen is made.

   Rejected: the eigenvectors of A, which take five times as long as T; a factor of A + p for each
   penalty, which is slower than T from two penalties on.

   Letters: N rows, P columns of least squares, R functions, K responses. */
#include "criterion/members.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "criterion/functions.h"
#include "criterion/pursuit.h"
#include "kernel/lapack.h"

enum {
    COSINES = 15, /* of a single member, in half turns */
    FINE_FIRST = 3,
    FINE_LAST = 8, /* of members beside others */
    WAVES = 50,
    RIDGE_MOST = 640,     /* functions */
    PURSUIT_INPUTS = 128, /* with more, no direction is looked for */
    ROWS_A_RAW = 10,      /* of each member: with fewer, scores alone */
    ROWS_A_FUNCTION = 4,  /* with few rows */
    FEW_ROWS = 200,
    PENALTIES = 11,
};

static const double RAW_LEAST = 0.001; /* of a variable's variance: what its scores leave */
static const double SAME = 1e-8;       /* variance below which columns are linear in others */
static const double UNDERSMOOTH = 0.3;
static const double FREEDOM_LEAST = 0.1; /* share of the rows that a penalty must leave */
static const double PENALTY_FIRST = 1e-4, PENALTY_STEP = 3.1622776601683795;

typedef struct regression {
    const zf_criterion_members *members;
    zf_columns *responses;
    zf_arena *arena;
    size_t rows;
    bool few;                 /* rows */
    zf_columns inputs, white; /* of the members */
    zf_columns all;           /* [P + R, N]: an orthonormal basis of least squares, functions */
    size_t plain, functions;  /* P, R */
    double *reach;            /* [K, P + R]: products of the responses with all */
    double *shadow;           /* [R, P]: of the functions with the basis */
    double *turned;           /* [R, R]: A, then the reflections that turn it to T */
    double *scales, *diagonal, *beside; /* of the reflections [R]; of T [R] */
} regression;

static zf_columns shapes_of(const zf_columns *responses, size_t first)
{
    return (zf_columns){zf_column_at(responses, first), ZF_SHAPES, responses->rows};
}

static void add_directions(zf_collection *to, zf_directions *found)
{
    for (int t = 0; t < found->count; t++) {
        zf_columns *profile = &found->profile[t];
        for (size_t k = 0; k < ZF_PROFILE; k++)
            zf_column_standardise(zf_column_at(profile, k), profile->rows);
        if (to->room - to->columns.count >= ZF_PROFILE) zf_collection_add(to, profile);
    }
}

/* The functions of single members that show in a response. Those that do not would take freedom
   and give nothing. */
static zf_status add_showing(zf_collection *to, const regression *r)
{
    size_t most = r->rows / ROWS_A_FUNCTION, room = ZF_SINGLE_FUNCTIONS * r->members->scores.count;
    zf_collection single;
    ZF_TRY(zf_collection_new(&single, r->arena, room, r->rows));
    zf_add_single_functions(&single, &r->members->scores, NULL);
    ZF_TRY(zf_columns_project_out(&single.columns, &to->columns)); /* the inputs, so far */
    for (size_t k = 0; k < single.columns.count && to->columns.count < most; k++) {
        zf_columns one = {zf_column_at(&single.columns, k), 1, r->rows};
        if (zf_column_shows(one.values, r->responses)) zf_collection_add(to, &one);
    }
    return ZF_OK;
}

/* Columns of least squares that there may be besides the inputs. */
static size_t extra_room(const regression *r)
{
    size_t variables = r->responses->count / ZF_SHAPES, third = r->rows / 3;
    size_t most = third > r->inputs.count ? third - r->inputs.count : 0;
    size_t wish = variables * ZF_DIRECTIONS * ZF_PROFILE + ZF_SINGLE_FUNCTIONS + COSINES;
    if (r->few) wish = ZF_SINGLE_FUNCTIONS * r->members->scores.count;
    return wish < most ? wish : most;
}

/* Makes the columns behind the first, which are orthonormal, orthonormal too. */
static zf_status close_plain(zf_collection *plain, size_t first)
{
    size_t rows = plain->columns.rows;
    zf_columns before = {plain->columns.values, first, rows};
    zf_columns more = {zf_column_at(&plain->columns, first), plain->columns.count - first, rows};
    if (more.count == 0) return ZF_OK;
    ZF_TRY(zf_columns_project_out(&more, &before));
    ZF_TRY(zf_columns_orthonormalise(&more, NULL, SAME));
    plain->columns.count = first + more.count;
    return ZF_OK;
}

/* Sets plain to the orthonormal columns of least squares. */
static zf_status collect_plain(zf_collection *plain, regression *r)
{
    const zf_criterion_members *members = r->members;
    zf_columns raw = members->raw;
    if (r->rows < ROWS_A_RAW * raw.count) raw.count = 0;
    ZF_TRY(zf_whiten(&r->inputs, &r->white, NULL, r->arena, &members->scores, &raw, RAW_LEAST));
    ZF_TRY(zf_collection_new(plain, r->arena, r->inputs.count + extra_room(r), r->rows));
    zf_collection_add(plain, &r->inputs);
    for (size_t i = 0; i < r->inputs.count * r->rows; i++)
        plain->columns.values[i] /= sqrt((double)r->rows);
    if (r->few) ZF_TRY(add_showing(plain, r));
    bool follow = !r->few && r->inputs.count <= PURSUIT_INPUTS;
    for (size_t first = 0; follow && first < r->responses->count; first += ZF_SHAPES) {
        zf_columns shapes = shapes_of(r->responses, first);
        zf_directions found;
        ZF_TRY(zf_pursue(&found, r->arena, &r->inputs, &r->white, &shapes, ZF_PURSUE_BEST));
        add_directions(plain, &found);
    }
    if (!r->few && members->scores.count == 1) {
        zf_add_single_functions(plain, &members->scores, NULL);
        zf_add_cosines(plain, &members->ranks, NULL, 1, COSINES);
    }
    return close_plain(plain, r->inputs.count);
}

/* Functions for the ridge regression; of a single member, cosines have said it all. */
static size_t ridge_room(const regression *r)
{
    size_t n = r->members->scores.count, most = r->rows / 2;
    size_t wish = (ZF_SINGLE_FUNCTIONS + FINE_LAST - FINE_FIRST + 1) * n + n * (n - 1) / 2 + WAVES;
    if (n == 1 || r->few) return 0;
    if (most > RIDGE_MOST) most = RIDGE_MOST;
    return wish < most ? wish : most;
}

static void add_functions(zf_collection *to, const zf_criterion_members *members)
{
    size_t n = members->scores.count;
    zf_add_single_functions(to, &members->scores, NULL);
    zf_add_cosines(to, &members->ranks, NULL, FINE_FIRST, FINE_LAST);
    if (n * (n - 1) / 2 + to->columns.count <= to->room)
        zf_add_products(to, &members->scores, NULL);
    zf_add_waves(to, &members->scores, NULL, WAVES, 0);
}

static zf_status collect_all(regression *r)
{
    zf_collection plain, all;
    ZF_TRY(collect_plain(&plain, r));
    r->plain = plain.columns.count;
    size_t room = ridge_room(r);
    ZF_TRY(zf_collection_new(&all, r->arena, r->plain + room, r->rows));
    zf_collection_add(&all, &plain.columns);
    if (room) add_functions(&all, r->members);
    r->functions = all.columns.count - r->plain;
    r->all = all.columns;
    return ZF_OK;
}

/* Sets T and what turns A to it. */
static zf_status turn(regression *r)
{
    size_t n = r->functions, p = r->plain;
    const double *functions = zf_column_at(&r->all, p);
    double scale = 1 / (double)r->rows;
    r->shadow = zf_arena_get(r->arena, (n * p + n * n + 3 * n) * sizeof *r->shadow);
    if (!r->shadow) return ZF_ENOMEM;
    r->turned = r->shadow + n * p;
    r->scales = r->turned + n * n;
    r->diagonal = r->scales + n;
    r->beside = r->diagonal + n;
    zf_multiply(r->shadow, (zf_factor){functions, false}, (zf_factor){r->all.values, true}, n, p,
                r->rows, 1, 0);
    zf_cross_rows(r->turned, functions, n, r->rows, scale, 0);
    zf_cross_rows(r->turned, r->shadow, n, p, -scale, 1);
    return zf_tridiagonalise(r->turned, r->scales, r->diagonal, r->beside, n);
}

/* T + penalty = L D L^T: D, and what L has below its diagonal. Of its inverse, the trace and that
   of its square: the first two derivatives of the logarithms of D, all of whose terms are
   positive. */
typedef struct factor {
    double *pivot, *below; /* [R] */
    double trace, trace_of_square;
} factor;

static void factorise(factor *f, const regression *r, double penalty)
{
    double first = 0, second = 0; /* derivatives of the pivot before; the second's sign turned */
    f->trace = f->trace_of_square = 0;
    for (size_t i = 0; i < r->functions; i++) {
        double pivot = r->diagonal[i] + penalty;
        double below = i ? r->beside[i - 1] / f->pivot[i - 1] : 0;
        if (i) {
            double square = below * below;
            second = square * (second + 2 * first * first / f->pivot[i - 1]);
            first = 1 + square * first;
            pivot -= below * r->beside[i - 1];
        } else {
            first = 1;
        }
        f->pivot[i] = pivot = fmax(pivot, penalty); /* but for rounding */
        f->below[i] = below;
        f->trace += first / pivot;
        f->trace_of_square += (first * first / pivot + second) / pivot;
    }
}

/* Solves for c what the factor is of; b is the right side. Returns b c. */
static double solve(double *c, const factor *f, const double *b, size_t n)
{
    double product = 0;
    for (size_t i = 0; i < n; i++) {
        c[i] = b[i] - (i ? f->below[i] * c[i - 1] : 0);
        product += c[i] * c[i] / f->pivot[i];
    }
    for (size_t i = n; i-- > 0;)
        c[i] = c[i] / f->pivot[i] - (i + 1 < n ? f->below[i + 1] * c[i + 1] : 0);
    return product;
}

/* What is asked of the ridge regression, of each response. */
typedef struct question {
    double *right;   /* [K, R]: F y / N, turned; then the coefficients of T */
    double *left;    /* [K]: sum of squares after least squares */
    double *error;   /* [K]: the least by generalised cross-validation */
    double *penalty; /* [K]: its penalty; INFINITY: nothing is taken */
    double *vector;  /* [R] */
} question;

static zf_status question_new(question *q, const regression *r)
{
    size_t count = r->responses->count, p = r->plain, n = r->functions, stride = p + n;
    q->right = zf_arena_get(r->arena, (count * (n + 3) + n) * sizeof *q->right);
    if (!q->right) return ZF_ENOMEM;
    q->left = q->right + count * n;
    q->error = q->left + count;
    q->penalty = q->error + count;
    q->vector = q->penalty + count;
    for (size_t k = 0; k < count; k++) {
        const double *response = zf_column_at(r->responses, k), *reach = r->reach + k * stride;
        q->left[k] = zf_column_dot(response, response, r->rows) - zf_column_dot(reach, reach, p);
        for (size_t i = 0; i < n; i++) {
            double along = reach[p + i] - zf_column_dot(r->shadow + i * p, reach, p);
            q->right[k * n + i] = along / (double)r->rows;
        }
    }
    return zf_reflect(q->right, count, r->turned, r->scales, n, false);
}

/* By generalised cross-validation. */
static void choose_penalties(question *q, factor *f, const regression *r)
{
    size_t n = r->functions, count = r->responses->count;
    double rows = (double)r->rows, plainly = 1 - (1 + (double)r->plain) / rows;
    for (size_t k = 0; k < count; k++) {
        q->error[k] = plainly < FREEDOM_LEAST ? INFINITY : q->left[k] / (plainly * plainly);
        q->penalty[k] = INFINITY;
    }
    for (int i = 0; i < PENALTIES; i++) {
        double penalty = PENALTY_FIRST * pow(PENALTY_STEP, i);
        factorise(f, r, penalty);
        double freedom = plainly - ((double)n - penalty * f->trace) / rows;
        if (freedom < FREEDOM_LEAST) continue;
        for (size_t k = 0; k < count; k++) {
            double product = solve(q->vector, f, q->right + k * n, n);
            double rest = penalty * zf_column_dot(q->vector, q->vector, n);
            double error = (q->left[k] - rows * (product + rest)) / (freedom * freedom);
            if (error >= q->error[k]) continue;
            q->error[k] = error;
            q->penalty[k] = penalty;
        }
    }
}

/* Sets coefficients [K, R] of the functions; adds what they take to *taken. */
static zf_status fit_functions(double **coefficients, double *taken, regression *r)
{
    size_t n = r->functions, count = r->responses->count;
    question q;
    factor f = {.pivot = zf_arena_get(r->arena, 2 * n * sizeof *f.pivot)};
    if (!f.pivot) return ZF_ENOMEM;
    f.below = f.pivot + n;
    ZF_TRY(turn(r));
    ZF_TRY(question_new(&q, r));
    choose_penalties(&q, &f, r);
    for (size_t k = 0; k < count; k++) {
        double *right = q.right + k * n, penalty = q.penalty[k] * UNDERSMOOTH;
        if (!isfinite(penalty)) {
            memset(right, 0, n * sizeof *right);
            continue;
        }
        factorise(&f, r, penalty);
        solve(right, &f, right, n);
        *taken += ((double)n - penalty * penalty * f.trace_of_square) / (double)count;
    }
    *coefficients = q.right;
    return zf_reflect(q.right, count, r->turned, r->scales, n, true);
}

/* Takes the fit from the responses. */
static zf_status take_away(regression *r, double *taken)
{
    size_t p = r->plain, n = r->functions, stride = p + n, count = r->responses->count;
    double *coefficients = NULL;
    r->reach = zf_arena_get(r->arena, count * stride * sizeof *r->reach);
    if (!r->reach) return ZF_ENOMEM;
    zf_multiply(r->reach, (zf_factor){r->responses->values, false},
                (zf_factor){r->all.values, true}, count, stride, r->rows, 1, 0);
    *taken = (double)p;
    if (n) ZF_TRY(fit_functions(&coefficients, taken, r));
    for (size_t k = 0; n && k < count; k++) {
        double *reach = r->reach + k * stride;
        for (size_t i = 0; i < n; i++) {
            double share = reach[p + i] = coefficients[k * n + i];
            for (size_t j = 0; j < p; j++) reach[j] -= share * r->shadow[i * p + j];
        }
    }
    zf_multiply(r->responses->values, (zf_factor){r->reach, false},
                (zf_factor){r->all.values, false}, count, r->rows, stride, -1, 1);
    return ZF_OK;
}

zf_status zf_criterion_members_explain(zf_columns *responses, double *taken,
                                       const zf_criterion_members *members, zf_arena *arena)
{
    regression r = {.members = members, .responses = responses, .arena = arena};
    r.rows = responses->rows;
    r.few = r.rows < FEW_ROWS;
    ZF_TRY(collect_all(&r));
    return take_away(&r, taken);
}
