/* Flows between Gaussian laws, whose velocities are linear and known exactly; then what
   a fit refuses, repeats and keeps on disk. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "scratch.h"
#include "zeroflow/flow.h"
#include "zeroflow/two_sample.h"

enum { ROWS = 20000, POINTS = 2000, COMPARED = 400 };

static zf_flow_options quick(void)
{
    zf_flow_options options = zf_flow_defaults();
    options.hidden = 64;
    options.iterations = 1200;
    options.batch = 256;
    options.rate = 3e-3;
    options.threads = 2;
    return options;
}

static double *normals(size_t n, uint32_t key)
{
    double *values = malloc(n * sizeof *values);
    assert_non_null(values);
    draw_normals(values, n, key);
    return values;
}

/* --- energy distance ---------------------------------------------------------------------- */

/* p-value of the energy distance between the first n and the last n of 2n rows, by
   permutations (Szekely and Rizzo). Under equal laws it exceeds 0.05 in 95 of 100 cases. */
static double energy_p_value(const double *rows, int n, int d)
{
    enum { PERMUTATIONS = 199 };
    int total = 2 * n, above = 1;
    double *far = malloc((size_t)(total * total) * sizeof *far);
    uint32_t *order = malloc((size_t)total * sizeof *order);
    double observed = 0;
    for (int i = 0; i < total; i++)
        for (int j = 0; j < total; j++) {
            double square = 0;
            for (int k = 0; k < d; k++) square += pow(rows[i * d + k] - rows[j * d + k], 2);
            far[i * total + j] = (float)sqrt(square);
        }
    for (int p = 0; p <= PERMUTATIONS; p++) {
        zf_random random = zf_random_at(0, ZF_FOR_TEST, (uint64_t)p, 0);
        for (int i = 0; i < total; i++) order[i] = (uint32_t)i;
        if (p > 0) zf_random_permutation(&random, order, (size_t)total);
        double sum = 0; /* across less within */
        for (int i = 0; i < total; i++)
            for (int j = 0; j < total; j++)
                sum += ((i < n) == (j < n) ? -1 : 1) * far[order[i] * (uint32_t)total + order[j]];
        if (p == 0)
            observed = sum;
        else
            above += sum >= observed;
    }
    free(far), free(order);
    return above / (PERMUTATIONS + 1.0);
}

/* The same question, asked of our own test. */
static double flow_p_value(const double *rows, size_t n, size_t d)
{
    zf_two_samples samples = {rows, rows + n * d, n, n, d, NULL};
    zf_two_sample_options options = zf_two_sample_defaults(ZF_TWO_SAMPLE_FLOW);
    options.permutations = 199;
    zf_two_sample_result result = {0};
    assert_ok(zf_two_sample_test(&result, &samples, &options));
    double p_value = result.p_value;
    zf_two_sample_free(&result);
    return p_value;
}

/* --- two samples ------------------------------------------------------------------------ */

/* Two laws in the plane: N(0, S) and N(m, R). */
static const double SHIFT[2] = {1.5, -1};
static const double FROM[2][2] = {{1, 0.6}, {0.6, 1}}, TO[2][2] = {{0.5, 0}, {0, 2}};

/* n rows of the first or the second law. */
static double *plane_sample(bool second, size_t n, uint32_t key)
{
    double *z = normals(2 * n, key);
    for (size_t i = 0; i < n; i++) {
        double a = z[2 * i], b = z[2 * i + 1];
        z[2 * i] = (float)(second ? SHIFT[0] + sqrt(0.5) * a : a);
        z[2 * i + 1] = (float)(second ? SHIFT[1] + sqrt(2.0) * b : 0.6 * a + 0.8 * b);
    }
    return z;
}

