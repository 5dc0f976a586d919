/* Probes: how well simple classifiers, fitted on some rows and tested on others, predict classes
   from features. All are functions of matrices and labels; the features may come from anywhere.

     double accuracy;
     zf_labelled train = {features, labels, 1000}, test = {others, classes, 200};
     zf_probe_data data = {.dim = 64, .classes = 10, .train = train, .tests = &test, .n_tests = 1};
     status = zf_probe_knn(&accuracy, &data, NULL);

   The same arguments give the same bits on any number of threads.

   All functions are safe from several threads. */
#ifndef ZEROFLOW_PROBE_H
#define ZEROFLOW_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/report.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of features, [rows, dim], with the class of each, from 0. */
typedef struct zf_labelled {
    const float *features;
    const int32_t *labels;
    size_t rows;
} zf_labelled;

/* What a probe is fitted and tested on. All sets have the same columns and classes. */
typedef struct zf_probe_data {
    size_t dim;
    size_t classes; /* at least 2 */
    zf_labelled train;
    const zf_labelled *tests;
    size_t n_tests;
} zf_probe_data;

/* The linear probe */

typedef struct zf_linear_options {
    size_t struct_size; /* zf_linear_defaults sets it */
    double rate;        /* Adam's; 1e-3 */
    int batch;          /* 512 */
    int epochs;         /* passes over the training set; 100 */
    int seeds; /* regressions that differ in their first weights and their order of rows; 5 */
    uint64_t seed;
    int threads; /* 0: all processors */
    zf_report report;
} zf_linear_options;

ZF_API void zf_linear_options_init(zf_linear_options *options, size_t size);
static inline zf_linear_options zf_linear_defaults(void)
{
    zf_linear_options options;
    zf_linear_options_init(&options, sizeof options);
    return options;
}

/* The accuracy of a probe that is trained several times. */
typedef struct zf_probe_accuracy {
    double mean;
    double spread; /* standard deviation over the seeds; 0 for one */
} zf_probe_accuracy;

/* Softmax regression on the features as they are, plain[n_tests], and on columns of
   mean 0 and deviation 1 by the training set, standardised[n_tests]; either may be
   NULL and is then not trained. The first depends on the scale of each column, as
   Adam's steps are of one length whatever it is. ZF_EINVAL and ZF_EINPUT as below.
   ZF_ENUMERIC: the weights are not finite. ZF_EINTERRUPT: the progress callback asked to stop. */
ZF_API zf_status zf_probe_linear(zf_probe_accuracy *plain, zf_probe_accuracy *standardised,
                                 const zf_probe_data *data,
                                 const zf_linear_options *options) ZF_CHECK;

/* Nearest neighbours */

typedef enum zf_knn_measure {
    ZF_KNN_COSINE,    /* the angle between two rows; of a row of zeros a right angle to all */
    ZF_KNN_EUCLIDEAN, /* their distance */
} zf_knn_measure;

typedef struct zf_knn_options {
    size_t struct_size; /* zf_knn_defaults sets it */
    int neighbours;     /* 20; of fewer rows, all */
    zf_knn_measure measure;
    double temperature; /* 0: every neighbour has one vote; otherwise exp(cosine / temperature)
                           votes; for the cosine only */
    int threads;        /* 0: all processors */
} zf_knn_options;

ZF_API void zf_knn_options_init(zf_knn_options *options, size_t size);
static inline zf_knn_options zf_knn_defaults(void)
{
    zf_knn_options options;
    zf_knn_options_init(&options, sizeof options);
    return options;
}

/* accuracy[n_tests]: the share of each test set's rows whose class is the one that
   most of their nearest rows of the training set have. Of rows that are equally
   near, to rounding, the first is taken; of classes with as many votes the one whose nearest row
   is nearest. ZF_EINVAL: options out of range. ZF_EINPUT: a set without rows, fewer
   than two classes, a label that is none of them, features that are not finite, or
   whose largest is not within 1e-15 to 1e15. */
ZF_API zf_status zf_probe_knn(double *accuracy, const zf_probe_data *data,
                              const zf_knn_options *options) ZF_CHECK;

/* Ridge regression */

typedef struct zf_ridge_options {
    size_t struct_size; /* zf_ridge_defaults sets it */
    double penalty;     /* on the squared coefficients, beside the sum of squared errors; 0: of
                           17, from 1e-5 to 1e3 of the features' mean eigenvalue, the one with the least
                           error when each training row in turn is left out */
    int threads;        /* 0: all processors */
} zf_ridge_options;

ZF_API void zf_ridge_options_init(zf_ridge_options *options, size_t size);
static inline zf_ridge_options zf_ridge_defaults(void)
{
    zf_ridge_options options;
    zf_ridge_options_init(&options, sizeof options);
    return options;
}

/* accuracy[n_tests] of the linear regression of one-hot labels on the features as they
   are, in closed form; a row's class is that of its largest prediction. *penalty, unless
   it is NULL, gets the penalty used. ZF_EINVAL and ZF_EINPUT as above; ZF_EINVAL
   also above 8,192 features, ZF_EINPUT when all training rows are the same. */
ZF_API zf_status zf_probe_ridge(double *accuracy, double *penalty, const zf_probe_data *data,
                                const zf_ridge_options *options) ZF_CHECK;

/* Principal components: the baseline for as many features */

typedef struct zf_components zf_components;

/* The `count` directions in which features [rows, dim] vary most. ZF_EINVAL: count above
   dim, or dim above 8,192. ZF_EINPUT: no row, or features that are not finite. */
ZF_API zf_status zf_components_find(zf_components **out, const float *features, size_t rows,
                                    size_t dim, size_t count, int threads) ZF_CHECK;

/* codes[rows, count]: rows [rows, dim], less the mean of those that the components were
   found of, in these directions, the first first. */
ZF_API zf_status zf_components_apply(const zf_components *components, float *codes,
                                     const float *features, size_t rows, int threads) ZF_CHECK;

/* The variance of the rows in direction k. */
ZF_API double zf_components_variance(const zf_components *components, size_t k);

ZF_API void zf_components_free(zf_components *components); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
