/* Partial correlations from few rows: each variable freed of what a lasso regression on all others
   explains of it. */
#ifndef ZF_EVIDENCE_LASSO_H
#define ZF_EVIDENCE_LASSO_H

#include "evidence/sample.h"

/* The coefficients of one of n variables on all others, by the scaled lasso: of what is left, half
   the mean square over its root, and so much times the sizes of the coefficients, is least. So the
   penalty goes by the noise, not by what is explained. correlation: [n, n], with 1 or, of a
   constant, 0 on the diagonal. to: [n], its own 0. left: [n], what is left times each variable,
   mean over rows. */
void zf_lasso_regress(double *to, double *left, const double *correlation, size_t n,
                      size_t variable, double penalty);

/* The deviation of the normal law around 0 of which most of n values are, from those that are
   within two of it; never below 1. */
double zf_null_deviation(const double *values, size_t n);

/* Of every pair of variables, at zf_pair_at: the correlation of what the lasso leaves of the
   lines of both (zf_sample), in deviations from 0. ZF_ENOMEM. */
zf_status zf_lasso_deviations(double *out, const zf_sample *sample) ZF_CHECK;

#endif