/* v_t(z) = m + (t R - (1 - t) S) ((1 - t)^2 S + t^2 R)^-1 (z - t m). */
static void plane_velocity(double t, const double z[2], double v[2])
{
    double gain[2][2], spread[2][2], off[2] = {z[0] - t * SHIFT[0], z[1] - t * SHIFT[1]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            gain[i][j] = t * TO[i][j] - (1 - t) * FROM[i][j];
            spread[i][j] = (1 - t) * (1 - t) * FROM[i][j] + t * t * TO[i][j];
        }
    double det = spread[0][0] * spread[1][1] - spread[0][1] * spread[1][0];
    double w[2] = {(spread[1][1] * off[0] - spread[0][1] * off[1]) / det,
                   (spread[0][0] * off[1] - spread[1][0] * off[0]) / det};
    for (int i = 0; i < 2; i++) v[i] = SHIFT[i] + gain[i][0] * w[0] + gain[i][1] * w[1];
}

static zf_flow *fit_plane(double *from, double *to, const zf_flow_options *options)
{
    zf_flow *flow = NULL;
    zf_flow_summary summary;
    assert_ok(zf_flow_fit(&flow, &summary, (zf_flow_sample){from, ROWS, 2},
                          (zf_flow_sample){to, ROWS, 2}, options));
    assert_int_equal(summary.iterations, options->iterations);
    assert_true(isfinite(summary.loss) && summary.seconds > 0);
    return flow;
}

/* Held-out points between the laws at time t; returns them for free(). */
static double *between(double t, const double *from, const double *to, size_t n)
{
    double *z = malloc(n * sizeof *z);
    assert_non_null(z);
    for (size_t i = 0; i < n; i++) z[i] = (float)((1 - t) * from[i] + t * to[i]);
    return z;
}

static void gaussian_velocities_are_the_closed_form(void **state)
{
    (void)state;
    double *from = plane_sample(false, ROWS, 1), *to = plane_sample(true, ROWS, 2);
    double *new_from = plane_sample(false, POINTS, 3), *new_to = plane_sample(true, POINTS, 4);
    zf_flow_options options = quick();
    zf_flow *flow = fit_plane(from, to, &options);
    static double v[2 * POINTS];
    for (double t = 0; t <= 1; t += 0.125) {
        double *z = between(t, new_from, new_to, 2 * POINTS);
        double off = 0, size = 0;
        assert_ok(zf_flow_velocity(flow, t, z, NULL, NULL, POINTS, v));
        for (int i = 0; i < POINTS; i++) {
            double truth[2];
            plane_velocity(t, (double[]){z[2 * i], z[2 * i + 1]}, truth);
            off += pow(v[2 * i] - truth[0], 2) + pow(v[2 * i + 1] - truth[1], 2);
            size += truth[0] * truth[0] + truth[1] * truth[1];
        }
        assert_true(sqrt(off / size) < (t == 0 || t == 1 ? 0.12 : 0.08));
        free(z);
    }
    /* Arrived: mean and covariance of the second law, within what 2,000 rows can tell. */
    zf_transport_options way = zf_transport_defaults();
    zf_transport_summary summary;
    assert_ok(zf_flow_transport(flow, new_from, NULL, NULL, POINTS, &way, v, &summary));
    assert_true(summary.taken > 2 && summary.taken < 100);
    double mean[2] = {0}, cov[2][2] = {{0}};
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < 2; j++) mean[j] += v[2 * i + j] / POINTS;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                cov[j][k] += (v[2 * i + j] - mean[j]) * (v[2 * i + k] - mean[k]) / POINTS;
    for (int j = 0; j < 2; j++) {
        assert_close(mean[j], SHIFT[j], 0.1);
        for (int k = 0; k < 2; k++) assert_close(cov[j][k], TO[j][k], 0.15);
    }
    /* The first half of those that arrived beside as many draws of the law, and beside as
       many that did not set out. */
    static double both[4 * COMPARED];
    memcpy(both, v, 2 * COMPARED * sizeof *v);
    memcpy(both + 2 * COMPARED, new_to, 2 * COMPARED * sizeof *v);
    assert_true(energy_p_value(both, COMPARED, 2) > 0.05);
    assert_true(flow_p_value(both, COMPARED, 2) > 0.05);
    memcpy(both, new_from, 2 * COMPARED * sizeof *v);
    assert_true(energy_p_value(both, COMPARED, 2) < 0.01);
    assert_true(flow_p_value(both, COMPARED, 2) < 0.01);
    zf_flow_free(flow);
    free(from), free(to), free(new_from), free(new_to);
}

