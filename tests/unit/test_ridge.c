/* Ridge regression against scikit-learn's Ridge and RidgeCV, and by hand. */
#include "support.h"

#include <math.h>

#include "known_features.h"

static void agrees_with_scikit_learn(void **state)
{
    (void)state;
    enum { FEW = 9 };
    known_features known;
    known_features_open(&known);
    double accuracy = 0, penalty = 0;
    known_features_expect(&known, "ridge_fixed_given");
    assert_ok(zf_probe_ridge(
        &accuracy, NULL, &known.data,
        &(zf_ridge_options){.struct_size = sizeof(zf_ridge_options), .penalty = 50}));
    assert_close(accuracy, 1, 0);
    known_features_expect(&known, "ridge_given");
    assert_ok(zf_probe_ridge(&accuracy, &penalty, &known.data, NULL));
    assert_close(accuracy, 1, 0);
    double expected = (double)*golden_array(known.file, "ridge_penalty");
    assert_close(penalty, expected, 1e-5 * expected);
    known.data.train.rows = FEW; /* fewer rows than columns */
    known_features_expect(&known, "ridge_few_given");
    assert_ok(zf_probe_ridge(&accuracy, &penalty, &known.data, NULL));
    assert_close(accuracy, 1, 0);
    expected = (double)*golden_array(known.file, "ridge_few_penalty");
    assert_close(penalty, expected, 1e-5 * expected);
    known_features_close(&known);
}

/* One column, two classes: the boundary is the mean when both have as many rows. With
   shares of 3/4 and 1/4, x' = -3/4 (three times) and 9/4: the slope of class 1 is
   (3 * 3/16 + 27/16) / (27/4 + p), and it is predicted where
   1/4 + slope x' > 1/2: for p = 27/4, slope 1/6, where x' > 3/2. */
static void finds_the_boundary_by_hand(void **state)
{
    (void)state;
    const float train[] = {5, 5, 5, 8}, test[] = {7.24f, 7.26f};
    const int32_t labels[] = {0, 0, 0, 1}, wanted[] = {0, 1};
    zf_labelled set = {test, wanted, 2};
    zf_probe_data data = {
        .dim = 1, .classes = 2, .train = {train, labels, 4}, .tests = &set, .n_tests = 1};
    double accuracy = 0;
    assert_ok(zf_probe_ridge(
        &accuracy, NULL, &data,
        &(zf_ridge_options){.struct_size = sizeof(zf_ridge_options), .penalty = 27 / 4.0}));
    assert_close(accuracy, 1, 0);
    assert_ok(zf_probe_ridge(
        &accuracy, NULL, &data,
        &(zf_ridge_options){.struct_size = sizeof(zf_ridge_options), .penalty = 7.5}));
    assert_close(accuracy, 0.5, 0);
}

/* More rows than a block has, more columns than a share of the matrix, several threads:
   the same. Rows that the penalty cannot do without: more columns than rows. */
static void does_not_depend_on_threads(void **state)
{
    (void)state;
    enum { TRAIN = 700, TEST = 300, DIM = 301 };
    static float train[TRAIN * DIM], test[TEST * DIM];
    static int32_t labels[TRAIN], wanted[TEST];
    fill_normal(train, TRAIN * DIM, 1);
    fill_normal(test, TEST * DIM, 2);
    for (int i = 0; i < TRAIN; i++) labels[i] = train[i * DIM] + train[i * DIM + 300] > 0;
    for (int i = 0; i < TEST; i++) wanted[i] = test[i * DIM] + test[i * DIM + 300] > 0;
    zf_labelled set = {test, wanted, TEST};
    zf_probe_data data = {
        .dim = DIM, .classes = 2, .train = {train, labels, TRAIN}, .tests = &set, .n_tests = 1};
    double accuracy[3], penalty[3];
    for (int t = 0; t < 3; t++)
        assert_ok(zf_probe_ridge(
            &accuracy[t], &penalty[t], &data,
            &(zf_ridge_options){.struct_size = sizeof(zf_ridge_options), .threads = t + 1}));
    assert_memory_equal(&accuracy[1], &accuracy[0], sizeof *accuracy);
    assert_memory_equal(&accuracy[2], &accuracy[0], sizeof *accuracy);
    assert_memory_equal(&penalty[2], &penalty[0], sizeof *penalty);
    assert_true(accuracy[0] > 0.8);
    data.train.rows = 150;
    assert_ok(zf_probe_ridge(&accuracy[0], &penalty[0], &data, NULL));
    assert_true(accuracy[0] > 0.6);
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    const float rows[] = {1, 1, 1};
    const int32_t labels[] = {0, 1, 0};
    zf_labelled set = {rows, labels, 1};
    zf_probe_data data = {
        .dim = 1, .classes = 2, .train = {rows, labels, 3}, .tests = &set, .n_tests = 1};
    double accuracy = -1;
    assert_fails(zf_probe_ridge(&accuracy, NULL, &data, NULL), ZF_EINPUT, "rows are the same");
    assert_fails(
        zf_probe_ridge(&accuracy, NULL, &data,
                       &(zf_ridge_options){.struct_size = sizeof(zf_ridge_options), .penalty = -1}),
        ZF_EINVAL, "penalty: expected 0 or more, found -1");
    data.classes = 1;
    assert_fails(zf_probe_ridge(&accuracy, NULL, &data, NULL), ZF_EINPUT, "two classes");
    assert_close(accuracy, -1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_scikit_learn),
        cmocka_unit_test(finds_the_boundary_by_hand),
        cmocka_unit_test(does_not_depend_on_threads),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
