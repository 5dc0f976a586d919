/* Elementwise operations against PyTorch, in one shard and in several, working
   in place and not, and the messages of shapes that do not fit. */
#include "support.h"

#include "layer.h"
#include "op/ops.h"
#include "small.h"

static zf_node *leaky(zf_node *x)
{
    return zf_leaky_relu(x, 0.2f);
}

static void check_unary(const char *name, zf_node *(*op)(zf_node *x), bool in_place)
{
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open(name, shards);
        zf_node *x = layer_input(l, "input");
        /* Two doublings that cancel: the second and the operation work in place. */
        if (in_place) x = zf_scale(zf_scale(x, 2.0f), 0.5f);
        layer_check(l, op(x), 1e-5);
        layer_close(l);
    }
}

static void test_unary(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; in_place++) {
        check_unary("relu", zf_relu, in_place);
        check_unary("leaky_relu", leaky, in_place);
        check_unary("gelu", zf_gelu, in_place);
        check_unary("sigmoid", zf_sigmoid, in_place);
        check_unary("tanh", zf_tanh, in_place);
        check_unary("exp", zf_exp, in_place);
    }
}

static void check_binary(const char *name, zf_node *(*op)(zf_node *a, zf_node *b), bool row)
{
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open(name, shards);
        zf_node *a = layer_input(l, "input");
        zf_node *b = row ? layer_parameter(l, "other") : layer_input(l, "other");
        layer_check(l, op(a, b), 1e-5);
        layer_close(l);
    }
}

static void test_binary(void **state)
{
    (void)state;
    check_binary("mul", zf_mul, false);
    check_binary("mul_row", zf_mul, true);
    check_binary("add_row", zf_add, true);
}

/* (x + x) x: an input that is used twice by one operation. */
static void test_same_input_twice(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    zf_node *x = zf_input_with_gradient(s.program, s.rows, zf_shape_of(1));
    zf_node *y = zf_mul(zf_add(x, x), x);
    small_plan(s, y);
    for (int i = 0; i < 4; i++) zf_node_value(x)[i] = (float)i;
    small_forward(s, ZF_TRAIN);
    small_backward(s, y);
    for (int i = 0; i < 4; i++) {
        assert_true(zf_node_value(y)[i] == (float)(2 * i * i));
        assert_true(zf_node_grad(x)[i] == (float)(4 * i));
    }
    small_free(s);
}

static void test_messages(void **state)
{
    (void)state;
    small s = small_new(4, 2);
    zf_node *x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_leaky_relu(x, 0), "leaky_relu: expected a slope above 0");
    s = small_new(4, 2);
    assert_refused(s, zf_relu(zf_input(s.program, s.rows, ZF_I32, zf_shape_of(3))),
                   "relu: expected rows of numbers; found index 4x3");
    s = small_new(4, 2);
    assert_refused(s, zf_tanh(zf_parameter(s.program, "w", zf_shape_of(3), ZF_ZEROS)),
                   "tanh: expected rows of numbers");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_add(x, zf_input(s.program, s.rows, ZF_F32, zf_shape_of(2))),
                   "add: expected two of the same rows");
    s = small_new(4, 2);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_mul(x, zf_parameter(s.program, "w", zf_shape_of(2), ZF_ZEROS)),
                   "mul: expected two of the same rows");
    s = small_new(4, 2);
    zf_domain *others = zf_program_domain(s.program, "others", 4, 1);
    x = zf_input(s.program, s.rows, ZF_F32, zf_shape_of(3));
    assert_refused(s, zf_mul(x, zf_input(s.program, others, ZF_F32, zf_shape_of(3))),
                   "mul: expected two of the same rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unary),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_same_input_twice),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
