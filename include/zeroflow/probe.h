/* Probes: how much of the classes can be read off features, by simple means that
   are fitted on some rows and judged on others. All are functions of matrices and
   labels; where the features come from does not matter.

   The same arguments give the same bits on any number of threads. */
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

/* What a probe is fitted on, and what it is judged on: all sets have the same
   columns and classes. */
typedef struct zf_probe_data {
    size_t dim;
    size_t classes; /* at least 2 */
    zf_labelled train;
    const zf_labelled *tests;
    size_t n_tests;
} zf_probe_data;

/* Nearest neighbours */

typedef enum zf_knn_measure {
    ZF_KNN_COSINE,    /* the angle between two rows; of a row of zeros a right angle to all */
    ZF_KNN_EUCLIDEAN, /* their distance */
} zf_knn_measure;

typedef struct zf_knn_options {
    int neighbours; /* 20; of fewer rows, all */
    zf_knn_measure measure;
    double temperature; /* 0: every neighbour has one vote; otherwise exp(cosine / temperature)
                           votes; for the cosine only */
    int threads;        /* 0: all processors */
} zf_knn_options;

ZF_API zf_knn_options zf_knn_defaults(void);

/* accuracy[n_tests]: the share of each test set's rows whose class is the one that
   most of their nearest rows of the training set have. Of rows that are equally
   near, to rounding, the first is taken; of classes with as many votes the one whose nearest row
   is nearest. ZF_EINVAL: options out of range. ZF_EINPUT: a set without rows, fewer
   than two classes, a label that is none of them, features that are not finite. */
ZF_API zf_status zf_probe_knn(double *accuracy, const zf_probe_data *data,
                              const zf_knn_options *options) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
