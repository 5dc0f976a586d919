/* Following a flow: both kinds of steps, both ways, and what is refused. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/flow.h"

enum { ROWS = 2000, POINTS = 300 };

/* A flow from a standard normal law to one about (2, -1) of deviation 0.5; the points to
   carry. */
typedef struct travel {
    zf_flow *flow;
    double x[2 * POINTS], y[2 * POINTS];
} travel;

static int prepare(void **state)
{
    travel *t = calloc(1, sizeof *t);
    double *from = malloc(2 * ROWS * sizeof *from), *to = malloc(2 * ROWS * sizeof *to);
    assert_true(t && from && to);
    draw_normals(from, 2 * ROWS, 1);
    draw_normals(to, 2 * ROWS, 2);
    draw_normals(t->x, 2 * POINTS, 3);
    for (int i = 0; i < ROWS; i++) {
        to[2 * i] = 2 + 0.5f * to[2 * i];
        to[2 * i + 1] = -1 + 0.5f * to[2 * i + 1];
    }
    zf_flow_options options = zf_flow_defaults();
    options.hidden = 32;
    options.iterations = 400;
    options.batch = 128;
    options.rate = 3e-3;
    options.threads = 1;
    assert_ok(zf_flow_fit(&t->flow, NULL, (zf_flow_sample){from, ROWS, 2},
                          (zf_flow_sample){to, ROWS, 2}, &options));
    free(from), free(to);
    *state = t;
    return 0;
}

static int release(void **state)
{
    travel *t = *state;
    zf_flow_free(t->flow);
    free(t);
    return 0;
}

static void go(travel *t, const double *x, double *to, const zf_transport_options *way,
               zf_transport_summary *summary)
{
    assert_ok(zf_flow_transport(t->flow, x, NULL, NULL, POINTS, way, to, summary));
}

static double farthest(const double *a, const double *b)
{
    double far = 0;
    for (int i = 0; i < 2 * POINTS; i++) far = fmax(far, fabs((double)a[i] - (double)b[i]));
    return far;
}

static void it_arrives(void **state)
{
    travel *t = *state;
    double mean[2] = {0};
    zf_transport_options way = zf_transport_defaults();
    go(t, t->x, t->y, &way, NULL);
    for (int i = 0; i < 2 * POINTS; i++) mean[i % 2] += (double)t->y[i] / POINTS;
    assert_close(mean[0], 2, 0.15);
    assert_close(mean[1], -1, 0.15);
}

static void both_kinds_of_steps_agree(void **state)
{
    travel *t = *state;
    double exact[2 * POINTS];
    zf_transport_summary summary;
    zf_transport_options way = zf_transport_defaults();
    way.steps = 1000;
    go(t, t->x, exact, &way, &summary);
    assert_int_equal(summary.taken, 1000);
    assert_int_equal(summary.evaluations, 4000);
    assert_int_equal(summary.rejected, 0);
    way.steps = 0;
    uint64_t before = 0;
    for (double tolerance = 1e-2; tolerance > 1e-6; tolerance /= 10) {
        way.absolute = way.relative = tolerance;
        go(t, t->x, t->y, &way, &summary);
        /* The network has corners, of which an estimate from seven points sees few. */
        assert_true(farthest(t->y, exact) < 50 * tolerance);
        assert_true(summary.taken >= before);
        before = summary.taken;
    }
    assert_true(before > 8);
}

static void back_again_and_in_pieces(void **state)
{
    travel *t = *state;
    double once[2 * POINTS];
    zf_transport_options way = zf_transport_defaults();
    way.steps = 100;
    go(t, t->x, once, &way, NULL);
    way = (zf_transport_options){
        .struct_size = sizeof(zf_transport_options), .from = 0, .to = 0.25, .steps = 25};
    memcpy(t->y, t->x, sizeof t->y);
    for (; way.from < 1; way.from += 0.25, way.to += 0.25) go(t, t->y, t->y, &way, NULL);
    assert_true(farthest(t->y, once) < 1e-5);
    way = (zf_transport_options){
        .struct_size = sizeof(zf_transport_options), .from = 1, .to = 0, .steps = 100};
    go(t, t->y, t->y, &way, NULL);
    assert_true(farthest(t->y, t->x) < 1e-3);
    way = (zf_transport_options){.struct_size = sizeof(zf_transport_options),
                                 .from = 0.5,
                                 .to = 0.5,
                                 .absolute = 1,
                                 .most_steps = 1};
    go(t, t->x, t->y, &way, NULL);
    assert_true(farthest(t->y, t->x) < 1e-6);
}

static void it_is_refused(void **state)
{
    travel *t = *state;
    zf_transport_options good = zf_transport_defaults(), way = good;
    double to[2] = {5, 5};
    way.to = 1.5;
    assert_fails(zf_flow_transport(t->flow, t->x, NULL, NULL, 1, &way, to, NULL), ZF_EINVAL,
                 "times: expected 0 to 1, found 0 and 1.5");
    way = good, way.steps = -1;
    assert_fails(zf_flow_transport(t->flow, t->x, NULL, NULL, 1, &way, to, NULL), ZF_EINVAL,
                 "steps");
    way = good, way.absolute = way.relative = 0;
    assert_fails(zf_flow_transport(t->flow, t->x, NULL, NULL, 1, &way, to, NULL), ZF_EINVAL,
                 "tolerance");
    way = good, way.most_steps = 0;
    assert_fails(zf_flow_transport(t->flow, t->x, NULL, NULL, 1, &way, to, NULL), ZF_EINVAL,
                 "most steps");
    assert_fails(zf_flow_transport(t->flow, NULL, NULL, NULL, 1, &good, to, NULL), ZF_EINVAL,
                 "expected points x");
    /* More than floats can give. */
    way = good, way.absolute = way.relative = 1e-13, way.most_steps = 300;
    assert_fails(zf_flow_transport(t->flow, t->x, NULL, NULL, 1, &way, to, NULL), ZF_ENUMERIC,
                 "300 steps are not enough");
    double lost[] = {1, INFINITY};
    assert_fails(zf_flow_transport(t->flow, lost, NULL, NULL, 1, &good, to, NULL), ZF_EINPUT,
                 "x, row 1, column 2: not a finite number");
    assert_true(to[0] == 5 && to[1] == 5);
    assert_ok(zf_flow_transport(t->flow, NULL, NULL, NULL, 0, &good, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_arrives),
        cmocka_unit_test(both_kinds_of_steps_agree),
        cmocka_unit_test(back_again_and_in_pieces),
        cmocka_unit_test(it_is_refused),
    };
    return cmocka_run_group_tests(tests, prepare, release);
}
