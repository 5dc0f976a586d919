/* What every method gets and gives. */
#ifndef ZF_BASELINE_METHOD_H
#define ZF_BASELINE_METHOD_H

#include "base/progress.h"
#include "zeroflow/baseline.h"

/* Letters: N rows, D columns. */
typedef struct zf_method_call {
    const double *values; /* [N, D], prepared, every column of mean 0 and none constant */
    double *unit; /* [D]: what 1 stands for in a column; 1 unless it is very large or small */
    size_t rows, columns;
    const char *const *names;
    const zf_baseline_options *options;
    zf_crew *crew;
    zf_pace pace;
    double *scores;               /* [D, D]: the result; zero at first */
    zf_baseline_details *details; /* never NULL */
} zf_method_call;

zf_status zf_glasso_run(zf_method_call *call) ZF_CHECK;
zf_status zf_pc_run(zf_method_call *call) ZF_CHECK;
zf_status zf_partial_run(zf_method_call *call) ZF_CHECK;

/* Gives the graph of partial correlations in call->scores p-values, q-values and decisions at
   the options' false discovery rate. ZF_ENOMEM. */
zf_status zf_partial_decide(zf_graph *graph, const zf_method_call *call) ZF_CHECK;

/* A line for the user. */
void zf_method_log(const zf_method_call *call, zf_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* n * n doubles, zeroed, for free(); NULL when memory ran out (with its message). */
double *zf_square_new(size_t n);

/* to = the correlations of the columns, exactly 1 on the diagonal; deviations
   (divisor N) go to deviation[D]. */
void zf_correlate(double *to, double *deviation, const zf_method_call *call);

#endif
