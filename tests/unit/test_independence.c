/* The tests of independence as a whole: partial correlation where that is the truth,
   level and power at fixed seeds, the same bits on any number of threads, bad input. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "kernel/lapack.h"
#include "zeroflow/independence.h"

enum { ROWS = 1000, X = 0, Y = 1, Z = 2 };

static const int32_t x_column[] = {X}, y_column[] = {Y};

typedef struct model {
    size_t given;        /* variables Z .. */
    double (*g)(double); /* X = g(a Z + e), Y = g(b Z + e') */
    double common;       /* correlation of e and e' */
    double squared;      /* weight of Y^2 in X's index */
} model;

static double same(double u)
{
    return u;
}

static double square(double u)
{
    return u * u;
}

static double normal(zf_random *random)
{
    return (double)zf_random_normal(random);
}

/* Noise has a quarter of the variance of what Z explains; a = b, the hardest case. */
static void draw(double *values, size_t rows, const model *law, uint32_t key)
{
    size_t columns = Z + law->given;
    for (size_t i = 0; i < rows; i++) {
        zf_random random = zf_random_at(key, ZF_FOR_TEST, i, 0);
        double *row = values + i * columns;
        double index = 0, shared = normal(&random), own = sqrt(1 - law->common);
        for (size_t j = 0; j < law->given; j++) {
            row[Z + j] = (float)normal(&random);
            index += (double)row[Z + j] * (j % 3 == 0 ? -1 : 1) / sqrt((double)law->given);
        }
        double root = sqrt(law->common);
        double to_x = 0.5 * (root * shared + own * normal(&random));
        double to_y = 0.5 * (root * shared + own * normal(&random));
        double y = index + to_y;
        row[Y] = (float)law->g(y);
        row[X] = (float)law->g(index + to_x + 0.5 * law->squared * y * y);
    }
}

static zf_independence ask(const double *values, size_t rows, size_t given, uint64_t draws,
                           int threads)
{
    int32_t z[64];
    for (size_t j = 0; j < given; j++) z[j] = Z + (int32_t)j;
    zf_question question = {x_column, y_column, z, 1, 1, given};
    zf_independence_options options = zf_independence_defaults();
    options.draws = draws;
    options.threads = threads;
    zf_independence result = {0};
    assert_ok(zf_independence_test(&result, values, rows, NULL, Z + given, &question, &options));
    return result;
}

/* How many of `trials` tables have a p-value of at most 0.05. */
static int rejections(const model *law, int trials)
{
    static double values[ROWS * 24];
    int count = 0;
    for (int t = 0; t < trials; t++) {
        draw(values, ROWS, law, (uint32_t)t);
        zf_independence result = ask(values, ROWS, law->given, 399, 1);
        count += result.p_value <= 0.05 && !result.cannot_tell;
        zf_independence_free(&result);
    }
    return count;
}

/* Of 40 at 0.05, more than 6 come about once in 300 times. */
static void keeps_its_level(void **state)
{
    (void)state;
    const model laws[] = {{.given = 1, .g = square},
                          {.given = 5, .g = exp},
                          {.given = 5, .g = square},
                          {.given = 0, .g = same}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        assert_in_range(rejections(&laws[i], 40), 0, 6);
    assert_in_range(rejections(&(model){.given = 20, .g = square}, 20), 0, 4);
}

/* X and Y are curves of the same variables, with noise of a fifth of their deviation: the means
   are found for all functions of both, so that hardly an answer is that it cannot be told. */
static void finds_curves_beside_small_noise(void **state)
{
    (void)state;
    enum { GIVEN = 3, TABLES = 40, COLUMNS = Z + GIVEN };
    static double values[ROWS * COLUMNS];
    int rejected = 0, unsure = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        for (size_t i = 0; i < ROWS; i++) {
            zf_random random = zf_random_at(t, ZF_FOR_TEST, i, 1);
            double *row = values + i * COLUMNS, *z = row + Z;
            for (size_t j = 0; j < GIVEN; j++) z[j] = normal(&random);
            row[X] = fabs(z[0]) + sin(2 * z[1]) + tanh(2 * z[2]) + 0.25 * normal(&random);
            row[Y] = 2 * exp(-z[0] * z[0]) + sin(2 * z[1]) - fabs(z[2]) + 0.25 * normal(&random);
        }
        zf_independence result = ask(values, ROWS, GIVEN, 399, 1);
        rejected += result.p_value <= 0.05 && !result.cannot_tell;
        unsure += result.p_value <= 0.05 && result.cannot_tell;
        zf_independence_free(&result);
    }
    assert_in_range(rejected, 0, 5);
    assert_in_range(unsure, 0, 1);
}

