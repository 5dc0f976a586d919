/* The level is shared among the scales by weights: most for where rows lie (drift, wide, halves,
   quarters, eighths), where the common tests are strong and a test that gives away much loses
   to them; the rest for what they hardly see, where a part is plenty. What those five see
   overlaps so much that together they lose little to any one.

   Rejected, by measured power: random Fourier features of the middle (a tenth of the
   power of local quadratics on blobs), constant local fields (half of it), more local widths
   (each costs the others level), Gaussian kernels in place of `wide` (a quarter as wide they are
   blind to moved means, four times as wide to many clusters, and a sum of the two is no better),
   drift and wide and clusters as a group that says (sum of weight / root of p)^2
   (the same power to 0.02). */
#include "criterion/scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

enum { FULL_COLUMNS = 3, DISTANCE_ROWS = 500 };

/* The share of pairs of rows that are nearer than the width of each local scale. */
static const double NEAR_SHARE[2] = {0.05, 0.008};

static size_t pairs_of(size_t columns)
{
    return columns * (columns - 1) / 2;
}

/* Quadratic forms that a centre keeps the means of, and those that are witnesses. */
static size_t moments_of(size_t columns)
{
    return columns <= FULL_COLUMNS ? columns + pairs_of(columns) : columns;
}

static size_t forms_of(size_t columns)
{
    return columns <= FULL_COLUMNS ? moments_of(columns) : 1;
}

/* The row that stands at part i of n of the pool. */
static const float *spread_row(const zf_pool *pool, size_t i, size_t n)
{
    return pool->local + (2 * i + 1) * pool->rows / (2 * n) * pool->columns;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double squared_distance(const float *x, const float *y, size_t columns)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k++) sum += ((double)x[k] - y[k]) * ((double)x[k] - y[k]);
    return sum;
}

/* Widths from the distances among rows spread over the pool. Where many rows are
   equal, the smallest distance that is not 0. */
static zf_status find_widths(zf_scales *scales, const zf_pool *pool)
{
    size_t n = pool->rows < DISTANCE_ROWS ? pool->rows : DISTANCE_ROWS, found = 0, zeros = 0;
    double *distance = malloc(pairs_of(n) * sizeof *distance);
    if (!distance) return zf_fail_memory(pairs_of(n) * sizeof *distance);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            distance[found++] =
                squared_distance(spread_row(pool, i, n), spread_row(pool, j, n), pool->columns);
    qsort(distance, found, sizeof *distance, ascending);
    while (zeros < found && !(distance[zeros] > 0)) zeros++;
    for (int i = 0; i < 2; i++) {
        size_t at = (size_t)(NEAR_SHARE[i] * (double)found);
        if (at < zeros) at = zeros;
        scales->local[i].width = at < found ? distance[at] : 1;
    }
    free(distance);
    return ZF_OK;
}

static double nearness(const zf_local *local, size_t centre, const float *x, size_t columns)
{
    double sum = 0;
    const double *c = local->centre + centre * columns;
    for (size_t k = 0; k < columns; k++) sum += (x[k] - c[k]) * (x[k] - c[k]);
    return exp(-sum / local->width);
}

/* The quadratic forms of u = x - mean that a centre keeps the means of: squares, then,
   where there are few columns, products. */
static void quadratic_forms(double *to, const float *x, const double *mean, size_t columns)
{
    for (size_t k = 0; k < columns; k++) to[k] = (x[k] - mean[k]) * (x[k] - mean[k]);
    if (columns > FULL_COLUMNS) return;
    for (size_t k = 0, f = columns; k < columns; k++)
        for (size_t l = 0; l < k; l++) to[f++] = (x[k] - mean[k]) * (x[l] - mean[l]);
}

typedef struct centring {
    zf_scales *scales;
    const zf_pool *pool;
} centring;

