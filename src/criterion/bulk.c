#include "criterion/bulk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "criterion/root.h"

enum { FITTED_ROWS = 1000, DISTANCE_ROWS = 500, STARTS = 5, ROUNDS = 20 };

/* The width of the kernel, as a share of the median distance. */
static const double WIDTH = 2;

/* Keeps the kernel between centres positive where some are equal. */
static const double RIDGE = 1e-3;

static const size_t clusters_of[ZF_BULK_PARTS] = {2, 4, 8};

/* 3 (skewness^2 + 1) / kurtosis of column k, whose mean is 0 and deviation 1; at most 3, as a
   kurtosis is at least skewness^2 + 1. */
static double factor_of(const zf_pool *pool, size_t k)
{
    double cubes = 0, fourths = 0, rows = (double)pool->rows;
    for (size_t i = 0; i < pool->rows; i++) {
        double x = pool->local[i * pool->columns + k];
        cubes += x * x * x / rows;
        fourths += x * x * x * x / rows;
    }
    return fourths > 0 ? fmax(3 * (cubes * cubes + 1) / fourths, 1) : 1;
}

/* The row that stands at part i of n of the pool, times the factors. */
static void take_row(const zf_bulk *bulk, const zf_pool *pool, size_t i, size_t n, double *to)
{
    const float *row = pool->local + (2 * i + 1) * pool->rows / (2 * n) * bulk->columns;
    for (size_t k = 0; k < bulk->columns; k++) to[k] = bulk->factor[k] * row[k];
}

static double squared_distance(const double *x, const double *y, size_t columns)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* From the median of the distances between some of rows[n, D]; where it is 0, the smallest
   that is not. They are spread over the pool, whose order is by values: the first rows would be
   those of one cluster. */
static zf_status find_width(zf_bulk *bulk, const double *rows, size_t n)
{
    size_t step = (n + DISTANCE_ROWS - 1) / DISTANCE_ROWS, used = n / step, columns = bulk->columns;
    size_t pairs = used * (used - 1) / 2, found = 0, at = pairs / 2;
    double *distance = malloc(pairs * sizeof *distance);
    if (!distance) return zf_fail_memory(pairs * sizeof *distance);
    for (size_t i = 0; i < used; i++)
        for (size_t j = 0; j < i; j++)
            distance[found++] =
                squared_distance(rows + i * step * columns, rows + j * step * columns, columns);
    qsort(distance, found, sizeof *distance, ascending);
    while (at < found && !(distance[at] > 0)) at++;
    bulk->width = at < found ? WIDTH * sqrt(distance[at]) : 1;
    free(distance);
    return ZF_OK;
}

/* The kernel of two rows so far apart, squared. */
static double kernel(const zf_bulk *bulk, double far)
{
    return exp(-sqrt(far) / bulk->width);
}

static void place_centres(zf_bulk *bulk, const zf_pool *pool)
{
    size_t n = bulk->centres, columns = bulk->columns;
    for (size_t i = 0; i < n; i++) take_row(bulk, pool, i, n, bulk->centre + i * columns);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double far =
                squared_distance(bulk->centre + i * columns, bulk->centre + j * columns, columns);
            bulk->root[i * n + j] = kernel(bulk, far) + (i == j ? RIDGE : 0);
        }
    zf_root(bulk->root, n);
}

static size_t nearest(const double *centre, size_t n, const double *x, size_t columns,
                      double *distance)
{
    size_t best = 0;
    *distance = INFINITY;
    for (size_t j = 0; j < n; j++) {
        double far = squared_distance(centre + j * columns, x, columns);
        if (far < *distance) {
            *distance = far;
            best = j;
        }
    }
    return best;
}

/* One round of k-means on rows[n, D]: centres become the means of the rows nearest to them;
   count[clusters] how many these are. Returns the sum of squared distances before. */
