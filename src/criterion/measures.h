/* What predictions of held-out rows are worth. */
#ifndef ZF_CRITERION_MEASURES_H
#define ZF_CRITERION_MEASURES_H

#include "zeroflow/predict.h"

/* Predictions [sets, rows] of y. Rows of fold -1 were fitted only. middle: what was predicted
   without any input. */
typedef struct zf_told {
    const double *y, *middle, *predicted;
    const int32_t *fold;
    size_t rows;
    int folds;
} zf_told;

/* ZF_ENOMEM. */
zf_status zf_measures_take(zf_prediction *out, const zf_told *told, size_t n_sets) ZF_CHECK;

#endif
