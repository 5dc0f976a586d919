/* The witnesses of single rows against what they stand for: the field at the middle
   of every pair, times the difference of the pair, summed over all pairs; those of potentials
   against NumPy (bench/peers/two_sample.py). */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "criterion/scales.h"
#include "known_sample.h"

enum { FIRST = 30, SECOND = 23 };

typedef struct bench {
    zf_crew *crew;
    zf_pool pool;
    zf_scales scales;
    double values[(FIRST + SECOND) * 40];
} bench;

static void bench_begin_with(bench *b, const zf_two_samples *samples, zf_marginals_kind marginals)
{
    assert_ok(zf_crew_new(&b->crew, 2));
    assert_ok(zf_pool_new(&b->pool, samples, marginals, 5, &(zf_report){0}));
    assert_ok(zf_scales_new(&b->scales, &b->pool, b->crew));
}

static zf_two_samples samples_in(const bench *b, size_t columns)
{
    return (zf_two_samples){
        .first = b->values,
        .second = b->values + FIRST * columns,
        .first_rows = FIRST,
        .second_rows = SECOND,
        .columns = columns,
    };
}

static void bench_begin(bench *b, size_t columns, zf_marginals_kind marginals)
{
    draw_normals(b->values, (FIRST + SECOND) * columns, 3);
    zf_two_samples samples = samples_in(b, columns);
    bench_begin_with(b, &samples, marginals);
}

static void bench_end(bench *b)
{
    zf_scales_free(&b->scales);
    zf_pool_free(&b->pool);
    zf_crew_free(b->crew);
}

/* The field of a feature of the wide scales at m, dotted with d. */
static double wide_field(const zf_scales *s, zf_scale_kind kind, size_t f, const double *m,
                         const double *d)
{
    size_t columns = s->columns;
    double sum = 0;
    if (kind == ZF_SCALE_DRIFT) return d[f];
    if (kind == ZF_SCALE_SPREAD) {
        for (size_t k = 0; k < columns; k++) sum += 2 * m[k] * d[k];
        return sum;
    }
    if (kind == ZF_SCALE_STRETCH) return 2 * m[f] * d[f];
    if (s->directions) {
        const double *u = s->directions + 2 * f * columns, *v = u + columns;
        double um = 0, ud = 0, vm = 0, vd = 0;
        for (size_t k = 0; k < columns; k++) {
            um += u[k] * m[k];
            ud += u[k] * d[k];
            vm += v[k] * m[k];
            vd += v[k] * d[k];
        }
        return um * vd + vm * ud;
    }
    for (size_t k = 0, at = 0; k < columns; k++)
        for (size_t l = 0; l < k; l++, at++)
            if (at == f) return m[l] * d[k] + m[k] * d[l];
    return 0;
}

/* The same for a local scale: linear around the centre's mean, and the pair counts
   as much as both members are near the centre. */
static double local_field(const zf_scales *s, int which, size_t f, const double *x, const double *y)
{
    const zf_local *local = &s->local[which];
    size_t columns = s->columns, forms = s->scale[ZF_SCALE_NEAR].features / s->centres;
    size_t centre = f / forms, form = f % forms;
    const double *c = local->centre + centre * columns, *mean = local->mean + centre * columns;
    double far = 0, m[40], d[40], trace = 0;
    for (size_t k = 0; k < columns; k++) {
        far += (x[k] - c[k]) * (x[k] - c[k]) + (y[k] - c[k]) * (y[k] - c[k]);
        m[k] = (x[k] + y[k]) / 2 - mean[k];
        d[k] = y[k] - x[k];
        trace += 2 * m[k] * d[k];
    }
    double weight = exp(-far / local->width);
    if (forms == 1 && columns > 1) return weight * trace;
    if (form < columns) return weight * 2 * m[form] * d[form];
    for (size_t k = 0, at = columns; k < columns; k++)
        for (size_t l = 0; l < k; l++, at++)
            if (at == form) return weight * (m[l] * d[k] + m[k] * d[l]);
    return 0;
}

static double field(const bench *b, zf_scale_kind kind, size_t f, size_t i, size_t j)
{
    size_t columns = b->pool.columns;
    const float *from = kind >= ZF_SCALE_NEAR ? b->pool.local : b->pool.values;
    double x[40], y[40], m[40], d[40];
    for (size_t k = 0; k < columns; k++) {
        x[k] = from[i * columns + k];
        y[k] = from[j * columns + k];
        m[k] = (x[k] + y[k]) / 2;
        d[k] = y[k] - x[k];
    }
    if (kind >= ZF_SCALE_NEAR) return local_field(&b->scales, kind - ZF_SCALE_NEAR, f, x, y);
    return wide_field(&b->scales, kind, f, m, d);
}

