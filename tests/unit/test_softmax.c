/* Softmax regression: steps against PyTorch's Adam, from the same weights on the same
   rows, and the first step by hand. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known_features.h"
#include "probe/softmax.h"

enum { STEPS = 5, BATCH = 40 };

static void check_steps(known_features *known, const zf_scaling *scaling, const char *name,
                        const char *given)
{
    zf_arena arena = {0};
    zf_probe_softmax s = {
        .dim = known->data.dim, .classes = known->data.classes, .batch = BATCH, .scaling = scaling};
    assert_ok(zf_probe_softmax_new(&s, &arena));
    int32_t *which = known_labels(known->file, "linear_which");
    memcpy(s.weights, golden_array(known->file, "linear_start"), s.n_weights * sizeof(float));
    for (int i = 0; i < STEPS; i++)
        zf_probe_softmax_step(&s, &known->data.train, (const uint32_t *)which + i * BATCH, BATCH,
                              1e-2);
    assert_near(s.weights, golden_array(known->file, name), s.n_weights, 2e-6, 2e-6);
    known_features_expect(known, given);
    int32_t *classes = malloc(known->test.rows * sizeof *classes);
    assert_non_null(classes);
    zf_probe_softmax_classify(&s, classes, &known->test);
    assert_memory_equal(classes, known->test.labels, known->test.rows * sizeof *classes);
    free(classes);
    free(which);
    zf_arena_free(&arena);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    known_features known;
    known_features_open(&known);
    zf_arena arena = {0};
    zf_scaling scaling;
    const zf_labelled *train = &known.data.train;
    assert_ok(zf_scaling_find(&scaling, train->features, train->rows, known.data.dim, &arena));
    check_steps(&known, NULL, "linear_plain", "linear_plain_given");
    check_steps(&known, &scaling, "linear_standardised", "linear_standardised_given");
    zf_arena_free(&arena);
    known_features_close(&known);
}

/* Adam's first step is the rate against the sign of the gradient. From weights 0 both
   classes have half of the probability: the weight of class c for column j has gradient
   mean of (1/2 - [label is c]) x_j. */
static void takes_the_first_step_by_hand(void **state)
{
    (void)state;
    const float features[] = {1, 5, 2, -3, 9, 9};
    const int32_t labels[] = {0, 1, 0};
    zf_labelled set = {features, labels, 3};
    zf_arena arena = {0};
    zf_probe_softmax s = {.dim = 2, .classes = 2, .batch = 2};
    assert_ok(zf_probe_softmax_new(&s, &arena));
    zf_probe_softmax_step(&s, &set, (const uint32_t[]){0, 1}, 2, 0.1);
    /* Column 0: class 0 has -1/2 + 2/2 > 0; column 1: -5/2 - 3/2 < 0; bias: 0. */
    const float expected[] = {-0.1f, 0.1f, 0.1f, -0.1f, 0, 0};
    assert_near(s.weights, expected, 6, 1e-5, 1e-7);
    zf_arena_free(&arena);
}

/* Uniform on +-1 / sqrt(dim); another number, other weights. */
static void draws_weights_as_pytorch_does(void **state)
{
    (void)state;
    zf_arena arena = {0};
    zf_probe_softmax s = {.dim = 400, .classes = 50, .batch = 1}, other = s;
    assert_ok(zf_probe_softmax_new(&s, &arena));
    assert_ok(zf_probe_softmax_new(&other, &arena));
    zf_probe_softmax_draw(&s, 3, 0);
    zf_probe_softmax_draw(&other, 3, 1);
    double sum = 0, squares = 0, products = 0;
    for (size_t i = 0; i < s.n_weights; i++) {
        double w = (double)s.weights[i];
        assert_true(fabs(w) <= 1 / sqrt(400.0));
        sum += w, squares += w * w, products += w * (double)other.weights[i];
    }
    double n = (double)s.n_weights, variance = 1 / (3 * 400.0);
    assert_close(sum / n, 0, 5 * sqrt(variance / n));
    assert_close(squares / n, variance, 5 * variance / sqrt(n));
    assert_close(products / n, 0, 5 * variance / sqrt(n));
    zf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pytorch),
        cmocka_unit_test(takes_the_first_step_by_hand),
        cmocka_unit_test(draws_weights_as_pytorch_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
