/* The contest behind the paper's first table and its ROC curves: methods that
   recover the graph of a chain, on three laws, over seeds. */
#ifndef ZF_STUDY_CONTEST_H
#define ZF_STUDY_CONTEST_H

#include "study/study.h"

enum { LAWS = 3, METHODS = 8 };

/* In the order of zf_law. */
extern const char *const contest_laws[LAWS];

typedef struct contestant {
    const char *name;      /* in words */
    const char *method;    /* mlp, lstm, glasso, pc, partial, rank */
    const char *marginals; /* standard, normal-scores, or - where the method has its own */
    double paper[LAWS];    /* what the paper's table says; NaN: nothing */
} contestant;
extern const contestant contestants[METHODS];

typedef struct contest_results {
    study_size size;
    zf_accuracy *results; /* [seeds][LAWS][METHODS] */
    double *seconds;      /* the same: what each took */
} contest_results;

/* Runs everything and writes runs.csv; then what a reproduction does with it. */
zf_status contest_run(zf_study *study, contest_results *contest);
json_t *contest_json(const zf_study *study, const void *contest);
void contest_release(void *contest);

const zf_accuracy *contest_result(const contest_results *contest, int seed, int law, int method);

/* Over the seeds; spread is the standard deviation, 0 of a single seed. */
typedef struct contest_figure {
    double mean, spread;
} contest_figure;
typedef enum contest_measure { CONTEST_AUC, CONTEST_AUC_PAPER, CONTEST_PRECISION } contest_measure;
contest_figure contest_average(const contest_results *contest, contest_measure measure, int law,
                               int method);

/* "chain of 50 variables, order 3, 2,048 rows; 1 seed, 2,500 iterations" */
void contest_print_setting(const contest_results *contest, FILE *out);

#endif
