/* Regression on a few variables that were found to matter. */
#ifndef ZF_CRITERION_MEMBERS_H
#define ZF_CRITERION_MEMBERS_H

#include "criterion/columns.h"

/* The variables: at least one, none constant. */
typedef struct zf_criterion_members {
    zf_columns scores; /* zf_columns_scores */
    zf_columns ranks;  /* zf_columns_ranks */
    zf_columns raw;    /* zf_columns_raw */
} zf_criterion_members;

/* Replaces responses by their residuals: ZF_SHAPES columns of mean 0 for each of one or more
   variables. *taken: how many functions were fitted to a response, in the mean: what is lost of
   the variance of its noise, in rows. ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_criterion_members_explain(zf_columns *responses, double *taken,
                                       const zf_criterion_members *members,
                                       zf_arena *arena) ZF_CHECK;

#endif