static double mean_size(const zf_flow *flow, double t, const double *z)
{
    static double v[2 * POINTS];
    double sum = 0;
    assert_ok(zf_flow_velocity(flow, t, z, NULL, NULL, POINTS, v));
    for (int i = 0; i < POINTS; i++) sum += hypot(v[2 * i], v[2 * i + 1]);
    return sum / POINTS;
}

/* One law twice: nothing moves in the middle, and time runs back as it came. */
static void equal_laws_are_still_in_the_middle(void **state)
{
    (void)state;
    double *from = plane_sample(true, ROWS, 1), *to = plane_sample(true, ROWS, 2);
    double *new_from = plane_sample(true, POINTS, 3), *new_to = plane_sample(true, POINTS, 4);
    zf_flow_options options = quick();
    zf_flow *flow = fit_plane(from, to, &options);
    static double v[2][2 * POINTS];
    double *start = between(0, new_from, new_to, 2 * POINTS);
    double *middle = between(0.5, new_from, new_to, 2 * POINTS);
    double *early = between(0.2, new_from, new_to, 2 * POINTS);
    assert_true(mean_size(flow, 0.5, middle) < 0.06 * mean_size(flow, 0, start));
    assert_ok(zf_flow_velocity(flow, 0.2, early, NULL, NULL, POINTS, v[0]));
    assert_ok(zf_flow_velocity(flow, 0.8, early, NULL, NULL, POINTS, v[1]));
    double off = 0, size = 0;
    for (int i = 0; i < 2 * POINTS; i++) {
        off += pow(v[0][i] + v[1][i], 2);
        size += pow(v[0][i], 2);
    }
    assert_true(sqrt(off / size) < 0.1);
    zf_flow_free(flow);
    free(from), free(to), free(new_from), free(new_to), free(start), free(middle), free(early);
}

/* --- conditional ---------------------------------------------------------------------------- */

/* X = Y_1 + 0.8 Y_2 + 0.6 e. Given Y: mean Y_1 + 0.8 Y_2, variance 0.36. Given Y_1 alone:
   mean Y_1, variance 1. Given the sum: as given Y. */
typedef struct given {
    double *x, *y, *part, *whole; /* f: Y_1, or the sum that is sufficient */
} given;

static given draw_given(size_t n, uint32_t key)
{
    given g = {normals(n, key), normals(2 * n, key + 1), malloc(n * sizeof *g.part),
               malloc(n * sizeof *g.whole)};
    for (size_t i = 0; i < n; i++) {
        g.part[i] = g.y[2 * i];
        g.whole[i] = g.y[2 * i] + 0.8f * g.y[2 * i + 1];
        g.x[i] = g.whole[i] + 0.6f * g.x[i];
    }
    return g;
}

static void free_given(given g)
{
    free(g.x), free(g.y), free(g.part), free(g.whole);
}

static zf_flow *fit_given(const given *g, const double *f)
{
    zf_flow *flow = NULL;
    zf_flow_options options = quick();
    assert_ok(zf_flow_fit_given(&flow, NULL, (zf_flow_sample){g->x, ROWS, 1},
                                (zf_flow_sample){f, ROWS, 1}, (zf_flow_sample){g->y, ROWS, 2},
                                &options));
    return flow;
}

