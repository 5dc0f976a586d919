/* The LSTM over bits against an embedding, an LSTM and a linear layer after each
   other: rows without a one, of ones alone, with one at either end. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "op/ops.h"

enum { T = 9, E = 3, H = 5, ROWS = 7 };

static const char *const MASKS[ROWS] = {"000000000", "111111111", "100000000", "000000001",
                                        "000110000", "010000010", "000000000"};

typedef struct reader {
    zf_params *params;
    zf_program *program;
    zf_node *bits, *out, *target, *loss;
} reader;

static zf_lstm_weights weights(zf_program *g, const char *input, const char *hidden,
                               const char *bias)
{
    return (zf_lstm_weights){zf_parameter(g, input, zf_shape_of(4 * H, E), ZF_NORMAL(0.5f)),
                             zf_parameter(g, hidden, zf_shape_of(4 * H, H), ZF_NORMAL(0.5f)),
                             zf_parameter(g, bias, zf_shape_of(4 * H), ZF_NORMAL(0.5f))};
}

static void open_reader(reader *r, bool plain, int shards)
{
    assert_ok(zf_params_new(&r->params, 4));
    assert_ok(zf_program_new(&r->program, r->params));
    zf_program *g = r->program;
    zf_domain *rows = zf_program_domain(g, "rows", ROWS, shards);
    r->bits = zf_input(g, rows, ZF_I32, zf_shape_of(T));
    r->target = zf_input(g, rows, ZF_F32, zf_shape_of(T));
    zf_node *embedding = zf_parameter(g, "embedding", zf_shape_of(2, E), ZF_NORMAL(1.0f));
    zf_lstm_weights forward = weights(g, "f.input", "f.hidden", "f.bias");
    zf_lstm_weights backward = weights(g, "b.input", "b.hidden", "b.bias");
    zf_node *readout = zf_parameter(g, "readout", zf_shape_of(1, 2 * H), ZF_NORMAL(1.0f));
    zf_node *bias = zf_parameter(g, "readout.bias", zf_shape_of(1), ZF_NORMAL(1.0f));
    if (plain)
        r->out = zf_reshape(
            zf_linear(zf_lstm(zf_embedding(r->bits, embedding), forward, backward), readout, bias),
            zf_shape_of(T));
    else
        r->out = zf_lstm_bits(r->bits, embedding, forward, backward, readout, bias);
    r->loss = zf_squared_error(r->out, r->target, NULL, ZF_SUM);
    assert_ok(zf_program_plan(g, r->loss, &r->out, 1, 1));
    for (int row = 0; row < ROWS; row++)
        for (int t = 0; t < T; t++) zf_node_index(r->bits)[row * T + t] = MASKS[row][t] - '0';
    fill_normal(zf_node_value(r->target), ROWS * T, 5);
}

static void close_reader(reader *r)
{
    zf_program_free(r->program);
    zf_params_free(r->params);
}

static double total(const reader *r, int parameter, size_t element)
{
    double sum = 0;
    size_t at = zf_params_at(r->params, parameter)->offset + element;
    for (int s = 0; s < zf_program_param_slots(r->program, parameter); s++)
        sum += (double)zf_program_slots(r->program)[s][at];
    return sum;
}

static void equals_the_layers_it_stands_for(void **state)
{
    (void)state;
    zf_crew *crew;
    assert_ok(zf_crew_new(&crew, 1));
    for (int shards = 1; shards <= 3; shards++) {
        reader plain, fast;
        open_reader(&plain, true, shards);
        open_reader(&fast, false, shards);
        reader *both[] = {&plain, &fast};
        for (int i = 0; i < 2; i++) {
            zf_program_forward(both[i]->program, crew, ZF_TRAIN);
            zf_program_backward(both[i]->program, crew);
        }
        assert_near(zf_node_value(fast.out), zf_node_value(plain.out), ROWS * T, 1e-5, 1e-6);
        for (int p = 0; p < zf_params_count(plain.params); p++)
            for (size_t k = 0; k < zf_params_at(plain.params, p)->size; k++) {
                float got = (float)total(&fast, p, k), expected = (float)total(&plain, p, k);
                assert_near(&got, &expected, 1, 1e-5, 1e-5);
            }
        close_reader(&plain);
        close_reader(&fast);
    }
    zf_crew_free(crew);
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    reader r;
    assert_ok(zf_params_new(&r.params, 1));
    assert_ok(zf_program_new(&r.program, r.params));
    zf_program *g = r.program;
    zf_domain *rows = zf_program_domain(g, "rows", ROWS, 1);
    zf_node *bits = zf_input(g, rows, ZF_I32, zf_shape_of(T));
    zf_lstm_weights w = weights(g, "input", "hidden", "bias");
    assert_null(zf_lstm_bits(bits, zf_parameter(g, "e", zf_shape_of(3, E), ZF_ZEROS), w, w,
                             zf_parameter(g, "r", zf_shape_of(1, 2 * H), ZF_ZEROS),
                             zf_parameter(g, "rb", zf_shape_of(1), ZF_ZEROS)));
    assert_fails(zf_program_plan(g, NULL, NULL, 0, 1), ZF_EINVAL, "lstm_bits");
    close_reader(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_layers_it_stands_for),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