static double move_centres(double *centre, size_t clusters, double *sum, double *count,
                           const double *rows, size_t n, size_t columns)
{
    double total = 0;
    memset(sum, 0, clusters * columns * sizeof *sum);
    memset(count, 0, clusters * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        double far;
        size_t j = nearest(centre, clusters, rows + i * columns, columns, &far);
        total += far;
        count[j]++;
        for (size_t k = 0; k < columns; k++) sum[j * columns + k] += rows[i * columns + k];
    }
    for (size_t j = 0; j < clusters; j++)
        for (size_t k = 0; count[j] > 0 && k < columns; k++)
            centre[j * columns + k] = sum[j * columns + k] / count[j];
    return total;
}

/* The best of a few starts from drawn rows; the draws do not know the samples. */
static zf_status find_clusters(zf_bulk_clusters *to, const double *rows, size_t n, size_t columns)
{
    size_t size = to->n * columns;
    double best = INFINITY;
    double *centre = malloc((2 * size + to->n) * sizeof *centre);
    if (!centre) return zf_fail_memory((2 * size + to->n) * sizeof *centre);
    double *sum = centre + size;
    for (uint32_t start = 0; start < STARTS; start++) {
        zf_random random = zf_random_at(0, ZF_FOR_INIT, to->n, start);
        double total = INFINITY, before = INFINITY;
        for (size_t j = 0; j < to->n; j++) {
            size_t row = zf_random_below(&random, (uint32_t)n);
            memcpy(centre + j * columns, rows + row * columns, columns * sizeof *centre);
        }
        for (int round = 0; round < ROUNDS && (round == 0 || total < before); round++) {
            before = total;
            total = move_centres(centre, to->n, sum, sum + size, rows, n, columns);
        }
        if (total >= best) continue;
        best = total;
        memcpy(to->centre, centre, size * sizeof *centre);
    }
    free(centre);
    return ZF_OK;
}

static void weigh_clusters(zf_bulk *bulk, zf_bulk_clusters *clusters, const zf_pool *pool,
                           double *row)
{
    size_t columns = bulk->columns;
    double far, rows = (double)pool->rows;
    for (size_t i = 0; i < pool->rows; i++) {
        for (size_t k = 0; k < columns; k++)
            row[k] = bulk->factor[k] * pool->local[i * columns + k];
        clusters->weight[nearest(clusters->centre, clusters->n, row, columns, &far)]++;
    }
    for (size_t j = 0; j < clusters->n; j++)
        clusters->weight[j] = clusters->weight[j] > 0 ? sqrt(rows / clusters->weight[j]) : 0;
}

static zf_status fit(zf_bulk *bulk, const zf_pool *pool)
{
    size_t n = pool->rows < FITTED_ROWS ? pool->rows : FITTED_ROWS, columns = bulk->columns;
    double *rows = malloc(n * columns * sizeof *rows);
    if (!rows) return zf_fail_memory(n * columns * sizeof *rows);
    for (size_t i = 0; i < n; i++) take_row(bulk, pool, i, n, rows + i * columns);
    zf_status status = find_width(bulk, rows, n);
    for (int part = 0; status == ZF_OK && part < ZF_BULK_PARTS; part++)
        status = find_clusters(&bulk->clusters[part], rows, n, columns);
    for (int part = 0; status == ZF_OK && part < ZF_BULK_PARTS; part++)
        weigh_clusters(bulk, &bulk->clusters[part], pool, rows);
    free(rows);
    if (status == ZF_OK) place_centres(bulk, pool);
    return status;
}

zf_status zf_bulk_new(zf_bulk *out, const zf_pool *pool)
{
    size_t columns = pool->columns;
    size_t centres = pool->rows < ZF_BULK_CENTRES ? pool->rows : ZF_BULK_CENTRES;
    size_t total = columns + centres * (columns + centres);
    for (int part = 0; part < ZF_BULK_PARTS; part++) total += clusters_of[part] * (columns + 1);
    zf_bulk bulk = {.columns = columns, .centres = centres};
    bulk.memory = calloc(total, sizeof *bulk.memory);
    if (!bulk.memory) return zf_fail_memory(total * sizeof *bulk.memory);
    bulk.factor = bulk.memory;
    bulk.centre = bulk.factor + columns;
    bulk.root = bulk.centre + centres * columns;
    double *free_from = bulk.root + centres * centres;
    for (int part = 0; part < ZF_BULK_PARTS; part++) {
        zf_bulk_clusters *clusters = &bulk.clusters[part];
        clusters->n = clusters_of[part];
        clusters->centre = free_from;
        clusters->weight = clusters->centre + clusters->n * columns;
        free_from = clusters->weight + clusters->n;
    }
    for (size_t k = 0; k < columns; k++) bulk.factor[k] = factor_of(pool, k);
    zf_status status = fit(&bulk, pool);
    if (status == ZF_OK)
        *out = bulk;
    else
        zf_bulk_free(&bulk);
    return status;
}

