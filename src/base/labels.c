/* Drawn labellings go by selection: row i is of the second sample with the share of
   those still to come among the rows still to come, which makes every choice equally
   likely and needs one number a row. Rejected: shuffled row numbers, which would
   need memory for all rows of a labelling at once. */
#include "base/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { SUBSET_ROWS_MOST = 62 };

/* Ways to choose k of n, or more than most if they are more. */
static size_t ways(size_t n, size_t k, size_t most)
{
    double product = 1;
    if (k > n - k) k = n - k;
    for (size_t i = 1; i <= k && product <= (double)most; i++)
        product = product * (double)(n - k + i) / (double)i;
    return product > (double)most ? most + 1 : (size_t)(product + 0.5);
}

/* The next larger number with as many bits set. */
static uint64_t next_subset(uint64_t subset)
{
    uint64_t lowest = subset & -subset, ripple = subset + lowest;
    return ripple | (((subset ^ ripple) >> 2) / lowest);
}

/* All subsets, the observed one first. */
static void list_subsets(zf_labels *labels)
{
    uint64_t observed = 0, subset = ((uint64_t)1 << labels->of_second) - 1;
    size_t n = 1;
    for (size_t i = 0; i < labels->rows; i++) observed |= (uint64_t)labels->observed[i] << i;
    labels->subset[0] = observed;
    while (n < labels->count) {
        if (subset != observed) labels->subset[n++] = subset;
        subset = next_subset(subset);
    }
}

static void seed_streams(zf_labels *labels, uint64_t seed)
{
    for (size_t i = 0; i < labels->count; i++) {
        labels->random[i] = zf_random_at(seed, ZF_FOR_NULL, i, 0);
        labels->left[i] = (uint32_t)labels->of_second;
    }
}

zf_status zf_labels_new(zf_labels *out, const uint8_t *observed, size_t rows, size_t wanted,
                        uint64_t seed)
{
    zf_labels labels = {.observed = observed, .rows = rows};
    for (size_t i = 0; i < rows; i++) labels.of_second += observed[i];
    size_t possible = ways(rows, labels.of_second, wanted);
    labels.all = possible <= wanted && rows <= SUBSET_ROWS_MOST && labels.of_second > 0;
    labels.count = labels.all ? possible : wanted + 1;
    if (labels.all) {
        labels.subset = malloc(labels.count * sizeof *labels.subset);
    } else {
        labels.random = malloc(labels.count * sizeof *labels.random);
        labels.left = malloc(labels.count * sizeof *labels.left);
    }
    if (labels.all ? !labels.subset : !labels.random || !labels.left) {
        zf_labels_free(&labels);
        return zf_fail_memory(labels.count * sizeof *labels.random);
    }
    if (labels.all)
        list_subsets(&labels);
    else
        seed_streams(&labels, seed);
    *out = labels;
    return ZF_OK;
}

void zf_labels_take(zf_labels *labels, size_t which, size_t first, size_t n, float *to)
{
    if (labels->all) {
        uint64_t subset = labels->subset[which] >> first;
        for (size_t i = 0; i < n; i++) to[i] = (float)(subset >> i & 1);
        return;
    }
    if (which == 0) {
        for (size_t i = 0; i < n; i++) to[i] = labels->observed[first + i];
        return;
    }
    zf_random random = labels->random[which];
    uint32_t left = labels->left[which], ahead = (uint32_t)(labels->rows - first);
    for (size_t i = 0; i < n; i++, ahead--) {
        bool second = zf_random_below(&random, ahead) < left;
        to[i] = second;
        left -= second;
    }
    labels->random[which] = random;
    labels->left[which] = left;
}

void zf_labels_free(zf_labels *labels)
{
    free(labels->subset);
    free(labels->random);
    free(labels->left);
    memset(labels, 0, sizeof *labels);
}
