/* The contest behind the paper's first table and its ROC curves: methods that
   recover the graph of a chain, on three laws, over seeds. */
#ifndef ZF_CLI_CONTEST_H
#define ZF_CLI_CONTEST_H

#include "reproduce/study.h"

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

typedef struct cli_contest {
    study_size size;
    zf_accuracy *results; /* [seeds][LAWS][METHODS] */
    double *seconds;      /* the same: what each took */
} cli_contest;

/* Runs everything and writes runs.csv, draws, and prints as text or as JSON. */
typedef struct contest_show {
    cli_exit (*draw)(const cli_study *study, const cli_contest *contest);
    void (*print)(const cli_study *study, const cli_contest *contest);
} contest_show;
cli_exit contest_run(cli_study *study, const contest_show *show);

const zf_accuracy *contest_result(const cli_contest *contest, int seed, int law, int method);

/* Over the seeds; spread is the standard deviation, 0 of a single seed. */
typedef struct cli_average {
    double mean, spread;
} cli_average;
typedef enum contest_measure { CONTEST_AUC, CONTEST_AUC_PAPER, CONTEST_PRECISION } contest_measure;
cli_average contest_average(const cli_contest *contest, contest_measure measure, int law,
                            int method);

/* "chain of 50 variables, order 3, 2,048 rows; 1 seed, 2,500 iterations" */
void contest_print_setting(const cli_contest *contest, FILE *out);

#endif
