/* Laws that fit is told in words: which target sets to draw, and at which times the zero-flow
   term looks. */
#ifndef ZF_CLI_FIT_LAWS_H
#define ZF_CLI_FIT_LAWS_H

#include "feature_input.h"
#include "zeroflow/blanket.h"

/* --targets: a law, or a file of sets, which go to *sets, for zf_target_sets_free. CLI_USAGE: it is
   neither. */
cli_exit cli_fit_targets(zf_fit_options *wish, zf_target_sets *sets, const cli_call *call,
                         const char *text, const cli_features *features);

/* --zero-time. CLI_USAGE: no such law. */
cli_exit cli_fit_zero_time(zf_fit_options *wish, const char *text);

#endif
