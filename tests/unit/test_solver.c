/* Differential equations whose solutions are known. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "flow/solver.h"

static const double PI = 3.14159265358979323846;

/* --- equations ------------------------------------------------------------------------- */

/* x'' = -x: a circle. */
static zf_status circle(void *context, double t, const double *x, double *v)
{
    (void)context, (void)t;
    v[0] = x[1];
    v[1] = -x[0];
    return ZF_OK;
}

/* x' = -2 t x^2, x(0) = 1: 1 / (1 + t^2). */
static zf_status bell(void *context, double t, const double *x, double *v)
{
    (void)context;
    v[0] = -2 * t * x[0] * x[0];
    return ZF_OK;
}

/* x' = t^k. */
static zf_status power(void *context, double t, const double *x, double *v)
{
    (void)x;
    v[0] = pow(t, *(const int *)context);
    return ZF_OK;
}

static zf_status growth(void *context, double t, const double *x, double *v)
{
    (void)context, (void)t;
    v[0] = x[0];
    return ZF_OK;
}

/* x' = x^2, x(0) = 1: infinite at t = 1. */
static zf_status blow_up(void *context, double t, const double *x, double *v)
{
    (void)context, (void)t;
    v[0] = x[0] * x[0];
    return ZF_OK;
}

/* A satellite about the earth and the moon, Arenstorf's closed orbit (Hairer, Norsett,
   Wanner, Solving Ordinary Differential Equations I, II.0). */
static zf_status satellite(void *context, double t, const double *x, double *v)
{
    (void)context, (void)t;
    const double moon = 0.012277471, earth = 1 - moon;
    double to_earth = pow(pow(x[0] + moon, 2) + x[1] * x[1], 1.5);
    double to_moon = pow(pow(x[0] - earth, 2) + x[1] * x[1], 1.5);
    v[0] = x[2];
    v[1] = x[3];
    v[2] = x[0] + 2 * x[3] - earth * (x[0] + moon) / to_earth - moon * (x[0] - earth) / to_moon;
    v[3] = x[1] - 2 * x[2] - earth * x[1] / to_earth - moon * x[1] / to_moon;
    return ZF_OK;
}

static zf_status refuses(void *context, double t, const double *x, double *v)
{
    (void)context, (void)x;
    v[0] = 1;
    return t > 0.5 ? zf_fail(ZF_EIO, "no velocity here") : ZF_OK;
}

/* --- fixed steps ------------------------------------------------------------------------ */

static void one_step_is_the_textbooks(void **state)
{
    (void)state;
    zf_ode ode = {growth, NULL, 1};
    zf_ode_work work;
    double x = 1;
    assert_ok(zf_ode_fixed(&ode, &x, 0, 1, 1, &work));
    assert_close(x, 1 + 1 + 1.0 / 2 + 1.0 / 6 + 1.0 / 24, 1e-15);
    assert_int_equal(work.taken, 1);
    assert_int_equal(work.rejected, 0);
    assert_int_equal(work.evaluations, 4);
}

static double circle_error(int steps)
{
    zf_ode ode = {circle, NULL, 2};
    zf_ode_work work;
    double x[] = {1, 0};
    assert_ok(zf_ode_fixed(&ode, x, 0, 2 * PI, steps, &work));
    return hypot(x[0] - 1, x[1]);
}

static void fixed_steps_have_order_four(void **state)
{
    (void)state;
    for (int steps = 40; steps <= 160; steps *= 2) {
        double order = log2(circle_error(steps) / circle_error(2 * steps));
        assert_close(order, 4, 0.1);
    }
}

static void fixed_steps_integrate_cubes_exactly(void **state)
{
    (void)state;
    zf_ode_work work;
    for (int k = 0; k <= 4; k++) {
        zf_ode ode = {power, &k, 1};
        double x = 0;
        assert_ok(zf_ode_fixed(&ode, &x, 0, 2, 3, &work));
        double off = fabs(x - pow(2, k + 1) / (k + 1));
        assert_true(k <= 3 ? off < 1e-13 : off > 1e-4);
    }
}

static void a_way_back_leads_back(void **state)
{
    (void)state;
    zf_ode ode = {bell, NULL, 1};
    zf_ode_work work;
    double x = 1;
    assert_ok(zf_ode_fixed(&ode, &x, 0, 2, 200, &work));
    assert_close(x, 0.2, 1e-7);
    assert_ok(zf_ode_fixed(&ode, &x, 2, 0, 200, &work));
    assert_close(x, 1, 1e-6);
    zf_ode_tolerance tight = {1e-10, 1e-10, 1000};
    assert_ok(zf_ode_adaptive(&ode, &x, 0, 2, &tight, &work));
    assert_close(x, 0.2, 1e-6);
    assert_ok(zf_ode_adaptive(&ode, &x, 2, 0, &tight, &work));
    assert_close(x, 1, 1e-6);
}

/* --- steps of a fitting length ------------------------------------------------------------ */

/* The result of order 5 integrates t^4 exactly, whatever the steps are; t^5 it does not. */
static void the_pair_has_order_five(void **state)
{
    (void)state;
    zf_ode_work work;
    zf_ode_tolerance loose = {1e-2, 0, 1000};
    for (int k = 0; k <= 5; k++) {
        zf_ode ode = {power, &k, 1};
        double x = 0, end = pow(3, k + 1) / (k + 1);
        assert_ok(zf_ode_adaptive(&ode, &x, 0, 3, &loose, &work));
        assert_true(k <= 4 ? fabs(x - end) < 1e-11 : fabs(x - end) > 1e-8);
    }
    /* On a nonlinear one: the error falls as the steps to the power of -5. */
    zf_ode ode = {circle, NULL, 2};
    double error[2], steps[2];
    for (int i = 0; i < 2; i++) {
        zf_ode_tolerance tolerance = {i ? 1e-11 : 1e-6, 0, 100000};
        double x[] = {1, 0};
        assert_ok(zf_ode_adaptive(&ode, x, 0, 4 * PI, &tolerance, &work));
        error[i] = hypot(x[0] - 1, x[1]);
        steps[i] = (double)work.taken;
    }
    assert_close(log(error[0] / error[1]) / log(steps[1] / steps[0]), 5, 0.3);
}

