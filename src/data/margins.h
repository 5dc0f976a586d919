/* Margins: what is done to each column by itself before a method sees it.

   Both transforms are monotone, so they keep the graph. They are fitted on
   training rows and can then be applied to any row, so that a model carries
   its own.

   - `standard`: (value - mean) / standard deviation.
   - `normal scores`: the value's rank r among the n training values (ties
     share their mean rank) becomes the normal quantile of (r - 0.5) / n.
     Between two training values it is interpolated, outside their range it
     is that of the nearest.

   Everything kept is float32, which is what model files hold: a transform that
   was saved and restored gives the same bits. */
#ifndef ZF_DATA_MARGINS_H
#define ZF_DATA_MARGINS_H

#include <stddef.h>

#include "zeroflow/blanket.h" /* zf_margins_kind */

/* Of columns with more distinct values, this many are kept, evenly spread among
   them with both ends: training values between two of these are interpolated
   too. Up to here normal scores are exact on the training rows. */
enum { ZF_MARGINS_KNOTS_MAX = 8192 };

typedef struct zf_margins {
    zf_margins_kind kind;
    size_t columns;
    float *mean, *deviation; /* standard: [columns]; deviation 0 (a constant) maps to 0 */
    size_t knots;            /* normal scores, of the column that has most */
    float *values,
        *scores; /* [columns * knots], increasing; a column with fewer repeats its last */
} zf_margins;

/* Fits on rows * columns finite values, row-major; at least one row. */
zf_status zf_margins_fit(zf_margins *out, zf_margins_kind kind, const float *values, size_t rows,
                         size_t columns) ZF_CHECK;

/* Copies what a file held: mean and deviation for standard (knots is 1), values
   and scores for normal scores. ZF_EINPUT: a number that no fit could have
   given. */
zf_status zf_margins_restore(zf_margins *out, zf_margins_kind kind, size_t columns, size_t knots,
                             const float *first, const float *second) ZF_CHECK;

/* to and from may be the same rows. */
void zf_margins_apply(const zf_margins *margins, float *to, const float *from, size_t rows);

void zf_margins_free(zf_margins *margins); /* leaves an empty one; {0} is fine */

/* "standard", "normal-scores". */
const char *zf_margins_name(zf_margins_kind kind);
/* The kind of that name, from a file. ZF_EINPUT: there is none. name may be NULL. */
zf_status zf_margins_kind_read(zf_margins_kind *out, const char *name, const char *path) ZF_CHECK;

/* What zf_margins_restore needs: first and second, [columns * knots] each, knots being 1
   for standard. */
int zf_margins_knots(const zf_margins *margins);
void zf_margins_store(const zf_margins *margins, float *first, float *second);

/* The normal scores of n values among themselves, in double. `from` has its
   values `stride` apart, and so has `to`. ZF_ENOMEM. */
zf_status zf_normal_scores(double *to, const float *from, size_t n, size_t stride) ZF_CHECK;

#endif
