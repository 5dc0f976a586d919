/* What codes of each length are worth on rows that were not trained on. */
#ifndef ZF_REDUCE_CRITERION_H
#define ZF_REDUCE_CRITERION_H

#include "reduce/step.h"
#include "zeroflow/reduce.h"

/* out[step.dim], for codes of 1, 2, ... numbers, on n rows [targets + inputs], n >= 2:
   each row is paired with the next few, at times spread evenly over (0, 1); pairs and
   times are the same for each length. */
zf_status zf_reduce_measure(zf_reduce_criterion *out, zf_reduce_step *step, zf_crew *crew,
                            const float *rows, int n) ZF_CHECK;

/* The smallest length from `least` to `most` that is as good as the best of these:

   - its rectified loss exceeds the best's by no more than a standard error of the
     difference, or by no more than ZF_REDUCE_SLACK. A field that is cut off from numbers
     that it could do without does a little worse, by what it has not learnt, and this is no
     lack of knowledge. In units of a target's variance, of which about 1.6 are lost without
     any knowledge (pi / 2 for a normal law);
   - its zero-flow term is no more than ZF_REDUCE_ZEROS times the least of them. It is what y
     adds to the numbers, and would be 0 in each sufficient case but for what networks learn
     imperfectly. */
#define ZF_REDUCE_SLACK 0.03
#define ZF_REDUCE_ZEROS 3.0
int zf_reduce_choose(const zf_reduce_criterion *criterion, int least, int most);

#endif
