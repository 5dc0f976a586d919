/* A column's values are sorted by a radix sort (three passes over the bits of a
   float, turned so that they order like the numbers): twenty times faster than
   qsort, whose calls to a comparison would take most of the time on a large
   table. Distinct values and their scores are then the knots of a piecewise
   linear function, and applying it is a binary search. */
#include "data/margins.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* One column at work: keys that order like its values, and room to sort them. */
typedef struct column {
    size_t n;
    uint32_t *memory; /* of the three arrays of keys */
    uint32_t *keys, *spare;
    size_t distinct;
    uint32_t *knots; /* [distinct] keys without repetition */
    double *scores;  /* [distinct] */
} column;

static uint32_t key_of(float value)
{
    uint32_t bits;
    value += 0.0f; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float value_of(uint32_t key)
{
    uint32_t bits = key >> 31 ? key & 0x7fffffffu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void column_free(column *work)
{
    free(work->memory);
    free(work->scores);
}

static zf_status column_new(column *out, size_t n)
{
    *out = (column){.n = n};
    out->memory = malloc(3 * n * sizeof *out->memory);
    out->scores = malloc(n * sizeof *out->scores);
    if (!out->memory || !out->scores) {
        column_free(out);
        return zf_fail_memory(n * (3 * sizeof *out->memory + sizeof *out->scores));
    }
    out->keys = out->memory;
    out->spare = out->memory + n;
    out->knots = out->memory + 2 * n;
    return ZF_OK;
}

static void sort(column *work)
{
    for (int shift = 0; shift < 32; shift += DIGIT_BITS) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < work->n; i++) start[(work->keys[i] >> shift) % DIGITS + 1]++;
        for (size_t k = 0; k < DIGITS; k++) start[k + 1] += start[k];
        for (size_t i = 0; i < work->n; i++)
            work->spare[start[(work->keys[i] >> shift) % DIGITS]++] = work->keys[i];
        uint32_t *sorted = work->spare;
        work->spare = work->keys;
        work->keys = sorted;
    }
}

/* Sorts a column; its distinct values get the normal score of their mean rank. */
static void rank(column *work, const float *from, size_t stride)
{
    for (size_t i = 0; i < work->n; i++) work->keys[i] = key_of(from[i * stride]);
    sort(work);
    work->distinct = 0;
    for (size_t i = 0, next; i < work->n; i = next) {
        for (next = i + 1; next < work->n && work->keys[next] == work->keys[i];) next++;
        double middle = 0.5 * (double)(i + next); /* mean rank - 0.5, ranks from 1 */
        work->knots[work->distinct] = work->keys[i];
        work->scores[work->distinct++] = zf_normal_quantile(middle / (double)work->n);
    }
}

zf_status zf_normal_scores(double *to, const float *from, size_t n, size_t stride)
{
    column work;
    ZF_TRY(column_new(&work, n));
    rank(&work, from, stride);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = key_of(from[i * stride]);
        size_t low = 0, high = work.distinct - 1;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (work.knots[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        to[i * stride] = work.scores[low];
    }
    column_free(&work);
    return ZF_OK;
}

static zf_status allocate(zf_margins *margins)
{
    size_t bytes;
    bool scores = margins->kind == ZF_MARGINS_NORMAL_SCORES;
    if (__builtin_mul_overflow(margins->columns * sizeof(float), margins->knots, &bytes))
        return zf_fail_memory(SIZE_MAX);
    float *first = malloc(bytes), *second = malloc(bytes);
    *(scores ? &margins->values : &margins->mean) = first;
    *(scores ? &margins->scores : &margins->deviation) = second;
    if (first && second) return ZF_OK;
    zf_margins_free(margins);
    return zf_fail_memory(2ull * bytes);
}

static zf_status fit_standard(zf_margins *margins, const float *values, size_t rows)
{
    size_t columns = margins->columns;
    margins->knots = 1;
    ZF_TRY(allocate(margins));
    for (size_t j = 0; j < columns; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < rows; i++) sum += (double)values[i * columns + j];
        double mean = sum / (double)rows;
        for (size_t i = 0; i < rows; i++) {
            double off = (double)values[i * columns + j] - mean;
            squares += off * off;
        }
        margins->mean[j] = (float)mean;
        margins->deviation[j] = (float)sqrt(squares / (double)rows);
    }
    return ZF_OK;
}

static void keep_knots(zf_margins *margins, size_t j, const column *work)
{
    float *values = margins->values + j * margins->knots;
    float *scores = margins->scores + j * margins->knots;
    size_t kept = work->distinct < margins->knots ? work->distinct : margins->knots;
    for (size_t k = 0; k < margins->knots; k++) {
        size_t place = k < kept ? k : kept - 1;
        size_t i =
            kept < 2 ? 0
                     : (size_t)((double)place * (double)(work->distinct - 1) / (double)(kept - 1));
        values[k] = value_of(work->knots[i]);
        scores[k] = (float)work->scores[i];
    }
}

/* The largest number of distinct values in a column, or the most that is kept:
   found first, because all columns lie in one table. */
static size_t count_knots(column *work, const float *values, size_t columns)
{
    size_t most = 0;
    for (size_t j = 0; j < columns && most < ZF_MARGINS_KNOTS_MAX && most < work->n; j++) {
        rank(work, values + j, columns);
        if (work->distinct > most) most = work->distinct;
    }
    return most < ZF_MARGINS_KNOTS_MAX ? most : ZF_MARGINS_KNOTS_MAX;
}

