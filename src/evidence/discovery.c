#include "evidence/discovery.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

typedef struct ranked {
    double p;
    size_t at;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

zf_status zf_discovery_adjust(double *q, const double *p, size_t stride, size_t n)
{
    ranked *order = malloc((n + 1) * sizeof *order);
    if (!order) return zf_fail_memory(n * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = (ranked){p[i * stride], i};
    qsort(order, n, sizeof *order, compare);
    double least = 1;
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, order[i].p * (double)n / (double)(i + 1));
        q[order[i].at * stride] = least;
    }
    free(order);
    return ZF_OK;
}
