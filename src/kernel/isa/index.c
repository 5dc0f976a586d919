/* Functions of an index (kernel/index.h).

   Loops without branches over doubles, which the compiler turns into vectors. exp, log and cos
   bring their argument to an interval on which a series of few terms is exact to rounding.

   Neighbouring bumps are a unit apart, so each is the one before it times exp(t) and a constant:
   of n rows 3 n exponentials are taken, not count n. They start from the middle bump and go both
   ways, so that what is multiplied neither overflows nor vanishes: farther than FAR units from
   the middle every bump is nothing. */
#include "kernel/index.h"

#include <assert.h>
#include <math.h>

#include "kernel/isa/isa.h"
#include "kernel/isa/tile.h"

enum { BLOCK = 64, SUMS = 8, BUMPS_MOST = 32, EXP_TERMS = 13, LOG_TERMS = 11, COS_TERMS = 12 };

static const double FAR = 30;
static const double ROUNDING = 1e-9;              /* deviation of a constant, of its size */
static const double ROUNDER = 6755399441055744.0; /* 1.5 * 2^52: rounds to an integer */
static const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
/* Of 33 bits each but the last, so that products with small integers are exact. */
static const double PI_FIRST = 3.14159265346825122833e+00, PI_SECOND = 1.21542010126079319532e-10,
                    PI_THIRD = 4.04453249759190126308e-21;

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* For -700 < x < 700. */
V_INLINE double exp_of(double x)
{
    double rounded = x * M_LOG2E + ROUNDER, k = rounded - ROUNDER;
    double r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = 1;
    UNROLL for (int term = EXP_TERMS; term > 0; term--) sum = 1 + sum * r * (1.0 / term);
    return sum * from_bits((to_bits(rounded) + 1023) << 52);
}

/* For finite x of at least 1: x = 2^k m with m from sqrt(1/2) to sqrt(2), and log(m) as the series
   of the inverse hyperbolic tangent. */
V_INLINE double log_of(double x)
{
    uint64_t bits = to_bits(x) + (UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe6a09e667f3bcd));
    double k = from_bits((bits >> 52) + UINT64_C(0x4338000000000000)) - (ROUNDER + 1023);
    double m = from_bits((bits & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    UNROLL for (int term = LOG_TERMS; term > 0; term--) sum = sum * square + 1.0 / (2 * term - 1);
    return k * LN2_HIGH + (2 * s * sum + k * LN2_LOW);
}

V_INLINE double cos_of(double x)
{
    double rounded = x * M_1_PI + ROUNDER, k = rounded - ROUNDER;
    double r = ((x - k * PI_FIRST) - k * PI_SECOND) - k * PI_THIRD, square = r * r, sum = 1;
    UNROLL for (int term = COS_TERMS; term > 0; term--) sum =
        1 - sum * square * (1.0 / (2 * term * (2 * term - 1)));
    return from_bits(to_bits(sum) ^ (to_bits(rounded) << 63)); /* odd: the other sign */
}

static void squeeze(double *y, double *slope, const double *x, double scale, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double u = scale * x[i], size = fabs(u), root = sqrt(1 + u * u);
        y[i] = copysign(log_of(size + root), u);
        slope[i] = scale / root;
    }
}

/* Up to BLOCK rows. steps: exp(-k - 1/2), by which the k-th bump from the middle is less than its
   neighbour nearer to it. */
V_INLINE void bumps_of(double *bump, double *derivative, const double *x, const double *slope,
                       size_t rows, size_t n, size_t count, double first, double width,
                       const double *steps)
{
    double place[BLOCK], step[BLOCK], back[BLOCK], up[BLOCK], down[BLOCK];
    size_t middle = count / 2;
    for (size_t i = 0; i < rows; i++) {
        double t = (x[i] - first) / width - (double)middle;
        t = t < -FAR ? -FAR : t > FAR ? FAR : t;
        place[i] = t;
        up[i] = down[i] = exp_of(-0.5 * t * t);
        step[i] = exp_of(t);
        back[i] = 1 / step[i];
    }
    for (size_t b = middle; b < count; b++) {
        double off = (double)b - (double)middle, scale = steps[b - middle];
        for (size_t i = 0; i < rows; i++) {
            bump[b * n + i] = up[i];
            derivative[b * n + i] = (off - place[i]) / width * up[i] * slope[i];
            up[i] *= step[i] * scale;
        }
    }
    for (size_t b = middle; b-- > 0;) {
        double off = (double)b - (double)middle, scale = steps[middle - b - 1];
        for (size_t i = 0; i < rows; i++) {
            down[i] *= back[i] * scale;
            bump[b * n + i] = down[i];
            derivative[b * n + i] = (off - place[i]) / width * down[i] * slope[i];
        }
    }
}

static void bumps(double *bump, double *derivative, const double *x, const double *slope, size_t n,
                  size_t count, double first, double width)
{
    double steps[BUMPS_MOST];
    size_t i = 0;
    assert(count <= BUMPS_MOST);
    for (size_t k = 0; k < count; k++) steps[k] = exp(-(double)k - 0.5);
    for (; i + BLOCK <= n; i += BLOCK)
        bumps_of(bump + i, derivative + i, x + i, slope + i, BLOCK, n, count, first, width, steps);
    if (i < n)
        bumps_of(bump + i, derivative + i, x + i, slope + i, n - i, n, count, first, width, steps);
}

static void centre(double *x, size_t count, size_t n)
{
    for (; count > 0; count--, x += n) {
        double sum[SUMS] = {0}, total = 0;
        size_t i = 0;
        for (; i + SUMS <= n; i += SUMS)
            for (size_t k = 0; k < SUMS; k++) sum[k] += x[i + k];
        for (; i < n; i++) sum[0] += x[i];
        for (size_t k = 0; k < SUMS; k++) total += sum[k];
        for (i = 0; i < n; i++) x[i] -= total / (double)n;
    }
}

static bool standardise(double *x, size_t n)
{
    double sum[SUMS] = {0}, most[SUMS] = {0}, square[SUMS] = {0}, mean = 0, largest = 0, all = 0;
    size_t i = 0, whole = n / SUMS * SUMS;
    for (; i < whole; i += SUMS)
        for (size_t k = 0; k < SUMS; k++) {
            double size = fabs(x[i + k]);
            sum[k] += x[i + k];
            most[k] = size > most[k] ? size : most[k];
        }
    for (; i < n; i++) {
        sum[0] += x[i];
        most[0] = fmax(most[0], fabs(x[i]));
    }
    for (size_t k = 0; k < SUMS; k++) {
        mean += sum[k] / (double)n;
        largest = fmax(largest, most[k]);
    }
    for (i = 0; i < whole; i += SUMS)
        for (size_t k = 0; k < SUMS; k++) {
            x[i + k] -= mean;
            square[k] += x[i + k] * x[i + k];
        }
    for (; i < n; i++) {
        x[i] -= mean;
        square[0] += x[i] * x[i];
    }
    for (size_t k = 0; k < SUMS; k++) all += square[k];
    double deviation = sqrt(all / (double)n);
    bool varies = deviation > ROUNDING * largest;
    double scale = varies ? 1 / deviation : 0;
    for (i = 0; i < n; i++) x[i] *= scale;
    return varies;
}

static void cosine(double *y, const double *x, double scale, double phase, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = cos_of(scale * x[i] + phase);
}

const zf_index_kernels ZF_TABLE(zf_index) = {
    .squeeze = squeeze,
    .bumps = bumps,
    .centre = centre,
    .standardise = standardise,
    .cosine = cosine,
};
