/* The bidirectional LSTM as an operation: values and gradients from PyTorch,
   and weights that do not fit. */
#include "support.h"

#include "layer.h"
#include "op/ops.h"

static void test_golden(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 4; shards++) {
        layer *l = layer_open("lstm", shards);
        zf_node *x = layer_input(l, "input");
        zf_lstm_weights forward = {layer_parameter(l, "forward_input"),
                                   layer_parameter(l, "forward_hidden"),
                                   layer_parameter(l, "forward_bias")};
        zf_lstm_weights backward = {layer_parameter(l, "backward_input"),
                                    layer_parameter(l, "backward_hidden"),
                                    layer_parameter(l, "backward_bias")};
        layer_check(l, zf_lstm(x, forward, backward), 1e-5);
        layer_close(l);
    }
}

static void check_message(zf_shape row, zf_shape w_input, zf_shape w_hidden, zf_shape bias,
                          const char *message)
{
    zf_params *params;
    zf_program *program;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_program_new(&program, params));
    zf_domain *rows = zf_program_domain(program, "rows", 4, 1);
    zf_node *x = zf_input(program, rows, ZF_F32, row);
    zf_lstm_weights good = {zf_parameter(program, "a", zf_shape_of(8, 3), ZF_ZEROS),
                            zf_parameter(program, "b", zf_shape_of(8, 2), ZF_ZEROS),
                            zf_parameter(program, "c", zf_shape_of(8), ZF_ZEROS)};
    zf_lstm_weights other = {zf_parameter(program, "d", w_input, ZF_ZEROS),
                             zf_parameter(program, "e", w_hidden, ZF_ZEROS),
                             zf_parameter(program, "f", bias, ZF_ZEROS)};
    assert_null(zf_lstm(x, good, other));
    assert_fails(zf_program_plan(program, NULL, NULL, 0, 1), ZF_EINVAL, message);
    zf_program_free(program);
    zf_params_free(params);
}

static void test_messages(void **state)
{
    (void)state;
    check_message(zf_shape_of(3), zf_shape_of(8, 3), zf_shape_of(8, 2), zf_shape_of(8),
                  "x [N, T, I]");
    check_message(zf_shape_of(6, 4), zf_shape_of(8, 4), zf_shape_of(8, 2), zf_shape_of(8),
                  "for the forward direction");
    check_message(zf_shape_of(6, 3), zf_shape_of(12, 3), zf_shape_of(12, 3), zf_shape_of(12),
                  "parameters [8, 3], [8, 2] and [8] for the backward direction");
    check_message(zf_shape_of(6, 3), zf_shape_of(8, 3), zf_shape_of(8, 2), zf_shape_of(2),
                  "for the backward direction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
