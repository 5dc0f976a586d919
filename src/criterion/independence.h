/* What a test of independence works on, for others who want to see it. */
#ifndef ZF_CRITERION_INDEPENDENCE_H
#define ZF_CRITERION_INDEPENDENCE_H

#include "criterion/given.h"
#include "zeroflow/independence.h"

/* Shapes of the variables of x and y, ZF_SHAPES of each, less what is given explains of them. */
typedef struct zf_left {
    zf_columns x, y;
    zf_columns x_scores, y_scores; /* as they were */
    zf_given given;                /* {0} if nothing is given */
    const int32_t *sorted;         /* the given columns in the order of given.scores */
} zf_left;

/* As the test of the same question has it. The result lies in the arena, which has to be empty
   and is the caller's to free on failure too. As zf_independence_test. */
zf_status zf_independence_left(zf_left *out, zf_arena *arena, const double *values, size_t rows,
                               const char *const *names, size_t columns,
                               const zf_question *question,
                               const zf_independence_options *options) ZF_CHECK;

#endif
