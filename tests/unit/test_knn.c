/* Nearest neighbours: against scikit-learn, by hand, and against all pairs. */
#include "support.h"

#include <math.h>

#include "base/crew.h"
#include "known_features.h"
#include "probe/knn.h"

enum { MOST_TEST = 700 };

static void classify(int32_t *given, const zf_probe_data *data, const zf_knn_options *options,
                     int threads)
{
    zf_crew *crew = NULL;
    assert_ok(zf_crew_new(&crew, threads));
    assert_ok(zf_knn_classify(given, data, &data->tests[0], options, crew));
    zf_crew_free(crew);
}

static void agrees_with_scikit_learn(void **state)
{
    (void)state;
    known_features known;
    known_features_open(&known);
    zf_probe_data data = known.data;
    const zf_labelled *test = &data.tests[0];
    const char *const names[] = {"knn_cosine", "knn_euclidean", "knn_weighted"};
    zf_knn_options options[3];
    for (int c = 0; c < 3; c++) options[c] = zf_knn_defaults(), options[c].neighbours = 7;
    options[1].measure = ZF_KNN_EUCLIDEAN;
    options[2].temperature = 0.07;
    for (int c = 0; c < 3; c++) {
        int32_t given[MOST_TEST];
        classify(given, &data, &options[c], 2);
        size_t right = 0;
        for (size_t i = 0; i < test->rows; i++) {
            assert_int_equal(given[i], (int32_t)golden_array(known.file, names[c])[i]);
            right += given[i] == test->labels[i];
        }
        double accuracy = 0;
        assert_ok(zf_probe_knn(&accuracy, &data, &options[c]));
        assert_close(accuracy, (double)right / (double)test->rows, 1e-12);
    }
    known_features_close(&known);
}