/* One centre of one local scale: its mass, mean and moments over the pool. */
static void know_centre(void *context, int task, int worker)
{
    (void)worker;
    const centring *job = context;
    const zf_pool *pool = job->pool;
    size_t columns = pool->columns, moments = moments_of(columns);
    size_t centre = (size_t)task % job->scales->centres;
    zf_local *local = &job->scales->local[(size_t)task / job->scales->centres];
    double *mean = local->mean + centre * columns, *moment = local->moment + centre * moments;
    double *form = local->form + centre * moments;
    double total = 0, rows = (double)pool->rows;
    for (size_t i = 0; i < pool->rows; i++) {
        const float *x = pool->local + i * columns;
        double near = nearness(local, centre, x, columns);
        total += near;
        for (size_t k = 0; k < columns; k++) mean[k] += near * x[k];
    }
    for (size_t k = 0; k < columns; k++) mean[k] /= total; /* the centre itself counts 1 */
    local->mass[centre] = total / rows;
    for (size_t i = 0; i < pool->rows; i++) {
        const float *x = pool->local + i * columns;
        double near = nearness(local, centre, x, columns) / rows;
        quadratic_forms(form, x, mean, columns);
        for (size_t f = 0; f < moments; f++) moment[f] += near * form[f];
    }
}

/* Doubles that both local scales need. */
static size_t local_size(const zf_scales *scales)
{
    return 2 * scales->centres * (2 * scales->columns + 1 + 2 * moments_of(scales->columns));
}

static zf_status place_centres(zf_scales *scales, const zf_pool *pool, zf_crew *crew)
{
    size_t n = scales->centres, columns = pool->columns, moments = moments_of(columns);
    double *free_from = scales->memory;
    for (int i = 0; i < 2; i++) {
        zf_local *local = &scales->local[i];
        local->centre = free_from;
        local->mean = local->centre + n * columns;
        local->mass = local->mean + n * columns;
        local->moment = local->mass + n;
        local->form = local->moment + n * moments;
        free_from = local->form + n * moments;
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < columns; k++)
                local->centre[j * columns + k] = spread_row(pool, j, n)[k];
    }
    ZF_TRY(find_widths(scales, pool));
    zf_crew_run(crew, (int)(2 * n), know_centre, &(centring){scales, pool});
    return ZF_OK;
}

/* Directions of signs: too many pairs of columns are seen by products of two of
   them, each of which has a little of all pairs. */
static void draw_directions(zf_scales *scales)
{
    double size = 1 / sqrt((double)scales->columns);
    zf_random random = zf_random_at(0, ZF_FOR_INIT, 0, 0);
    for (size_t i = 0; i < 2 * ZF_SHEARS_MOST * scales->columns; i++)
        scales->directions[i] = zf_random_word(&random) & 1 ? size : -size;
}

/* Names, weights and ridges, in the order of zf_scale_kind. A ridge undoes the correlations of
   witnesses by a part: all of it is right where samples differ along what varies little, as
   much as along anything else; none, where they differ along what varies most, as clusters do.
   Where witnesses are many, or nearly the same as those of neighbouring centres, undoing
   them costs more. */
static const struct {
    const char *name;
    double weight, ridge; /* no ridge: plain */
} known[ZF_SCALE_KINDS] = {
    {"drift", 0.12, 0.5},  {"spread", 0.025, 0.5}, {"stretch", 0.035, 0.5}, {"shear", 0.13, 1},
    {"near", 0.05, 1},     {"nearest", 0.012, 1},  {"wide", 0.5, 0},        {"halves", 0.15, 0},
    {"quarters", 0.04, 0}, {"eighths", 0.04, 0},   {"levels", 0.2, 0},      {"tables", 0.36, 0},
    {"rows", 0.2, 0},
};

static void plan(zf_scales *scales)
{
    size_t columns = scales->columns, pairs = pairs_of(columns);
    size_t locals = scales->centres * forms_of(columns);
    const zf_levels *levels = &scales->levels;
    size_t features[] = {columns,
                         1,
                         columns > 1 ? columns : 0,
                         pairs < ZF_SHEARS_MOST ? pairs : ZF_SHEARS_MOST,
                         locals,
                         locals,
                         scales->bulk.centres,
                         scales->bulk.clusters[0].n,
                         scales->bulk.clusters[1].n,
                         scales->bulk.clusters[2].n,
                         zf_levels_features(levels),
                         zf_levels_tables(levels),
                         zf_levels_rows(levels)};
    for (int i = 0; i < ZF_SCALE_KINDS; i++) {
        scales->scale[i] = (zf_criterion_scale){
            .name = known[i].name,
            .weight = known[i].weight,
            .plain = known[i].ridge == 0,
            .ridge = known[i].ridge,
            .first = scales->features,
            .features = features[i],
        };
        scales->features += features[i];
    }
}

