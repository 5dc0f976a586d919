#include "evidence/discovery.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static const double LAST_ONE = 5;  /* the last one's chance to be false, in units of the rate */
static const double FIRST_ONE = 2; /* where nothing is true: the rate, in units of the chance that
                                      any is called so */

typedef struct ranked {
    double p;
    size_t at;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

/* Benjamini and Hochberg: of those up to each, the share that chance would make. */
static void step_up(double *q, const ranked *order, size_t stride, size_t n)
{
    double least = 1;
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, order[i].p * (double)n / (double)(i + 1));
        q[order[i].at * stride] = least;
    }
}

static double p_before(const ranked *order, size_t i)
{
    return i ? order[i - 1].p : 0;
}

/* The slope, upside down, of the least concave majorant of the share of p-values below each
   (Grenander's estimate of their density), in the order of the p-values. corners: [n + 1], its
   corners, as how many p-values lie before. */
static void find_majorant(double *rises, const ranked *order, size_t *corners, size_t n)
{
    size_t count = 1;
    corners[0] = 0;
    for (size_t i = 1; i <= n; i++) {
        for (; count > 1; count--) {
            size_t a = corners[count - 2], b = corners[count - 1];
            double to_b = (p_before(order, b) - p_before(order, a)) * (double)(i - a);
            double to_i = (p_before(order, i) - p_before(order, a)) * (double)(b - a);
            if (to_b < to_i) break;
        }
        corners[count++] = i;
    }
    for (size_t c = 1; c < count; c++) {
        size_t a = corners[c - 1], b = corners[c];
        double rise = (p_before(order, b) - p_before(order, a)) * (double)n / (double)(b - a);
        for (size_t i = a; i < b; i++) rises[i] = rise;
    }
}

/* The p-values in order, and the chance that each is false. */
typedef struct ranking {
    ranked *order;
    size_t *corners;
    double *rises;
} ranking;

static void ranking_free(ranking *r)
{
    free(r->order);
    free(r->corners);
    free(r->rises);
}

static zf_status rank_all(ranking *out, const double *p, size_t stride, size_t n)
{
    ranking r = {malloc((n + 1) * sizeof *r.order), malloc((n + 1) * sizeof *r.corners),
                 malloc((n + 1) * sizeof *r.rises)};
    if (!r.order || !r.corners || !r.rises) {
        ranking_free(&r);
        return zf_fail_memory(n * sizeof *r.order);
    }
    for (size_t i = 0; i < n; i++) r.order[i] = (ranked){p[i * stride], i};
    qsort(r.order, n, sizeof *r.order, compare);
    find_majorant(r.rises, r.order, r.corners, n);
    *out = r;
    return ZF_OK;
}

zf_status zf_discovery_adjust(double *q, const double *p, size_t stride, size_t n)
{
    ranking r;
    ZF_TRY(rank_all(&r, p, stride, n));
    step_up(q, r.order, stride, n);
    double first = n ? FIRST_ONE * r.order[0].p * (double)n : 0;
    for (size_t i = 0; i < n; i++) {
        double *at = &q[r.order[i].at * stride];
        *at = fmin(1, fmax(first, fmax(*at, r.rises[i] / LAST_ONE)));
    }
    ranking_free(&r);
    return ZF_OK;
}

zf_status zf_discovery_local(double *local, const double *p, size_t stride, size_t n)
{
    ranking r;
    ZF_TRY(rank_all(&r, p, stride, n));
    step_up(local, r.order, 1, n);
    for (size_t i = 0; i < n; i++) {
        double *at = &local[r.order[i].at];
        *at = fmin(1, fmax(*at, r.rises[i]));
    }
    ranking_free(&r);
    return ZF_OK;
}
