/* Tests whether two samples come from the same distribution, by the zero-flow criterion.

     zf_two_sample_result result;
     zf_two_samples samples = {first, second, 100, 120, 3, NULL}; // rows each, columns, names
     status = zf_two_sample_test(&result, &samples, NULL);
     if (status == ZF_OK) printf("p = %g\n", result.p_value), zf_two_sample_free(&result);

   For a in A and b in B, h(a, b) = v((a+b)/2) . (b-a) evaluates a velocity field v at the middle of
   the pair. Swapping the two keeps the middle and negates the difference, so h is antisymmetric,
   and if the distributions are equal its mean is 0 for every v. See docs/criterion.md for the
   proof, and for why the p-values are exact.

   All functions are safe from several threads. */
#ifndef ZEROFLOW_TWO_SAMPLE_H
#define ZEROFLOW_TWO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/blanket.h"
#include "zeroflow/report.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZF_TWO_SAMPLE_LEAST = 5,        /* rows a sample */
    ZF_TWO_SAMPLE_LEAST_SPLIT = 20, /* the same for ZF_TWO_SAMPLE_NETWORK */
};

/* Rows of the same columns, row-major, finite and up to 1e300 in magnitude. */
typedef struct zf_two_samples {
    const double *first, *second;
    size_t first_rows, second_rows, columns;
    const char *const *names; /* of the columns, for messages; NULL: none */
} zf_two_samples;

typedef enum zf_two_sample_method {
    /* Fields in closed form at ten scales, and three more where columns have few values, on
       all pairs, refitted for every labelling of the rows. Every row is used, none is held
       out. */
    ZF_TWO_SAMPLE_FLOW,
    /* A network as field, trained on one half of each sample; the pairs of the other
       halves are tested by flipping their signs. */
    ZF_TWO_SAMPLE_NETWORK,
} zf_two_sample_method;

typedef struct zf_two_sample_options {
    size_t struct_size; /* zf_two_sample_defaults sets it */
    zf_two_sample_method method;
    /* Of both samples together. Automatic: normal scores for what is compared as a whole,
       standard for neighbourhoods and networks. */
    zf_marginals_kind marginals;
    size_t permutations; /* labellings or flips beside the observed one, at least 19 */
    int splits;          /* network: ways to halve; p-values are combined */
    uint64_t iterations; /* network: training steps a split */
    size_t points;       /* number of rows to report of each sample */
    uint64_t seed;
    int threads; /* 0: all processors; does not affect the result */
    zf_report report;
} zf_two_sample_options;

ZF_API void zf_two_sample_options_init(zf_two_sample_options *options, size_t size,
                                       zf_two_sample_method method);
static inline zf_two_sample_options zf_two_sample_defaults(zf_two_sample_method method)
{
    zf_two_sample_options options;
    zf_two_sample_options_init(&options, sizeof options, method);
    return options;
}

/* A row and the flow there, in standard deviations of the witness over the rows; positive where the
   flow points to the second sample. */
typedef struct zf_two_sample_point {
    bool second; /* of the second sample */
    size_t row;  /* from 0 */
    double witness;
} zf_two_sample_point;

typedef struct zf_two_sample_result {
    size_t struct_size; /* the library sets it */
    double statistic;   /* mean of h over the pairs */
    double p_value;
    /* How far apart the samples are, in standard deviations of the witness: flow,
       with what chance alone gives taken off; network, mean of h over its deviation. */
    double effect;
    size_t rows_used;  /* of both samples */
    size_t labellings; /* that were compared, the observed one among them */
    bool enumerated;   /* these were all there are: the p-value is not random */
    const char *scale; /* flow: the scale with the strongest sign; a constant text */
    double *share;     /* [columns]: each one's share of the flow; they add up to 1, or all are 0 */
    zf_two_sample_point *points; /* farthest first, of the first sample and then of the second */
    size_t n_points;
    double seconds;
} zf_two_sample_result;

/* ZF_EINPUT: too few rows, a value that is not finite, no column that varies.
   ZF_EINVAL: invalid options. ZF_EINTERRUPT: there is no result. */
ZF_API zf_status zf_two_sample_test_sized(zf_two_sample_result *out, size_t size,
                                          const zf_two_samples *samples,
                                          const zf_two_sample_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_two_sample_test(zf_two_sample_result *out,
                                                    const zf_two_samples *samples,
                                                    const zf_two_sample_options *options)
{
    return zf_two_sample_test_sized(out, sizeof *out, samples, options);
}

ZF_API void zf_two_sample_free(zf_two_sample_result *result); /* leaves it empty */

#ifdef __cplusplus
}
#endif
#endif