/* Mean of h over all pairs of a row of the first and one of the second sample. */
static double mean_over_pairs(const bench *b, zf_scale_kind kind, size_t f)
{
    double sum = 0;
    for (size_t i = 0; i < b->pool.rows; i++)
        for (size_t j = 0; j < b->pool.rows; j++)
            if (!b->pool.second[i] && b->pool.second[j]) sum += field(b, kind, f, i, j);
    return sum / (FIRST * SECOND);
}

/* Difference of the witnesses' means, of every feature. */
static double *differences(const bench *b)
{
    double *sum = calloc(2 * b->scales.features, sizeof *sum), *row = sum + b->scales.features;
    double n = (double)b->pool.of_first, m = (double)b->pool.of_second;
    for (size_t i = 0; i < b->pool.rows; i++) {
        zf_scales_witness(&b->scales, &b->pool, i, row);
        for (size_t f = 0; f < b->scales.features; f++)
            sum[f] += b->pool.second[i] ? row[f] / m : -row[f] / n;
    }
    return sum;
}

/* |d|^2 of a plain scale. */
static double plain(const bench *b, zf_scale_kind kind)
{
    const zf_criterion_scale *scale = &b->scales.scale[kind];
    double *difference = differences(b), sum = 0;
    assert_true(scale->plain && scale->features > 0);
    for (size_t f = scale->first; f < scale->first + scale->features; f++)
        sum += difference[f] * difference[f];
    free(difference);
    return sum;
}

static void bulk_agrees_with_numpy(void **state)
{
    (void)state;
    static const double wide[] = {0.047760825, 0.152772396, 0.090272830};
    static const double halves[] = {0.052350427, 0.395900107, 0.003150720};
    for (int kind = EQUAL; kind <= SHEARED; kind++) {
        bench *b = calloc(1, sizeof *b);
        double first[24], second[18];
        known_sample(first, 12, 0, kind);
        known_sample(second, 9, 1, kind);
        zf_two_samples samples = {first, second, 12, 9, 2, NULL};
        bench_begin_with(b, &samples, ZF_MARGINALS_AUTO);
        assert_close(plain(b, ZF_SCALE_WIDE), wide[kind], 1e-6);
        assert_close(plain(b, ZF_SCALE_HALVES), halves[kind], 1e-6);
        assert_int_equal(b->scales.scale[ZF_SCALE_LEVELS].features, 0);
        bench_end(b);
        free(b);
    }
}

/* The width of the kernel is twice the median distance of the pool, not of those of its rows
   that stand first: in the order of values these are of one cluster. */
static void width_is_that_of_all_rows(void **state)
{
    (void)state;
    enum { ROWS = 600 };
    bench *b = calloc(1, sizeof *b);
    double values[2 * ROWS];
    draw_normals(values, 2 * ROWS, 5);
    for (int i = 0; i < 2 * ROWS; i++) values[i] += i % 2 ? 50 : 0;
    zf_two_samples samples = {values, values + ROWS, ROWS, ROWS, 1, NULL};
    bench_begin_with(b, &samples, ZF_MARGINALS_AUTO);
    /* Half of the pairs lie in two clusters, 2 deviations apart in a column that counts three
       times. */
    assert_true(b->scales.bulk.width > 2 && b->scales.bulk.width < 12.2);
    bench_end(b);
    free(b);
}

/* A few rows far out do not take its say from a column. */
static void heavy_tails_count_like_others(void **state)
{
    (void)state;
    bench *b = calloc(1, sizeof *b);
    draw_normals(b->values, (FIRST + SECOND) * 2, 3);
    b->values[0] = 30;
    b->values[2] = -30;
    zf_two_samples samples = samples_in(b, 2);
    bench_begin_with(b, &samples, ZF_MARGINALS_AUTO);
    for (int k = 0; k < 2; k++)
        assert_true(b->scales.bulk.factor[k] >= 1 && b->scales.bulk.factor[k] < 1.5);
    bench_end(b);
    free(b);
}

