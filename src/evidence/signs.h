/* Signs of dependence between two variables, from what is left of them: products of their
   shapes, row by row, summed and divided by the root of the sum of their squares. Where the
   two are independent given what was taken away, such a sum has mean 0, and its law is nearly
   the standard normal one, far out too, because the shapes are bounded (but the first). */
#ifndef ZF_EVIDENCE_SIGNS_H
#define ZF_EVIDENCE_SIGNS_H

#include "evidence/sample.h"
#include "zeroflow/evidence.h"

/* The share of the level that a sign has: the smallest p-value, each over its share, is the
   p-value of all (Bonferroni with weights). Dependence that rises or falls has most, so that it
   is found about as surely as by a test for nothing else. */
double zf_sign_share(size_t x_shape, size_t y_shape, zf_hearing hearing);
double zf_sign_interaction_share(size_t others);

/* Of the lasso's partial correlations, where they are heard. Beside the rest, they have half of the
   share of the first shapes. With fewer rows no interactions are looked for, and they have that
   share too: with care, and some of that of the first shapes; fully, all of it and most of that of
   the others. */
double zf_sign_share_lasso(zf_hearing hearing);

/* How many deviations a correlation is from 0: the normal equivalent of Student's t (Wallace,
   1959). `shared` is the mean of the squared products of the two, each of mean square 1: 1 if
   their sizes are independent, and 2 r^2 more from the correlation itself. freedom: rows, less
   the mean and what regressions took. */
double zf_sign_deviations(double correlation, double shared, double freedom);

/* Which sign was the strongest. */
typedef struct zf_sign {
    double p_value;     /* over its share; may be above 1 */
    double correlation; /* of the two shapes */
    int x_shape, y_shape;
    int32_t third; /* interaction; -1 otherwise */
    /* Of the two first shapes, whether or not they show the strongest sign. */
    double linear, linear_correlation; /* deviations from 0; the correlation */
} zf_sign;

extern const zf_sign ZF_SIGN_NONE;

/* Keeps the stronger of *best and an entry of that many deviations. */
void zf_sign_weigh(zf_sign *best, double deviations, double share, zf_sign sign);

/* The mean of the deviations of n signs of one pair, with the form of the strongest: where there is
   nothing, it varies no more than one of them. */
zf_sign zf_sign_average(const zf_sign *signs, size_t n);

/* Weighs the two first shapes once more, by the lasso's deviations of the pair: with
   care, together with its own, otherwise alone. `common`: the correlation of the two among
   pairs. */
void zf_sign_hear(zf_sign *sign, double lasso, double common, zf_hearing hearing);

/* What it looks like. x and y: the variables, for `curved`. p-values above 1 become 1. */
zf_pair_evidence zf_sign_describe(const zf_sign *sign, int32_t x, int32_t y);

#endif
