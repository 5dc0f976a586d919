/* The quantile is Wichura's PPND16 (Applied Statistics 37, 1988, algorithm
   AS 241): three ratios of polynomials of degree seven, for the middle, the
   shoulders and the tails. Rejected: a short approximation polished by a Newton
   step, which costs an exp and an erfc more. */
#include "base/normal.h"

#include <assert.h>
#include <math.h>

enum { TERMS = 8 };

typedef struct ratio {
    double over[TERMS], under[TERMS]; /* highest power first */
} ratio;

static const ratio middle = {
    {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080},
    {5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
     5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0},
};
static const ratio shoulder = {
    {7.74545014278341407640e-4, 0.0227238449892691845833, 0.24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590,
     1.42343711074968357734},
    {1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
     0.14810397642748007459, 0.68976733498510000455, 1.67638483018380384940, 2.05319162663775882187,
     1.0},
};
static const ratio tail = {
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
     0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699,
     6.6579046435011037772},
    {2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
     0.59983220655588793769, 1.0},
};

static double evaluate(const ratio *of, double x)
{
    double over = of->over[0], under = of->under[0];
    for (int i = 1; i < TERMS; i++) {
        over = over * x + of->over[i];
        under = under * x + of->under[i];
    }
    return over / under;
}

double zf_normal_quantile(double p)
{
    assert(p > 0 && p < 1);
    double off = p - 0.5;
    if (fabs(off) <= 0.425) return off * evaluate(&middle, 0.180625 - off * off);
    double r = sqrt(-log(off < 0 ? p : 1 - p));
    double z = r <= 5 ? evaluate(&shoulder, r - 1.6) : evaluate(&tail, r - 5);
    return off < 0 ? -z : z;
}

double zf_normal_two_sided(double z)
{
    return erfc(fabs(z) * 0.70710678118654752440);
}
