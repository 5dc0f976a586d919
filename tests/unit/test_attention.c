/* Attention: values and gradients from PyTorch, one tensor in all three places,
   and shapes that do not fit. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/attention.h"
#include "layer.h"
#include "op/ops.h"

static void check_golden(const char *name, int heads)
{
    for (int shards = 1; shards <= 3; shards++) {
        layer *l = layer_open(name, shards);
        zf_node *q = layer_input(l, "input"), *k = layer_input(l, "keys");
        layer_check(l, zf_attention(q, k, layer_input(l, "values"), heads), 1e-5);
        layer_close(l);
    }
}

static void test_golden(void **state)
{
    (void)state;
    check_golden("attention", 3);
    check_golden("attention_square", 2);
}

/* One query and one key: the value itself, whatever the others are; far scores
   choose one value. */
static void test_by_hand(void **state)
{
    (void)state;
    zf_attention_size one = {
        .queries = 1, .keys = 1, .channels = 2, .heads = 2, .q_step = 2, .k_step = 2};
    float q[2] = {3, -4}, k[2] = {5, 6}, v[2] = {7, 8}, y[2];
    void *scratch = aligned_alloc(64, (zf_attention_scratch_bytes(&one) + 63) / 64 * 64);
    zf_attention_forward(&one, 1, &(zf_attention_values){q, k, v}, y, NULL, scratch);
    assert_memory_equal(y, v, sizeof y);
    free(scratch);

    zf_attention_size two = {
        .queries = 1, .keys = 2, .channels = 1, .heads = 1, .q_step = 1, .k_step = 1};
    float far_q[1] = {1}, far_k[2] = {-500, 500}, far_v[2] = {7, 8}, chosen[1], p[2];
    scratch = aligned_alloc(64, (zf_attention_scratch_bytes(&two) + 63) / 64 * 64);
    zf_attention_forward(&two, 1, &(zf_attention_values){far_q, far_k, far_v}, chosen, p, scratch);
    assert_float_equal(chosen[0], 8, 0);
    assert_float_equal(p[0], 0, 0);
    free(scratch);
}

static void check_message(zf_shape q_row, zf_shape k_row, zf_shape v_row, int heads,
                          const char *message)
{
    zf_params *params;
    zf_program *program;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_program_new(&program, params));
    zf_domain *rows = zf_program_domain(program, "rows", 4, 1);
    zf_node *q = zf_input(program, rows, ZF_F32, q_row),
            *k = zf_input(program, rows, ZF_F32, k_row);
    zf_node *v = zf_input(program, rows, ZF_F32, v_row);
    assert_null(zf_attention(q, k, v, heads));
    assert_fails(zf_program_plan(program, NULL, NULL, 0, 1), ZF_EINVAL, message);
    zf_program_free(program);
    zf_params_free(params);
}

static void test_messages(void **state)
{
    (void)state;
    zf_shape good = zf_shape_of(5, 6);
    check_message(zf_shape_of(6), good, good, 2, "q [N, T, C]");
    check_message(good, zf_shape_of(5, 8), zf_shape_of(5, 8), 2, "k [N, S, C]");
    check_message(good, good, zf_shape_of(4, 6), 2, "v [N, S, C]");
    check_message(good, good, good, 4, "6 channels to be a multiple of 4 heads");
    check_message(good, good, good, 0, "0 heads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
