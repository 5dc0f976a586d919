/* The upper incomplete gamma function in logarithms, because a tail of 1e-400 must
   still be told from one of 1e-500: below the mean by the series of the lower
   function, above it by the continued fraction of the upper one (Lentz's way). */
#include "base/chi_square.h"

#include <float.h>
#include <math.h>

enum { STEPS_MOST = 100000 };

/* log of x^a e^-x / Gamma(a). */
static double log_front(double a, double x)
{
    return a * log(x) - x - lgamma(a);
}

static double log_upper_by_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int i = 1; i < STEPS_MOST && term > sum * DBL_EPSILON; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return log1p(-fmin(exp(log_front(a, x)) * sum, 1 - DBL_EPSILON));
}

static double log_upper_by_fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, product = d;
    for (int i = 1; i < STEPS_MOST; i++) {
        double factor = -i * (i - a);
        b += 2;
        d = factor * d + b;
        if (fabs(d) < tiny) d = tiny;
        c = b + factor / c;
        if (fabs(c) < tiny) c = tiny;
        d = 1 / d;
        product *= d * c;
        if (fabs(d * c - 1) < DBL_EPSILON) break;
    }
    return log_front(a, x) + log(product);
}

double zf_chi_square_log_tail(double x, double freedom)
{
    double a = freedom / 2, half = x / 2;
    if (!(half > 0)) return 0;
    return half < a + 1 ? log_upper_by_series(a, half) : log_upper_by_fraction(a, half);
}