static void has_power(void **state)
{
    (void)state;
    assert_in_range(rejections(&(model){.given = 5, .g = same, .common = 0.2}, 20), 18, 20);
    assert_in_range(rejections(&(model){.given = 5, .g = exp, .common = 0.2}, 20), 18, 20);
    /* No monotone dependence is left, yet it is seen. */
    assert_in_range(rejections(&(model){.given = 5, .g = same, .squared = 0.4}, 20), 19, 20);
    /* The sign turns with the index. */
    assert_in_range(rejections(&(model){.given = 5, .g = square, .common = 0.4}, 20), 18, 20);
    assert_in_range(rejections(&(model){.given = 20, .g = same, .common = 0.2}, 10), 9, 10);
}

/* As many given variables as a tenth of the rows: a linear law must not pay for regressions on
   functions that it does not need. */
static void has_power_with_few_rows(void **state)
{
    (void)state;
    enum { FEW = 300, GIVEN = 30, TABLES = 20 };
    static double values[FEW * (Z + GIVEN)];
    int found = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        draw(values, FEW, &(model){.given = GIVEN, .g = same, .common = 0.2}, 300 + t);
        zf_independence result = ask(values, FEW, GIVEN, 299, 1);
        found += result.p_value <= 0.05;
        zf_independence_free(&result);
    }
    assert_in_range(found, 14, TABLES);
}

/* x and y are strong functions of the same variables, with little noise: what the regressions
   cannot find of these must not be called dependence. */
static void tells_missed_means_from_dependence(void **state)
{
    (void)state;
    enum { GIVEN = 3, TABLES = 8 };
    static double values[ROWS * (Z + GIVEN)];
    int small = 0, significant = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        draw_normals(values, ROWS * (Z + GIVEN), 700 + t);
        for (size_t i = 0; i < ROWS; i++) {
            double *row = values + i * (Z + GIVEN), *z = row + Z;
            row[X] = 0.15 * row[X] + sin(3 * z[0] * z[1] + t) + fabs(z[1] + z[2]);
            row[Y] = 0.15 * row[Y] + cos(3 * z[0] * z[1]) + fabs(z[1] + z[2]) * z[0];
        }
        zf_independence result = ask(values, ROWS, GIVEN, 199, 1);
        small += result.p_value <= 0.05;
        significant += result.p_value <= 0.05 && !result.cannot_tell;
        zf_independence_free(&result);
    }
    assert_in_range(small, 5, TABLES); /* so that there is something to tell */
    assert_in_range(significant, 0, 1);
}

static double curve(double u, int which)
{
    switch (which) {
    case 0:
        return log(1 + 3 * u * u);
    case 1:
        return tanh(4 * (u - 0.3));
    case 2:
        return copysign(sqrt(fabs(u)), u);
    default:
        return exp(0.8 * u) / 1.5;
    }
}

/* Sharp curves of each of many given columns, and noise of a fifth of their deviation: too weak
   one by one to stand out, together what x and y have in common. */
static void finds_many_small_curves(void **state)
{
    (void)state;
    enum { GIVEN = 10, TABLES = 40 };
    static double values[ROWS * (Z + GIVEN)];
    int significant = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        draw_normals(values, ROWS * (Z + GIVEN), 800 + t);
        for (size_t i = 0; i < ROWS; i++) {
            double *row = values + i * (Z + GIVEN);
            for (int side = X; side <= Y; side++) {
                row[side] *= 0.2 * 1.8;
                for (int j = 0; j < GIVEN; j++)
                    row[side] += curve(row[Z + j], (j + (int)t * (side + 1) + side) % 4) *
                                 ((j + side) % 3 ? 0.9 : -0.7);
            }
        }
        zf_independence result = ask(values, ROWS, GIVEN, 199, 1);
        significant += result.p_value <= 0.05 && !result.cannot_tell;
        zf_independence_free(&result);
    }
    assert_in_range(significant, 0, 4);
}

/* Correlation of e and e' 0.5, the partial correlation of a Gaussian law. */
static void effect_is_the_partial_correlation(void **state)
{
    (void)state;
    static double values[4000 * (Z + 5)];
    draw(values, 4000, &(model){.given = 5, .g = same, .common = 0.5}, 99);
    zf_independence result = ask(values, 4000, 5, 999, 1);
    assert_close(result.effect, 0.5, 0.03); /* a deviation of (1 - 0.25) / sqrt 4000 = 0.012 */
    assert_close(result.p_value, 0.001, 1e-12);
    assert_int_equal(result.rows, 4000);
    assert_close(result.x_share[0], 1, 1e-12);
    assert_close(result.y[0].share, 1, 1e-12);
    assert_close(result.y[0].p_value, 0.001, 1e-12);
    assert_close(result.y[0].gain, 0.25, 0.04);
    zf_independence_free(&result);
}

