/* How well a blanket predicts its targets, beside all columns and none. */
#ifndef ZF_JOB_PREDICT_H
#define ZF_JOB_PREDICT_H

#include "job/membership.h"
#include "job/units.h"
#include "job/variables.h"
#include "zeroflow/predict.h"

typedef struct zf_predict_values {
    const char *data, *model, *test;
    zf_words target, blanket;
    int folds;
    zf_membership_values rule;
    zf_unit_values units;
    zf_variable_values variables;
} zf_predict_values;

/* What the targets are predicted from. */
enum { ZF_FROM_ALL, ZF_FROM_BLANKET, ZF_FROM_NONE, ZF_FROM_SETS };

typedef struct zf_predict_result {
    zf_blanket *model; /* NULL: none */
    zf_variables variables;
    const char **names; /* all columns that take part */
    size_t columns;
    int32_t *targets, *members, *others; /* places among them */
    int n_targets, n_members, n_others;
    double *values; /* rows of the data, then those of the test */
    double *groups; /* of the rows; NULL: no groups */
    size_t rows, dropped, tested;
    size_t units;               /* rows, groups or blocks among those that are predicted */
    bool trained;               /* the rows that are predicted are those that the model was fitted
                                   to */
    zf_prediction *predictions; /* [n_targets, ZF_FROM_SETS] */
} zf_predict_result;

extern const zf_job zf_job_predict;

/* The columns that take part, in the order of their places. */
zf_names zf_predict_names(const zf_predict_result *found, const char *path);

/* How many columns the targets are predicted from. */
int zf_predict_columns(const zf_predict_result *found, int set);

#endif
