/* Sums, means, squared error and cross-entropy (src/op/reduce.c,
   squared_error.c, cross_entropy.c) against PyTorch and by hand. */
#include "support.h"

#include <math.h>

#include "layer.h"
#include "op/ops.h"
#include "small.h"

static void test_golden_sums(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open("mean", shards);
        layer_check(l, zf_mean(layer_input(l, "input")), 1e-5);
        layer_close(l);
        l = layer_open("sum_axis", shards);
        layer_check(l, zf_sum_axis(layer_input(l, "input"), 1), 1e-5);
        layer_close(l);
        l = layer_open("mean_axis", shards);
        layer_check(l, zf_mean_axis(layer_input(l, "input"), 2), 1e-5);
        layer_close(l);
    }
}

static void test_golden_squared_error(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open("squared_error", shards);
        zf_node *a = layer_input(l, "input"), *b = layer_input(l, "other");
        layer_check(l, zf_squared_error(a, b, NULL, ZF_MEAN), 1e-5);
        layer_close(l);
        l = layer_open("squared_error_weighted", shards);
        a = layer_input(l, "input"), b = layer_input(l, "other");
        layer_check(l, zf_squared_error(a, b, layer_fixed(l, "weight"), ZF_MEAN), 1e-5);
        layer_close(l);
        l = layer_open("squared_error_rows", shards);
        a = layer_input(l, "input"), b = layer_input(l, "other");
        layer_check(l, zf_squared_error(a, b, layer_fixed(l, "weight"), ZF_SUM), 1e-5);
        layer_close(l);
    }
}

/* With 3 of 5 rows in use, a mean is over 3 rows; the rest is not read. */
static void test_mean_of_rows_in_use(void **state)
{
    (void)state;
    small s = small_new(5, 4);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(2));
    zf_node *sum = zf_sum(x), *mean = zf_mean(x),
            *square = zf_squared_error(x, NULL, NULL, ZF_MEAN);
    zf_node *loss = zf_add(zf_add(sum, mean), square);
    zf_node *outputs[] = {sum, mean, square, loss};
    assert_ok(zf_program_plan(s.program, loss, outputs, 4, 1));
    assert_ok(zf_domain_set_rows(s.rows, 3));
    for (int i = 0; i < 10; i++) zf_node_value(x)[i] = i < 6 ? (float)i : NAN;
    small_forward(s, ZF_TRAIN);
    assert_true(zf_node_scalar(sum) == 15 && zf_node_scalar(mean) == 2.5f);
    assert_true(fabsf(zf_node_scalar(square) - 55.0f / 6) < 1e-5f);
    small_backward(s, loss);
    for (int i = 0; i < 6; i++)
        assert_true(fabsf(zf_node_grad(x)[i] - (1 + 1.0f / 6 + (float)i / 3)) < 1e-6f);
    small_free(s);
}

/* A weight that is computed from something learnt is still taken as given. */
static void test_weight_gets_no_gradient(void **state)
{
    (void)state;
    small s = small_new(2, 1);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(2));
    zf_node *w = zf_input_with_gradient(s.program, s.rows, zf_shape_of(2));
    zf_node *loss = zf_squared_error(x, NULL, w, ZF_SUM);
    small_plan(s, loss);
    for (int i = 0; i < 4; i++) {
        zf_node_value(x)[i] = (float)i;
        zf_node_value(w)[i] = 2;
        zf_node_grad(w)[i] = 77;
    }
    small_forward(s, ZF_TRAIN);
    assert_true(zf_node_scalar(loss) == 28);
    small_backward(s, loss);
    for (int i = 0; i < 4; i++)
        assert_true(zf_node_grad(x)[i] == (float)(4 * i) && zf_node_grad(w)[i] == 0);
    small_free(s);
}

static void test_golden_cross_entropy(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open("cross_entropy", shards);
        zf_node *logits = layer_input(l, "input");
        layer_check(l, zf_cross_entropy(logits, layer_index(l, "label")), 1e-5);
        layer_close(l);
    }
}

/* Logits of 1000 overflow no exponential; a label outside is NaN, and learns
   nothing. */
static void test_cross_entropy_extremes(void **state)
{
    (void)state;
    small s = small_new(2, 1);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(3));
    zf_node *label = zf_input(s.program, s.rows, ZF_I32, ZF_SCALAR);
    zf_node *loss = zf_cross_entropy(x, label);
    small_plan(s, loss);
    const float logits[] = {1000, 0, 0, 0, -1000, 0};
    for (int i = 0; i < 6; i++) zf_node_value(x)[i] = logits[i];
    zf_node_index(label)[0] = 1;
    zf_node_index(label)[1] = 0;
    small_forward(s, ZF_TRAIN);
    assert_true(fabs((double)zf_node_scalar(loss) - (1000 + log(2)) / 2) < 1e-4);
    const int32_t outside[] = {3, -1, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 4; i++) {
        zf_node_index(label)[1] = outside[i];
        small_forward(s, ZF_TRAIN);
        assert_true(isnan(zf_node_scalar(loss)));
        small_backward(s, loss);
        for (int k = 3; k < 6; k++) assert_true(zf_node_grad(x)[k] == 0);
    }
    small_free(s);
}

static void test_messages(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    zf_node *x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_sum_axis(x, 2), "sum_axis: expected rows of numbers that have a dim");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_mean_axis(x, 0), "mean_axis: expected rows");
    s = small_new(4, 2);
    assert_refused(s, zf_mean(zf_input(s.program, s.rows, ZF_I32, zf_shape_of(3))),
                   "mean: expected rows of numbers");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(
        s, zf_squared_error(x, zf_input(s.program, s.rows, ZF_F32, zf_shape_of(2)), NULL, ZF_SUM),
        "squared_error: expected rows");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(
        s, zf_squared_error(x, NULL, zf_input(s.program, s.rows, ZF_F32, zf_shape_of(1)), ZF_SUM),
        "squared_error: expected rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_sums),
        cmocka_unit_test(test_golden_squared_error),
        cmocka_unit_test(test_mean_of_rows_in_use),
        cmocka_unit_test(test_weight_gets_no_gradient),
        cmocka_unit_test(test_golden_cross_entropy),
        cmocka_unit_test(test_cross_entropy_extremes),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
