/* Principal components: the leading eigenvectors of the covariance, all of which LAPACK
   finds by divide and conquer, in 6 s for the 3,072 columns of a picture of 32 pixels.
   Rejected: a randomised range finder, which needs several passes over the rows, each
   as dear as a fifth of the covariance, for axes that are then approximate. The matrix
   grows with the square of the columns: pictures of more pixels are made smaller first. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/lapack.h"
#include "probe/covariance.h"
#include "probe/data.h"

enum { MOST_COLUMNS = 8192 };

struct zf_components {
    size_t dim, count;
    double *variances; /* [count], the largest first */
    float *mean;       /* [dim] */
    float *axes;       /* [count, dim], of length 1 */
};

static zf_status new_components(zf_components **out, size_t dim, size_t count)
{
    zf_components *c = calloc(1, sizeof *c);
    if (!c) return zf_fail_memory(sizeof *c);
    *c = (zf_components){.dim = dim, .count = count};
    c->variances = zf_slab_new(count * sizeof(double));
    c->mean = zf_slab_new(dim * sizeof(float));
    c->axes = zf_slab_new(count * dim * sizeof(float));
    if (!c->variances || !c->mean || !c->axes) {
        zf_components_free(c);
        return ZF_ENOMEM;
    }
    *out = c;
    return ZF_OK;
}

/* Eigenvalues come in ascending order. The sign of an axis is chosen so that its
   largest element is positive: LAPACK's choice is its own. */
static void keep_leading(zf_components *c, const double *vectors, const double *values, size_t rows)
{
    for (size_t k = 0; k < c->count; k++) {
        const double *vector = vectors + (c->dim - 1 - k) * c->dim;
        double largest = 0;
        for (size_t j = 0; j < c->dim; j++)
            if (fabs(vector[j]) > fabs(largest)) largest = vector[j];
        for (size_t j = 0; j < c->dim; j++)
            c->axes[k * c->dim + j] = (float)(largest < 0 ? -vector[j] : vector[j]);
        c->variances[k] = fmax(values[c->dim - 1 - k], 0) / (double)rows;
    }
}

static zf_status find(zf_components *c, const float *features, size_t rows, zf_crew *crew)
{
    size_t dim = c->dim;
    double *matrix = zf_slab_new((dim * dim + 2 * dim) * sizeof *matrix);
    if (!matrix) return ZF_ENOMEM;
    double *values = matrix + dim * dim, *deviation = values + dim;
    zf_probe_moments(values, deviation, &(zf_labelled){.features = features, .rows = rows}, dim);
    for (size_t j = 0; j < dim; j++) c->mean[j] = (float)values[j];
    zf_centred centred = {features, c->mean, rows, dim};
    zf_status status = zf_scatter_matrix(matrix, &centred, crew);
    if (status == ZF_OK) status = zf_eigenvectors(matrix, values, dim);
    if (status == ZF_OK) keep_leading(c, matrix, values, rows);
    free(matrix);
    return status;
}

static zf_status check(const float *features, size_t rows, size_t dim, size_t count)
{
    if (dim < 1 || dim > MOST_COLUMNS)
        return zf_fail(ZF_EINVAL, "principal components: expected 1 to %d columns, found %zu",
                       MOST_COLUMNS, dim);
    if (count < 1 || count > dim)
        return zf_fail(ZF_EINVAL, "principal components: expected 1 to %zu, found %zu", dim, count);
    return zf_probe_check_rows(features, rows, dim, "principal components");
}

zf_status zf_components_find(zf_components **out, const float *features, size_t rows, size_t dim,
                             size_t count, int threads)
{
    ZF_TRY(check(features, rows, dim, count));
    ZF_TRY(zf_lapack_open());
    zf_components *c = NULL;
    zf_crew *crew = NULL;
    ZF_TRY(new_components(&c, dim, count));
    zf_status status = zf_crew_new(&crew, threads);
    if (status == ZF_OK) status = find(c, features, rows, crew);
    zf_crew_free(crew);
    if (status == ZF_OK)
        *out = c;
    else
        zf_components_free(c);
    return status;
}

zf_status zf_components_apply(const zf_components *components, float *codes, const float *features,
                              size_t rows, int threads)
{
    zf_crew *crew = NULL;
    ZF_TRY(zf_crew_new(&crew, threads));
    zf_centred centred = {features, components->mean, rows, components->dim};
    zf_status status = zf_turn(codes, &centred, components->axes, components->count, crew);
    zf_crew_free(crew);
    return status;
}

double zf_components_variance(const zf_components *components, size_t k)
{
    return components->variances[k];
}

void zf_components_free(zf_components *components)
{
    if (!components) return;
    free(components->variances);
    free(components->mean);
    free(components->axes);
    free(components);
}
