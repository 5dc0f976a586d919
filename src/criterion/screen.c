/* Screening: of thousands of simple functions of the variables, those that show.

   The functions are the shapes of single variables, cosines of their ranks, and the products of
   the shapes of any two. Their correlations with a response are one product of float matrices,
   so that ten thousand of them cost milliseconds. The ones that stand out beyond what the largest
   of so many would by chance (Donoho and Johnstone's universal threshold) join the basis; the
   responses lose what these explain, and the next pass looks at what is left.

   Why: ridge regression shares one penalty among all functions, so a few products that matter
   among hundreds that do not are shrunk with them, and with noise that is small beside the
   signal what is left of them looks like dependence.

   Rejected: one function at a time, which is better by little and slower by much; products of
   three, of which there are too many for the rows that a table has.

   Letters: N rows, F factors. */
#include "criterion/screen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernel/gemm.h"
#include "kernel/lapack.h"

enum {
    PASSES = 4,
    PICKS = 12,         /* of a response in a pass */
    FACTORS_MOST = 160, /* columns whose products are looked at */
    FINE_FIRST = 3,     /* cosines of single ranks, in half turns */
    FINE_LAST = 8,
};

static const double OF_ACTIVE = 9; /* a threshold, as those of all products */
static const double ADDS = 0.01;   /* share of a function's variance that the basis must leave */

typedef struct screening {
    zf_screen_basis *basis;
    zf_columns *responses;
    zf_columns single; /* [count, N] */
    size_t factors;    /* the first of `single` whose products are candidates */
    size_t variables;
    float *factor, *scaled; /* [F, N] */
    float *length, *reach; /* [F, F]: sums of squares of the products; their sums with a response */
    double threshold;      /* square of a correlation, times N */
    double single_threshold; /* of single functions */
    unsigned char *active;   /* [Q]: variables of which a function has joined */
    unsigned char *idle;     /* [responses] */
    size_t left;             /* columns that may join */
    double *column;          /* [N] */
} screening;

typedef struct pick {
    double square; /* of the correlation, times N */
    size_t a, b;   /* factors; of a single function, b = SIZE_MAX */
} pick;

static zf_status add_cosines(zf_columns *to, const zf_columns *scores)
{
    for (int k = FINE_FIRST; k <= FINE_LAST; k++)
        for (size_t j = 0; j < scores->count; j++) {
            const double *score = zf_column_at(scores, j);
            double *column = zf_column_at(to, to->count);
            for (size_t i = 0; i < scores->rows; i++)
                column[i] = cos(k * M_PI * 0.5 * erfc(-score[i] / sqrt(2)));
            if (zf_column_standardise(column, scores->rows)) to->count++;
        }
    return ZF_OK;
}

/* Shapes stand together by variable; behind them cosines, by frequency. */
static size_t variable_of(const screening *s, size_t factor)
{
    size_t shapes = s->variables * ZF_SHAPES;
    return factor < shapes ? factor / ZF_SHAPES : (factor - shapes) % s->variables;
}

/* Reads the sums of squares of all products. */
static void measure(screening *s)
{
    size_t rows = s->single.rows, f = s->factors;
    for (size_t k = 0; k < f * rows; k++) {
        s->factor[k] = (float)s->single.values[k];
        s->scaled[k] = s->factor[k] * s->factor[k];
    }
    zf_gemm(false, true, (int)f, (int)f, (int)rows, 1, s->scaled, (int)rows, s->scaled, (int)rows,
            0, s->length, (int)f);
}

static zf_status screening_new(screening *s, zf_arena *arena, const zf_columns *scores)
{
    size_t rows = scores->rows, q = scores->count;
    zf_columns shapes;
    ZF_TRY(zf_columns_shapes(&shapes, arena, scores));
    ZF_TRY(
        zf_columns_new(&s->single, arena, shapes.count + (FINE_LAST - FINE_FIRST + 1) * q, rows));
    memcpy(s->single.values, shapes.values, shapes.count * rows * sizeof *shapes.values);
    s->single.count = shapes.count;
    ZF_TRY(add_cosines(&s->single, scores));
    s->factors = shapes.count <= FACTORS_MOST ? shapes.count : 0;
    size_t f = s->factors;
    s->factor = zf_arena_get(arena, (2 * f * rows + 2 * f * f + 1) * sizeof *s->factor);
    s->column = zf_arena_get(arena, rows * sizeof *s->column);
    s->active = zf_arena_get(arena, q);
    s->idle = zf_arena_get(arena, s->responses->count);
    s->variables = q;
    if (!s->factor || !s->column || !s->active || !s->idle) return ZF_ENOMEM;
    s->scaled = s->factor + f * rows;
    s->length = s->scaled + f * rows;
    s->reach = s->length + f * f;
    double products = 0.5 * (double)(q * (q - 1)) * ZF_SHAPES * ZF_SHAPES;
    s->single_threshold = 2 * log((double)s->single.count);
    s->threshold = 2 * log((double)s->single.count + (f ? products : 0));
    if (f) measure(s);
    return ZF_OK;
}

static bool same_variables(const screening *s, const pick *x, const pick *y)
{
    if ((x->b == SIZE_MAX) != (y->b == SIZE_MAX)) return false;
    if (x->b == SIZE_MAX) return x->a == y->a;
    return variable_of(s, x->a) == variable_of(s, y->a) &&
           variable_of(s, x->b) == variable_of(s, y->b);
}