/* Rows of three columns of 2, 3 and 2 values. */
static void levels_agree_with_numpy(void **state)
{
    (void)state;
    enum { OF_FIRST = 23, ROWS = 41 };
    bench *b = calloc(1, sizeof *b);
    double values[3 * ROWS];
    for (int i = 1; i <= ROWS; i++) {
        values[3 * i - 3] = i % 2;
        values[3 * i - 2] = i * i % 5 % 3;
        values[3 * i - 1] = i * i * i % 7 % 2;
    }
    zf_two_samples samples = {values, values + 3 * OF_FIRST, OF_FIRST, ROWS - OF_FIRST, 3, NULL};
    bench_begin_with(b, &samples, ZF_MARGINALS_AUTO);
    assert_close(plain(b, ZF_SCALE_LEVELS), 0.049183363, 1e-8);
    assert_close(plain(b, ZF_SCALE_TABLES), 0.164582739, 1e-8);
    assert_close(plain(b, ZF_SCALE_ROWS), 0.119916863, 1e-6);
    bench_end(b);
    free(b);
}

static void check_identity(size_t columns, zf_marginals_kind marginals)
{
    bench *b = calloc(1, sizeof *b);
    bench_begin(b, columns, marginals);
    double *difference = differences(b);
    for (int kind = 0; kind <= ZF_SCALE_NEAREST; kind++) {
        const zf_criterion_scale *scale = &b->scales.scale[kind];
        for (size_t f = 0; f<scale->features; f += scale->features> 60 ? 17 : 1)
            assert_close(difference[scale->first + f], mean_over_pairs(b, (zf_scale_kind)kind, f),
                         1e-9);
    }
    free(difference);
    bench_end(b);
    free(b);
}

static void witnesses_are_means_over_pairs(void **state)
{
    (void)state;
    check_identity(1, ZF_MARGINALS_STANDARD);
    check_identity(2, ZF_MARGINALS_AUTO);
    check_identity(3, ZF_MARGINALS_NORMAL_SCORES);
    check_identity(5, ZF_MARGINALS_AUTO);
    check_identity(35, ZF_MARGINALS_AUTO);
}

/* Swapping the members of a pair turns the sign, whatever the field. */
static void fields_are_antisymmetric(void **state)
{
    (void)state;
    bench *b = calloc(1, sizeof *b);
    bench_begin(b, 2, ZF_MARGINALS_AUTO);
    for (int kind = 0; kind <= ZF_SCALE_NEAREST; kind++)
        for (size_t f = 0; f < b->scales.scale[kind].features; f++)
            assert_close(field(b, (zf_scale_kind)kind, f, 4, 9),
                         -field(b, (zf_scale_kind)kind, f, 9, 4), 1e-12);
    bench_end(b);
    free(b);
}

/* The parts of the coordinates add up to the whole. */
static void check_parts(size_t columns, bool few_values)
{
    bench *b = calloc(1, sizeof *b);
    draw_normals(b->values, (FIRST + SECOND) * columns, 3);
    for (size_t i = 0; few_values && i < (FIRST + SECOND) * columns; i++)
        b->values[i] = round(fmin(fabs(b->values[i]), 2) * (double)(i % columns % 3 + 1));
    zf_two_samples samples = samples_in(b, columns);
    bench_begin_with(b, &samples, ZF_MARGINALS_AUTO);
    assert_true((b->scales.scale[ZF_SCALE_LEVELS].features > 0) == few_values);
    double *difference = differences(b), weight[ZF_SHEARS_MOST];
    for (size_t f = 0; f < ZF_SHEARS_MOST; f++) weight[f] = sin((double)f + 1);
    for (int kind = 0; kind < ZF_SCALE_KINDS; kind++) {
        const zf_criterion_scale *scale = &b->scales.scale[kind];
        double whole = 0, parts = 0;
        for (size_t f = 0; f < scale->features; f++)
            whole += weight[f] * difference[scale->first + f];
        for (size_t i = 0; i < b->pool.rows; i++) {
            double part[40] = {0};
            zf_scales_parts(&b->scales, (zf_scale_kind)kind, weight, &b->pool, i, part);
            for (size_t k = 0; k < columns; k++)
                parts += b->pool.second[i] ? part[k] / SECOND : -part[k] / FIRST;
        }
        assert_close(parts, whole, 1e-9 * (1 + fabs(whole)));
    }
    free(difference);
    bench_end(b);
    free(b);
}

static void parts_add_up(void **state)
{
    (void)state;
    static const size_t widths[] = {1, 3, 6, 35};
    for (int w = 0; w < 4; w++) {
        check_parts(widths[w], false);
        check_parts(widths[w], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses_are_means_over_pairs),
        cmocka_unit_test(fields_are_antisymmetric),
        cmocka_unit_test(bulk_agrees_with_numpy),
        cmocka_unit_test(width_is_that_of_all_rows),
        cmocka_unit_test(heavy_tails_count_like_others),
        cmocka_unit_test(levels_agree_with_numpy),
        cmocka_unit_test(parts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