static void names_the_variable_that_matters(void **state)
{
    (void)state;
    static double values[ROWS * 5];
    draw_normals(values, ROWS * 5, 5);
    for (size_t i = 0; i < ROWS; i++) /* column 0 = its noise + 0.4 |column 2| + column 4 */
        values[i * 5] += 0.4 * fabs(values[i * 5 + 2]) + values[i * 5 + 4];
    const int32_t y[] = {1, 2, 3}, z[] = {4};
    zf_question question = {x_column, y, z, 1, 3, 1};
    zf_independence_options options = zf_independence_defaults();
    zf_independence result = {0};
    assert_ok(zf_independence_test(&result, values, ROWS, NULL, 5, &question, &options));
    assert_true(result.p_value < 0.005);
    assert_true(result.y[1].share > 0.6);
    assert_true(result.y[1].p_value < 0.005 && result.y[1].gain > 0.02);
    assert_true(result.y[0].p_value > 0.05 && result.y[2].p_value > 0.05);
    assert_true(result.y[0].gain < 0.015 && result.y[2].gain < 0.015);
    assert_int_equal(result.found.form, ZF_FORM_VALLEY); /* column 0 is high where 2 is far out */
    assert_true(result.found.x == 0 && result.found.y == 2 && result.found.bent == 0);
    assert_true(result.found.effect > 0.1 && result.found.effect == result.effect);
    assert_int_equal(result.y[1].found.y, 2);
    zf_independence_free(&result);
}

/* Laws of which the form is known: y from x and one of two given columns. */
static void forms_are_named(void **state)
{
    (void)state;
    enum { X1, Y1, Z1, Z2, COLUMNS };
    static const struct {
        zf_form form;
        double linear, square, wide, turning; /* weights in y, or in its noise */
        int32_t third, bent;
        int sign;
    } laws[] = {
        {ZF_FORM_RISING, 0.5, 0, 0, 0, -1, -1, 1}, {ZF_FORM_FALLING, -0.5, 0, 0, 0, -1, -1, -1},
        {ZF_FORM_VALLEY, 0, 0.5, 0, 0, -1, Y1, 1}, {ZF_FORM_HILL, 0, -0.5, 0, 0, -1, Y1, -1},
        {ZF_FORM_SPREAD, 0, 0, 1, 0, -1, -1, 1},   {ZF_FORM_INTERACTION, 0, 0, 0, 0.8, Z2, -1, 1},
    };
    static double values[ROWS * COLUMNS];
    const int32_t x[] = {X1}, y[] = {Y1}, z[] = {Z2, Z1};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        draw_normals(values, ROWS * COLUMNS, 40 + (uint32_t)k);
        for (size_t i = 0; i < ROWS; i++) {
            double *row = values + i * COLUMNS, at = row[X1];
            row[Y1] = row[Y1] * (1 + laws[k].wide * fabs(at)) + laws[k].linear * at +
                      laws[k].square * at * at + laws[k].turning * at * row[Z2] + row[Z1];
        }
        zf_question question = {x, y, z, 1, 1, 2};
        zf_independence_options options = zf_independence_defaults();
        zf_independence result = {0};
        assert_ok(zf_independence_test(&result, values, ROWS, NULL, COLUMNS, &question, &options));
        assert_true(result.p_value < 0.001);
        assert_int_equal(result.found.form, laws[k].form);
        assert_int_equal(result.found.third, laws[k].third);
        assert_int_equal(result.found.bent, laws[k].bent);
        assert_true(result.found.effect * laws[k].sign > 0.1);
        zf_independence_free(&result);
    }
}

