/* Marginals: what is done to each column by itself before a method sees it.

   Both transforms are monotone, so they keep the graph. They are fitted on
   training rows and can then be applied to any row, so that a model carries
   its own.

   - `standard`: (value - mean) / standard deviation.
   - `normal scores`: the value's rank r among the n training values (ties
     share their mean rank) becomes the normal quantile of (r - 0.5) / n.
     Between two training values it is interpolated, outside their range it
     is that of the nearest.

   Raw values and what is kept of them are float64, in model files too, so that a
   column far from 0 or far from 1 loses nothing; what is applied is float32, which
   is what networks work on. */
#ifndef ZF_DATA_MARGINALS_H
#define ZF_DATA_MARGINALS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/safetensors.h"
#include "zeroflow/blanket.h" /* zf_marginals_kind */

/* Of columns with more distinct values, this many are kept, evenly spread among
   them with both ends: training values between two of these are interpolated
   too. Up to here normal scores are exact on the training rows. */
enum { ZF_MARGINALS_KNOTS_MAX = 8192 };

typedef struct zf_marginals {
    zf_marginals_kind kind;
    size_t columns;
    size_t knots; /* a column: 1 for standard, else those of the column that has most */
    /* [columns, knots]. Standard: mean, and deviation (0, a constant, maps to 0). Normal
       scores: values and their scores, increasing; a column with fewer repeats its last. */
    double *first, *second;
} zf_marginals;

/* Fits on rows * columns finite values, row-major; at least one row. */
zf_status zf_marginals_fit(zf_marginals *out, zf_marginals_kind kind, const double *values,
                           size_t rows, size_t columns) ZF_CHECK;

/* The marginals of some of the columns: `count` of them, beginning at `from`. */
zf_status zf_marginals_part(zf_marginals *out, const zf_marginals *marginals, size_t from,
                            size_t count) ZF_CHECK;

/* The two as a file keeps them, "margin.first" and "margin.second", [columns, knots] in
   float64; the data stays that of the marginals. */
enum { ZF_MARGINALS_TENSORS = 2 };
zf_tensor zf_marginals_tensor(const zf_marginals *marginals, int i);
/* Reads them, also of files that kept float32. ZF_EINPUT: tensors that are not there, of
   another shape (before memory is asked for), or with a number that no fit could have given. */
zf_status zf_marginals_read(zf_marginals *out, zf_marginals_kind kind, size_t columns, size_t knots,
                            const zf_safetensors *file) ZF_CHECK;

void zf_marginals_apply(const zf_marginals *marginals, float *to, const double *from, size_t rows);

void zf_marginals_free(zf_marginals *marginals); /* leaves an empty one; {0} is fine */

/* Is every number one of float32, as in a file that kept no more? */
bool zf_marginals_are_narrow(const zf_marginals *marginals);

/* "standard", "normal-scores". */
const char *zf_marginals_name(zf_marginals_kind kind);
/* The kind of that name, from a file. ZF_EINPUT: there is none. name may be NULL. */
zf_status zf_marginals_kind_read(zf_marginals_kind *out, const char *name,
                                 const char *path) ZF_CHECK;

/* The normal scores of n values among themselves, in double. `from` has its
   values `stride` apart, and so has `to`, which may be `from`. ZF_ENOMEM. */
zf_status zf_normal_scores(double *to, const double *from, size_t n, size_t stride) ZF_CHECK;

#endif