/* Three rows on one axis, two on the other; their mean is (3, 1), so that all is exact. */
static void follows_hand_worked_votes(void **state)
{
    (void)state;
    const float train[] = {1, 0, 2, 0, 12, 0, 0, 1, 0, 4};
    const int32_t labels[] = {2, 2, 1, 0, 0};
    const float test[] = {11, 0, 0, 2.5f, 0, 0, 1, 1.5f};
    const int32_t wanted[] = {1, 0, 2, 0};
    zf_labelled set = {test, wanted, 4};
    zf_probe_data data = {
        .dim = 2, .classes = 3, .train = {train, labels, 5}, .tests = &set, .n_tests = 1};
    struct {
        zf_knn_options options;
        int32_t given[4];
    } cases[] = {
        /* Distance: 11 is nearest to 12; (0, 2.5) to both on its axis; the origin to
           (1, 0), as (0, 1) comes later; (1, 1.5) to (0, 1). */
        {{.neighbours = 1, .measure = ZF_KNN_EUCLIDEAN}, {1, 0, 2, 0}},
        /* Of two classes with a vote each, the nearer row's; the first of equally near. */
        {{.neighbours = 2, .measure = ZF_KNN_EUCLIDEAN}, {1, 0, 2, 0}},
        /* (11, 0) has 12, 2 and 1: two votes for class 2; (1, 1.5) has (0, 1), (1, 0)
           and (2, 0). */
        {{.neighbours = 3, .measure = ZF_KNN_EUCLIDEAN}, {2, 0, 2, 2}},
        /* Angle: the three on the axis are equally near, the first row is taken. */
        {{.neighbours = 1}, {2, 0, 2, 0}},
        /* All rows: two votes each of classes 0 and 2, the nearer one wins; with fewer
           rows than neighbours as well. */
        {{.neighbours = 5}, {2, 0, 2, 0}},
        {{.neighbours = 20}, {2, 0, 2, 0}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cases[c].options.struct_size = sizeof cases[c].options;
        int32_t given[4];
        classify(given, &data, &cases[c].options, 1);
        assert_memory_equal(given, cases[c].given, sizeof given);
    }
    double accuracy = 0;
    assert_ok(zf_probe_knn(&accuracy, &data, &cases[2].options));
    assert_close(accuracy, 0.5, 1e-12);
}

/* Two near rows of one class against three far ones of another: weights decide. */
static void weighs_votes_by_nearness(void **state)
{
    (void)state;
    const float train[] = {1, 0.01f, 1, -0.01f, 1, 1, 1, 1.1f, 1, 1.2f};
    const int32_t labels[] = {1, 1, 0, 0, 0}, wanted[] = {1};
    const float test[] = {1, 0};
    zf_labelled set = {test, wanted, 1};
    zf_probe_data data = {
        .dim = 2, .classes = 2, .train = {train, labels, 5}, .tests = &set, .n_tests = 1};
    double accuracy = 1;
    assert_ok(
        zf_probe_knn(&accuracy, &data,
                     &(zf_knn_options){.struct_size = sizeof(zf_knn_options), .neighbours = 5}));
    assert_close(accuracy, 0, 0);
    assert_ok(zf_probe_knn(&accuracy, &data,
                           &(zf_knn_options){.struct_size = sizeof(zf_knn_options),
                                             .neighbours = 5,
                                             .temperature = 0.07}));
    assert_close(accuracy, 1, 0);
}

/* More rows than a block or a chunk has, and columns that fill no tile: against the
   nearest of all pairs in double. Several test sets, several threads, the same. */
static void finds_the_nearest_of_many(void **state)
{
    (void)state;
    enum { TRAIN = 331, TEST = 603, DIM = 37, CLASSES = 331 };
    static float train[TRAIN * DIM], test[TEST * DIM];
    static int32_t labels[TRAIN], nearest[TEST], given[TEST], other[TEST];
    fill_normal(train, TRAIN * DIM, 1);
    fill_normal(test, TEST * DIM, 2);
    for (int i = 0; i < TRAIN; i++) labels[i] = i;
    for (int measure = 0; measure < 2; measure++) {
        for (int j = 0; j < TEST; j++) {
            double best = -INFINITY;
            for (int i = 0; i < TRAIN; i++) {
                double dot = 0, square = 0, gap = 0;
                for (int k = 0; k < DIM; k++) {
                    double a = (double)train[i * DIM + k], b = (double)test[j * DIM + k];
                    dot += a * b, square += a * a, gap += (a - b) * (a - b);
                }
                double nearness = measure == ZF_KNN_COSINE ? dot / sqrt(square) : -gap;
                if (nearness > best) best = nearness, nearest[j] = i;
            }
        }
        zf_labelled sets[] = {{test, nearest, TEST}, {test, nearest, 1}};
        zf_probe_data data = {.dim = DIM,
                              .classes = CLASSES,
                              .train = {train, labels, TRAIN},
                              .tests = sets,
                              .n_tests = 2};
        zf_knn_options options = {
            .struct_size = sizeof options, .neighbours = 1, .measure = (zf_knn_measure)measure};
        double accuracy[2] = {0, 0};
        assert_ok(zf_probe_knn(accuracy, &data, &options));
        assert_close(accuracy[0], 1, 0);
        assert_close(accuracy[1], 1, 0);
        options.neighbours = 9;
        classify(given, &data, &options, 1);
        classify(other, &data, &options, 3);
        assert_memory_equal(given, other, sizeof given);
    }
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    float train[] = {1, 2, 3, 4}, test[] = {1, 2};
    int32_t labels[] = {0, 1}, label[] = {2};
    zf_labelled set = {test, labels, 1};
    zf_probe_data data = {
        .dim = 2, .classes = 2, .train = {train, labels, 2}, .tests = &set, .n_tests = 1};
    double accuracy = -1;
    zf_knn_options options = zf_knn_defaults();
    options.neighbours = 0;
    assert_fails(zf_probe_knn(&accuracy, &data, &options), ZF_EINVAL, "neighbours: expected 1 to");
    options = zf_knn_defaults();
    options.temperature = -1;
    assert_fails(zf_probe_knn(&accuracy, &data, &options), ZF_EINVAL, "0 or more, found -1");
    options = (zf_knn_options){.struct_size = sizeof(zf_knn_options),
                               .neighbours = 1,
                               .temperature = 1,
                               .measure = ZF_KNN_EUCLIDEAN};
    assert_fails(zf_probe_knn(&accuracy, &data, &options), ZF_EINVAL, "cosine only");
    set.labels = label;
    assert_fails(zf_probe_knn(&accuracy, &data, NULL), ZF_EINPUT,
                 "test set, row 1: expected a label from 0 to 1, found 2");
    set.labels = labels;
    train[3] = NAN;
    assert_fails(zf_probe_knn(&accuracy, &data, NULL), ZF_EINPUT,
                 "training set, row 2: feature 2 is not a finite number");
    train[3] = 4;
    data.classes = 1;
    assert_fails(zf_probe_knn(&accuracy, &data, NULL), ZF_EINPUT, "two classes, found 1");
    data.classes = 2;
    set.rows = 0;
    assert_fails(zf_probe_knn(&accuracy, &data, NULL), ZF_EINPUT, "found 0");
    assert_close(accuracy, -1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_scikit_learn), cmocka_unit_test(follows_hand_worked_votes),
        cmocka_unit_test(weighs_votes_by_nearness), cmocka_unit_test(finds_the_nearest_of_many),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
