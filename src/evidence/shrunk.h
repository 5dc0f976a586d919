/* Partial correlations from few rows: shrunk before they are inverted, and judged by the law that
   most pairs of the same table show. */
#ifndef ZF_EVIDENCE_SHRUNK_H
#define ZF_EVIDENCE_SHRUNK_H

#include "evidence/sample.h"

/* By which share correlations [n, n] are to be shrunk towards 0, 0 to 1: the one with the least
   expected squared error as estimated from the sample (Schaefer and Strimmer, 2005). fourth:
   [n, n], the mean of u^2 v^2 over rows for each two standardised columns u and v. */
double zf_shrinkage_share(const double *correlation, const double *fourth, size_t n, size_t rows);

/* The deviation of n values around 0 whose sizes are given, from the median of the sizes: right
   if most of them, not all, are of one normal law (an empirical null). Sorts the sizes. */
double zf_null_deviation(double *sizes, size_t n);

/* Are there straight lines alone? Where all columns are jointly normal but for their margins, the
   even shapes of one have nothing to do with the odd ones of another, and the squares of two no
   more than their own correlation makes: the mean square of these correlations over all pairs, less
   what chance and that correlation make of it, is small beside that of the scores, or within
   chance. ZF_ENOMEM. */
zf_status zf_shrunk_straight(bool *out, const zf_sample *sample) ZF_CHECK;

/* How far the deviations below are to be believed. To be heard at all takes few rows (with more,
   they add nothing), pairs enough to see their law, and no rows that belong together. To be heard
   fully, straight lines alone: they know nothing else, and what curves leave behind looks like an
   edge to them. ZF_ENOMEM. */
zf_status zf_shrunk_hearing(zf_hearing *out, const zf_sample *sample) ZF_CHECK;

/* Of every pair of variables, at zf_pair_at: the shrunk partial correlation of the scores, in
   units of its empirical null. All 0 if it is not defined. ZF_ENOMEM. */
zf_status zf_shrunk_deviations(double *out, const zf_sample *sample) ZF_CHECK;

#endif
