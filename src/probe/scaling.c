#include "probe/scaling.h"

#include <math.h>
#include <stdbool.h>

#include "kernel/channels.h"
#include "probe/data.h"

/* A column that varies less than this beside its mean is constant to rounding. */
static const double CONSTANT = 1e-6;

zf_status zf_scaling_find(zf_scaling *out, const float *features, size_t rows, size_t dim,
                          zf_arena *arena)
{
    double *mean = zf_arena_get(arena, dim * sizeof *mean);
    double *deviation = zf_arena_get(arena, dim * sizeof *deviation);
    zf_scaling found = {.dim = dim,
                        .mean = zf_arena_get(arena, dim * sizeof(float)),
                        .factor = zf_arena_get(arena, dim * sizeof(float)),
                        .shift = zf_arena_get(arena, dim * sizeof(float))};
    if (!mean || !deviation || !found.mean || !found.factor || !found.shift) return ZF_ENOMEM;
    zf_probe_moments(mean, deviation, features, rows, dim);
    for (size_t j = 0; j < dim; j++) {
        found.mean[j] = (float)mean[j];
        bool constant = !(deviation[j] > CONSTANT * fabs(mean[j]));
        found.factor[j] = constant ? 0 : (float)(1 / deviation[j]);
    }
    *out = found;
    return ZF_OK;
}

void zf_scaling_apply(const zf_scaling *scaling, float *to, const float *from, size_t rows)
{
    zf_channels()->apply(to, from, scaling->mean, scaling->factor, scaling->shift,
                         (zf_channels_shape){rows, scaling->dim, 1});
}
