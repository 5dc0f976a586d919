#include "criterion/levels.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "criterion/root.h"

/* A column has few values: at most VALUES_MOST, and ROWS_A_VALUE rows each on average. */
enum { VALUES_MOST = 10, ROWS_A_VALUE = 5, CELLS_MOST = 16384 };

/* A column that varies less counts less: else a row of a few rare levels would count more than
   all others. */
static const double LEAST_VARIANCE = 0.25;

/* Keeps the kernel positive, as a share of its mean diagonal: products of three columns and more
   have fewer dimensions than there are rows. */
static const double RIDGE = 1e-6;

/* The distinct values of column k, ascending: how many, 0 if too many. */
static size_t find_values(float values[VALUES_MOST + 1], const zf_pool *pool, size_t k)
{
    size_t n = 0;
    for (size_t i = 0; i < pool->rows; i++) {
        float x = pool->values[i * pool->columns + k];
        size_t at = 0;
        while (at < n && values[at] < x) at++;
        if (at < n && values[at] == x) continue;
        if (n == VALUES_MOST) return 0;
        memmove(values + at + 1, values + at, (n - at) * sizeof *values);
        values[at] = x;
        n++;
    }
    return n > 1 && n * ROWS_A_VALUE <= pool->rows ? n : 0;
}

/* The columns of few values. */
static void find_columns(zf_levels *levels, const zf_pool *pool)
{
    float values[VALUES_MOST + 1];
    for (size_t k = 0; k < pool->columns; k++) {
        size_t n = find_values(values, pool, k);
        if (n == 0) continue;
        levels->column[levels->columns++] = k;
        levels->levels += n;
        levels->first[levels->columns] = levels->levels;
    }
}

static void find_codes(zf_levels *levels, const zf_pool *pool)
{
    float values[VALUES_MOST + 1];
    for (size_t m = 0; m < levels->columns; m++) {
        size_t k = levels->column[m];
        find_values(values, pool, k);
        for (size_t i = 0; i < pool->rows; i++) {
            uint8_t code = 0;
            while (values[code] < pool->values[i * pool->columns + k]) code++;
            levels->code[i * levels->columns + m] = code;
            levels->share[levels->first[m] + code] += 1 / (double)pool->rows;
        }
    }
    for (size_t m = 0; m < levels->columns; m++) {
        size_t own = levels->first[m + 1] - levels->first[m];
        if (levels->cells + own * levels->first[m] > CELLS_MOST) break;
        levels->cells += own * levels->first[m];
        levels->paired = m + 1;
    }
}

static int by_codes(const void *a, const void *b, void *context)
{
    const zf_levels *levels = context;
    return memcmp(levels->code + *(const size_t *)a * levels->columns,
                  levels->code + *(const size_t *)b * levels->columns, levels->columns);
}

/* Numbers the distinct rows; the first of each to representative[ZF_LEVELS_MOST]. */
static zf_status find_distinct(zf_levels *levels, size_t *representative)
{
    size_t *order = malloc(levels->rows * sizeof *order), found = 0;
    if (!order) return zf_fail_memory(levels->rows * sizeof *order);
    for (size_t i = 0; i < levels->rows; i++) order[i] = i;
    qsort_r(order, levels->rows, sizeof *order, by_codes, levels);
    for (size_t i = 0; i < levels->rows; i++) {
        if (i == 0 || by_codes(&order[i - 1], &order[i], levels) != 0) {
            if (found == ZF_LEVELS_MOST) {
                found = 0;
                break;
            }
            representative[found++] = order[i];
        }
        levels->row[order[i]] = (uint16_t)(found - 1);
    }
    free(order);
    levels->distinct = found;
    return ZF_OK;
}

/* The sum of squared shares of column m. */
static double squares_of(const zf_levels *levels, size_t m)
{
    double sum = 0;
    for (size_t v = levels->first[m]; v < levels->first[m + 1]; v++)
        sum += levels->share[v] * levels->share[v];
    return sum;
}

/* The kernel of two rows: of products over no column, one, two, and three or more. */
static double kernel(const zf_levels *levels, const double *squares, const uint8_t *x,
                     const uint8_t *y)
{
    double of[4] = {1}, further = 1 / (double)levels->columns;
    for (size_t m = 0; m < levels->columns; m++) {
        const double *share = levels->share + levels->first[m];
        double own = (x[m] == y[m]) - share[x[m]] - share[y[m]] + squares[m];
        own /= fmax(1 - squares[m], LEAST_VARIANCE);
        of[3] += own * (of[2] + further * of[3]);
        of[2] += own * of[1];
        of[1] += own;
    }
    return of[3];
}

static zf_status fill_kernel(zf_levels *levels, const size_t *representative)
{
    size_t n = levels->distinct, columns = levels->columns;
    double *squares = malloc(columns * sizeof *squares), trace = 0;
    if (!squares) return zf_fail_memory(columns * sizeof *squares);
    for (size_t m = 0; m < columns; m++) squares[m] = squares_of(levels, m);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            levels->root[i * n + j] =
                kernel(levels, squares, levels->code + representative[i] * columns,
                       levels->code + representative[j] * columns);
        trace += levels->root[i * n + i];
    }
    for (size_t i = 0; i < n; i++) levels->root[i * n + i] += RIDGE * trace / (double)n;
    free(squares);
    zf_root(levels->root, n);
    return ZF_OK;
}

