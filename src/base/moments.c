/* Two passes, the second of which also takes away what rounding left in the first (Chan,
   Golub and LeVeque, 1983): of values near 1.7e9 a plain sum would lose the digits that
   count. Values are first multiplied by a power of two, which changes no digit, so that the
   largest is near 1. */
#include "base/moments.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { EXPONENT_LEAST = -1000 }; /* 2 to its negative is still a number */

zf_moments zf_moments_of(const double *values, size_t n, size_t stride)
{
    double largest = 0, sum = 0, drift = 0, squares = 0, count = (double)n;
    bool constant = true;
    int exponent;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(values[i * stride]));
        constant &= values[i * stride] == values[0];
    }
    if (constant) return (zf_moments){values[0], 0};
    frexp(largest, &exponent);
    if (exponent < EXPONENT_LEAST) exponent = EXPONENT_LEAST;
    double scale = ldexp(1, -exponent);
    for (size_t i = 0; i < n; i++) sum += values[i * stride] * scale;
    double mean = sum / count;
    for (size_t i = 0; i < n; i++) {
        double off = values[i * stride] * scale - mean;
        drift += off;
        squares += off * off;
    }
    double variance = fmax(0, (squares - drift * drift / count) / count);
    return (zf_moments){ldexp(mean + drift / count, exponent),
                        fmax(ldexp(sqrt(variance), exponent), DBL_TRUE_MIN)};
}
