/* What all baselines share: refusals, reports, interruption. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "baseline.h"

enum { ROWS = 60, N = 5 };

static const zf_baseline every[] = {ZF_BASELINE_GLASSO, ZF_BASELINE_PC, ZF_BASELINE_PARTIAL,
                                    ZF_BASELINE_RANK};

static void bad_tables_are_refused(void **state)
{
    (void)state;
    double rows[ROWS * N], flat[ROWS * N], broken[ROWS * N];
    baseline_found found;
    baseline_chain(rows, ROWS, N, 1);
    memcpy(flat, rows, sizeof rows);
    memcpy(broken, rows, sizeof rows);
    for (int i = 0; i < ROWS; i++) flat[i * N + 3] = 0.1f;
    broken[7 * N + 2] = NAN;
    for (int k = 0; k < 4; k++) {
        zf_baseline_options options = zf_baseline_defaults(every[k]);
        assert_fails(baseline_try(&found, flat, ROWS, N, &options), ZF_EINPUT,
                     "column \"x4\" is constant");
        assert_fails(baseline_try(&found, broken, ROWS, N, &options), ZF_EINPUT,
                     "column \"x3\", row 8: expected a finite number");
        assert_fails(baseline_try(&found, rows, 2, N, &options), ZF_EINPUT, "found 2");
        assert_fails(baseline_try(&found, rows, ROWS, 1, &options), ZF_EINPUT,
                     "expected at least 2 columns, found 1");
    }
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    assert_fails(baseline_try(&found, rows, 4, N, &options), ZF_EINPUT,
                 "expected at least 5 rows (one for each fold), found 4");
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    double rows[ROWS * N];
    baseline_found found;
    const double one = 1, fine = 0.5;
    baseline_chain(rows, ROWS, N, 2);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    options.folds = 1;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL,
                 "expected at least 2 folds, found 1");
    options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    options.penalties = 1;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL, "1 penalties");
    options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    options.refinements = 0;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL, "0 refinements");
    options = zf_baseline_defaults(ZF_BASELINE_PC);
    options.alphas = &one;
    options.n_alphas = 1;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL, "alpha 1, expected");
    options.alphas = &fine;
    options.n_alphas = 0;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL, "no alpha");
}

typedef struct watch {
    uint64_t last, steps;
    int calls;
    bool stop;
} watch;

static bool look(void *context, const zf_progress *progress)
{
    watch *w = context;
    assert_true(progress->step <= progress->steps && progress->step >= w->last);
    w->last = progress->step;
    w->steps = progress->steps;
    w->calls++;
    return !w->stop;
}

/* Work that takes as long as one likes: few columns, `steps` penalties or levels. */
enum { MOST_STEPS = 1 << 20, COLUMNS = 25 };

static zf_status work(baseline_found *found, zf_baseline method, int steps, watch *w)
{
    static double rows[ROWS * COLUMNS];
    static double alphas[MOST_STEPS];
    zf_baseline_options options = zf_baseline_defaults(method);
    baseline_chain(rows, ROWS, COLUMNS, 4);
    for (int i = 0; i < steps; i++) alphas[i] = 0.2;
    options.alphas = alphas;
    options.n_alphas = steps;
    options.penalties = steps;
    options.refinements = 1;
    options.threads = 2;
    options.report = (zf_report){.progress = look, .context = w};
    return baseline_try(found, rows, ROWS, COLUMNS, &options);
}

static void work_can_be_interrupted(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        watch w = {.stop = true};
        baseline_found found;
        assert_fails(work(&found, every[k], MOST_STEPS, &w), ZF_EINTERRUPT, "interrupted");
        assert_int_equal(w.calls, 1);
        assert_true(w.last < w.steps);
    }
}

static void long_work_is_reported(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int steps = 128; steps <= MOST_STEPS; steps *= 2) {
            watch w = {0};
            baseline_found found;
            assert_ok(work(&found, every[k], steps, &w));
            double seconds = found.details.seconds;
            baseline_free(&found);
            if (seconds < 0.8) continue;
            assert_true(w.calls >= 2 && w.calls <= 10 * seconds + 1);
            assert_true(w.last == w.steps);
            break;
        }
}

static void short_work_is_silent(void **state)
{
    (void)state;
    double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 3);
    for (int k = 0; k < 4; k++) {
        watch w = {0};
        zf_baseline_options options = zf_baseline_defaults(every[k]);
        options.report = (zf_report){.progress = look, .context = &w};
        baseline_found found = baseline_find(rows, ROWS, N, &options);
        assert_true(found.details.seconds > 0);
        assert_true(w.calls == 0 || found.details.seconds > 0.5);
        assert_int_equal(zf_graph_count(found.graph), N);
        assert_string_equal(zf_graph_name(found.graph, 4), "x5");
        baseline_free(&found);
    }
}

static void methods_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"glasso", "pc", "partial", "rank"};
    for (int k = 0; k < 4; k++) assert_string_equal(zf_baseline_name(every[k]), names[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_tables_are_refused),  cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(work_can_be_interrupted), cmocka_unit_test(long_work_is_reported),
        cmocka_unit_test(short_work_is_silent),    cmocka_unit_test(methods_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
