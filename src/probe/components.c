/* Principal components: the mean and the principal axes of the rows (axes.h). The time
   grows with the square of the columns: images of many pixels are made smaller first. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "probe/axes.h"
#include "probe/data.h"

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

/* The sign of an axis is chosen so that its largest element is positive: LAPACK's choice
   is its own. */
static void settle_signs(zf_components *c)
{
    for (size_t k = 0; k < c->count; k++) {
        float *axis = c->axes + k * c->dim, largest = 0;
        for (size_t j = 0; j < c->dim; j++)
            if (fabsf(axis[j]) > fabsf(largest)) largest = axis[j];
        for (size_t j = 0; j < c->dim && largest < 0; j++) axis[j] = -axis[j];
    }
}

static zf_status find(zf_components *c, const float *features, size_t rows, zf_crew *crew)
{
    size_t dim = c->dim, found = c->count < rows ? c->count : rows;
    double *mean = zf_slab_new(2 * dim * sizeof *mean);
    if (!mean) return ZF_ENOMEM;
    zf_probe_moments(mean, mean + dim, features, rows, dim);
    for (size_t j = 0; j < dim; j++) c->mean[j] = (float)mean[j];
    free(mean);
    zf_centred centred = {features, c->mean, rows, dim};
    ZF_TRY(zf_principal_axes(c->axes, c->variances, found, &centred, crew));
    for (size_t k = 0; k < c->count; k++) c->variances[k] /= (double)rows;
    settle_signs(c);
    return ZF_OK;
}

static zf_status check(const float *features, size_t rows, size_t dim, size_t count)
{
    if (dim < 1 || dim > ZF_AXES_DIM_MOST)
        return zf_fail(ZF_EINVAL, "principal components: expected 1 to %d columns, found %zu",
                       ZF_AXES_DIM_MOST, dim);
    if (count < 1 || count > dim)
        return zf_fail(ZF_EINVAL, "principal components: expected 1 to %zu, found %zu", dim, count);
    return zf_probe_check_rows(features, rows, dim, "principal components");
}

zf_status zf_components_find(zf_components **out, const float *features, size_t rows, size_t dim,
                             size_t count, int threads)
{
    ZF_TRY(check(features, rows, dim, count));
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
