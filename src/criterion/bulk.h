/* Where the bulk of the rows lies: fields that carry rows over the whole width of the pool,
   from one cluster to another.

     scale     potential u; h(a, b) = u(b) - u(a) is what the field grad u adds up to on the
               way from a to b
     wide      exp(-|x-c| / width) around 80 centres, the width twice the median of |x-y|;
               made orthogonal, so that the sum of squares is the squared distance between
               the samples' means in the space that the kernel spans (MMD, by Nystroem's
               method). Pointed and with long tails, this kernel sees near and far at once.
               Half as wide, or around half as many centres, it finds fewer moved means
     halves    1 in one of two clusters, and in the other (k-means)
     quarters  the same for four
     eighths   for eight

   A column counts the more the more it is parted into clusters: by 3 (skewness^2 + 1) /
   kurtosis, 1 for a Gaussian column, 3 for two values. In units of deviations a column of two
   far clusters would be no wider than one of noise. None counts less than 1: where tails are
   heavy the kurtosis is that of a few rows.
   Letters: N rows, D columns, C centres. */
#ifndef ZF_CRITERION_BULK_H
#define ZF_CRITERION_BULK_H

#include "criterion/pool.h"

enum { ZF_BULK_PARTS = 3, ZF_BULK_CENTRES = 80 };

typedef struct zf_bulk_clusters {
    size_t n;
    double *centre; /* [n, D] */
    double *weight; /* [n]: 1 / root of the share of the rows */
} zf_bulk_clusters;

typedef struct zf_bulk {
    size_t columns, centres;
    double width;
    double *factor; /* [D] */
    double *centre; /* [C, D]: times factor */
    double *root;   /* [C, C]: of the kernel between centres */
    zf_bulk_clusters clusters[ZF_BULK_PARTS];
    double *memory;
} zf_bulk;

/* ZF_ENOMEM. */
zf_status zf_bulk_new(zf_bulk *out, const zf_pool *pool) ZF_CHECK;

/* Of a row of pool->local: to [C]; to [clusters]. */
void zf_bulk_wide(const zf_bulk *bulk, const float *row, double *to);
void zf_bulk_cluster(const zf_bulk *bulk, int which, const float *row, double *to);

/* part[D] += what each coordinate gives to sum of weight[f] * witness f, up to a constant:
   on the straight way to the row from the centre; from the mean of all clusters. */
void zf_bulk_wide_parts(const zf_bulk *bulk, const double *weight, const float *row, double *part);
void zf_bulk_cluster_parts(const zf_bulk *bulk, int which, const double *weight, const float *row,
                           double *part);

void zf_bulk_free(zf_bulk *bulk); /* leaves an empty one; {0} is fine */

#endif
