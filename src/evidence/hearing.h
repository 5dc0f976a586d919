/* How far the lasso's partial correlations are to be believed, which know straight lines only. */
#ifndef ZF_EVIDENCE_HEARING_H
#define ZF_EVIDENCE_HEARING_H

#include "evidence/sample.h"

/* Can the lasso be heard in a table of so many rows and variables: are rows few, and pairs enough
   to see the law of its deviations? With more rows it adds nothing. */
bool zf_hearing_is_possible(size_t rows, size_t variables);

/* How far the deviations of evidence/lasso.h are to be believed. To be heard at all, it has to be
   possible, and no rows belong together. To be heard
   fully, straight lines alone: they know nothing else, and what curves leave behind looks like an
   edge to them. Where all columns are jointly normal but for their margins, the even shapes of one
   have nothing to do with the odd ones of another, and the squares of two no more than their own
   correlation makes: the mean square of these correlations over all pairs, less what chance and
   that correlation make of it, is small beside that of the scores, or within chance. ZF_ENOMEM. */
zf_status zf_hearing_of(zf_hearing *out, const zf_sample *sample) ZF_CHECK;

#endif
