/* A training step of a reduction against PyTorch: both terms, the loss and every
   gradient, in both forms of the zero-flow term. Also: what a batch holds. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "reduce/step.h"

enum { INPUTS = 5, TARGETS = 2, DIM = 3, HIDDEN = 7, BATCH = 23, WIDTH = TARGETS + INPUTS };

static zf_reduce_step_options options_of(bool antisymmetry)
{
    return (zf_reduce_step_options){
        .seed = 1,
        .batch = BATCH,
        .hidden = HIDDEN,
        .inputs = INPUTS,
        .targets = TARGETS,
        .dim = DIM,
        .antisymmetry = antisymmetry,
        .zero_weight = 0.3,
    };
}

static void take_weights(golden *file, zf_params *params)
{
    for (int i = 0; i < zf_params_count(params); i++)
        memcpy(zf_params_data(params, i), golden_array(file, zf_params_at(params, i)->name),
               zf_params_at(params, i)->size * sizeof(float));
}

static void fill_batch(golden *file, const zf_reduce_step *step)
{
    const float *rows = golden_array(file, "rows");
    for (int i = 0; i < BATCH; i++)
        zf_reduce_fill(
            step, i,
            &(zf_reduce_pair){
                .here = rows + (int)golden_array(file, "here")[i] * WIDTH,
                .other = rows + (int)golden_array(file, "other")[i] * WIDTH,
                .t = golden_array(file, "t")[i],
                .zero_t = step->options.antisymmetry ? golden_array(file, "zero_t")[i] : 0.5f,
                .length = (int)golden_array(file, "length")[i],
            });
}

static void check_gradients(golden *file, const char *form, const zf_program *program)
{
    zf_params *params = zf_program_params(program);
    for (int i = 0; i < zf_params_count(params); i++) {
        const zf_param *param = zf_params_at(params, i);
        char name[64];
        snprintf(name, sizeof name, "%s.%s", form, param->name);
        float *sum = calloc(param->size, sizeof *sum);
        for (int s = 0; s < zf_program_param_slots(program, i); s++)
            for (size_t k = 0; k < param->size; k++)
                sum[k] += zf_program_slots(program)[s][param->offset + k];
        assert_near(sum, golden_array(file, name), param->size, 1e-5, 1e-8);
        free(sum);
    }
}

static void compare(bool antisymmetry)
{
    const char *form = antisymmetry ? "antisymmetry" : "midpoint";
    golden *file = golden_open("reduction_step");
    zf_reduce_step_options options = options_of(antisymmetry);
    zf_params *params = NULL;
    zf_crew *crew = NULL;
    zf_reduce_step step;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_crew_new(&crew, 2));
    assert_ok(zf_reduce_step_new(&step, params, golden_array(file, "rows"), 30, &options, 2));
    take_weights(file, params);
    fill_batch(file, &step);
    zf_program_forward(step.program, crew, ZF_TRAIN);
    zf_program_backward(step.program, crew);
    float got[] = {zf_node_scalar(step.objective.loss), zf_node_scalar(step.objective.rectified),
                   zf_node_scalar(step.objective.zero)};
    for (int i = 0; i < 3; i++) assert_near(&got[i], &golden_array(file, form)[i], 1, 1e-5, 0);
    check_gradients(file, form, step.program);
    zf_reduce_step_free(&step);
    zf_crew_free(crew);
    zf_params_free(params);
    golden_close(file);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    compare(false);
}

static void agrees_with_pytorch_in_antisymmetry(void **state)
{
    (void)state;
    compare(true);
}

static void batches_are_what_they_say(void **state)
{
    (void)state;
    static float rows[40 * WIDTH];
    fill_normal(rows, 40 * WIDTH, 3);
    zf_reduce_step_options options = options_of(true);
    zf_params *params = NULL;
    zf_crew *crew = NULL;
    zf_reduce_step step;
    int lengths[DIM + 1] = {0};
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_crew_new(&crew, 2));
    assert_ok(zf_reduce_step_new(&step, params, rows, 40, &options, 2));
    zf_reduce_prepare(&step, 5, crew);
    for (int i = 0; i < BATCH; i++) {
        const float *known = zf_node_value(step.known) + i * 3 * step.known_columns;
        const float *zero = known + step.known_columns, *mirror = zero + step.known_columns;
        const float *both = zf_node_value(step.both) + i * 2 * INPUTS;
        const float *difference = zf_node_value(step.difference) + i * TARGETS;
        float t = known[TARGETS], zero_t = zero[TARGETS];
        assert_true(t > 0 && t < 1 && zero_t > 0 && zero_t < 1 && t != zero_t);
        assert_true(mirror[TARGETS] == 1 - zero_t);
        for (int k = 0; k < TARGETS; k++) {
            /* all on the line from x to x' */
            assert_true(fabsf(known[k] - zero[k] - (t - zero_t) * difference[k]) < 1e-5f);
            assert_true(mirror[k] == zero[k]);
        }
        for (int moment = 0; moment < 3; moment++)
            assert_memory_equal(known + moment * step.known_columns + TARGETS + 1 + DIM,
                                both + INPUTS, INPUTS * sizeof *both);
        int length = 0;
        for (int l = 0; l < DIM; l++) length += known[TARGETS + 1 + l] == 1.0f;
        for (int l = 0; l < DIM; l++)
            assert_true(zf_node_value(step.keep)[i * 2 * DIM + l] == (l < length ? 1.0f : 0.0f));
        lengths[length]++;
    }
    assert_true(lengths[0] == 0 && lengths[1] > 0 && lengths[2] > 0 && lengths[3] > 0);
    zf_reduce_step_free(&step);
    zf_crew_free(crew);
    zf_params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pytorch),
        cmocka_unit_test(agrees_with_pytorch_in_antisymmetry),
        cmocka_unit_test(batches_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
