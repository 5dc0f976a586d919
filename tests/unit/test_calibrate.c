/* Gates as probabilities: the regression finds a known law and never degenerates; on a generated
   table, of the features that are given a probability about that share belongs. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "blanket/calibrate.h"
#include "evidence/discovery.h"

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Chances that are a logistic function of the gate's log odds and the number of targets. */
static void finds_a_known_law(void **state)
{
    (void)state;
    enum { N = 3000 };
    static zf_graded graded[N];
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (size_t i = 0; i < N; i++) {
        double odds = -2 + (double)zf_random_normal(&random);
        int targets = 1 << (i % 3);
        double chance = logistic(4 + 3 * odds + 0.7 * log(targets));
        graded[i] = (zf_graded){(float)logistic(odds), targets, chance, 1};
    }
    zf_calibration found = zf_calibration_fit(graded, N);
    assert_true(found.known);
    assert_close(found.intercept, 4, 0.1);
    assert_close(found.slope, 3, 0.1);
    assert_close(found.size, 0.7, 0.05);
    assert_close(zf_calibrated(&found, (float)logistic(-1), 2), logistic(1 + 0.7 * log(2)), 0.02);
}

static void never_degenerates(void **state)
{
    (void)state;
    zf_graded graded[40];
    /* Gates that tell edges without a fault. */
    for (int i = 0; i < 40; i++) graded[i] = (zf_graded){i < 30 ? 0.001f : 0.999f, 1, i >= 30, 1};
    zf_calibration found = zf_calibration_fit(graded, 40);
    double low = zf_calibrated(&found, 0, 1), high = zf_calibrated(&found, 1, 1);
    assert_true(low > 0 && low < 0.1 && high > 0.85 && high < 1);
    assert_true(zf_calibrated(&found, 0.3f, 1) <= zf_calibrated(&found, 0.7f, 1));
    /* Gates that say the contrary say nothing. */
    for (int i = 0; i < 40; i++) graded[i].chance = i < 30;
    found = zf_calibration_fit(graded, 40);
    assert_true(found.slope == 0);
    assert_close(zf_calibrated(&found, 0.01f, 1), 0.75, 0.02);
    /* All gates alike, no edge at all, and nothing to learn from. */
    for (int i = 0; i < 40; i++) graded[i] = (zf_graded){0.5f, 1, 0, 1};
    found = zf_calibration_fit(graded, 40);
    assert_true(isfinite(found.intercept) && isfinite(found.slope));
    assert_true(zf_calibrated(&found, 0.5f, 1) < 0.1);
    found = zf_calibration_fit(graded, 0);
    assert_true(isfinite(found.intercept) && found.slope >= 0);
}

/* Ten p-values of which three stand out: the majorant of the share below each has corners at
   0.003 and at the end, so slopes 3 / 10 / 0.003 = 100 and 7 / 10 / 0.957 from there to 0.96. */
static void gives_local_rates(void **state)
{
    (void)state;
    const double p[] = {0.003, 0.003, 0.003, 0.3, 0.4, 0.5, 0.64, 0.75, 0.86, 0.96};
    double local[10];
    assert_ok(zf_discovery_local(local, p, 1, 10));
    for (int i = 0; i < 3; i++) assert_close(local[i], 0.01, 1e-9);
    for (int i = 4; i < 10; i++) assert_true(local[i] > 0.9 && local[i] <= 1);
}

/* A chain of which every third link is missing, and noise beside it. */
enum { COLUMNS = 12, ROWS = 500 };

static bool is_edge(int a, int b)
{
    return abs(a - b) == 1 && (a > b ? a : b) % 3 != 0 && a < 9 && b < 9;
}

static double *law(void)
{
    double *values = malloc(ROWS * COLUMNS * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < ROWS; i++) {
        zf_random random = zf_random_at(4, ZF_FOR_TEST, 1, (uint32_t)i);
        double *x = values + i * COLUMNS;
        for (int j = 0; j < COLUMNS; j++) {
            x[j] = (double)zf_random_normal(&random);
            if (j && is_edge(j, j - 1)) x[j] = 0.6 * x[j] + 0.5 * x[j - 1];
        }
    }
    return values;
}

static zf_blanket *fitted(const double *values)
{
    static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f",
                                               "g", "h", "i", "j", "k", "l"};
    zf_fit_options options = zf_fit_defaults();
    zf_evidence_options weighing = zf_evidence_defaults();
    zf_blanket *model = NULL;
    options.iterations = 400;
    options.batch = 128;
    options.hidden = 32;
    options.targets = ZF_TARGET_BERNOULLI;
    options.probability = 0.15;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, names, COLUMNS, &options));
    assert_true(zf_blanket_probability(model, 0.5f, 1) == -1);
    assert_ok(zf_blanket_weigh(model, values, ROWS, &weighing));
    return model;
}

/* In thirds of the range of probabilities the share of true members is not far from the mean
   probability, and the probabilities are better than the share of all members. */
static void tells_what_gates_mean(void **state)
{
    (void)state;
    double *values = law(), n[3] = {0}, expected[3] = {0}, found[3] = {0}, all = 0, members = 0;
    double error = 0;
    zf_blanket *model = fitted(values);
    for (uint32_t set = 0; set < 120; set++) {
        zf_random random = zf_random_at(5, ZF_FOR_TEST, 2, set);
        uint32_t order[COLUMNS];
        int32_t targets[3];
        int count = 1 + (int)set % 3;
        zf_member list[COLUMNS];
        size_t decided;
        zf_random_permutation(&random, order, COLUMNS);
        for (int k = 0; k < count; k++) targets[k] = (int32_t)order[k];
        assert_ok(zf_blanket_decide(list, &decided, model, targets, count, 0.1));
        for (int i = 0; i < COLUMNS - count; i++) {
            bool belongs = false;
            double p = list[i].probability;
            for (int k = 0; k < count; k++) belongs |= is_edge(targets[k], list[i].variable);
            assert_true(p > 0 && p < 1);
            int bin = p < 1.0 / 3 ? 0 : p < 2.0 / 3 ? 1 : 2;
            n[bin]++;
            expected[bin] += p;
            found[bin] += belongs;
            error += (p - belongs) * (p - belongs);
            all++;
            members += belongs;
        }
    }
    double share = members / all;
    assert_true(error / all < 0.5 * share * (1 - share));
    for (int bin = 0; bin < 3; bin += 2) {
        assert_true(n[bin] > 50);
        assert_close(expected[bin] / n[bin], found[bin] / n[bin], 0.15);
    }
    zf_blanket_free(model);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_known_law),
        cmocka_unit_test(never_degenerates),
        cmocka_unit_test(gives_local_rates),
        cmocka_unit_test(tells_what_gates_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
