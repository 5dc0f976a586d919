/* Gates of a CNN: on the patterns of small target sets alone, as training computes
   them, they are those of whole images, and so are their gradients; a pattern has
   the same gates wherever it is. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "net/gates.h"
#include "op/ops.h"

enum { SIDE = 12, D = SIDE * SIDE, MASKS = 6, MOST = 5 };

static const struct {
    int32_t targets[MOST];
    int n;
} masks[MASKS] = {
    {{0}, 1},                  /* a corner */
    {{65}, 1},                 /* the same pattern inside */
    {{52, 53, 64, 65, 66}, 5}, /* no cross: a window may hold anything */
    {{130, 141, 142, 143}, 4}, /* the last corner */
    {{11, 23}, 2},             /* down the right side */
    {{54, 65, 66, 67, 78}, 5}, /* a cross */
};

typedef struct fixture {
    zf_params *params;
    zf_crew *crew;
    zf_program *program[2]; /* whole images, patterns */
    zf_gates gates[2];
} fixture;

static void begin(fixture *f)
{
    float wanted[MASKS * D];
    fill_normal(wanted, MASKS * D, 4);
    assert_ok(zf_params_new(&f->params, 7));
    assert_ok(zf_crew_new(&f->crew, 2));
    for (int i = 0; i < 2; i++) {
        zf_gate_options options = {.kind = ZF_GATE_CNN,
                                   .variables = D,
                                   .side = SIDE,
                                   .most_targets = MOST,
                                   .window = i == 0 ? 0 : 3};
        assert_ok(zf_program_new(&f->program[i], f->params));
        zf_domain *rows = zf_program_domain(f->program[i], "masks", MASKS, 2);
        f->gates[i] = zf_gates_build(f->program[i], rows, &options);
        zf_node *other = zf_input(f->program[i], rows, ZF_F32, zf_shape_of(D));
        zf_node *loss = zf_squared_error(f->gates[i].gates, other, NULL, ZF_SUM);
        assert_ok(zf_program_plan(f->program[i], loss, &f->gates[i].gates, 1, 2));
        memcpy(zf_node_value(other), wanted, sizeof wanted);
        for (int m = 0; m < MASKS; m++)
            zf_gates_set_mask(&f->gates[i], m, masks[m].targets, masks[m].n);
        zf_program_forward(f->program[i], f->crew, ZF_TRAIN);
        zf_program_backward(f->program[i], f->crew);
    }
}

static void end(fixture *f)
{
    zf_program_free(f->program[0]);
    zf_program_free(f->program[1]);
    zf_params_free(f->params);
    zf_crew_free(f->crew);
}

/* The gradient of all parameters, shards added up. */
static float *gradient(zf_program *program)
{
    zf_params *params = zf_program_params(program);
    float *sum = calloc(zf_params_length(params), sizeof *sum);
    for (int i = 0; i < zf_params_count(params); i++) {
        const zf_param *param = zf_params_at(params, i);
        for (int s = 0; s < zf_program_param_slots(program, i); s++)
            for (size_t k = 0; k < param->size; k++)
                sum[param->offset + k] += zf_program_slots(program)[s][param->offset + k];
    }
    return sum;
}

static void patterns_give_what_images_give(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    assert_int_equal(f.gates[1].n_patterns, 5);
    const float *whole = zf_node_value(f.gates[0].gates), *parts = zf_node_value(f.gates[1].gates);
    assert_near(parts, whole, MASKS * D, 1e-5, 1e-6);
    float *sums[2] = {gradient(f.program[0]), gradient(f.program[1])};
    for (int i = 0; i < zf_params_count(f.params); i++) {
        const zf_param *param = zf_params_at(f.params, i);
        double most = 0;
        for (size_t k = 0; k < param->size; k++)
            most = fmax(most, fabsf(sums[0][param->offset + k]));
        assert_true(most > 1e-3);
        assert_near(sums[1] + param->offset, sums[0] + param->offset, param->size, 1e-5,
                    1e-5 * most);
    }
    free(sums[0]);
    free(sums[1]);
    end(&f);
}

/* The border is no place of its own. */
static void a_pattern_has_the_same_gates_anywhere(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    const float *corner = zf_node_value(f.gates[0].gates), *inside = corner + D;
    float least = 1, greatest = 0;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            float gate = inside[(5 + r) * SIDE + 5 + c];
            assert_close(corner[r * SIDE + c], gate, 1e-6);
            least = fminf(least, gate);
            greatest = fmaxf(greatest, gate);
        }
    assert_true(greatest - least > 1e-3f);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_give_what_images_give),
        cmocka_unit_test(a_pattern_has_the_same_gates_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
