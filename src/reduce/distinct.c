/* Training can make a number a copy of another: the field has no use for more, and nothing
   pulls the two apart. A copy need not be linear, since codes bend; so each number is regressed
   on polynomials of the distinct ones before it and on their products. By Gram and Schmidt's
   method, since columns come one after the other; on at most 10,000 rows. Letters: M rows. */
#include "reduce/distinct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zeroflow/reduce.h"

enum { ROWS_MOST = 10000, BASIS_MOST = 120, ROWS_A_COLUMN = 5, DEGREES = 6 };

static const double DISTINCT = 0.01; /* share of a number's variance that is its own */
static const double SAME = 1e-10;    /* share of a column that is left of a column of the basis */

typedef struct search {
    size_t rows;
    int dim, kept;
    double *basis; /* [BASIS_MOST, M], orthonormal */
    size_t n_basis, room;
    double *given; /* [kept, M]: distinct numbers, of mean 0 and deviation 1 */
    double rows_of_map[ZF_REDUCE_MOST][ZF_REDUCE_MOST];
} search;

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Takes what the basis explains from a column; once more, for what rounding left. */
static void project_out(const search *s, double *column)
{
    for (int again = 0; again < 2; again++)
        for (size_t b = 0; b < s->n_basis; b++) {
            const double *other = s->basis + b * s->rows;
            double share = dot(column, other, s->rows);
            for (size_t i = 0; i < s->rows; i++) column[i] -= share * other[i];
        }
}

/* Takes the column just behind the end of the basis into it. */
static void take_in(search *s)
{
    double *column = s->basis + s->n_basis * s->rows, all = dot(column, column, s->rows);
    project_out(s, column);
    double left = dot(column, column, s->rows);
    if (!(left > SAME * all)) return;
    for (size_t i = 0; i < s->rows; i++) column[i] /= sqrt(left);
    s->n_basis++;
}

/* Polynomials of the newest distinct number, and its products with the others. */
static void widen(search *s)
{
    const double *own = s->given + (size_t)(s->kept - 1) * s->rows;
    for (int degree = 1; degree <= DEGREES && s->n_basis < s->room; degree++) {
        double *to = s->basis + s->n_basis * s->rows;
        for (size_t i = 0; i < s->rows; i++) to[i] = pow(tanh(own[i] / 2), degree);
        take_in(s);
    }
    for (int k = -1; k < s->kept - 1 && s->n_basis < s->room; k++) {
        const double *other = k < 0 ? NULL : s->given + (size_t)k * s->rows;
        double *to = s->basis + s->n_basis * s->rows;
        for (size_t i = 0; i < s->rows; i++) to[i] = other ? own[i] * other[i] : own[i];
        take_in(s);
    }
}

/* The share of a column, of mean 0, that functions of the distinct numbers leave. */
static double share_left(const search *s, double *scratch, const double *column)
{
    double all = dot(column, column, s->rows);
    if (!(all > 0)) return 0;
    memcpy(scratch, column, s->rows * sizeof *column);
    project_out(s, scratch);
    return dot(scratch, scratch, s->rows) / all * (double)s->rows / (double)(s->rows - s->n_basis);
}

/* Makes number l, whose column this is, the next distinct one. */
static void accept(search *s, double *column, int l)
{
    double *own = s->rows_of_map[s->kept], rows = (double)s->rows;
    memset(own, 0, sizeof s->rows_of_map[s->kept]);
    own[l] = 1;
    for (int again = 0; again < 2; again++)
        for (int k = 0; k < s->kept; k++) {
            const double *other = s->given + (size_t)k * s->rows;
            double share = dot(column, other, s->rows) / rows;
            for (size_t i = 0; i < s->rows; i++) column[i] -= share * other[i];
            for (int a = 0; a < l; a++) own[a] -= share * s->rows_of_map[k][a];
        }
    double deviation = sqrt(dot(column, column, s->rows) / rows);
    for (int a = 0; a <= l; a++) own[a] /= deviation;
    double *to = s->given + (size_t)s->kept++ * s->rows;
    for (size_t i = 0; i < s->rows; i++) to[i] = column[i] / deviation;
    widen(s);
}

static void look(search *s, double *column, double *scratch, const float *codes, const float *mean,
                 int chosen)
{
    for (size_t i = 0; i < s->rows; i++) s->basis[i] = 1 / sqrt((double)s->rows);
    s->n_basis = 1;
    for (int l = 0; l < chosen; l++) {
        double sum = 0;
        for (size_t i = 0; i < s->rows; i++) {
            column[i] = (double)codes[i * (size_t)s->dim + (size_t)l] - (double)mean[l];
            sum += column[i];
        }
        for (size_t i = 0; i < s->rows; i++) column[i] -= sum / (double)s->rows;
        if (share_left(s, scratch, column) > DISTINCT) accept(s, column, l);
    }
}

zf_status zf_reduce_distinct(float *map, int *kept, const float *codes, const float *mean, size_t n,
                             int chosen, int dim)
{
    size_t rows = n < ROWS_MOST ? n : ROWS_MOST;
    size_t total = (BASIS_MOST + (size_t)chosen + 2) * rows;
    search *s = calloc(1, sizeof *s);
    double *memory = calloc(total, sizeof *memory);
    if (!s || !memory) {
        free(s);
        free(memory);
        return zf_fail_memory(total * sizeof *memory);
    }
    s->rows = rows;
    s->dim = dim;
    s->room = rows / ROWS_A_COLUMN < BASIS_MOST ? rows / ROWS_A_COLUMN : BASIS_MOST;
    s->basis = memory;
    s->given = memory + BASIS_MOST * rows;
    double *column = s->given + (size_t)chosen * rows;
    look(s, column, column + rows, codes, mean, chosen);
    for (int l = 0; l < dim; l++)
        for (int a = 0; a < dim; a++)
            map[l * dim + a] = l < s->kept ? (float)s->rows_of_map[l][a] : 0.0f;
    *kept = s->kept > 0 ? s->kept : 1;
    free(s);
    free(memory);
    return ZF_OK;
}
