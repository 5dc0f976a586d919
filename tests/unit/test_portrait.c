/* Portraits of dependences: bins and lines against NumPy, what is left of columns against the
   noise that made them and the effect of the test, curves that are seen, groups, bad input. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "criterion/portrait.h"
#include "kernel/lapack.h"
#include "zeroflow/evidence.h"
#include "zeroflow/independence.h"

/* numpy: y.mean(), y.std(ddof=1) / sqrt(3), y.std(ddof=1), and of its error
   ((y - y.mean())**2).std(ddof=1) / sqrt(3) / (2 * y.std(ddof=1)), y the rows of each bin. */
static void bins_are_those_of_numpy(void **state)
{
    (void)state;
    const double across[] = {3, 1, 2, 6, 5, 4, 9, 7, 8}, up[] = {2, -1, 0.5, 4, 3, 5, -2, 1, 0.25};
    const double expected[3][5] = {
        {2, 0.5, 0.8660254037844387, 1.5, 0.25},
        {5, 4, 0.5773502691896258, 1, 0.16666666666666669},
        {8, -0.25, 0.9013878188659974, 1.5612494995995996, 0.2602082499332666}};
    zf_sitting sitting = {.form = ZF_FORM_RISING,
                          .across = {4, across, NULL, across},
                          .up = {7, up, NULL, up},
                          .third = -1,
                          .rows = 9};
    zf_portrait p;
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_true(p.across == 4 && p.up == 7 && p.rows == 9 && !p.part && p.across_left);
    assert_memory_equal(p.across_at, across, sizeof across);
    assert_memory_equal(p.up_at, up, sizeof up);
    assert_int_equal(p.n_bins, 3);
    for (int k = 0; k < 3; k++) {
        const zf_portrait_bin *bin = &p.bins[k];
        const double got[] = {bin->across, bin->mean, bin->mean_error, bin->spread,
                              bin->spread_error};
        assert_int_equal(bin->rows, 3);
        for (int i = 0; i < 5; i++) assert_close(got[i], expected[k][i], 1e-12);
    }
    zf_portrait_free(&p);
    /* Rows 0 to 2, 3 and 4, 5 to 8 belong together: bins have one, two and one of these. In the
       second the deviations of rows 3 and 4 sum up to -1, that of row 5 is 1, so that the error is
       sqrt((1 + 1) * 2 / 1) / 3. */
    const size_t first[] = {0, 3, 5, 9};
    sitting.first = first;
    sitting.units = 3;
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_true(isnan(p.bins[0].mean_error) && isnan(p.bins[2].mean_error));
    assert_close(p.bins[1].mean_error, 2.0 / 3, 1e-12);
    zf_portrait_free(&p);
}

/* Equal values are not parted: a column of two values has two bins. */
static void ties_stay_together(void **state)
{
    (void)state;
    double across[100], up[100];
    for (int i = 0; i < 100; i++) across[i] = i % 10 < 3, up[i] = i;
    zf_sitting sitting = {.form = ZF_FORM_RISING,
                          .across = {0, across, NULL, across},
                          .up = {1, up, NULL, up},
                          .third = -1,
                          .rows = 100};
    zf_portrait p;
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_int_equal(p.n_bins, 2);
    assert_true(p.bins[0].rows == 70 && p.bins[1].rows == 30 && p.bins[1].across == 1);
    zf_portrait_free(&p);
    for (int i = 0; i < 100; i++) across[i] = 5;
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_int_equal(p.n_bins, 1);
    zf_portrait_free(&p);
}

/* numpy.polyfit(x, y, 1) of each third, and for the error
   sqrt(((x - x.mean())**2 * e**2).sum() * 4 / 3) / ((x - x.mean())**2).sum(). */
static void lines_are_those_of_numpy(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const double y[] = {1, 2, 2, 4, 0, 1, 0, 1, 3, 1, 1, -2};
    double z[] = {-2, -1.5, -1.2, -1.1, 0, 0.1, 0.2, 0.3, 1, 2, 3, 4};
    const double expected[3][3] = {{0.9, 0.9, 0.16573070526208053},
                                   {0.2, 0.2, 0.13856406460551016},
                                   {-1.5, 3, 0.21602468994692847}};
    zf_sitting sitting = {.form = ZF_FORM_INTERACTION,
                          .across = {0, x, NULL, x},
                          .up = {1, y, NULL, y},
                          .third = 2,
                          .turning = z,
                          .rows = 12};
    zf_portrait p;
    assert_ok(zf_portrait_make(&p, &sitting));
    for (int k = 0; k < 3; k++) {
        const zf_portrait_line *line = &p.lines[k];
        assert_int_equal(line->rows, 4);
        assert_close(line->slope, expected[k][0], 1e-12);
        assert_close(line->level, expected[k][1], 1e-12);
        assert_close(line->slope_error, expected[k][2], 1e-12);
        assert_true(line->from == 0 && line->to == 3);
    }
    for (int i = 0; i < 12; i++) assert_int_equal(p.part[i], i / 4);
    zf_portrait_free(&p);
    /* Two values are low and high, and nothing lies between, however many rows have each. */
    for (int few = 2; few <= 10; few += 4) {
        for (int i = 0; i < 12; i++) z[i] = i < few ? -1 : 1;
        assert_ok(zf_portrait_make(&p, &sitting));
        assert_int_equal(p.lines[0].rows, few);
        assert_int_equal(p.lines[1].rows, 0);
        assert_int_equal(p.lines[2].rows, 12 - few);
        zf_portrait_free(&p);
    }
}