static void conditional_velocities_are_the_closed_form(void **state)
{
    (void)state;
    given seen = draw_given(ROWS, 10), held = draw_given(POINTS, 20),
          other = draw_given(POINTS, 30);
    zf_flow *flow = fit_given(&seen, seen.part);
    assert_int_equal(zf_flow_columns(flow), 1);
    assert_int_equal(zf_flow_columns_f(flow), 1);
    assert_int_equal(zf_flow_columns_y(flow), 2);
    static double v[POINTS], z[POINTS];
    for (double t = 0; t <= 1; t += 0.25) {
        double off = 0, size = 0, own = 0.36, others = 1;
        for (int i = 0; i < POINTS; i++) z[i] = (float)((1 - t) * held.x[i] + t * other.x[i]);
        assert_ok(zf_flow_velocity(flow, t, z, other.part, held.y, POINTS, v));
        for (int i = 0; i < POINTS; i++) {
            double from = held.whole[i], to = other.part[i];
            double gain = (t * others - (1 - t) * own) / ((1 - t) * (1 - t) * own + t * t * others);
            double truth = to - from + gain * (z[i] - (1 - t) * from - t * to);
            off += pow(v[i] - truth, 2);
            size += truth * truth;
        }
        assert_true(sqrt(off / size) < (t == 0 || t == 1 ? 0.25 : 0.12));
    }
    /* From X given Y = (0.7, -1), mean -0.1 and deviation 0.6, to X given Y_1 = 0.7. */
    static double y[2 * POINTS], f[POINTS];
    double *x = normals(POINTS, 40);
    for (int i = 0; i < POINTS; i++) {
        f[i] = y[2 * i] = 0.7f;
        y[2 * i + 1] = -1;
        x[i] = -0.1f + 0.6f * x[i];
    }
    zf_transport_options way = zf_transport_defaults();
    assert_ok(zf_flow_transport(flow, x, f, y, POINTS, &way, x, NULL));
    double mean = 0, variance = 0;
    for (int i = 0; i < POINTS; i++) mean += x[i] / POINTS;
    for (int i = 0; i < POINTS; i++) variance += pow(x[i] - mean, 2) / POINTS;
    assert_close(mean, 0.7, 0.12);
    assert_close(variance, 1, 0.15);
    double *truth = normals(POINTS, 50);
    for (int i = 0; i < COMPARED; i++) x[COMPARED + i] = 0.7f + truth[i];
    assert_true(energy_p_value(x, COMPARED, 1) > 0.05);
    assert_true(flow_p_value(x, COMPARED, 1) > 0.05);
    free(truth);
    free(x);
    zf_flow_free(flow);
    free_given(seen), free_given(held), free_given(other);
}

/* Mean square of the velocity at t = 0.5 and z = x. */
static double middle_square(const zf_flow *flow, const given *g, const double *f)
{
    static double v[POINTS];
    double sum = 0;
    assert_ok(zf_flow_velocity(flow, 0.5, g->x, f, g->y, POINTS, v));
    for (int i = 0; i < POINTS; i++) sum += (double)v[i] * (double)v[i] / POINTS;
    return sum;
}

/* Of Y_1 alone the closed form is v = -0.8 Y_2 + 16/17 (0.6 e + 0.4 Y_2). */
static void a_sufficient_f_is_still_in_the_middle(void **state)
{
    (void)state;
    given seen = draw_given(ROWS, 10), held = draw_given(POINTS, 20);
    zf_flow *part = fit_given(&seen, seen.part), *whole = fit_given(&seen, seen.whole);
    assert_true(middle_square(whole, &held, held.whole) < 0.02);
    double truth = pow(16.0 / 17 * 0.4 - 0.8, 2) + pow(16.0 / 17 * 0.6, 2);
    assert_close(middle_square(part, &held, held.part), truth, 0.1);
    zf_flow_free(part), zf_flow_free(whole);
    free_given(seen), free_given(held);
}

