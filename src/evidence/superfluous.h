/* Which members of a blanket are not needed beside the others. */
#ifndef ZF_EVIDENCE_SUPERFLUOUS_H
#define ZF_EVIDENCE_SUPERFLUOUS_H

#include "evidence/controls.h"

/* Of the n members of a variable's blanket, at most ZF_CONTROLS_MOST and ascending, those that
   leave it one after the other: the one with the largest p-value given all that are still there,
   as long as that is above `level`. *out is in the order in which they leave; of a blanket of one,
   and of one with too many members for the rows, none leaves. both, scratch: to work with, as
   zf_pair_near has them. ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_superfluous_find(zf_changes *out, const zf_sample *sample, size_t variable,
                              const int32_t *members, size_t n, double level, zf_columns *both,
                              zf_arena *scratch) ZF_CHECK;

#endif
