/* How far the lasso's partial correlations are to be believed, which know straight lines only. */
#ifndef ZF_EVIDENCE_HEARING_H
#define ZF_EVIDENCE_HEARING_H

#include "evidence/sample.h"

/* Can the lasso be heard in a table of so many rows and variables: are rows not many (with many it
   adds nothing), and pairs enough to see the law of its deviations? */
bool zf_hearing_is_possible(size_t rows, size_t variables);

/* Are there straight lines alone? Where all columns are jointly normal but for their marginals, the
   even shapes of one have nothing to do with the odd ones of another, and the squares of two no
   more than their own correlation makes: the strongest of the first correlations, and the mean
   square of the second less what the two make of it, are within chance or small beside those of the
   scores. ZF_ENOMEM. */
zf_status zf_hearing_straight(bool *out, const zf_sample *sample) ZF_CHECK;

/* How far the deviations of evidence/lasso.h are to be believed. To be heard at all, it has to be
   possible, and no rows belong together. To be heard
   fully or, with rows enough to look for interactions too, beside the rest, straight lines alone:
   they know nothing else, and what curves leave behind looks like an edge to them. Otherwise they
   are heard with care where rows are few, and not at all where they are not. ZF_ENOMEM. */
zf_status zf_hearing_of(zf_hearing *out, const zf_sample *sample) ZF_CHECK;

#endif