static zf_status fit_scores(zf_margins *margins, const float *values, size_t rows)
{
    column work;
    ZF_TRY(column_new(&work, rows));
    margins->knots = count_knots(&work, values, margins->columns);
    zf_status status = allocate(margins);
    for (size_t j = 0; status == ZF_OK && j < margins->columns; j++) {
        rank(&work, values + j, margins->columns);
        keep_knots(margins, j, &work);
    }
    column_free(&work);
    return status;
}

zf_status zf_margins_fit(zf_margins *out, zf_margins_kind kind, const float *values, size_t rows,
                         size_t columns)
{
    assert(rows > 0 && columns > 0);
    zf_margins margins = {.kind = kind, .columns = columns};
    ZF_TRY(kind == ZF_MARGINS_STANDARD ? fit_standard(&margins, values, rows)
                                       : fit_scores(&margins, values, rows));
    *out = margins;
    return ZF_OK;
}

static bool is_increasing(const float *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!(values[i - 1] <= values[i])) return false;
    return true;
}

static zf_status check_column(const zf_margins *margins, size_t j)
{
    const float *values = margins->values + j * margins->knots;
    const float *scores = margins->scores + j * margins->knots;
    if (!is_increasing(values, margins->knots) || !is_increasing(scores, margins->knots))
        return zf_fail(ZF_EINPUT, "margins of column %zu: expected increasing knots", j + 1);
    return ZF_OK;
}

zf_status zf_margins_restore(zf_margins *out, zf_margins_kind kind, size_t columns, size_t knots,
                             const float *first, const float *second)
{
    bool standard = kind == ZF_MARGINS_STANDARD;
    assert(columns > 0);
    if (knots < 1 || knots > ZF_MARGINS_KNOTS_MAX || (standard && knots != 1))
        return zf_fail(ZF_EINPUT, "margins with %zu knots, expected %s", knots,
                       standard ? "1" : "1 to 8192");
    for (size_t i = 0; i < columns * knots; i++)
        if (!isfinite(first[i]) || !isfinite(second[i]) || (standard && second[i] < 0))
            return zf_fail(ZF_EINPUT, "margins of column %zu: expected finite numbers%s",
                           i / knots + 1, standard ? " and a deviation of at least 0" : "");
    zf_margins margins = {.kind = kind, .columns = columns, .knots = knots};
    ZF_TRY(allocate(&margins));
    memcpy(standard ? margins.mean : margins.values, first, columns * knots * sizeof *first);
    memcpy(standard ? margins.deviation : margins.scores, second, columns * knots * sizeof *second);
    zf_status status = ZF_OK;
    for (size_t j = 0; !standard && status == ZF_OK && j < columns; j++)
        status = check_column(&margins, j);
    if (status == ZF_OK)
        *out = margins;
    else
        zf_margins_free(&margins);
    return status;
}

/* The score of a value by the knots of its column. */
static float score(const float *values, const float *scores, size_t knots, float value)
{
    if (!(value > values[0])) return scores[0];
    if (value >= values[knots - 1]) return scores[knots - 1];
    size_t low = 0, high = knots - 1; /* values[low] <= value < values[high] */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (values[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    double share =
        ((double)value - (double)values[low]) / ((double)values[high] - (double)values[low]);
    return (float)((double)scores[low] + share * ((double)scores[high] - (double)scores[low]));
}

void zf_margins_apply(const zf_margins *margins, float *to, const float *from, size_t rows)
{
    size_t columns = margins->columns, knots = margins->knots;
    for (size_t i = 0; i < rows; i++, to += columns, from += columns)
        for (size_t j = 0; j < columns; j++) {
            if (margins->kind == ZF_MARGINS_NORMAL_SCORES)
                to[j] =
                    score(margins->values + j * knots, margins->scores + j * knots, knots, from[j]);
            else
                to[j] = margins->deviation[j] > 0
                            ? (from[j] - margins->mean[j]) / margins->deviation[j]
                            : 0;
        }
}

void zf_margins_free(zf_margins *margins)
{
    free(margins->mean);
    free(margins->deviation);
    free(margins->values);
    free(margins->scores);
    *margins = (zf_margins){0};
}

const char *zf_margins_name(zf_margins_kind kind)
{
    return kind == ZF_MARGINS_STANDARD ? "standard" : "normal-scores";
}

zf_status zf_margins_kind_read(zf_margins_kind *out, const char *name, const char *path)
{
    for (int kind = 0; name && kind < ZF_MARGINS_AUTO; kind++) {
        if (strcmp(name, zf_margins_name((zf_margins_kind)kind)) != 0) continue;
        *out = (zf_margins_kind)kind;
        return ZF_OK;
    }
    return zf_fail(ZF_EINPUT, "%s: unknown margins \"%s\"", path, name ? name : "(absent)");
}

int zf_margins_knots(const zf_margins *margins)
{
    return margins->kind == ZF_MARGINS_STANDARD ? 1 : (int)margins->knots;
}

void zf_margins_store(const zf_margins *margins, float *first, float *second)
{
    bool standard = margins->kind == ZF_MARGINS_STANDARD;
    size_t bytes = margins->columns * (size_t)zf_margins_knots(margins) * sizeof(float);
    memcpy(first, standard ? margins->mean : margins->values, bytes);
    memcpy(second, standard ? margins->deviation : margins->scores, bytes);
}
