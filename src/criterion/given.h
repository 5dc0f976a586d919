/* Regression on the conditioning variables: what they explain of a column, by one
   basis for all columns, so that everything about it is a product of matrices. */
#ifndef ZF_CRITERION_GIVEN_H
#define ZF_CRITERION_GIVEN_H

#include "criterion/columns.h"

/* Orthonormal columns of mean 0. The first `plain` are fitted by least squares: those of the
   first part always, those of each further part to the responses in which the part shows. Each
   column behind them is fitted by ridge regression, with a penalty that each response chooses
   for itself against the column's weight. */
typedef struct zf_given {
    zf_columns basis;
    size_t plain;
    size_t *ends;          /* [parts]: where the parts of the plain columns end, ascending */
    size_t parts;          /* 0: all plain columns are one, taken always */
    size_t searched;       /* columns of noise that the best of all directions explains as much
                              as; 0 where tails are heavy, as there little that is missed in the
                              mean square may be much in a few rows */
    double *weights;       /* [basis.count - plain] */
    zf_columns scores;     /* of the conditioning variables, standardised */
    zf_columns modulators; /* what the sign of a dependence may turn on, standardised */
} zf_given;

/* The least rows with which a regression on so many variables makes sense. */
size_t zf_given_least_rows(size_t variables);

/* For these variables (at least one, none constant). x and y are responses whose common
   directions are looked for; y may be NULL. */
zf_status zf_given_build(zf_given *out, zf_arena *arena, const zf_chosen *variables,
                         const zf_columns *x, const zf_columns *y, uint64_t seed) ZF_CHECK;

/* What a regression took from its responses. */
typedef struct zf_regression {
    zf_columns taken;    /* [K, basis.count]: 2 s - s^2 for the share s that a response had
                            of each basis column: what is lost of its noise's variance */
    zf_columns diagonal; /* [K, N]: the share of the variance of noise that is left in a row */
} zf_regression;

/* Replaces responses of mean 0 by their residuals. */
zf_status zf_given_residuals(const zf_given *given, zf_columns *responses, zf_regression *out,
                             zf_arena *arena) ZF_CHECK;

/* By how much the deviation of a sum of products of two residuals exceeds the root of the sum
   of the squared products, in noise: to[i * y.count + j]. Residuals of one fit are correlated,
   which the squares do not show. */
zf_status zf_given_inflation(double *to, const zf_regression *x, const zf_regression *y) ZF_CHECK;

#endif