static zf_status find_kernel(zf_levels *levels)
{
    size_t representative[ZF_LEVELS_MOST];
    if (levels->columns < 3) return ZF_OK;
    ZF_TRY(find_distinct(levels, representative));
    size_t n = levels->distinct;
    if (n == 0) return ZF_OK;
    levels->root = malloc(n * n * sizeof *levels->root);
    if (!levels->root) return zf_fail_memory(n * n * sizeof *levels->root);
    return fill_kernel(levels, representative);
}

zf_status zf_levels_new(zf_levels *out, const zf_pool *pool)
{
    size_t columns = pool->columns;
    zf_levels levels = {.rows = pool->rows};
    levels.column = calloc(columns, sizeof *levels.column);
    levels.first = calloc(columns + 1, sizeof *levels.first);
    bool all = levels.column && levels.first;
    if (all) find_columns(&levels, pool);
    if (all && levels.columns > 0) {
        levels.share = calloc(levels.levels, sizeof *levels.share);
        levels.code = calloc(pool->rows * levels.columns, sizeof *levels.code);
        levels.row = calloc(pool->rows, sizeof *levels.row);
        all = levels.share && levels.code && levels.row;
    }
    zf_status status = all ? ZF_OK : zf_fail_memory(pool->rows * columns);
    if (status == ZF_OK && levels.columns > 0) {
        find_codes(&levels, pool);
        status = find_kernel(&levels);
    }
    if (status == ZF_OK)
        *out = levels;
    else
        zf_levels_free(&levels);
    return status;
}

static size_t at_most(size_t n)
{
    return n < ZF_LEVELS_MOST ? n : ZF_LEVELS_MOST;
}

size_t zf_levels_features(const zf_levels *levels)
{
    return at_most(levels->levels);
}

size_t zf_levels_tables(const zf_levels *levels)
{
    return at_most(levels->cells);
}

size_t zf_levels_rows(const zf_levels *levels)
{
    return levels->columns > 2 ? levels->distinct : 0;
}

/* Where feature `which` of `of` stands, and with which sign: itself where there is room, else
   by a hash. */
static size_t place(size_t which, size_t of, double *sign)
{
    *sign = 1;
    if (of <= ZF_LEVELS_MOST) return which;
    uint64_t hash = (which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    if (hash & 1) *sign = -1;
    return (hash >> 1) % ZF_LEVELS_MOST;
}

static size_t level_of(const zf_levels *levels, size_t row, size_t m)
{
    return levels->first[m] + levels->code[row * levels->columns + m];
}

void zf_levels_single(const zf_levels *levels, size_t row, double *to)
{
    memset(to, 0, zf_levels_features(levels) * sizeof *to);
    for (size_t m = 0; m < levels->columns; m++) {
        double sign;
        size_t level = level_of(levels, row, m), at = place(level, levels->levels, &sign);
        to[at] += sign / sqrt(levels->share[level]);
    }
}

void zf_levels_single_parts(const zf_levels *levels, const double *weight, size_t row, double *part)
{
    for (size_t m = 0; m < levels->columns; m++) {
        double sign;
        size_t level = level_of(levels, row, m), at = place(level, levels->levels, &sign);
        part[levels->column[m]] += weight[at] * sign / sqrt(levels->share[level]);
    }
}

/* (1[x_m = v] - share) / root of the share. */
static double centred(const zf_levels *levels, size_t level, bool own)
{
    double share = levels->share[level];
    return (own - share) / sqrt(share);
}

/* Adds the products of a row's columns m and l to `to`, or returns what weights make of them. */
static double add_table(const zf_levels *levels, size_t row, size_t m, size_t l, size_t *cell,
                        double *to, const double *weight)
{
    size_t own = level_of(levels, row, m), other = level_of(levels, row, l);
    double sum = 0;
    for (size_t v = levels->first[m]; v < levels->first[m + 1]; v++) {
        double one = centred(levels, v, v == own);
        for (size_t w = levels->first[l]; w < levels->first[l + 1]; w++) {
            double sign, product = one * centred(levels, w, w == other);
            size_t at = place((*cell)++, levels->cells, &sign);
            if (to) to[at] += sign * product;
            if (weight) sum += weight[at] * sign * product;
        }
    }
    return sum;
}

void zf_levels_pairs(const zf_levels *levels, size_t row, double *to)
{
    size_t cell = 0;
    memset(to, 0, zf_levels_tables(levels) * sizeof *to);
    for (size_t m = 0; m < levels->paired; m++)
        for (size_t l = 0; l < m; l++) add_table(levels, row, m, l, &cell, to, NULL);
}

void zf_levels_pairs_parts(const zf_levels *levels, const double *weight, size_t row, double *part)
{
    size_t cell = 0;
    for (size_t m = 0; m < levels->paired; m++)
        for (size_t l = 0; l < m; l++) {
            double half = add_table(levels, row, m, l, &cell, NULL, weight) / 2;
            part[levels->column[m]] += half;
            part[levels->column[l]] += half;
        }
}

void zf_levels_whole(const zf_levels *levels, size_t row, double *to)
{
    size_t n = levels->distinct;
    memcpy(to, levels->root + levels->row[row] * n, n * sizeof *to);
}

void zf_levels_whole_parts(const zf_levels *levels, const double *weight, size_t row, double *part)
{
    size_t n = levels->distinct;
    const double *own = levels->root + levels->row[row] * n;
    double sum = 0;
    for (size_t f = 0; f < n; f++) sum += weight[f] * own[f];
    for (size_t m = 0; m < levels->columns; m++)
        part[levels->column[m]] += sum / (double)levels->columns;
}

void zf_levels_free(zf_levels *levels)
{
    free(levels->column);
    free(levels->first);
    free(levels->share);
    free(levels->code);
    free(levels->row);
    free(levels->root);
    memset(levels, 0, sizeof *levels);
}
