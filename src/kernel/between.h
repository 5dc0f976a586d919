/* Points on the straight way between two places, which a rectified flow is trained at, and the
   way itself, which it is to find.

   There are two forms of the point: a few coordinates, which are wherever their columns are, are
   rounded after each operation; planes of images go through the vector kernels, which may fuse
   the multiplication with the addition. */
#ifndef ZF_KERNEL_BETWEEN_H
#define ZF_KERNEL_BETWEEN_H

#include "kernel/vector.h"

static inline float zf_between(float from, float to, float t)
{
    return (1.0f - t) * from + t * to;
}

/* Of n neighbouring coordinates. */
static inline void zf_between_few(float *restrict point, const float *from, const float *to,
                                  float t, size_t n)
{
    for (size_t k = 0; k < n; k++) point[k] = zf_between(from[k], to[k], t);
}

/* `to` may be NULL, and is 0 then. */
static inline void zf_between_planes(float *point, const float *from, const float *to, float t,
                                     size_t n)
{
    zf_vector()->scale(point, from, 1.0f - t, n);
    if (to) zf_vector()->axpy(point, t, to, n);
}

static inline void zf_way(float *restrict way, const float *from, const float *to, size_t n)
{
    for (size_t k = 0; k < n; k++) way[k] = to[k] - from[k];
}

#endif