/* Of y = sin 3x, y is a function of x and not the other way round; what it is a function of is
   shown as it is. */
static void curves_find_their_direction(void **state)
{
    (void)state;
    double x[300], y[300], left_x[300], left_y[300];
    for (int i = 0; i < 300; i++) {
        x[i] = (i - 150) / 75.0;
        y[i] = sin(3 * x[i]);
        left_x[i] = x[i] / 2;
        left_y[i] = y[i] / 2;
    }
    zf_sitter a = {0, left_x, NULL, x}, b = {1, left_y, NULL, y};
    zf_sitting sitting = {.form = ZF_FORM_CURVED, .third = -1, .rows = 300};
    for (int turned = 0; turned < 2; turned++) {
        zf_portrait p;
        sitting.across = turned ? b : a;
        sitting.up = turned ? a : b;
        assert_ok(zf_portrait_make(&p, &sitting));
        assert_true(p.across == 0 && p.up == 1 && !p.across_left);
        assert_memory_equal(p.across_at, x, sizeof x);
        assert_memory_equal(p.up_at, left_y, sizeof left_y);
        zf_portrait_free(&p);
    }
}

/* A spread is shown as such where bins differ in it; else by the square that is left, along the
   column as it is. */
static void spreads_are_seen_one_way_or_the_other(void **state)
{
    (void)state;
    double x[600], left[600], up[600], square[600];
    zf_sitting sitting = {.form = ZF_FORM_SPREAD,
                          .across = {0, left, NULL, x},
                          .up = {1, up, square, NULL},
                          .third = -1,
                          .rows = 600};
    zf_portrait p;
    for (int i = 0; i < 600; i++) {
        double angle = 0.7 * i;
        x[i] = sin(angle);
        left[i] = x[i];
        up[i] = x[i] * cos(5.3 * i);
        square[i] = x[i] * x[i];
    }
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_true(!p.squared && p.across_left);
    assert_true(p.bins[0].spread > 3 * p.bins[6].spread &&
                p.bins[11].spread > 3 * p.bins[6].spread);
    zf_portrait_free(&p);
    for (int i = 0; i < 600; i++) up[i] = cos(5.3 * i);
    assert_ok(zf_portrait_make(&p, &sitting));
    assert_true(p.squared && !p.across_left);
    assert_memory_equal(p.across_at, x, sizeof x);
    assert_true(p.bins[0].mean > p.bins[6].mean + 0.5 && p.bins[11].mean > p.bins[6].mean + 0.5);
    zf_portrait_free(&p);
}

enum { ROWS = 1200, COLUMNS = 6 };
enum { X, Y, Z, TURNING, BENT, OTHER };

static double normal(uint64_t seed, size_t row, uint32_t column)
{
    zf_random random = zf_random_at(seed, ZF_FOR_TEST, row, column);
    return (double)zf_random_normal(&random);
}

/* X and Y are Z and noise, which they share in part; TURNING goes with X as OTHER says; BENT is Y
   squared. noise: of X, of Y. */
static void draw(double *values, double *noise_x, double *noise_y)
{
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        noise_x[i] = normal(1, i, 0);
        noise_y[i] = 0.6 * noise_x[i] + 0.8 * normal(1, i, 1);
        row[Z] = normal(1, i, 2);
        row[OTHER] = normal(1, i, 3);
        row[X] = row[Z] + noise_x[i];
        row[Y] = row[Z] + noise_y[i];
        row[TURNING] = row[X] * row[OTHER] + normal(1, i, 4);
        row[BENT] = row[Y] * row[Y] + normal(1, i, 5);
    }
}

static double correlation(const double *a, const double *b, size_t n)
{
    double a_mean = 0, b_mean = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) a_mean += a[i] / (double)n, b_mean += b[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        ab += (a[i] - a_mean) * (b[i] - b_mean);
        aa += (a[i] - a_mean) * (a[i] - a_mean);
        bb += (b[i] - b_mean) * (b[i] - b_mean);
    }
    return ab / sqrt(aa * bb);
}