/* Single functions are few, and so are the products of variables that have shown already. */
static double threshold_of(const screening *s, const pick *p)
{
    if (p->b == SIZE_MAX) return s->single_threshold;
    bool both = s->active[variable_of(s, p->a)] && s->active[variable_of(s, p->b)];
    return both ? fmin(OF_ACTIVE, s->threshold) : s->threshold;
}

/* Puts a candidate among the best, largest first; of two of the same variables, the larger. */
static void consider(const screening *s, pick *best, size_t *count, pick candidate)
{
    if (!(candidate.square > threshold_of(s, &candidate))) return;
    if (*count == PICKS && candidate.square <= best[PICKS - 1].square) return;
    size_t at = 0;
    while (at < *count && best[at].square >= candidate.square &&
           !same_variables(s, &best[at], &candidate))
        at++;
    if (at < *count && best[at].square >= candidate.square) return;
    size_t end = at; /* what makes room: the weaker twin, or the last */
    while (end < *count && !same_variables(s, &best[end], &candidate)) end++;
    if (end == *count) {
        if (*count < PICKS)
            ++*count;
        else
            end = PICKS - 1;
    }
    memmove(best + at + 1, best + at, (end - at) * sizeof *best);
    best[at] = candidate;
}

/* The best functions for a response. */
static size_t choose(screening *s, pick *best, const double *response)
{
    size_t rows = s->single.rows, f = s->factors, count = 0;
    double power = zf_column_dot(response, response, rows) / (double)rows;
    if (!(power > DBL_MIN)) return 0;
    for (size_t a = 0; a < s->single.count; a++) {
        double sum = zf_column_dot(zf_column_at(&s->single, a), response, rows);
        consider(s, best, &count, (pick){sum * sum / (power * (double)rows), a, SIZE_MAX});
    }
    if (f == 0) return count;
    for (size_t a = 0; a < f; a++)
        for (size_t i = 0; i < rows; i++)
            s->scaled[a * rows + i] = s->factor[a * rows + i] * (float)response[i];
    zf_gemm(false, true, (int)f, (int)f, (int)rows, 1, s->scaled, (int)rows, s->factor, (int)rows,
            0, s->reach, (int)f);
    for (size_t a = 0; a < f; a++)
        for (size_t b = (variable_of(s, a) + 1) * ZF_SHAPES; b < f; b++) {
            double sum = (double)s->reach[a * f + b], length = (double)s->length[a * f + b];
            if (length > 0) consider(s, best, &count, (pick){sum * sum / (power * length), a, b});
        }
    return count;
}

/* Appends what a function adds to the basis, and takes it from the responses. */
static zf_status join(screening *s, const pick *p)
{
    size_t rows = s->single.rows;
    zf_columns *basis = &s->basis->columns, one = {s->column, 1, rows};
    memcpy(s->column, zf_column_at(&s->single, p->a), rows * sizeof *s->column);
    if (p->b != SIZE_MAX) {
        const double *other = zf_column_at(&s->single, p->b);
        for (size_t i = 0; i < rows; i++) s->column[i] *= other[i];
    }
    if (!zf_column_standardise(s->column, rows)) return ZF_OK;
    ZF_TRY(zf_columns_project_out(&one, basis));
    double length = zf_column_dot(s->column, s->column, rows);
    if (!(length > ADDS * (double)rows)) return ZF_OK;
    double *to = zf_column_at(basis, basis->count++);
    for (size_t i = 0; i < rows; i++) to[i] = s->column[i] / sqrt(length);
    for (size_t r = 0; r < s->responses->count; r++) {
        double *response = zf_column_at(s->responses, r), share = zf_column_dot(to, response, rows);
        for (size_t i = 0; i < rows; i++) response[i] -= share * to[i];
    }
    s->active[variable_of(s, p->a)] = 1;
    if (p->b != SIZE_MAX) s->active[variable_of(s, p->b)] = 1;
    s->left--;
    return ZF_OK;
}

/* A response in which nothing shows is not looked at again. */
static zf_status pass(screening *s, size_t *joined)
{
    size_t before = s->basis->columns.count;
    for (size_t r = 0; r < s->responses->count; r++) {
        pick best[PICKS];
        if (s->idle[r]) continue;
        size_t count = choose(s, best, zf_column_at(s->responses, r));
        s->idle[r] = count == 0;
        for (size_t k = 0; k < count && s->left > 0; k++) ZF_TRY(join(s, &best[k]));
    }
    *joined = s->basis->columns.count - before;
    return ZF_OK;
}

zf_status zf_screen(zf_screen_basis *basis, zf_arena *arena, const zf_columns *scores,
                    zf_columns *responses, size_t most)
{
    size_t room = basis->room - basis->columns.count, joined = 1;
    screening s = {.basis = basis, .responses = responses, .left = most < room ? most : room};
    ZF_TRY(zf_gemm_open());
    ZF_TRY(zf_columns_project_out(responses, &basis->columns));
    ZF_TRY(screening_new(&s, arena, scores));
    for (int k = 0; k < PASSES && joined > 0 && s.left > 0; k++) ZF_TRY(pass(&s, &joined));
    return ZF_OK;
}
