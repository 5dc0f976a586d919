/* What straight lines alone say of every pair. */
#ifndef ZF_EVIDENCE_LINES_H
#define ZF_EVIDENCE_LINES_H

#include "base/progress.h"
#include "evidence/sample.h"

enum { ZF_LINES_ODDS_MOST = 2000 }; /* no odds are larger */

/* Of every pair of variables, at zf_pair_at: the log odds that the one is needed to predict the
   other by a straight line from all variables, plus the same the other way round. The same numbers
   on any number of threads, whatever the seed of a fit. ZF_ENOMEM, ZF_EINTERRUPT. */
zf_status zf_lines_odds(double *out, const zf_sample *sample, zf_crew *crew, zf_pace *pace,
                        zf_span span) ZF_CHECK;

#endif
