/* The options of a fit that are laws: words, some with a number behind them. */
#ifndef ZF_JOB_FIT_LAWS_H
#define ZF_JOB_FIT_LAWS_H

#include "job/variables.h"
#include "zeroflow/blanket.h"

/* Target sets: node, neighbours, grid, window:K, bernoulli:P or a file with sets of the variables,
   which go to *sets. ZF_EINVAL: none of these. */
zf_status zf_fit_targets(zf_fit_options *wish, zf_target_sets *sets, zf_run *run, const char *text,
                         const zf_variables *variables) ZF_CHECK;

/* midpoint, omega:B, literal:B. ZF_EINVAL: none of these. */
zf_status zf_fit_zero_time(zf_fit_options *wish, const char *text) ZF_CHECK;

#endif
