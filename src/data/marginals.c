/* A column's values are sorted by a radix sort (up to six passes over the bits of a
   double, turned so that they order like the numbers; a pass over bits that are the
   same in all is left out, and numbers with few digits have many such): ten times
   faster than qsort, whose calls to a comparison would take most of the time on a large
   table. Distinct values and their scores are then the knots of a piecewise
   linear function, and applying it is a binary search. */
#include "data/marginals.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/analyze.h"
#include "base/error.h"
#include "base/moments.h"
#include "base/normal.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* One column at work: keys that order like its values, and room to sort them. */
typedef struct column {
    size_t n;
    uint64_t *memory; /* of the three arrays of keys */
    uint64_t *keys, *spare;
    size_t distinct;
    uint64_t *knots; /* [distinct] keys without repetition */
    double *scores;  /* [distinct] */
} column;

static uint64_t key_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
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
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < work->n; i++) start[(work->keys[i] >> shift) % DIGITS + 1]++;
        if (start[(work->keys[0] >> shift) % DIGITS + 1] == work->n) continue; /* all the same */
        for (size_t k = 0; k < DIGITS; k++) start[k + 1] += start[k];
        for (size_t i = 0; i < work->n; i++)
            work->spare[start[(work->keys[i] >> shift) % DIGITS]++] = work->keys[i];
        uint64_t *sorted = work->spare;
        work->spare = work->keys;
        work->keys = sorted;
    }
}

/* The analyzer does not see that sort() fills all of what it makes the keys. */
ZF_ANALYZER_MISTAKES("-Wanalyzer-use-of-uninitialized-value")
/* Sorts a column; its distinct values get the normal score of their mean rank. */
static void rank(column *work, const double *from, size_t stride)
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
ZF_ANALYZER_AGAIN

zf_status zf_normal_scores(double *to, const double *from, size_t n, size_t stride)
{
    column work;
    ZF_TRY(column_new(&work, n));
    rank(&work, from, stride);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(from[i * stride]);
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

static zf_status allocate(zf_marginals *marginals)
{
    size_t bytes;
    if (__builtin_mul_overflow(marginals->columns * sizeof(double), marginals->knots, &bytes))
        return zf_fail_memory(SIZE_MAX);
    marginals->first = malloc(bytes);
    marginals->second = malloc(bytes);
    if (marginals->first && marginals->second) return ZF_OK;
    zf_marginals_free(marginals);
    return zf_fail_memory(2ull * bytes);
}

static zf_status fit_standard(zf_marginals *marginals, const double *values, size_t rows)
{
    marginals->knots = 1;
    ZF_TRY(allocate(marginals));
    for (size_t j = 0; j < marginals->columns; j++) {
        zf_moments moments = zf_moments_of(values + j, rows, marginals->columns);
        marginals->first[j] = moments.mean;
        marginals->second[j] = moments.deviation;
    }
    return ZF_OK;
}

static void keep_knots(zf_marginals *marginals, size_t j, const column *work)
{
    double *values = marginals->first + j * marginals->knots;
    double *scores = marginals->second + j * marginals->knots;
    size_t kept = work->distinct < marginals->knots ? work->distinct : marginals->knots;
    for (size_t k = 0; k < marginals->knots; k++) {
        size_t place = k < kept ? k : kept - 1;
        size_t i =
            kept < 2 ? 0
                     : (size_t)((double)place * (double)(work->distinct - 1) / (double)(kept - 1));
        values[k] = value_of(work->knots[i]);
        scores[k] = work->scores[i];
    }
}

/* The largest number of distinct values in a column, or the most that is kept:
   found first, because all columns lie in one table. */
static size_t count_knots(column *work, const double *values, size_t columns)
{
    size_t most = 0;
    for (size_t j = 0; j < columns && most < ZF_MARGINALS_KNOTS_MAX && most < work->n; j++) {
        rank(work, values + j, columns);
        if (work->distinct > most) most = work->distinct;
    }
    return most < ZF_MARGINALS_KNOTS_MAX ? most : ZF_MARGINALS_KNOTS_MAX;
}

static zf_status fit_scores(zf_marginals *marginals, const double *values, size_t rows)
{
    column work;
    ZF_TRY(column_new(&work, rows));
    marginals->knots = count_knots(&work, values, marginals->columns);
    zf_status status = allocate(marginals);
    for (size_t j = 0; status == ZF_OK && j < marginals->columns; j++) {
        rank(&work, values + j, marginals->columns);
        keep_knots(marginals, j, &work);
    }
    column_free(&work);
    return status;
}

zf_status zf_marginals_fit(zf_marginals *out, zf_marginals_kind kind, const double *values,
                           size_t rows, size_t columns)
{
    assert(rows > 0 && columns > 0);
    zf_marginals marginals = {.kind = kind, .columns = columns};
    ZF_TRY(kind == ZF_MARGINALS_STANDARD ? fit_standard(&marginals, values, rows)
                                         : fit_scores(&marginals, values, rows));
    *out = marginals;
    return ZF_OK;
}

static bool is_increasing(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!(values[i - 1] <= values[i])) return false;
    return true;
}

zf_status zf_marginals_part(zf_marginals *out, const zf_marginals *marginals, size_t from,
                            size_t count)
{
    zf_marginals part = {.kind = marginals->kind, .columns = count, .knots = marginals->knots};
    ZF_TRY(allocate(&part));
    size_t skip = from * part.knots, bytes = count * part.knots * sizeof *part.first;
    memcpy(part.first, marginals->first + skip, bytes);
    memcpy(part.second, marginals->second + skip, bytes);
    *out = part;
    return ZF_OK;
}

