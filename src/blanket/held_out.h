/* The loss on rows that training did not see, beside that of a guess that uses no column.

   Both are the rectified-flow term: how well the way from a value to another is guessed from a
   point on it. The field also sees the other columns; the guess sees the point and the time
   alone. It is the better one, column by column, of two: the linear one, which is best for a
   normal law, and the mean of pairs of training rows that pass near the point, which knows any
   law. Rejected: the field with all gates closed, which it was never trained for; a mean squared
   error of values, which is blind to a column that sets the spread of another. */
#ifndef ZF_BLANKET_HELD_OUT_H
#define ZF_BLANKET_HELD_OUT_H

#include "blanket/step.h"

/* How many of the rows that share is: at least one and so that two remain, or 0. */
size_t zf_held_out_rows(size_t rows, double share);

/* Rows that belong together, by number or as stretches; NULL and 0: none do. */
typedef struct zf_together {
    const double *groups;
    size_t block;
} zf_together;

/* Brings *held rows, drawn by seed, to the end of [rows, columns]; the others keep their order.
   Of rows that belong together, all or none; *held becomes what that makes of it, 0 if no group
   is small enough. ZF_ENOMEM. */
zf_status zf_held_out_split(float *values, size_t rows, size_t columns, size_t *held, uint64_t seed,
                            zf_together together) ZF_CHECK;

/* What measuring needs, made before training, so that nothing can be wanting at its end. */
typedef struct zf_guess zf_guess;
zf_status zf_guess_new(zf_guess **out, size_t columns) ZF_CHECK;
void zf_guess_free(zf_guess *guess);

typedef struct zf_held_out_losses {
    double ours, constant; /* ours may be other than finite */
} zf_held_out_losses;

/* Measures on the `held` rows that follow those of the step, which is left as it was. */
zf_held_out_losses zf_held_out_measure(zf_guess *guess, zf_blanket_step *step, size_t held,
                                       zf_crew *crew);

#endif
