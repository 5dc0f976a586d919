/* How many falsely chosen pairs half samples allow (Shah and Samworth, 2013).

   A pair that is chosen in at most a share theta of half samples, by chance alone, can show a
   large share in a few drawn ones only so often. Worst case, by Markov's inequality on the share
   of complementary pairs of which both halves choose it: theta^2 / (2 stability - 1). If the law
   of that share is r-concave with r = -1/2, and that of the single halves with r = -1/4, the tail
   is much thinner: the heaviest that is possible is a power law cut off where its mean fits,
   found here by its one free number. */
#include <math.h>

#include "base/grow.h"
#include "evidence/result.h"
#include "evidence/stability.h"

/* Sums over the power law (a + i)^(1/r) on 0 .. k. */
typedef struct power_sums {
    double below; /* of i < t */
    double all;   /* of all i */
    double first; /* of i times the law */
} power_sums;

static power_sums sum_powers(double a, int k, int t, double power)
{
    power_sums sums = {0};
    for (int i = 0; i <= k; i++) {
        double weight = pow((a + i) / (a + k), power); /* scaled, so that small a do no harm */
        sums.all += weight;
        sums.first += i * weight;
        if (i < t) sums.below += weight;
    }
    return sums;
}

/* The a at which the law on 0 .. k has this mean, which is below k / 2: the mean rises with a. */
static double fit_mean(double mean, int k, double power)
{
    double low = log(1e-9), high = log(1e9);
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        power_sums sums = sum_powers(exp(middle), k, 0, power);
        if (sums.first < mean * sums.all)
            low = middle;
        else
            high = middle;
    }
    return exp(high);
}

/* The tail from t on of the law on 0 .. k with what its mean lacks put on k + 1. */
static double tail_at(double a, double mean, int k, int t, double power)
{
    power_sums sums = sum_powers(a, k, t, power);
    return 1 - (k + 1 - mean) * sums.below / ((k + 1) * sums.all - sums.first);
}

/* The largest on an interval, by its golden section. */
static double largest_tail(double low, double high, double mean, int k, int t, double power)
{
    const double golden = (sqrt(5) - 1) / 2;
    double best = fmax(tail_at(low, mean, k, t, power), tail_at(high, mean, k, t, power));
    for (int i = 0; i < 60; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        double at_left = tail_at(left, mean, k, t, power);
        double at_right = tail_at(right, mean, k, t, power);
        best = fmax(best, fmax(at_left, at_right));
        if (at_left > at_right)
            high = right;
        else
            low = left;
    }
    return best;
}

double zf_concave_tail(double mean, int t, int steps, double r)
{
    int least = (int)ceil(2 * mean) + 1;
    double most = 0, power = 1 / r;
    if (t < least || least >= steps || !(mean > 0)) return mean > 0 ? 1 : 0;
    double high = fit_mean(mean, least, power);
    for (int k = least; k < steps; k++) {
        double low = fit_mean(mean, k + 1, power);
        if (t <= k + 1) most = fmax(most, largest_tail(low, high, mean, k, t, power));
        high = low;
    }
    return most;
}

bool zf_evidence_stability_sized(zf_stability *out, size_t size, const zf_evidence *evidence,
                                 double share)
{
    size_t n = (size_t)evidence->columns * (size_t)(evidence->columns - 1) / 2;
    int halves = evidence->half_samples, t = (int)ceil(share * halves - 1e-9);
    zf_stability found = {.half_samples = halves, .fdr = evidence->half_fdr};
    if (halves == 0) return false;
    for (size_t i = 0; i < n; i++) {
        double stability = evidence->pairs[i].stability;
        found.chosen += stability;
        found.edges += stability * halves >= t - 0.5;
    }
    double theta = found.chosen / (double)n, margin = 2.0 * t / halves - 1;
    double worst = margin > 0 ? fmin(1, theta * theta / margin) : 1;
    double both = 1, single = 1;
    if (t > halves / 2)
        both = zf_concave_tail(theta * theta * (halves / 2), t - halves / 2, halves / 2, -0.5);
    if (t > 0) single = zf_concave_tail(theta * halves, t, halves, -0.25);
    found.false_worst = worst * (double)n;
    found.false_concave = fmin(worst, fmin(both, single)) * (double)n;
    zf_give(out, size, &found, sizeof found);
    return true;
}