zf_status zf_scales_new(zf_scales *out, const zf_pool *pool, zf_crew *crew)
{
    size_t columns = pool->columns;
    zf_scales scales = {.columns = columns};
    scales.centres = pool->rows < ZF_CENTRES_MOST ? pool->rows : ZF_CENTRES_MOST;
    ZF_TRY(zf_bulk_new(&scales.bulk, pool));
    zf_status status = zf_levels_new(&scales.levels, pool);
    if (status != ZF_OK) {
        zf_scales_free(&scales);
        return status;
    }
    plan(&scales);
    bool sketch = pairs_of(columns) > ZF_SHEARS_MOST;
    size_t local = local_size(&scales);
    size_t total = local + (sketch ? 2 * ZF_SHEARS_MOST * columns : 0);
    scales.memory = calloc(total, sizeof *scales.memory);
    if (!scales.memory) {
        zf_scales_free(&scales);
        return zf_fail_memory(total * sizeof *scales.memory);
    }
    if (sketch) {
        scales.directions = scales.memory + local;
        draw_directions(&scales);
    }
    status = place_centres(&scales, pool, crew);
    if (status == ZF_OK)
        *out = scales;
    else
        zf_scales_free(&scales);
    return status;
}

static double along(const double *direction, const float *x, size_t columns)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k++) sum += direction[k] * x[k];
    return sum;
}

static void shear_witness(const zf_scales *scales, const float *x, double *to)
{
    size_t columns = scales->columns;
    if (!scales->directions) {
        for (size_t k = 0; k < columns; k++)
            for (size_t l = 0; l < k; l++) *to++ = (double)x[k] * x[l];
        return;
    }
    for (size_t f = 0; f < ZF_SHEARS_MOST; f++) {
        const double *u = scales->directions + 2 * f * columns;
        to[f] = along(u, x, columns) * along(u + columns, x, columns);
    }
}

static void local_witness(const zf_scales *scales, const zf_local *local, const float *x,
                          double *to)
{
    size_t columns = scales->columns, moments = moments_of(columns);
    for (size_t c = 0; c < scales->centres; c++) {
        const double *moment = local->moment + c * moments, *mean = local->mean + c * columns;
        double near = nearness(local, c, x, columns), mass = local->mass[c], sum = 0;
        if (columns <= FULL_COLUMNS) {
            quadratic_forms(to, x, mean, columns);
            for (size_t f = 0; f < moments; f++, to++) *to = near * (mass * *to - moment[f]);
            continue;
        }
        for (size_t k = 0; k < columns; k++)
            sum += mass * (x[k] - mean[k]) * (x[k] - mean[k]) - moment[k];
        *to++ = near * sum;
    }
}

void zf_scales_witness(const zf_scales *scales, const zf_pool *pool, size_t row, double *to)
{
    const float *x = pool->values + row * pool->columns, *near = pool->local + row * pool->columns;
    const zf_criterion_scale *scale = scales->scale;
    double *drift = to + scale[ZF_SCALE_DRIFT].first, *stretch = to + scale[ZF_SCALE_STRETCH].first;
    double sum = 0;
    for (size_t k = 0; k < scales->columns; k++) {
        drift[k] = x[k];
        sum += (double)x[k] * x[k];
        if (scale[ZF_SCALE_STRETCH].features > 0) stretch[k] = (double)x[k] * x[k];
    }
    to[scale[ZF_SCALE_SPREAD].first] = sum;
    shear_witness(scales, x, to + scale[ZF_SCALE_SHEAR].first);
    local_witness(scales, &scales->local[0], near, to + scale[ZF_SCALE_NEAR].first);
    local_witness(scales, &scales->local[1], near, to + scale[ZF_SCALE_NEAREST].first);
    zf_bulk_wide(&scales->bulk, near, to + scale[ZF_SCALE_WIDE].first);
    for (int part = 0; part < ZF_BULK_PARTS; part++)
        zf_bulk_cluster(&scales->bulk, part, near, to + scale[ZF_SCALE_HALVES + part].first);
    if (scale[ZF_SCALE_LEVELS].features > 0)
        zf_levels_single(&scales->levels, row, to + scale[ZF_SCALE_LEVELS].first);
    if (scale[ZF_SCALE_TABLES].features > 0)
        zf_levels_pairs(&scales->levels, row, to + scale[ZF_SCALE_TABLES].first);
    if (scale[ZF_SCALE_ROWS].features > 0)
        zf_levels_whole(&scales->levels, row, to + scale[ZF_SCALE_ROWS].first);
}

