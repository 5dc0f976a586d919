/* Principal components against scikit-learn, and what makes them components. */
#include "support.h"

#include <math.h>

#include "known_features.h"

static void agrees_with_scikit_learn(void **state)
{
    (void)state;
    enum { COUNT = 4, MOST = 120 };
    known_features known;
    known_features_open(&known);
    const zf_labelled *train = &known.data.train;
    zf_components *components = NULL;
    float codes[MOST * COUNT];
    assert_ok(
        zf_components_find(&components, train->features, train->rows, known.data.dim, COUNT, 2));
    assert_ok(zf_components_apply(components, codes, known.test.features, known.test.rows, 2));
    const float *expected = golden_array(known.file, "components_codes");
    for (size_t k = 0; k < COUNT; k++) {
        double variance = (double)golden_array(known.file, "components_variance")[k];
        assert_close(zf_components_variance(components, k), variance, 1e-5 * variance);
        float sign = codes[k] * expected[k] > 0 ? 1.0f : -1.0f; /* of an axis: either */
        for (size_t i = 0; i < known.test.rows; i++)
            assert_close((double)(sign * codes[i * COUNT + k]), (double)expected[i * COUNT + k],
                         1e-4);
    }
    zf_components_free(components);
    known_features_close(&known);
}

/* More columns than a share of the matrix: codes of the rows themselves have mean 0,
   the variances told, and no covariance; the same on any number of threads. */
static void codes_do_not_covary(void **state)
{
    (void)state;
    enum { ROWS = 600, DIM = 290, COUNT = 7 };
    static float rows[ROWS * DIM], codes[ROWS * COUNT], other[ROWS * COUNT];
    fill_normal(rows, ROWS * DIM, 5);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COUNT; k++) /* strong directions across the blocks */
            rows[i * DIM + 280 - 40 * k] += (float)(20 - k) * rows[i * DIM + 3 * k] + 100;
    zf_components *one = NULL, *three = NULL;
    assert_ok(zf_components_find(&one, rows, ROWS, DIM, COUNT, 1));
    assert_ok(zf_components_find(&three, rows, ROWS, DIM, COUNT, 3));
    assert_ok(zf_components_apply(one, codes, rows, ROWS, 1));
    assert_ok(zf_components_apply(three, other, rows, ROWS, 3));
    assert_memory_equal(codes, other, sizeof codes);
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b <= a; b++) {
            double mean = 0, product = 0;
            for (size_t i = 0; i < ROWS; i++) {
                mean += (double)codes[i * COUNT + a] / ROWS;
                product += (double)codes[i * COUNT + a] * (double)codes[i * COUNT + b] / ROWS;
            }
            double variance = zf_components_variance(one, a);
            assert_close(mean, 0, 1e-3);
            assert_close(product, a == b ? variance : 0, 1e-3 * variance);
            if (a > b) assert_true(variance <= zf_components_variance(one, b));
        }
    zf_components_free(one);
    zf_components_free(three);
}

/* Fewer rows than columns: as many directions as there are rows but one, the rest empty. */
static void few_rows_have_few_components(void **state)
{
    (void)state;
    const float rows[] = {1, 5, 2, 7, 9, 5, 2, 3, 5, 5, 2, 11};
    float codes[3 * 4];
    zf_components *components = NULL;
    assert_ok(zf_components_find(&components, rows, 3, 4, 4, 1));
    assert_ok(zf_components_apply(components, codes, rows, 3, 1));
    /* Centred: (-4, 0, 0, 0), (4, 0, 0, -4), (0, 0, 0, 4); scatter of columns 0 and 3
       [[32, -16], [-16, 32]]: 48 along (1, -1) / sqrt 2 and 16 along (1, 1) / sqrt 2. */
    const double variances[] = {16, 16 / 3.0, 0, 0};
    for (size_t k = 0; k < 4; k++)
        assert_close(zf_components_variance(components, k), variances[k], 1e-5);
    assert_close(fabs((double)codes[0]), 4 / sqrt(2), 1e-5);
    assert_close(fabs((double)codes[4]), 8 / sqrt(2), 1e-5);
    assert_close(fabs((double)codes[5]), 0, 1e-5);
    assert_close((double)codes[11], 0, 0);
    zf_components_free(components);
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    float rows[] = {1, 2, 3, 4};
    zf_components *components = NULL;
    assert_fails(zf_components_find(&components, rows, 2, 2, 3, 1), ZF_EINVAL, "1 to 2, found 3");
    assert_fails(zf_components_find(&components, rows, 0, 2, 1, 1), ZF_EINPUT, "found 0");
    assert_fails(zf_components_find(&components, rows, 1, 10000, 1, 1), ZF_EINVAL, "8192 columns");
    rows[2] = INFINITY;
    assert_fails(zf_components_find(&components, rows, 2, 2, 1, 1), ZF_EINPUT, "row 2: feature 1");
    assert_null(components);
    zf_components_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_scikit_learn),
        cmocka_unit_test(codes_do_not_covary),
        cmocka_unit_test(few_rows_have_few_components),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