/* The test of x and y given z, and what it has found. */
static zf_finding ask(zf_portrait *out, const double *values, const zf_question *question)
{
    zf_independence_options options = zf_independence_defaults();
    zf_independence result = {0};
    options.draws = 99;
    assert_ok(zf_independence_test(&result, values, ROWS, NULL, COLUMNS, question, &options));
    assert_ok(zf_independence_portrait(out, values, ROWS, NULL, COLUMNS, question, &result.found,
                                       &options));
    zf_finding found = result.found;
    zf_independence_free(&result);
    return found;
}

/* In a linear Gaussian law what is left is the noise, and its correlation the partial one. */
static void what_is_left_is_the_noise(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], noise_x[ROWS], noise_y[ROWS];
    const int32_t x[] = {X}, y[] = {OTHER, Y}, z[] = {Z};
    zf_portrait p;
    draw(values, noise_x, noise_y);
    zf_finding found = ask(&p, values, &(zf_question){x, y, z, 1, 2, 1});
    assert_int_equal(p.form, ZF_FORM_RISING);
    assert_true(p.across == X && p.up == Y && p.across_left && p.third < 0);
    assert_true(correlation(p.across_at, noise_x, ROWS) > 0.98);
    assert_true(correlation(p.up_at, noise_y, ROWS) > 0.98);
    assert_close(correlation(p.across_at, p.up_at, ROWS), found.effect, 1e-9);
    assert_close(found.effect, 0.6, 0.055); /* a deviation of (1 - 0.36) / sqrt 1200 = 0.018 */
    /* Neighbours rise by 0.6 of what they are apart, of what is left of equal variances. */
    const zf_portrait_bin *last = &p.bins[p.n_bins - 1];
    assert_int_equal(p.n_bins, ZF_PORTRAIT_BINS);
    assert_close((last->mean - p.bins[0].mean) / (last->across - p.bins[0].across), 0.6, 0.06);
    assert_close(p.bins[5].mean_error, p.bins[5].spread / sqrt(ROWS / 12.0), 0.002);
    zf_portrait_free(&p);
}

/* TURNING = X OTHER + noise: along X its slope falls, stays, rises with OTHER. */
static void interactions_have_three_slopes(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], noise_x[ROWS], noise_y[ROWS];
    const int32_t x[] = {X}, y[] = {TURNING}, z[] = {OTHER};
    zf_portrait p;
    draw(values, noise_x, noise_y);
    ask(&p, values, &(zf_question){x, y, z, 1, 1, 1});
    assert_int_equal(p.form, ZF_FORM_INTERACTION);
    assert_int_equal(p.third, OTHER);
    assert_true(p.lines[0].slope < -10 * p.lines[0].slope_error);
    assert_true(fabs(p.lines[1].slope) < 4 * p.lines[1].slope_error);
    assert_true(p.lines[2].slope > 10 * p.lines[2].slope_error);
    size_t of[3] = {0};
    for (size_t i = 0; i < ROWS; i++) of[p.part[i]]++;
    for (int k = 0; k < 3; k++) assert_in_range(of[k], ROWS / 3 - 1, ROWS / 3 + 1);
    zf_portrait_free(&p);
}

/* BENT is high where Y, itself and not what Z leaves of it, is far from its middle. */
static void curves_are_seen(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], noise_x[ROWS], noise_y[ROWS];
    const int32_t x[] = {BENT}, y[] = {Y}, z[] = {Z};
    zf_portrait p;
    draw(values, noise_x, noise_y);
    ask(&p, values, &(zf_question){x, y, z, 1, 1, 1});
    assert_int_equal(p.form, ZF_FORM_VALLEY);
    assert_true(p.up == BENT && p.across == Y && !p.across_left);
    double low = p.bins[0].mean, middle = p.bins[6].mean, high = p.bins[11].mean;
    assert_true(low > middle + 0.5 && high > middle + 0.5);
    zf_portrait_free(&p);
    /* Given nothing, nothing is taken away. */
    ask(&p, values, &(zf_question){x, y, NULL, 1, 1, 0});
    assert_true(p.across_left && p.up == BENT);
    zf_portrait_free(&p);
}

/* The residuals are those that the tests judged: where a pair rises or falls, their correlation
   is the effect; controls of each other or not. */
