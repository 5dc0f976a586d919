/* Classical methods for comparison: a graph from a table, and two-sample tests.

     zf_graph *graph = NULL;
     zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
     status = zf_baseline_run(&graph, NULL, values, rows, names, columns, &options);
     if (status == ZF_OK) status = zf_graph_write(graph, "glasso.csv", NULL);
     zf_graph_free(graph);

   All functions are safe from several threads. */
#ifndef ZEROFLOW_BASELINE_H
#define ZEROFLOW_BASELINE_H

#include <stddef.h>

#include "zeroflow/graph.h"
#include "zeroflow/report.h"
#include "zeroflow/two_sample.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All scores are symmetric; the diagonal is 0. */
typedef enum zf_baseline {
    /* Graphical lasso, the penalty chosen by cross-validation, as scikit-learn's
       GraphicalLassoCV does it: the score is |precision|. One penalty for all
       columns depends on their units, unless the marginals are standardised. */
    ZF_BASELINE_GLASSO,
    /* Skeleton of the PC algorithm, in its form that does not depend on the order
       of the columns, with Fisher's z, once for each alpha of a grid. The score of
       a pair is -log10 of the strictest alpha that keeps its edge, 0 if none does.
       (More edges at a laxer alpha mean more conditioning sets, so it is not sure
       to keep what a stricter one kept.) */
    ZF_BASELINE_PC,
    /* |Partial correlation| given all other columns, from the inverse sample
       covariance. With fewer than two rows more than columns there is none, and
       the correlations are shrunk towards 0 first (Schaefer and Strimmer, 2005). */
    ZF_BASELINE_PARTIAL,
    /* The same on normal scores: sees any monotone dependence as a linear one. */
    ZF_BASELINE_RANK,
} zf_baseline;

/* How each column is transformed first. */
typedef enum zf_baseline_marginals {
    ZF_BASELINE_AS_THEY_ARE,
    ZF_BASELINE_STANDARD,      /* mean 0, deviation 1 */
    ZF_BASELINE_NORMAL_SCORES, /* ranks to normal quantiles; always so for rank */
} zf_baseline_marginals;

typedef struct zf_baseline_options {
    size_t struct_size; /* zf_baseline_defaults sets it */
    zf_baseline method;
    zf_baseline_marginals marginals;
    int folds;            /* glasso: at least 2; runs of rows in their order */
    int penalties;        /* glasso: grid points a refinement, at least 2 */
    int refinements;      /* glasso: at least 1 */
    const double *alphas; /* pc: in any order, between 0 and 1; NULL takes the default grid */
    int n_alphas;
    int depth;   /* pc: most columns to condition on; negative: as many as there are */
    double fdr;  /* partial, rank: above 0, the graph gets evidence: p-values by Fisher's z (of
                    shrunk correlations, by a normal distribution fitted to their median), q-values,
                    and edges at this false discovery rate. 0: scores alone */
    int threads; /* 0: all processors; does not affect the result */
    zf_report report;
} zf_baseline_options;

ZF_API void zf_baseline_options_init(zf_baseline_options *options, size_t size, zf_baseline method);
static inline zf_baseline_options zf_baseline_defaults(zf_baseline method)
{
    zf_baseline_options options;
    zf_baseline_options_init(&options, sizeof options, method);
    return options;
}

/* "glasso", "pc", "partial", "rank". */
ZF_API const char *zf_baseline_name(zf_baseline method);

/* Further results of a method. */
typedef struct zf_baseline_details {
    double *precision;  /* [columns * columns] of the prepared columns, the caller's: zf_free;
                           NULL: pc */
    double penalty;     /* glasso: the chosen one, else 0 */
    double likelihood;  /* glasso: its mean log-likelihood a row on rows held out, else 0 */
    double shrinkage;   /* partial, rank: how far correlations were shrunk, 0 to 1 */
    uint64_t tests;     /* pc: of conditional independence */
    uint64_t undecided; /* pc: of these, on columns that determine each other exactly: they
                           keep the edge */
    double seconds;
} zf_baseline_details;