/* Nothing known of the second member: X given Y goes to X. */
static void f_may_know_nothing(void **state)
{
    (void)state;
    given seen = draw_given(ROWS, 10);
    zf_flow *flow = NULL;
    zf_flow_options options = quick();
    assert_ok(zf_flow_fit_given(&flow, NULL, (zf_flow_sample){seen.x, ROWS, 1}, (zf_flow_sample){0},
                                (zf_flow_sample){seen.y, ROWS, 2}, &options));
    double x[3] = {1, 1, 1}, y[6] = {1, 0, 1, 0, 1, 0};
    zf_transport_options way = zf_transport_defaults();
    /* The middle of X given Y = (1, 0) arrives at the middle of X, which is 0. */
    assert_ok(zf_flow_transport(flow, x, NULL, y, 3, &way, x, NULL));
    assert_close(x[0], 0, 0.2);
    assert_true(x[0] == x[1] && x[1] == x[2]);
    zf_flow_free(flow);
    free_given(seen);
}

/* --- what a fit keeps to ------------------------------------------------------------------- */

static zf_flow_options tiny(void)
{
    zf_flow_options options = quick();
    options.hidden = 16;
    options.iterations = 50;
    options.batch = 100;
    return options;
}

/* Velocities at a few points, as a witness of all weights. */
enum { WITNESSES = 300 };
static void testify(const zf_flow *flow, double scale, double v[2 * WITNESSES])
{
    double *z = normals(2 * WITNESSES, 7);
    for (int i = 0; i < 2 * WITNESSES; i++) z[i] *= scale;
    assert_ok(zf_flow_velocity(flow, 0.3, z, NULL, NULL, WITNESSES, v));
    free(z);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    double *from = plane_sample(false, ROWS, 1), *to = plane_sample(true, ROWS, 2);
    double v[2][2 * WITNESSES];
    zf_flow_options options = tiny();
    for (int threads = 1; threads <= 3; threads++) {
        options.threads = threads;
        zf_flow *flow = fit_plane(from, to, &options);
        testify(flow, 1, v[threads > 1]);
        if (threads > 1) assert_memory_equal(v[0], v[1], sizeof v[0]);
        zf_flow_free(flow);
    }
    options.seed++;
    zf_flow *flow = fit_plane(from, to, &options);
    testify(flow, 1, v[1]);
    assert_memory_not_equal(v[0], v[1], sizeof v[0]);
    zf_flow_free(flow);
    free(from), free(to);
}

/* In other units (a power of two, so that no rounding differs) everything is the same. */
static void units_do_not_matter(void **state)
{
    (void)state;
    double *from = plane_sample(false, ROWS, 1), *to = plane_sample(true, ROWS, 2);
    double plain[2 * WITNESSES], large[2 * WITNESSES];
    zf_flow_options options = tiny();
    zf_flow *flow = fit_plane(from, to, &options);
    testify(flow, 1, plain);
    zf_flow_free(flow);
    for (int i = 0; i < 2 * ROWS; i++) from[i] *= 1024, to[i] *= 1024;
    flow = fit_plane(from, to, &options);
    testify(flow, 1024, large);
    zf_flow_free(flow);
    for (int i = 0; i < 2 * WITNESSES; i++) assert_true(large[i] == 1024 * plain[i]);
    free(from), free(to);
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)context;
    return progress->step == 0;
}