static void errors_keep_to_the_tolerance(void **state)
{
    (void)state;
    uint64_t before = 0;
    for (double tolerance = 1e-3; tolerance > 1e-12; tolerance /= 100) {
        zf_ode_tolerance wish = {tolerance, tolerance, 100000};
        zf_ode round = {circle, NULL, 2}, down = {bell, NULL, 1};
        zf_ode_work work;
        double x[] = {0, 1}, y = 1;
        assert_ok(zf_ode_adaptive(&round, x, 0, 10, &wish, &work));
        /* Errors of steps add up: over a way of length 10 to a few times one step's. */
        assert_close(x[0], sin(10), 20 * tolerance);
        assert_close(x[1], cos(10), 20 * tolerance);
        assert_true(work.taken > before);
        assert_int_equal(work.evaluations, 2 + 6 * (work.taken + work.rejected));
        before = work.taken;
        assert_ok(zf_ode_adaptive(&down, &y, 0, 10, &wish, &work));
        assert_close(y, 1.0 / 101, 20 * tolerance);
    }
    assert_true(before > 50 && before < 3000);
}

/* Closes its orbit after the published period, through two close passages at the moon
   that a step of one length cannot afford. */
static void steps_grow_and_shrink(void **state)
{
    (void)state;
    const double period = 17.0652165601579625588917206249;
    const double start[] = {0.994, 0, 0, -2.00158510637908252240537862224};
    double x[4];
    memcpy(x, start, sizeof x);
    zf_ode ode = {satellite, NULL, 4};
    zf_ode_tolerance tolerance = {1e-11, 1e-11, 10000};
    zf_ode_work work;
    assert_ok(zf_ode_adaptive(&ode, x, 0, period, &tolerance, &work));
    for (int i = 0; i < 2; i++) assert_close(x[i], start[i], 1e-5);
    assert_true(work.rejected > 0);
    double y[4];
    memcpy(y, start, sizeof y);
    int steps = (int)(work.taken + work.rejected);
    assert_ok(zf_ode_fixed(&ode, y, 0, period, 2 * steps, &work));
    assert_true(hypot(y[0] - start[0], y[1] - start[1]) > 0.1);
}

static void nothing_to_do_is_no_step(void **state)
{
    (void)state;
    zf_ode ode = {circle, NULL, 2};
    zf_ode_tolerance tolerance = {1e-6, 1e-6, 10};
    zf_ode_work work;
    double x[] = {3, 4};
    assert_ok(zf_ode_adaptive(&ode, x, 0.5, 0.5, &tolerance, &work));
    assert_int_equal(work.taken, 0);
    assert_close(x[0], 3, 0);
}

static void it_does_not_go_on_for_ever(void **state)
{
    (void)state;
    zf_ode ode = {blow_up, NULL, 1};
    zf_ode_tolerance tolerance = {1e-8, 1e-8, 100000};
    zf_ode_work work;
    double x = 1;
    assert_int_equal(zf_ode_adaptive(&ode, &x, 0, 2, &tolerance, &work), ZF_ENUMERIC);
    assert_true(x > 1e3);
    x = 1;
    tolerance.most_steps = 5;
    assert_fails(zf_ode_adaptive(&ode, &x, 0, 0.9, &tolerance, &work), ZF_ENUMERIC,
                 "5 steps are not enough for an error of 1e-08");
    assert_int_equal(work.taken + work.rejected, 5);
    x = 1;
    ode.velocity = refuses;
    tolerance.most_steps = 1000;
    assert_fails(zf_ode_adaptive(&ode, &x, 0, 1, &tolerance, &work), ZF_EIO, "no velocity here");
    assert_fails(zf_ode_fixed(&ode, &x, 0, 1, 10, &work), ZF_EIO, "no velocity here");
    ode.velocity = blow_up;
    x = INFINITY;
    assert_fails(zf_ode_adaptive(&ode, &x, 0, 1, &tolerance, &work), ZF_ENUMERIC,
                 "time 0: the velocity of unknown 0 is inf");
    x = INFINITY;
    assert_fails(zf_ode_fixed(&ode, &x, 0, 1, 10, &work), ZF_ENUMERIC, "unknown 0 is inf");
    assert_fails(zf_ode_fixed(&ode, &x, 0, 1, 0, &work), ZF_EINVAL, "expected at least 1");
    const zf_ode_tolerance bad[] = {{0, 0, 9}, {-1, 1, 9}, {NAN, 1, 9}, {1, INFINITY, 9}};
    for (int i = 0; i < 4; i++)
        assert_fails(zf_ode_adaptive(&ode, &x, 0, 1, &bad[i], &work), ZF_EINVAL, "tolerance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_is_the_textbooks),
        cmocka_unit_test(fixed_steps_have_order_four),
        cmocka_unit_test(fixed_steps_integrate_cubes_exactly),
        cmocka_unit_test(a_way_back_leads_back),
        cmocka_unit_test(the_pair_has_order_five),
        cmocka_unit_test(errors_keep_to_the_tolerance),
        cmocka_unit_test(steps_grow_and_shrink),
        cmocka_unit_test(nothing_to_do_is_no_step),
        cmocka_unit_test(it_does_not_go_on_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
