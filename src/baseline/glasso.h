/* The graphical lasso for one penalty. */
#ifndef ZF_BASELINE_GLASSO_H
#define ZF_BASELINE_GLASSO_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

/* One problem at work: D columns, matrices [D, D]. */
typedef struct zf_glasso {
    size_t columns;
    double *covariance; /* in: where to start; out: the estimate */
    double *precision;  /* out: its inverse, exact zeros where there is no edge */
    double *kept;       /* for the caller: the last covariance of a path that is good */
    double *spare;      /* a matrix of scratch */
    double *weights;    /* [D] coefficients of the lasso of one column on the others */
    double *fit;        /* [D] covariance times weights */
    int *pivots;        /* [D] scratch */
} zf_glasso;

zf_status zf_glasso_new(zf_glasso *out, size_t columns) ZF_CHECK;
void zf_glasso_free(zf_glasso *work);

typedef enum zf_glasso_end {
    ZF_GLASSO_CONVERGED,
    ZF_GLASSO_UNFINISHED, /* the iterations are used up; good all the same */
    ZF_GLASSO_FAILED,     /* too ill-conditioned; the matrices mean nothing */
} zf_glasso_end;

/* Maximises log det P - trace(empirical P) - penalty * sum of |P| off the
   diagonal, from work->covariance. gap is the duality gap at the end. */
zf_status zf_glasso_solve(zf_glasso_end *end, double *gap, zf_glasso *work, const double *empirical,
                          double penalty, int iterations) ZF_CHECK;

/* Mean log-likelihood of rows with that covariance under work->precision;
   -infinity if the precision has no positive determinant. */
double zf_glasso_likelihood(zf_glasso *work, const double *covariance);

#endif