static void an_interrupted_fit_is_a_flow(void **state)
{
    (void)state;
    double *from = plane_sample(false, ROWS, 1), *to = plane_sample(true, ROWS, 2);
    zf_flow_options options = tiny();
    options.iterations = 1000000000;
    options.report.progress = stop;
    zf_flow *flow = NULL;
    zf_flow_summary summary;
    assert_int_equal(zf_flow_fit(&flow, &summary, (zf_flow_sample){from, ROWS, 2},
                                 (zf_flow_sample){to, ROWS, 2}, &options),
                     ZF_EINTERRUPT);
    assert_non_null(flow);
    assert_true(summary.iterations < options.iterations);
    zf_flow_free(flow);
    free(from), free(to);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    double *a = normals(40, 1), *b = normals(40, 2);
    zf_flow_options options = tiny();
    zf_flow *flow = NULL;
    zf_flow_sample one = {a, 20, 2}, two = {b, 20, 2}, wide = {b, 10, 3}, none = {0};
    assert_fails(zf_flow_fit(&flow, NULL, one, wide, &options), ZF_EINPUT, "have 2 and 3 columns");
    assert_fails(zf_flow_fit(&flow, NULL, none, none, &options), ZF_EINPUT, "no columns");
    assert_fails(zf_flow_fit(&flow, NULL, (zf_flow_sample){a, 1, 2}, two, &options), ZF_EINPUT,
                 "first sample: 1 row, expected at least 2");
    assert_fails(zf_flow_fit(&flow, NULL, one, (zf_flow_sample){b, 0, 2}, &options), ZF_EINPUT,
                 "second sample: 0 rows, expected at least 2");
    assert_fails(zf_flow_fit_given(&flow, NULL, one, (zf_flow_sample){b, 19, 2}, two, &options),
                 ZF_EINPUT, "f has 19 rows and x has 20");
    assert_fails(zf_flow_fit_given(&flow, NULL, none, one, two, &options), ZF_EINPUT,
                 "x has no columns");
    for (int i = 0; i < 20; i++) a[2 * i + 1] = 0.1f;
    assert_fails(zf_flow_fit_given(&flow, NULL, two, one, two, &options), ZF_EINPUT,
                 "f, column 2: is constant");
    assert_fails(zf_flow_fit(&flow, NULL, one, one, &options), ZF_EINPUT,
                 "both samples, column 2: is constant");
    assert_fails(zf_flow_fit_given(&flow, NULL, one, two, two, &options), ZF_EINPUT,
                 "x, column 2: is constant");
    assert_ok(zf_flow_fit(&flow, NULL, one, two, &options)); /* one of them may stand still */
    zf_flow_free(flow);
    flow = NULL;
    b[7] = NAN;
    assert_fails(zf_flow_fit(&flow, NULL, one, two, &options), ZF_EINPUT,
                 "second sample, row 4, column 2: expected a finite number");
    assert_fails(zf_flow_fit_given(&flow, NULL, one, one, two, &options), ZF_EINPUT,
                 "y, row 4, column 2: expected a finite number");
    assert_null(flow);
    free(a), free(b);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    double *a = normals(40, 1);
    zf_flow *flow = NULL;
    zf_flow_options good = tiny(), bad[6];
    static const char *const names[] = {"iterations", "batch", "hidden", "layers", "rate", "decay"};
    for (int i = 0; i < 6; i++) bad[i] = good;
    bad[0].iterations = 0;
    bad[1].batch = 0;
    bad[2].hidden = 0;
    bad[3].layers = 7;
    bad[4].rate = NAN;
    bad[5].decay = -1;
    zf_flow_sample sample = {a, 20, 2};
    for (int i = 0; i < 6; i++)
        assert_fails(zf_flow_fit(&flow, NULL, sample, sample, &bad[i]), ZF_EINVAL, names[i]);
    assert_ok(zf_flow_fit(&flow, NULL, sample, sample, &good));
    double v[2] = {5, 5};
    assert_fails(zf_flow_velocity(flow, 1.5, a, NULL, NULL, 1, v), ZF_EINVAL, "time");
    assert_fails(zf_flow_velocity(flow, NAN, a, NULL, NULL, 1, v), ZF_EINVAL, "time");
    assert_fails(zf_flow_velocity(flow, 0, NULL, NULL, NULL, 1, v), ZF_EINVAL, "expected points x");
    assert_true(v[0] == 5 && v[1] == 5);
    assert_ok(zf_flow_velocity(flow, 0, NULL, NULL, NULL, 0, v));
    zf_flow_free(flow);
    assert_ok(zf_flow_fit_given(&flow, NULL, sample, sample, sample, &good));
    assert_fails(zf_flow_velocity(flow, 0, a, NULL, a, 1, v), ZF_EINVAL, "expected f");
    assert_fails(zf_flow_velocity(flow, 0, a, a, NULL, 1, v), ZF_EINVAL, "expected y");
    zf_flow_free(flow);
    zf_flow_free(NULL);
    free(a);
}