static void shear_parts(const zf_scales *scales, const double *weight, const float *x, double *part)
{
    size_t columns = scales->columns;
    if (!scales->directions) {
        for (size_t k = 0; k < columns; k++)
            for (size_t l = 0; l < k; l++) {
                double half = *weight++ * x[k] * x[l] / 2;
                part[k] += half;
                part[l] += half;
            }
        return;
    }
    for (size_t f = 0; f < ZF_SHEARS_MOST; f++) {
        const double *u = scales->directions + 2 * f * columns, *v = u + columns;
        double by_u = along(u, x, columns), by_v = along(v, x, columns);
        for (size_t k = 0; k < columns; k++)
            part[k] += weight[f] * x[k] * (u[k] * by_v + v[k] * by_u) / 2;
    }
}

static void local_parts(const zf_scales *scales, const zf_local *local, const double *weight,
                        const float *x, double *part)
{
    size_t columns = scales->columns, forms = forms_of(columns);
    for (size_t c = 0; c < scales->centres; c++, weight += forms) {
        const double *mean = local->mean + c * columns;
        const double *moment = local->moment + c * moments_of(columns);
        double own = nearness(local, c, x, columns), near = own * local->mass[c];
        for (size_t k = 0; k < columns; k++) {
            double square = near * (x[k] - mean[k]) * (x[k] - mean[k]) - own * moment[k];
            part[k] += weight[forms == 1 ? 0 : k] * square;
        }
        if (columns > FULL_COLUMNS) continue;
        for (size_t k = 0, f = columns; k < columns; k++)
            for (size_t l = 0; l < k; l++, f++) {
                double product = near * (x[k] - mean[k]) * (x[l] - mean[l]) - own * moment[f];
                part[k] += weight[f] * product / 2;
                part[l] += weight[f] * product / 2;
            }
    }
}

void zf_scales_parts(const zf_scales *scales, zf_scale_kind kind, const double *weight,
                     const zf_pool *pool, size_t row, double *part)
{
    size_t columns = scales->columns;
    const float *x = pool->values + row * columns;
    if (scales->scale[kind].features == 0) return;
    switch (kind) {
    case ZF_SCALE_DRIFT:
        for (size_t k = 0; k < columns; k++) part[k] += weight[k] * x[k];
        break;
    case ZF_SCALE_SPREAD:
        for (size_t k = 0; k < columns; k++) part[k] += weight[0] * x[k] * x[k];
        break;
    case ZF_SCALE_STRETCH:
        for (size_t k = 0; k < columns; k++) part[k] += weight[k] * x[k] * x[k];
        break;
    case ZF_SCALE_SHEAR:
        shear_parts(scales, weight, x, part);
        break;
    case ZF_SCALE_NEAR:
    case ZF_SCALE_NEAREST:
        local_parts(scales, &scales->local[kind - ZF_SCALE_NEAR], weight,
                    pool->local + row * columns, part);
        break;
    case ZF_SCALE_WIDE:
        zf_bulk_wide_parts(&scales->bulk, weight, pool->local + row * columns, part);
        break;
    case ZF_SCALE_HALVES:
    case ZF_SCALE_QUARTERS:
    case ZF_SCALE_EIGHTHS:
        zf_bulk_cluster_parts(&scales->bulk, kind - ZF_SCALE_HALVES, weight,
                              pool->local + row * columns, part);
        break;
    case ZF_SCALE_LEVELS:
        zf_levels_single_parts(&scales->levels, weight, row, part);
        break;
    case ZF_SCALE_TABLES:
        zf_levels_pairs_parts(&scales->levels, weight, row, part);
        break;
    case ZF_SCALE_ROWS:
        zf_levels_whole_parts(&scales->levels, weight, row, part);
        break;
    }
}

void zf_scales_free(zf_scales *scales)
{
    zf_bulk_free(&scales->bulk);
    zf_levels_free(&scales->levels);
    free(scales->memory);
    memset(scales, 0, sizeof *scales);
}