/* By field: what lies between the fields is not part of a result. */
static void assert_same_finding(const zf_finding *found, const zf_finding *expected)
{
    assert_int_equal(found->x, expected->x);
    assert_int_equal(found->y, expected->y);
    assert_int_equal(found->form, expected->form);
    assert_memory_equal(&found->effect, &expected->effect, sizeof found->effect);
    assert_int_equal(found->bent, expected->bent);
    assert_int_equal(found->third, expected->third);
}

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    static double values[300 * (Z + 5)];
    const size_t given[] = {0, 5};
    for (int k = 0; k < 2; k++) {
        draw(values, 300, &(model){.given = given[k], .g = exp, .common = 0.1}, 7);
        zf_independence first = ask(values, 300, given[k], 2000, 1);
        for (int threads = 2; threads <= 3; threads++) {
            zf_independence other = ask(values, 300, given[k], 2000, threads);
            assert_memory_equal(&other, &first, offsetof(zf_independence, found));
            assert_same_finding(&other.found, &first.found);
            assert_int_equal(other.rows, first.rows);
            assert_memory_equal(other.y, first.y, offsetof(zf_independence_part, found));
            assert_same_finding(&other.y->found, &first.y->found);
            zf_independence_free(&other);
        }
        zf_independence_free(&first);
    }
}

/* A function of what is given, and one of the other side. */
static void survives_functions(void **state)
{
    (void)state;
    static double values[200 * 3];
    draw_normals(values, 200 * 3, 8);
    for (size_t i = 0; i < 200; i++) values[i * 3 + X] = 2 * values[i * 3 + Z] + 1;
    zf_independence result = ask(values, 200, 1, 199, 1);
    assert_true(result.p_value > 0.99);
    assert_close(result.effect, 0, 1e-9);
    assert_close(result.y[0].gain, 0, 1e-9);
    zf_independence_free(&result);
    for (size_t i = 0; i < 200; i++) values[i * 3 + X] = expf(values[i * 3 + Y]);
    result = ask(values, 200, 1, 199, 1);
    assert_close(result.p_value, 0.005, 1e-12);
    assert_true(result.effect > 0.99);
    zf_independence_free(&result);
    for (size_t i = 0; i < 200; i++) values[i * 3 + X] = values[i * 3 + Y] > 0 ? 1 : 0;
    result = ask(values, 200, 1, 199, 1);
    assert_close(result.p_value, 0.005, 1e-12);
    zf_independence_free(&result);
}

static void refuses(void **state)
{
    (void)state;
    static double values[60 * 4];
    static const char *const names[] = {"a", "b", "c", "d"};
    const int32_t a[] = {0}, b[] = {1}, ac[] = {0, 2}, far[] = {4}, many[] = {2, 3};
    zf_independence_options options = zf_independence_defaults();
    zf_independence result = {.statistic = 17};
    draw_normals(values, 60 * 4, 9);
#define ASK(rows, ...)                                                                             \
    zf_independence_test(&result, values, rows, names, 4, &(zf_question){__VA_ARGS__}, &options)
    assert_fails(ASK(60, a, b, ac, 0, 1, 2), ZF_EINVAL, "x is empty");
    assert_fails(ASK(60, a, b, ac, 1, 0, 2), ZF_EINVAL, "y is empty");
    assert_fails(ASK(60, a, a, NULL, 1, 1, 0), ZF_EINVAL, "column \"a\" is in x and in y");
    assert_fails(ASK(60, a, b, ac, 1, 1, 2), ZF_EINVAL,
                 "column \"a\" is in x and in the given ones");
    assert_fails(ASK(60, a, far, NULL, 1, 1, 0), ZF_EINVAL, "column 4 of a table of 4");
    assert_fails(ASK(19, a, b, NULL, 1, 1, 0), ZF_EINPUT,
                 "19 rows, expected at least 20 to test independence given 0 columns");
    assert_fails(ASK(49, a, b, many, 1, 1, 2), ZF_EINPUT, "49 rows, expected at least 50");
    options.draws = 98;
    assert_fails(ASK(60, a, b, NULL, 1, 1, 0), ZF_EINVAL, "98 draws of the null, expected 99");
    options.draws = 99;
    values[5 * 4 + 1] = NAN;
    assert_fails(ASK(60, a, b, many, 1, 1, 2), ZF_EINPUT, "column \"b\", row 6: expected a finite");
    for (size_t i = 0; i < 60; i++) values[i * 4 + 1] = 0.3f;
    assert_fails(ASK(60, a, b, many, 1, 1, 2), ZF_EINPUT, "column \"b\" is constant");
    assert_close(result.statistic, 17, 0);
#undef ASK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_its_level),
        cmocka_unit_test(finds_curves_beside_small_noise),
        cmocka_unit_test(has_power),
        cmocka_unit_test(has_power_with_few_rows),
        cmocka_unit_test(tells_missed_means_from_dependence),
        cmocka_unit_test(finds_many_small_curves),
        cmocka_unit_test(effect_is_the_partial_correlation),
        cmocka_unit_test(names_the_variable_that_matters),
        cmocka_unit_test(forms_are_named),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(survives_functions),
        cmocka_unit_test(refuses),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