static void targets_are_shown_as_they_were_tested(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], noise_x[ROWS], noise_y[ROWS];
    enum { TARGETS = 3, N = TARGETS * (COLUMNS - 1) };
    zf_target_test tests[N];
    zf_portrait portraits[N], again;
    const int32_t all[TARGETS] = {X, Z, OTHER};
    zf_evidence_options options = zf_evidence_defaults();
    int straight = 0, turning = 0;
    draw(values, noise_x, noise_y);
    assert_ok(zf_evidence_test_targets(tests, values, ROWS, NULL, COLUMNS, all, TARGETS, &options));
    assert_ok(zf_target_portraits(portraits, values, ROWS, NULL, COLUMNS, tests, N, &options));
    for (int i = 0; i < N; i++) {
        const zf_portrait *p = &portraits[i];
        assert_int_equal(p->form, tests[i].found.form);
        assert_true((p->across == tests[i].column && p->up == tests[i].target) ||
                    (p->across == tests[i].target && p->up == tests[i].column));
        turning += p->part != NULL;
        if (p->form != ZF_FORM_RISING && p->form != ZF_FORM_FALLING) continue;
        straight++;
        assert_close(correlation(p->across_at, p->up_at, ROWS), tests[i].found.effect, 1e-6);
    }
    assert_true(straight >= 4 && turning >= 2);
    options.threads = 1;
    assert_ok(zf_target_portraits(&again, values, ROWS, NULL, COLUMNS, &tests[3], 1, &options));
    assert_memory_equal(again.up_at, portraits[3].up_at, ROWS * sizeof(double));
    zf_portrait_free(&again);
    for (int i = 0; i < N; i++) zf_portrait_free(&portraits[i]);
}

/* Rows that say everything four times over have errors as large as if they said it once, which is
   twice as large as they would be. */
static void groups_have_their_errors(void **state)
{
    (void)state;
    static double values[ROWS * 2], groups[ROWS];
    zf_target_test test;
    zf_portrait plain, grouped;
    zf_evidence_options options = zf_evidence_defaults();
    const int32_t target[] = {Y};
    for (size_t i = 0; i < ROWS; i++) {
        size_t group = i % (ROWS / 4);
        groups[i] = (double)group;
        values[2 * i] = normal(5, group, 0);
        values[2 * i + 1] = values[2 * i] + normal(5, group, 1);
    }
    assert_ok(zf_evidence_test_targets(&test, values, ROWS, NULL, 2, target, 1, &options));
    assert_ok(zf_target_portraits(&plain, values, ROWS, NULL, 2, &test, 1, &options));
    options.groups = groups;
    assert_ok(zf_target_portraits(&grouped, values, ROWS, NULL, 2, &test, 1, &options));
    assert_int_equal(plain.n_bins, ZF_PORTRAIT_BINS);
    for (size_t k = 0; k < plain.n_bins; k++) {
        assert_close(grouped.bins[k].mean, plain.bins[k].mean, 1e-9);
        assert_close(grouped.bins[k].mean_error / plain.bins[k].mean_error, 2, 0.05);
        assert_close(grouped.bins[k].spread_error / plain.bins[k].spread_error, 2, 0.05);
    }
    zf_portrait_free(&plain);
    zf_portrait_free(&grouped);
}

static void refuses(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], noise_x[ROWS], noise_y[ROWS];
    const int32_t x[] = {X}, y[] = {Y}, z[] = {Z};
    zf_question question = {x, y, z, 1, 1, 1};
    zf_finding found = {.x = X, .y = OTHER, .form = ZF_FORM_RISING, .bent = -1, .third = -1};
    zf_independence_options options = zf_independence_defaults();
    zf_portrait p = {.rows = 77};
    draw(values, noise_x, noise_y);
    assert_fails(
        zf_independence_portrait(&p, values, ROWS, NULL, COLUMNS, &question, &found, &options),
        ZF_EINVAL, "column 5 of a finding is not among those in question");
    assert_fails(
        zf_independence_portrait(&p, values, 40, NULL, COLUMNS, &question, &found, &options),
        ZF_EINPUT, "40 rows, expected at least 50");
    zf_target_test test = {.target = Y, .column = 6, .found = {.third = -1}};
    zf_evidence_options wish = zf_evidence_defaults();
    assert_fails(zf_target_portraits(&p, values, ROWS, NULL, COLUMNS, &test, 1, &wish), ZF_EINVAL,
                 "test of column 6 of a table of 6");
    test.column = X;
    assert_fails(zf_target_portraits(&p, values, 20, NULL, COLUMNS, &test, 1, &wish), ZF_EINPUT,
                 "20 rows, expected at least 30");
    assert_int_equal(p.rows, 77);
    assert_ok(zf_target_portraits(NULL, values, ROWS, NULL, COLUMNS, NULL, 0, &wish));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_those_of_numpy),
        cmocka_unit_test(ties_stay_together),
        cmocka_unit_test(lines_are_those_of_numpy),
        cmocka_unit_test(curves_find_their_direction),
        cmocka_unit_test(spreads_are_seen_one_way_or_the_other),
        cmocka_unit_test(what_is_left_is_the_noise),
        cmocka_unit_test(interactions_have_three_slopes),
        cmocka_unit_test(curves_are_seen),
        cmocka_unit_test(targets_are_shown_as_they_were_tested),
        cmocka_unit_test(groups_have_their_errors),
        cmocka_unit_test(refuses),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
