/* The fields of the flow test, and what they see of a row.

   A field that is linear in features, v = sum of w_f phi_f, has its mean of h over
   all pairs linear in w, and for each feature this is the difference of the means of
   one function of a row, its witness, over the two samples:

     scale     field                          witness of x
     drift     constant                       x_k
     spread    outwards from the middle       |x|^2
     stretch   along an axis, as that grows   x_k^2
     shear     along an axis, as another does x_k x_l
     near      linear around a centre c,      k(x) (m g(x) - e), where k(x) is
     nearest   for pairs that are near it     exp(-|x-c|^2 / width), m and e the means of
                                              k and of k g over the pool, and g = u_k u_l
                                              with u = x - (local mean of the pool)

   near and nearest are the flow of pairs that count as much as both members are near c:
   h = k(a) k(b) (g(b) - g(a)), still antisymmetric. With more than three columns
   there is one g a centre, |u|^2. Centres and widths are functions of the pool
   alone.

   The other scales are potentials, h(a, b) = u(b) - u(a), whose witness is u itself: bulk.h
   has those of whole clusters, levels.h those of columns of few values.
   Letters: N rows, D columns, F features of all scales. */
#ifndef ZF_CRITERION_SCALES_H
#define ZF_CRITERION_SCALES_H

#include <stdbool.h>

#include "base/crew.h"
#include "criterion/bulk.h"
#include "criterion/levels.h"
#include "criterion/pool.h"

enum { ZF_SCALE_KINDS = 13, ZF_CENTRES_MOST = 40, ZF_SHEARS_MOST = 512 };

typedef enum zf_scale_kind {
    ZF_SCALE_DRIFT,
    ZF_SCALE_SPREAD,
    ZF_SCALE_STRETCH,
    ZF_SCALE_SHEAR,
    ZF_SCALE_NEAR,
    ZF_SCALE_NEAREST,
    ZF_SCALE_WIDE,
    ZF_SCALE_HALVES,
    ZF_SCALE_QUARTERS,
    ZF_SCALE_EIGHTHS,
    ZF_SCALE_LEVELS,
    ZF_SCALE_TABLES,
    ZF_SCALE_ROWS,
} zf_scale_kind;

typedef struct zf_criterion_scale {
    const char *name;
    double weight;          /* its share of the level of the test, beside the others' */
    bool plain;             /* witnesses are compared as they are: the statistic is |d|^2 */
    double ridge;           /* else what is added to the correlations of its witnesses */
    size_t first, features; /* where its witnesses stand; none: the scale is absent */
} zf_criterion_scale;

/* What a local scale knows of the pool. */
typedef struct zf_local {
    double width;
    double *centre, *mean; /* [centres, D] */
    double *mass;          /* [centres] */
    double *moment;        /* [centres, D or D (D+1) / 2]: means of k u_k^2 or k u_k u_l */
    double *form;          /* [the same]: scratch */
} zf_local;

typedef struct zf_scales {
    size_t columns, features, centres;
    zf_criterion_scale scale[ZF_SCALE_KINDS];
    zf_local local[2]; /* near, nearest */
    zf_bulk bulk;
    zf_levels levels;
    double *directions; /* [shears, 2, D] where there are too many pairs of columns, else NULL */
    double *memory;
} zf_scales;

/* ZF_ENOMEM. */
zf_status zf_scales_new(zf_scales *out, const zf_pool *pool, zf_crew *crew) ZF_CHECK;

/* Witnesses of a row of the pool: to [F]. */
void zf_scales_witness(const zf_scales *scales, const zf_pool *pool, size_t row, double *to);

/* part[D] += what each coordinate gives to sum of weight[f] * witness f of one scale,
   up to a constant: a quadratic form is half of each of its two coordinates. */
void zf_scales_parts(const zf_scales *scales, zf_scale_kind kind, const double *weight,
                     const zf_pool *pool, size_t row, double *part);

void zf_scales_free(zf_scales *scales); /* leaves an empty one; {0} is fine */

#endif
