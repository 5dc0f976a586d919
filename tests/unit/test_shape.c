/* Concat, slice and reshape against PyTorch and by hand, and their messages. */
#include "support.h"

#include "layer.h"
#include "op/ops.h"
#include "small.h"

static void test_golden(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open("concat", shards);
        zf_node *x = layer_input(l, "input"), *y = layer_input(l, "other");
        zf_node *parts[] = {x, y, x};
        layer_check(l, zf_concat(parts, 3, 1), 1e-6);
        layer_close(l);
        l = layer_open("slice", shards);
        layer_check(l, zf_slice(layer_input(l, "input"), 2, 1, 2), 1e-6);
        layer_close(l);
    }
}

/* The view shares memory where it may and copies where it must: under an
   operation in place, an output stays what it was. */
static void test_reshape_keeps_outputs(void **state)
{
    (void)state;
    small s = small_new(3, 2);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(4));
    zf_node *kept = zf_scale(x, 2);
    zf_node *view = zf_reshape(kept, zf_shape_of(2, 2));
    zf_node *y = zf_scale(view, 3);
    zf_node *outputs[] = {kept, y};
    assert_ok(zf_program_plan(s.program, y, outputs, 2, 1));
    for (int i = 0; i < 12; i++) zf_node_value(x)[i] = (float)i;
    small_forward(s, ZF_TRAIN);
    small_backward(s, y);
    for (int i = 0; i < 12; i++) {
        assert_true(zf_node_value(kept)[i] == (float)(2 * i));
        assert_true(zf_node_value(y)[i] == (float)(6 * i));
        assert_true(zf_node_grad(x)[i] == 6);
    }
    assert_int_equal(zf_node_shape(view).rank, 3);
    small_free(s);
}

static void test_reshape_of_indices(void **state)
{
    (void)state;
    small s = small_new(3, 2);
    zf_node *x = zf_input(s.program, s.rows, ZF_I32, zf_shape_of(4));
    zf_node *y = zf_reshape(x, zf_shape_of(2, 2));
    assert_ok(zf_program_plan(s.program, NULL, &y, 1, 1));
    for (int i = 0; i < 12; i++) zf_node_index(x)[i] = 1000000007 + i;
    small_forward(s, ZF_EVALUATE);
    for (int i = 0; i < 12; i++) assert_int_equal(zf_node_index(y)[i], 1000000007 + i);
    small_free(s);
}

static void test_messages(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    zf_node *x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    zf_node *parts[] = {x, zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 1))};
    assert_refused(s, zf_concat(parts, 2, 1), "concat: expected parts of one domain");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_concat(&x, 1, 0), "concat: expected parts of one domain");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_slice(x, 1, 2, 2), "slice: expected 2 elements from 2 on");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_slice(x, 0, 0, 1), "in dimension 0 (from 1); found 4x3x2");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_slice(x, 1, 2147483647, 2147483647), "slice: expected");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_reshape(x, zf_shape_of(5)), "reshape: expected rows with as many");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3, 2));
    assert_refused(s, zf_reshape(x, zf_shape_of(-3, -2)), "reshape: expected rows with as many");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_reshape_keeps_outputs),
        cmocka_unit_test(test_reshape_of_indices),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
