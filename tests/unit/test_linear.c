/* Linear layers and picking of rows against PyTorch. */
#include "support.h"

#include "layer.h"
#include "op/ops.h"

static zf_node *linear(layer *l)
{
    return zf_linear(layer_input(l, "input"), layer_parameter(l, "weight"),
                     layer_parameter(l, "bias"));
}

static zf_node *linear_in_out(layer *l)
{
    return zf_linear_in_out(layer_input(l, "input"), layer_parameter(l, "weight"), NULL);
}

static zf_node *sparse(layer *l)
{
    return zf_linear_sparse(layer_index(l, "columns"), layer_input(l, "input"),
                            layer_parameter(l, "weight"), layer_parameter(l, "bias"));
}

static zf_node *selected(layer *l)
{
    return zf_linear_selected(layer_input(l, "input"), layer_index(l, "columns"),
                              layer_parameter(l, "weight"), layer_parameter(l, "bias"));
}

static zf_node *pairs(layer *l)
{
    return zf_pairs(layer_index(l, "input"), layer_parameter(l, "weight"));
}

static zf_node *gather(layer *l)
{
    return zf_gather(layer_input(l, "input"), layer_index(l, "index"));
}

static zf_node *embedding(layer *l)
{
    return zf_embedding(layer_index(l, "input"), layer_parameter(l, "weight"));
}

static void matches_pytorch(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        zf_node *(*build)(layer *l);
    } cases[] = {
        {"linear", linear},        {"linear_in_out", linear_in_out},
        {"linear_sparse", sparse}, {"linear_selected", selected},
        {"gather", gather},        {"embedding", embedding},
        {"pairs", pairs},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int shards = 1; shards <= 3; shards++) {
            layer *l = layer_open(cases[i].name, shards);
            layer_check(l, cases[i].build(l), 1e-5);
            layer_close(l);
        }
}

/* Rows 0, 2 and 3 of three samples go to two masks, one sample to none. */
static void scatters_by_hand(void **state)
{
    (void)state;
    zf_params *params = NULL;
    zf_program *program = NULL;
    zf_crew *crew = NULL;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_program_new(&program, params));
    assert_ok(zf_crew_new(&crew, 2));
    zf_domain *samples = zf_program_domain(program, "samples", 4, 2);
    zf_domain *masks = zf_program_domain(program, "masks", 3, 2);
    zf_node *x = zf_input_with_gradient(program, samples, zf_shape_of(2));
    zf_node *index = zf_input(program, samples, ZF_I32, ZF_SCALAR);
    zf_node *y = zf_scatter_add(x, index, masks);
    assert_ok(zf_program_plan(program, y, NULL, 0, 2));
    for (int i = 0; i < 8; i++) zf_node_value(x)[i] = (float)(i + 1);
    const int32_t to[4] = {2, -1, 0, 2};
    for (int i = 0; i < 4; i++) zf_node_index(index)[i] = to[i];
    zf_program_forward(program, crew, ZF_TRAIN);
    const float sums[6] = {5, 6, 0, 0, 1 + 7, 2 + 8};
    assert_near(zf_node_value(y), sums, 6, 0, 0);
    for (int i = 0; i < 6; i++) zf_node_grad(y)[i] = (float)(10 * i);
    zf_program_backward(program, crew);
    const float back[8] = {40, 50, 0, 0, 0, 10, 40, 50};
    assert_near(zf_node_grad(x), back, 8, 0, 0);
    zf_program_free(program);
    zf_params_free(params);
    zf_crew_free(crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_pytorch),
        cmocka_unit_test(scatters_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
