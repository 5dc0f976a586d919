/* Mean and standard deviation of a column in double, wherever it lies and whatever its
   scale: what brings raw values to where float32 can tell them apart. */
#ifndef ZF_BASE_MOMENTS_H
#define ZF_BASE_MOMENTS_H

#include <stddef.h>

/* The largest magnitude of a raw value: differences and sums of such are finite. */
#define ZF_VALUE_MOST 1e300

typedef struct zf_moments {
    double mean;
    double deviation; /* divisor n; 0 if and only if all values are equal */
} zf_moments;

/* Of n >= 1 finite values, `stride` apart. Neither sums nor squares overflow or vanish
   for values up to ZF_VALUE_MOST. */
zf_moments zf_moments_of(const double *values, size_t n, size_t stride);

#endif
