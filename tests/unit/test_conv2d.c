/* Convolution and transposed convolution as operations: values and gradients
   from PyTorch, and what does not fit together. */
#include "support.h"

#include <string.h>

#include "layer.h"
#include "op/ops.h"

static void check_both(const char *name, int shards, bool transposed, zf_conv_options options)
{
    layer *l = layer_open(name, shards);
    zf_node *x = layer_input(l, "input"), *w = layer_parameter(l, "weight");
    zf_node *b = golden_has(layer_golden(l), "bias") ? layer_parameter(l, "bias") : NULL;
    layer_check(
        l, transposed ? zf_conv2d_transposed(x, w, b, options) : zf_conv2d(x, w, b, options), 1e-5);
    layer_close(l);
}

static void test_golden(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        check_both("conv2d_same", shards, false, (zf_conv_options){1, 1, 1, 1, 0, 0});
        check_both("conv2d_odd", shards, false, (zf_conv_options){2, 3, 2, 1, 0, 0});
        check_both("conv2d_transposed_even", shards, true, (zf_conv_options){2, 2, 1, 1, 0, 0});
        check_both("conv2d_transposed_odd", shards, true, (zf_conv_options){3, 2, 1, 0, 2, 1});
    }
}

typedef struct bad_case {
    zf_shape x, w;
    zf_conv_options options;
    bool transposed;
    const char *message;
} bad_case;

static void check_message(const bad_case *bad)
{
    zf_params *params;
    zf_program *program;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_program_new(&program, params));
    zf_domain *rows = zf_program_domain(program, "rows", 4, 1);
    zf_node *x = zf_input(program, rows, ZF_F32, bad->x);
    zf_node *w = zf_parameter(program, "w", bad->w, ZF_ZEROS);
    zf_node *y = bad->transposed ? zf_conv2d_transposed(x, w, NULL, bad->options)
                                 : zf_conv2d(x, w, NULL, bad->options);
    assert_null(y);
    assert_fails(zf_program_plan(program, NULL, NULL, 0, 1), ZF_EINVAL, bad->message);
    zf_program_free(program);
    zf_params_free(params);
}

static void test_messages(void **state)
{
    (void)state;
    const zf_conv_options plain = {1, 1, 0, 0, 0, 0};
    const bad_case bad[] = {
        {zf_shape_of(3, 8, 8), zf_shape_of(4, 2, 3, 3), plain, false, "parameter [O, C, KH, KW]"},
        {zf_shape_of(24), zf_shape_of(4, 3, 3, 3), plain, false, "x [N, C, H, W]"},
        {zf_shape_of(3, 2, 8), zf_shape_of(4, 3, 3, 3), plain, false, "no larger than the image"},
        {zf_shape_of(3, 8, 8), zf_shape_of(4, 3, 3, 3), {0, 1, 0, 0, 0, 0}, false, "strides 0, 1"},
        {zf_shape_of(3, 8, 8),
         zf_shape_of(4, 3, 3, 3),
         {1, 1, 0, -1, 0, 0},
         false,
         "paddings 0, -1"},
        {zf_shape_of(3, 8, 8), zf_shape_of(2, 3, 3, 3), plain, true, "parameter [C, O, KH, KW]"},
        {zf_shape_of(3, 8, 8), zf_shape_of(3, 2, 3, 3), {2, 2, 0, 0, 2, 0}, true, "extra"},
        {zf_shape_of(3, 1, 1),
         zf_shape_of(3, 2, 3, 3),
         {1, 1, 2, 2, 0, 0},
         true,
         "leaves an image"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_message(&bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
