/* Stability: in which share of half samples is a pair an edge? */
#ifndef ZF_EVIDENCE_STABILITY_H
#define ZF_EVIDENCE_STABILITY_H

#include "evidence/trial.h"

/* Fills in the stability of every pair from options->half_samples half samples, which come in
   pairs that share no unit. ZF_ENOMEM, ZF_ENUMERIC, ZF_EINTERRUPT. */
zf_status zf_stability_measure(zf_evidence *result, const zf_unit_rows *rows,
                               const zf_evidence_options *options, zf_crew *crew,
                               zf_pace *pace) ZF_CHECK;

/* The largest probability of at least t (1 to steps) that a law on 0, 1, ..., steps can have
   which has mean `mean` and of which the probabilities to the power r, r < 0, are convex. */
double zf_concave_tail(double mean, int t, int steps, double r);

#endif