/* --- files -------------------------------------------------------------------------- */

static const char *const TENSORS[ZF_MARGINALS_TENSORS] = {"margin.first", "margin.second"};

zf_tensor zf_marginals_tensor(const zf_marginals *marginals, int i)
{
    return (zf_tensor){.name = TENSORS[i],
                       .rank = 2,
                       .dim = {(int64_t)marginals->columns, (int64_t)marginals->knots},
                       .data = i == 0 ? marginals->first : marginals->second,
                       .wide = true};
}

/* Numbers that a fit could have given. */
static zf_status check(const zf_marginals *marginals)
{
    bool standard = marginals->kind == ZF_MARGINALS_STANDARD;
    size_t knots = marginals->knots;
    for (size_t i = 0; i < marginals->columns * knots; i++) {
        double first = marginals->first[i], second = marginals->second[i];
        if (!(fabs(first) <= ZF_VALUE_MOST) || !isfinite(second) || (standard && second < 0))
            return zf_fail(ZF_EINPUT, "marginals of column %zu: expected finite numbers%s",
                           i / knots + 1, standard ? " and a deviation of at least 0" : "");
    }
    for (size_t j = 0; !standard && j < marginals->columns; j++)
        if (!is_increasing(marginals->first + j * knots, knots) ||
            !is_increasing(marginals->second + j * knots, knots))
            return zf_fail(ZF_EINPUT, "marginals of column %zu: expected increasing knots", j + 1);
    return ZF_OK;
}

static zf_status read_tensors(zf_marginals *marginals, const zf_safetensors *file)
{
    const int64_t dim[] = {(int64_t)marginals->columns, (int64_t)marginals->knots};
    ZF_TRY(zf_safetensors_read_doubles(file, marginals->first, TENSORS[0], 2, dim));
    ZF_TRY(zf_safetensors_read_doubles(file, marginals->second, TENSORS[1], 2, dim));
    return check(marginals);
}

zf_status zf_marginals_read(zf_marginals *out, zf_marginals_kind kind, size_t columns, size_t knots,
                            const zf_safetensors *file)
{
    bool standard = kind == ZF_MARGINALS_STANDARD;
    if (knots < 1 || knots > ZF_MARGINALS_KNOTS_MAX || (standard && knots != 1))
        return zf_fail(ZF_EINPUT, "marginals with %zu knots, expected %s", knots,
                       standard ? "1" : "1 to 8192");
    for (int i = 0; i < ZF_MARGINALS_TENSORS; i++) {
        const zf_tensor *tensor = zf_safetensors_find(file, TENSORS[i]);
        if (!tensor || tensor->rank != 2 || tensor->dim[0] != (int64_t)columns ||
            tensor->dim[1] != (int64_t)knots)
            return zf_fail(ZF_EINPUT, "%s: \"%s\": expected a tensor of %zu x %zu",
                           zf_safetensors_path(file), TENSORS[i], columns, knots);
    }
    zf_marginals marginals = {.kind = kind, .columns = columns, .knots = knots};
    ZF_TRY(allocate(&marginals));
    zf_status status = read_tensors(&marginals, file);
    if (status == ZF_OK)
        *out = marginals;
    else
        zf_marginals_free(&marginals);
    return status;
}

bool zf_marginals_are_narrow(const zf_marginals *marginals)
{
    for (size_t i = 0; i < marginals->columns * marginals->knots; i++)
        if (marginals->first[i] != (double)(float)marginals->first[i] ||
            marginals->second[i] != (double)(float)marginals->second[i])
            return false;
    return true;
}

/* --- use ---------------------------------------------------------------------------- */

/* The score of a value by the knots of its column. */
static double score(const double *values, const double *scores, size_t knots, double value)
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
    double share = (value - values[low]) / (values[high] - values[low]);
    return scores[low] + share * (scores[high] - scores[low]);
}

void zf_marginals_apply(const zf_marginals *marginals, float *to, const double *from, size_t rows)
{
    size_t columns = marginals->columns, knots = marginals->knots;
    for (size_t i = 0; i < rows; i++, to += columns, from += columns)
        for (size_t j = 0; j < columns; j++) {
            const double *first = marginals->first + j * knots,
                         *second = marginals->second + j * knots;
            if (marginals->kind == ZF_MARGINALS_NORMAL_SCORES)
                to[j] = (float)score(first, second, knots, from[j]);
            else
                to[j] = *second > 0 ? (float)((from[j] - *first) / *second) : 0;
        }
}

void zf_marginals_free(zf_marginals *marginals)
{
    free(marginals->first);
    free(marginals->second);
    *marginals = (zf_marginals){0};
}

const char *zf_marginals_name(zf_marginals_kind kind)
{
    return kind == ZF_MARGINALS_STANDARD ? "standard" : "normal-scores";
}

zf_status zf_marginals_kind_read(zf_marginals_kind *out, const char *name, const char *path)
{
    for (int kind = 0; name && kind < ZF_MARGINALS_AUTO; kind++) {
        if (strcmp(name, zf_marginals_name((zf_marginals_kind)kind)) != 0) continue;
        *out = (zf_marginals_kind)kind;
        return ZF_OK;
    }
    return zf_fail(ZF_EINPUT, "%s: unknown marginals \"%s\"", path, name ? name : "(absent)");
}
