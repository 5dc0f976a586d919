/* How well columns predict a target on held-out rows. Comparing a blanket, all columns and none
   shows whether the blanket is sufficient.

     zf_inputs sets[] = {{all, n_all}, {blanket, n_blanket}, {NULL, 0}};
     zf_prediction found[3];
     zf_predict_options options = zf_predict_defaults();
     status = zf_predict(found, values, rows, names, columns, target, sets, 3, 0, &options);

   The regression is the same for every set and a plain one: least squares with a ridge penalty,
   on normal scores of the columns, four more functions of each (two polynomials of the rank, a
   sine, a cosine) and products of two, as long as these are few for the rows; penalty and weight
   of the functions beside the scores by generalised cross-validation on the rows that are
   fitted. It is not meant to be the best predictor: a better one may gain for every set.

   Safe from several threads. */
#ifndef ZEROFLOW_PREDICT_H
#define ZEROFLOW_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/report.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns that may be used; n = 0: none, the mean is predicted. */
typedef struct zf_inputs {
    const int32_t *columns;
    size_t n;
} zf_inputs;

typedef struct zf_predict_options {
    size_t struct_size; /* zf_predict_defaults sets it */
    int folds;     /* 2 to 100, and at most half of the rows, groups or blocks that are predicted */
    uint64_t seed; /* of which row is in which fold */
    int threads;   /* 0: all processors; does not affect the result */
    /* Rows that belong together are kept in one fold: those with equal numbers in groups[rows]
       (the visits of a patient), or stretches of `block` rows that follow each other among those
       that are predicted. NULL and 0: every row is by itself. */
    const double *groups;
    size_t block;
    zf_report report;
} zf_predict_options;

/* Defaults: 5 folds */
ZF_API void zf_predict_options_init(zf_predict_options *options, size_t size);
static inline zf_predict_options zf_predict_defaults(void)
{
    zf_predict_options options;
    zf_predict_options_init(&options, sizeof options);
    return options;
}

/* A measure and its standard error, by leaving out one fold at a time (jackknife). */
typedef struct zf_estimate {
    double value, error;
} zf_estimate;

typedef struct zf_prediction {
    zf_estimate r2;   /* 1 - squared error over that of the mean of the fitted rows; may be < 0 */
    zf_estimate less; /* r2 of the first set less this one's */
    bool two_valued;  /* the target has two values, and these are set as well: */
    zf_estimate accuracy;
    zf_estimate auc; /* pairs of rows within a fold */
} zf_prediction;

/* Of rows * columns finite values, row-major. held_out = 0: every row is predicted from the
   other folds. Otherwise the last held_out rows are predicted from the rows before them, and
   folds are parts of these. out gets a prediction for each set. names are used in messages; NULL:
   numbers. ZF_EINVAL: folds, a column outside the table, the target among its inputs, a column
   twice in a set, groups as well as a block, a group that is not finite. ZF_EINPUT: fewer than 20
   rows to fit on or to predict, values that are not finite, a constant column, a group that is
   both among the last held_out rows and before them. */
ZF_API zf_status zf_predict(zf_prediction *out, const double *values, size_t rows,
                            const char *const *names, size_t columns, int32_t target,
                            const zf_inputs *sets, size_t n_sets, size_t held_out,
                            const zf_predict_options *options) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