/* |x - c|^2, from a row without factors. */
static double distance_from(const zf_bulk *bulk, const double *centre, const float *row)
{
    double sum = 0;
    for (size_t k = 0; k < bulk->columns; k++) {
        double away = bulk->factor[k] * row[k] - centre[k];
        sum += away * away;
    }
    return sum;
}

void zf_bulk_wide(const zf_bulk *bulk, const float *row, double *to)
{
    for (size_t c = 0; c < bulk->centres; c++)
        to[c] = kernel(bulk, distance_from(bulk, bulk->centre + c * bulk->columns, row));
    zf_root_solve(bulk->root, to, bulk->centres);
}

static size_t cluster_of(const zf_bulk *bulk, const zf_bulk_clusters *clusters, const float *row)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t j = 0; j < clusters->n; j++) {
        double far = distance_from(bulk, clusters->centre + j * bulk->columns, row);
        if (far < least) {
            least = far;
            best = j;
        }
    }
    return best;
}

void zf_bulk_cluster(const zf_bulk *bulk, int which, const float *row, double *to)
{
    const zf_bulk_clusters *clusters = &bulk->clusters[which];
    size_t own = cluster_of(bulk, clusters, row);
    for (size_t j = 0; j < clusters->n; j++) to[j] = j == own ? clusters->weight[j] : 0;
}

/* On the straight way from c to x, coordinate k adds (x_k - c_k)^2 / |x - c|^2 of the change
   of exp(-|x - c| / width). */
void zf_bulk_wide_parts(const zf_bulk *bulk, const double *weight, const float *row, double *part)
{
    size_t n = bulk->centres, columns = bulk->columns;
    double own[ZF_BULK_CENTRES] = {0};
    /* weight' R^-1 k = own' k with own = R^-T weight. */
    for (size_t i = n; i-- > 0;) {
        own[i] = weight[i];
        for (size_t l = i + 1; l < n; l++) own[i] -= bulk->root[l * n + i] * own[l];
        own[i] /= bulk->root[i * n + i];
    }
    for (size_t c = 0; c < n; c++) {
        const double *centre = bulk->centre + c * columns;
        double far = distance_from(bulk, centre, row);
        double change = far > 0 ? expm1(-sqrt(far) / bulk->width) / far : 0;
        for (size_t k = 0; k < columns; k++) {
            double away = bulk->factor[k] * row[k] - centre[k];
            part[k] += own[c] * change * away * away;
        }
    }
}

void zf_bulk_cluster_parts(const zf_bulk *bulk, int which, const double *weight, const float *row,
                           double *part)
{
    const zf_bulk_clusters *clusters = &bulk->clusters[which];
    size_t columns = bulk->columns, own = cluster_of(bulk, clusters, row);
    double far = 0, whole = weight[own] * clusters->weight[own];
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < columns; k++) {
            double mean = 0;
            for (size_t j = 0; j < clusters->n; j++)
                mean += clusters->centre[j * columns + k] / (double)clusters->n;
            double away = clusters->centre[own * columns + k] - mean;
            if (pass == 0)
                far += away * away;
            else
                part[k] += far > 0 ? whole * away * away / far : whole / (double)columns;
        }
}

void zf_bulk_free(zf_bulk *bulk)
{
    free(bulk->memory);
    memset(bulk, 0, sizeof *bulk);
}
