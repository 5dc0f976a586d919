/* Which partial correlations are edges: p-values, and a false discovery rate.

   With rows enough, Fisher's z is normal with a known deviation. Shrunk correlations have no
   such law; their deviation is taken from the median of all pairs, of which most have no edge
   (an empirical null, as Schaefer and Strimmer fit one in "An empirical Bayes approach to
   inferring large-scale gene association networks", Bioinformatics 21, 2005). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/normal.h"
#include "baseline/method.h"
#include "evidence/discovery.h"

/* |z| of a standard normal law is below this half of the time. */
static const double NORMAL_MEDIAN = 0.6744897501960817;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The deviation of n values around 0 whose sizes are given, from the median of the sizes: right
   if most of them, not all, are of one normal law. Sorts the sizes. */
static double median_deviation(double *sizes, size_t n)
{
    qsort(sizes, n, sizeof *sizes, ascending);
    return (sizes[(n - 1) / 2] + sizes[n / 2]) / 2 / NORMAL_MEDIAN;
}

static zf_status find_deviation(double *out, const double *z, size_t n, const zf_method_call *call)
{
    if (call->rows >= call->columns + 2) {
        *out = 1 / sqrt((double)(call->rows - call->columns) - 1);
        return ZF_OK;
    }
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return zf_fail_memory(n * sizeof *sorted);
    for (size_t i = 0; i < n; i++) sorted[i] = z[i];
    *out = median_deviation(sorted, n);
    free(sorted);
    return ZF_OK;
}

/* z becomes p and then q; what follows is in pairs. */
static zf_status weigh(zf_edge_evidence *pairs, double *z, size_t n, const zf_method_call *call)
{
    double deviation = 0;
    ZF_TRY(find_deviation(&deviation, z, n, call));
    for (size_t i = 0; i < n; i++) {
        z[i] = deviation > 0 ? zf_normal_two_sided(z[i] / deviation) : z[i] > 0 ? 0 : 1;
        pairs[i] = (zf_edge_evidence){.p_value = z[i], .stability = -1};
    }
    ZF_TRY(zf_discovery_adjust(z, z, 1, n));
    for (size_t i = 0; i < n; i++) {
        pairs[i].q_value = z[i];
        pairs[i].decided = z[i] <= call->options->fdr;
    }
    return ZF_OK;
}

zf_status zf_partial_decide(zf_graph *graph, const zf_method_call *call)
{
    size_t d = call->columns, n = d * (d - 1) / 2, at = 0;
    zf_edge_evidence *pairs = malloc(n * sizeof *pairs);
    double *z = malloc(n * sizeof *z);
    zf_status status = pairs && z ? ZF_OK : zf_fail_memory(n * sizeof *pairs);
    if (status == ZF_OK) {
        for (size_t a = 1; a < d; a++)
            for (size_t b = 0; b < a; b++)
                z[at++] = atanh(fmin(call->scores[a * d + b], 1 - 1e-15));
        status = weigh(pairs, z, n, call);
    }
    if (status == ZF_OK) status = zf_graph_set_evidence(graph, pairs);
    free(pairs);
    free(z);
    return status;
}