/* rows * columns values, row-major. details may be NULL. ZF_EINPUT: fewer than
   two columns, fewer than four rows (or than folds), a value that is not
   finite, a constant column (named), a column that is a linear function of
   others where the method cannot do with it (partial, rank: named; glasso
   where it finds no solution). ZF_EINVAL: invalid options.
   ZF_EINTERRUPT: there is no result. */
ZF_API zf_status zf_baseline_run_sized(zf_graph **out, zf_baseline_details *details, size_t size,
                                       const double *values, size_t rows, const char *const *names,
                                       size_t columns, const zf_baseline_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_baseline_run(zf_graph **out, zf_baseline_details *details,
                                                 const double *values, size_t rows,
                                                 const char *const *names, size_t columns,
                                                 const zf_baseline_options *options)
{
    return zf_baseline_run_sized(out, details, sizeof *details, values, rows, names, columns,
                                 options);
}

/* Tests of whether two samples come from the same distribution. */
typedef enum zf_peer {
    /* Maximum mean discrepancy, squared and biased, with a Gaussian kernel
       exp(-|x-y|^2 / median), the median of the squared distances of all pairs. */
    ZF_PEER_MMD,
    /* Energy distance: twice the mean distance between the samples less the mean
       distances within each. */
    ZF_PEER_ENERGY,
    /* A classifier (a network of two hidden layers of 64) is trained to tell one half
       of each sample apart; the statistic is how much larger its mean logit is on the
       other half of the second sample than on that of the first. */
    ZF_PEER_CLASSIFIER,
    /* MMD with the sum of five Gaussian kernels, whose exponents have 1/16, 1/4, 1, 4 and 16
       times the median of the squared distances below them. */
    ZF_PEER_MMD_WIDTHS,
    /* MMDAgg (Schrab et al., 2023): MMD with twenty kernels, Gaussian and Laplace at ten widths
       each, from half the 5 % quantile of the distances to twice the 95 % quantile; the
       statistic is the smallest of their p-values by permutation, and p_value the rank of
       that. Twenty times the cost of MMD. */
    ZF_PEER_MMDAGG,
} zf_peer;

enum { ZF_PEER_ROWS_MOST = 20000 }; /* of both samples, where a matrix of all pairs is needed */

typedef struct zf_peer_options {
    size_t struct_size; /* zf_peer_defaults sets it */
    zf_peer method;
    size_t permutations; /* labellings of the rows beside the observed one */
    uint64_t seed;
    int threads; /* 0: all processors; does not affect the result */
    zf_report report;
} zf_peer_options;

typedef struct zf_peer_result {
    double statistic;
    double p_value;    /* by permutation, at least 1 / labellings; of the classifier, of its
                          test halves alone */
    size_t rows_used;  /* of both samples */
    size_t labellings; /* that were compared, the observed one among them */
    double seconds;
} zf_peer_result;

ZF_API void zf_peer_options_init(zf_peer_options *options, size_t size, zf_peer method);
static inline zf_peer_options zf_peer_defaults(zf_peer method)
{
    zf_peer_options options;
    zf_peer_options_init(&options, sizeof options, method);
    return options;
}
ZF_API const char *zf_peer_name(zf_peer method); /* such as "mmd" */

/* Columns are taken as they are; a common unit of all values changes nothing but the
   energy distance, which has that unit. ZF_EINPUT: fewer rows than zf_two_sample_test
   wants, too many, a value that is not finite. ZF_ENUMERIC: a statistic is not finite.
   ZF_EINTERRUPT: there is no result. */
ZF_API zf_status zf_peer_test_sized(zf_peer_result *out, size_t size, const zf_two_samples *samples,
                                    const zf_peer_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_peer_test(zf_peer_result *out, const zf_two_samples *samples,
                                              const zf_peer_options *options)
{
    return zf_peer_test_sized(out, sizeof *out, samples, options);
}

#ifdef __cplusplus
}
#endif
#endif
