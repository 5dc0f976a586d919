/* Batch norm, layer norm, row normalisation and softmax as operations: against
   PyTorch, running statistics and evaluation, bits that do not depend on
   threads, messages. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "layer.h"
#include "op/ops.h"
#include "small.h"

static void check_batch_norm(const char *name, const char *running, int shards)
{
    layer *l = layer_open(name, shards);
    zf_node *x = layer_input(l, "input"), *scale = layer_parameter(l, "weight");
    zf_node *shift = layer_parameter(l, "bias"), *mean = layer_buffer(l, "running_mean");
    zf_node *y =
        zf_batch_norm(x, scale, shift, mean, layer_buffer(l, "running_variance"), 0.1f, 1e-5f);
    layer_check(l, y, 1e-5);
    golden *after = golden_open(running);
    const char *buffers[] = {"running_mean", "running_variance"};
    for (int i = 0; i < 2; i++)
        assert_near(layer_values(l, buffers[i]), golden_array(after, buffers[i]),
                    golden_size(after, buffers[i]), 1e-6, 0);
    layer_evaluate(l);
    assert_near(zf_node_value(y), golden_array(after, "evaluated"), golden_size(after, "evaluated"),
                1e-5, 0);
    for (int i = 0; i < 2; i++) /* evaluation has moved nothing */
        assert_memory_equal(layer_values(l, buffers[i]), golden_array(layer_golden(l), buffers[i]),
                            golden_size(after, buffers[i]) * sizeof(float));
    golden_close(after);
    layer_close(l);
}

static void test_batch_norm(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 4; shards++) {
        check_batch_norm("batch_norm_columns", "batch_norm_columns_running", shards);
        check_batch_norm("batch_norm_images", "batch_norm_images_running", shards);
    }
}

/* A large mean and a small deviation: what one pass in float would lose. */
static void test_batch_norm_far_from_zero(void **state)
{
    (void)state;
    small s = small_new(8, 3);
    zf_shape one = zf_shape_of(1);
    zf_node *x = zf_input(s.program, s.rows, ZF_F32, one);
    zf_node *y = zf_batch_norm(x, zf_parameter(s.program, "scale", one, ZF_CONSTANT(1)),
                               zf_parameter(s.program, "shift", one, ZF_ZEROS),
                               zf_buffer(s.program, "mean", one, ZF_ZEROS),
                               zf_buffer(s.program, "variance", one, ZF_ZEROS), 0.5f, 1e-12f);
    small_plan(s, y);
    for (int i = 0; i < 8; i++) zf_node_value(x)[i] = 10000.0f + (i % 2 ? 1.0f : -1.0f);
    small_forward(s, ZF_TRAIN);
    for (int i = 0; i < 8; i++)
        assert_true(fabsf(zf_node_value(y)[i] - (i % 2 ? 1.0f : -1.0f)) < 1e-5f);
    small_free(s);
}

/* One row: the variance is 0, and the unbiased one does not divide by 0. */
static void test_batch_norm_of_one_row(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    zf_shape one = zf_shape_of(1);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, one);
    zf_node *variance = zf_buffer(s.program, "variance", one, ZF_CONSTANT(1));
    zf_node *y = zf_batch_norm(x, zf_parameter(s.program, "scale", one, ZF_CONSTANT(2)),
                               zf_parameter(s.program, "shift", one, ZF_CONSTANT(3)),
                               zf_buffer(s.program, "mean", one, ZF_ZEROS), variance, 0.5f, 1e-5f);
    small_plan(s, y);
    assert_ok(zf_domain_set_rows(s.rows, 1));
    zf_node_value(x)[0] = 7;
    small_forward(s, ZF_TRAIN);
    small_backward(s, y);
    assert_true(zf_node_value(y)[0] == 3);
    assert_true(zf_node_grad(x)[0] == 0);
    assert_true(zf_node_value(variance)[0] == 0.5f);
    small_free(s);
}

static void test_layer_norm(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open("layer_norm", shards);
        zf_node *x = layer_input(l, "input"), *scale = layer_parameter(l, "weight");
        layer_check(l, zf_layer_norm(x, scale, layer_parameter(l, "bias"), 1e-5f), 1e-5);
        layer_close(l);
    }
}

static void test_softmax_and_normalise(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; in_place++) {
        layer *l = layer_open("softmax", 2);
        zf_node *x = layer_input(l, "input");
        layer_check(l, zf_softmax(in_place ? zf_scale(x, 1) : x), 1e-5);
        layer_close(l);
        l = layer_open("normalise_rows", 2);
        x = layer_input(l, "input");
        layer_check(l, zf_normalise_rows(in_place ? zf_scale(x, 1) : x, 1e-6f), 1e-5);
        layer_close(l);
    }
}

static void test_normalise_zero_row(void **state)
{
    (void)state;
    small s = small_new(1, 1);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(3));
    zf_node *y = zf_normalise_rows(x, 0.5f);
    small_plan(s, y);
    small_forward(s, ZF_TRAIN);
    small_backward(s, y);
    for (int i = 0; i < 3; i++) assert_true(zf_node_value(y)[i] == 0 && zf_node_grad(x)[i] == 2);
    small_free(s);
}

static void test_messages(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    assert_refused(s, zf_softmax(zf_input(s.program, s.rows, ZF_F32, ZF_SCALAR)),
                   "softmax: expected rows of numbers with at least one dimension");
    s = small_new(4, 2);
    assert_refused(s, zf_normalise_rows(zf_input(s.program, s.rows, ZF_F32, zf_shape_of(2)), 0),
                   "normalise_rows: expected rows of numbers and an epsilon above 0");
    s = small_new(4, 2);
    zf_node *p = zf_parameter(s.program, "p", zf_shape_of(2), ZF_ZEROS);
    assert_refused(s,
                   zf_layer_norm(zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3)), p, p, 1e-5f),
                   "layer_norm: expected rows of numbers, scale and shift");
    s = small_new(4, 2);
    p = zf_parameter(s.program, "p", zf_shape_of(3), ZF_ZEROS);
    zf_node *x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2, 2));
    assert_refused(s, zf_batch_norm(x, p, p, p, p, 0.1f, 1e-5f),
                   "batch_norm: expected rows [N, C] or [N, C, H, W]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_norm),
        cmocka_unit_test(test_batch_norm_far_from_zero),
        cmocka_unit_test(test_batch_norm_of_one_row),
        cmocka_unit_test(test_layer_norm),
        cmocka_unit_test(test_softmax_and_normalise),
        cmocka_unit_test(test_normalise_zero_row),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
