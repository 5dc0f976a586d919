/* One p-value of the statistics of several kernels (Schrab et al., MMD Aggregated Two-Sample
   Test, 2023, with uniform weights).

   Each kernel's statistic of a labelling becomes its rank among those of all labellings, as a
   p-value. The smallest p-value over the kernels is the labelling's evidence, and the rank of
   the observed one's is exact, as the observed labelling is treated as all others. The paper
   splits its labellings in two, one half for the ranks and one for the level, and decides at
   one level; ranks among the same labellings waste none, and give a p-value.

   With few labellings many share the smallest p-value; among these the mean over the kernels
   decides. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/p_value.h"
#include "baseline/peer.h"

/* Values closer than this share of the larger are taken for equal, as in zf_p_value_rank. */
static const double EQUAL = 1e-6;

/* Of the mean p-value in the evidence: less than a rank. */
static const double TIE_SHARE = 1e-3;

typedef struct ranked {
    double value;
    size_t labelling;
} ranked;

static int falling(const void *a, const void *b)
{
    double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return x > y ? -1 : x < y;
}

/* p[labelling] = the share of labellings whose value is at least as large. */
static void find_shares(double *p, ranked *order, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = (ranked){values[i], i};
    qsort(order, count, sizeof *order, falling);
    for (size_t i = 0, end = 0; i < count; i++) {
        double value = order[i].value;
        while (end < count && order[end].value >= value - EQUAL * fabs(value)) end++;
        p[order[i].labelling] = (double)end / (double)count;
    }
}

zf_status zf_peer_aggregate(zf_peer_result *out, const double *values, int kernels, size_t count)
{
    double *least = malloc(3 * count * sizeof *least);
    ranked *order = malloc(count * sizeof *order);
    zf_status status =
        least && order ? ZF_OK : zf_fail_memory(count * (3 * sizeof *least + sizeof *order));
    if (status == ZF_OK) {
        double *mean = least + count, *p = mean + count;
        for (size_t i = 0; i < count; i++) least[i] = 1, mean[i] = 0;
        for (int k = 0; k < kernels; k++) {
            find_shares(p, order, values + (size_t)k * count, count);
            for (size_t i = 0; i < count; i++) {
                least[i] = fmin(least[i], p[i]);
                mean[i] += p[i] / kernels;
            }
        }
        out->statistic = least[0];
        for (size_t i = 0; i < count; i++)
            p[i] = 1 / (least[i] * (double)count + TIE_SHARE * mean[i]);
        status = zf_p_value_rank(&out->p_value, p, count);
    }
    free(order);
    free(least);
    return status;
}