/* --- files ----------------------------------------------------------------------------------- */

static void a_file_holds_the_flow(void **state)
{
    (void)state;
    double *a = normals(600, 1), v[2][200];
    zf_flow *flow = NULL, *read = NULL;
    zf_flow_options options = tiny();
    options.layers = 3;
    zf_flow_sample x = {a, 100, 2}, f = {a + 200, 100, 1}, y = {a + 300, 100, 3};
    assert_ok(zf_flow_fit_given(&flow, NULL, x, f, y, &options));
    assert_ok(zf_flow_save(flow, scratch_path("flow.model")));
    assert_ok(zf_flow_load(&read, scratch_path("flow.model")));
    assert_int_equal(zf_flow_columns(read), 2);
    assert_int_equal(zf_flow_columns_f(read), 1);
    assert_int_equal(zf_flow_columns_y(read), 3);
    assert_ok(zf_flow_velocity(flow, 0.7, a, a + 200, a + 300, 100, v[0]));
    assert_ok(zf_flow_velocity(read, 0.7, a, a + 200, a + 300, 100, v[1]));
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    size_t n, m;
    assert_ok(zf_flow_save(read, scratch_path("again.model")));
    char *first = scratch_read(scratch_path("flow.model"), &n);
    char *again = scratch_read(scratch_path("again.model"), &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, again, n);
    zf_flow_free(flow), zf_flow_free(read);
    free(first), free(again), free(a);
}

static const char *forge(const char *what, const char *by)
{
    return scratch_forge("flow.model", what, by);
}

static void forged_files_are_refused(void **state)
{
    (void)state;
    double *a = normals(40, 1);
    zf_flow *flow = NULL;
    zf_flow_options options = tiny();
    zf_flow_sample x = {a, 20, 2};
    assert_ok(zf_flow_fit(&flow, NULL, x, x, &options));
    assert_ok(zf_flow_save(flow, scratch_path("flow.model")));
    zf_flow_free(flow);
    flow = NULL;
    assert_fails(zf_flow_load(&flow, scratch_path("none.model")), ZF_EIO, "none.model");
    assert_fails(zf_flow_load(&flow, forge("\"task\":\"flow\"", "\"task\":\"blow\"")), ZF_EINPUT,
                 "kind \"blow\", expected a flow");
    assert_fails(zf_flow_load(&flow, forge("\"hidden\":\"16\"", "\"hidden\":\"17\"")), ZF_EINPUT,
                 "expected a tensor of 17x5");
    assert_fails(zf_flow_load(&flow, forge("\"layers\":\"2\"", "\"layers\":\"6\"")), ZF_EINPUT,
                 "expected a tensor of 16x16");
    assert_fails(zf_flow_load(&flow, forge("\"layers\":\"2\"", "\"layers\":\"9\"")), ZF_EINPUT,
                 "\"layers\" is \"9\", expected a number from 1 to 6");
    assert_fails(zf_flow_load(&flow, forge("\"columns.x\":\"2\"", "\"columns.x\":\"0\"")),
                 ZF_EINPUT, "columns.x");
    assert_null(flow);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_velocities_are_the_closed_form),
        cmocka_unit_test(equal_laws_are_still_in_the_middle),
        cmocka_unit_test(conditional_velocities_are_the_closed_form),
        cmocka_unit_test(a_sufficient_f_is_still_in_the_middle),
        cmocka_unit_test(f_may_know_nothing),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(an_interrupted_fit_is_a_flow),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(a_file_holds_the_flow),
        cmocka_unit_test(forged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
