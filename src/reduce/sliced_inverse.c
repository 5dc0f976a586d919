/* Sliced inverse regression: the inputs are whitened, z = S^(-1/2) (y - mean), the rows
   sorted by x and cut into slices of equal length; the directions are the leading
   eigenvectors of the covariance of the slices' means of z. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/lapack.h"
#include "zeroflow/reduce.h"

static const double SINGULAR = 1e-10; /* an eigenvalue beside the largest */

typedef struct work {
    size_t rows, columns;
    double *z;       /* [rows, columns] */
    double *vectors; /* [columns, columns] */
    double *values;  /* [columns] */
    double *means;   /* [slices, columns] */
    size_t *order;   /* rows by x */
} work;

static zf_status get_memory(work *w, size_t slices)
{
    size_t c = w->columns, total = w->rows * c + c * c + c + slices * c;
    w->z = calloc(total, sizeof *w->z);
    w->order = malloc(w->rows * sizeof *w->order);
    if (!w->z || !w->order) return zf_fail_memory(total * sizeof *w->z);
    w->vectors = w->z + w->rows * c;
    w->values = w->vectors + c * c;
    w->means = w->values + c;
    return ZF_OK;
}

static void centre(const work *w, const double *inputs)
{
    for (size_t j = 0; j < w->columns; j++) {
        double sum = 0;
        for (size_t i = 0; i < w->rows; i++) sum += inputs[i * w->columns + j];
        for (size_t i = 0; i < w->rows; i++)
            w->z[i * w->columns + j] = inputs[i * w->columns + j] - sum / (double)w->rows;
    }
}

/* One row of z by the principal axes, each scaled to variance 1: the whitening that costs
   least, and any other differs by a rotation. */
static void turn(const work *w, double *row, double *turned)
{
    for (size_t k = 0; k < w->columns; k++) {
        turned[k] = 0;
        for (size_t j = 0; j < w->columns; j++)
            turned[k] += w->vectors[k * w->columns + j] * row[j];
        turned[k] /= sqrt(w->values[k]);
    }
    memcpy(row, turned, w->columns * sizeof *row);
}

static zf_status whiten(work *w)
{
    size_t c = w->columns;
    zf_cross_product(w->vectors, w->z, w->rows, c, 1 / (double)w->rows);
    ZF_TRY(zf_eigenvectors(w->vectors, w->values, c));
    if (!(w->values[0] > SINGULAR * w->values[c - 1]))
        return zf_fail(ZF_EINPUT,
                       "sliced inverse regression: the %zu inputs are linear functions "
                       "of each other",
                       c);
    for (size_t i = 0; i < w->rows; i++) turn(w, w->z + i * c, w->means);
    return ZF_OK;
}

typedef struct ranked {
    double x;
    size_t row;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static zf_status sort_rows(work *w, const double *x)
{
    ranked *list = malloc(w->rows * sizeof *list);
    if (!list) return zf_fail_memory(w->rows * sizeof *list);
    for (size_t i = 0; i < w->rows; i++) list[i] = (ranked){x[i], i};
    qsort(list, w->rows, sizeof *list, compare);
    for (size_t i = 0; i < w->rows; i++) w->order[i] = list[i].row;
    free(list);
    return ZF_OK;
}

/* The directions, as rows of `vectors`, the leading one last. */
static zf_status find_directions(work *w, size_t slices)
{
    size_t c = w->columns;
    memset(w->means, 0, slices * c * sizeof *w->means);
    for (size_t s = 0; s < slices; s++) {
        size_t first = w->rows * s / slices, end = w->rows * (s + 1) / slices;
        double share = (double)(end - first);
        for (size_t i = first; i < end; i++)
            for (size_t j = 0; j < c; j++)
                w->means[s * c + j] += w->z[w->order[i] * c + j] / sqrt(share);
    }
    zf_cross_product(w->vectors, w->means, slices, c, 1 / (double)w->rows);
    return zf_eigenvectors(w->vectors, w->values, c);
}

static void project(const work *w, double *scores, size_t dim)
{
    size_t c = w->columns;
    for (size_t i = 0; i < w->rows; i++)
        for (size_t k = 0; k < dim; k++) {
            double sum = 0;
            for (size_t j = 0; j < c; j++) sum += w->vectors[(c - 1 - k) * c + j] * w->z[i * c + j];
            scores[i * dim + k] = sum;
        }
}

zf_status zf_sliced_inverse(double *scores, const double *x, const double *inputs, size_t rows,
                            size_t columns, size_t dim, size_t slices)
{
    work w = {.rows = rows, .columns = columns};
    if (dim < 1 || dim > columns)
        return zf_fail(ZF_EINVAL, "directions: expected 1 to %zu, found %zu", columns, dim);
    if (slices < 2 || slices > rows)
        return zf_fail(ZF_EINVAL, "slices: expected 2 to %zu, found %zu", rows, slices);
    ZF_TRY(zf_lapack_open());
    zf_status status = get_memory(&w, slices);
    if (status == ZF_OK) {
        centre(&w, inputs);
        status = whiten(&w);
    }
    if (status == ZF_OK) status = sort_rows(&w, x);
    if (status == ZF_OK) status = find_directions(&w, slices);
    if (status == ZF_OK) project(&w, scores, dim);
    free(w.z);
    free(w.order);
    return status;
}
