/* Groups, clipping, parameters out of reach, gradients that are not finite. The
   numbers of AdamW itself are in test_adamw.c. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "op/ops.h"
#include "train/optimiser.h"

/* loss = sum of a x + b x for one row x = (3, 4): the gradient of a and of b is x. */
typedef struct fixture {
    zf_params *params;
    zf_program *program;
    zf_crew *crew;
    zf_node *x, *loss;
    zf_optimiser *optimiser;
} fixture;

static void begin(fixture *f, const zf_optimiser_options *options)
{
    memset(f, 0, sizeof *f);
    assert_ok(zf_crew_new(&f->crew, 2));
    assert_ok(zf_params_new(&f->params, 1));
    assert_ok(zf_program_new(&f->program, f->params));
    zf_domain *row = zf_program_domain(f->program, "row", 1, 1);
    f->x = zf_input(f->program, row, ZF_F32, zf_shape_of(2));
    zf_node *a = zf_parameter(f->program, "a.w", zf_shape_of(1, 2), ZF_CONSTANT(1));
    zf_node *b = zf_parameter(f->program, "b.w", zf_shape_of(1, 2), ZF_CONSTANT(1));
    zf_node *c = zf_parameter(f->program, "c.w", zf_shape_of(1, 2), ZF_CONSTANT(1));
    f->loss = zf_sum(zf_add(zf_linear(f->x, a, NULL), zf_linear(f->x, b, NULL)));
    zf_linear(f->x, c, NULL);
    assert_int_equal(zf_params_set_group(f->params, "b.", 1), 1);
    assert_ok(zf_program_plan(f->program, f->loss, NULL, 0, 2));
    assert_ok(zf_optimiser_new(&f->optimiser, f->params, options));
    zf_node_value(f->x)[0] = 3;
    zf_node_value(f->x)[1] = 4;
}

static void run(fixture *f)
{
    zf_program_forward(f->program, f->crew, ZF_TRAIN);
    zf_program_backward(f->program, f->crew);
}

static void end(fixture *f)
{
    zf_optimiser_free(f->optimiser);
    zf_program_free(f->program);
    zf_params_free(f->params);
    zf_crew_free(f->crew);
}

static const float *value(fixture *f, const char *name)
{
    return zf_params_data(f->params, zf_params_find(f->params, name));
}

/* AdamW's first step is the rate times the gradient's sign, after the decay. */
static void groups_have_their_own_rate_and_decay(void **state)
{
    (void)state;
    fixture f;
    zf_optimiser_options options = zf_optimiser_defaults();
    options.groups[1] = (zf_group){.rate_scale = 10, .decay = 0};
    begin(&f, &options);
    run(&f);
    assert_ok(zf_optimiser_step(f.optimiser, f.program, f.crew, 1e-3));
    float a = 1 - 1e-3f * 0.01f - 1e-3f, b = 1 - 1e-2f;
    assert_near(value(&f, "a.w"), ((float[]){a, a}), 2, 1e-6, 0);
    assert_near(value(&f, "b.w"), ((float[]){b, b}), 2, 1e-6, 0);
    assert_near(value(&f, "c.w"), ((float[]){1, 1}), 2, 0, 0); /* out of reach: no decay either */
    assert_true(fabs(zf_optimiser_norm(f.optimiser) - sqrt(50)) < 1e-5);
    end(&f);
}

static void clips_the_whole_gradient(void **state)
{
    (void)state;
    fixture f;
    zf_optimiser_options options = zf_optimiser_defaults();
    options.clip = 1;
    begin(&f, &options);
    run(&f);
    assert_ok(zf_optimiser_step(f.optimiser, f.program, f.crew, 1e-3));
    float scale = 0.1f / sqrtf(50); /* 1 - beta1 of the gradient, clipped to length 1 */
    assert_near(zf_optimiser_first_moment(f.optimiser), ((float[]){3 * scale, 4 * scale}), 2, 1e-6,
                0);
    end(&f);
}

static void refuses_a_gradient_that_is_not_finite(void **state)
{
    (void)state;
    fixture f;
    zf_optimiser_options options = zf_optimiser_defaults();
    begin(&f, &options);
    zf_node_value(f.x)[1] = INFINITY;
    run(&f);
    assert_fails(zf_optimiser_step(f.optimiser, f.program, f.crew, 1e-3), ZF_ENUMERIC,
                 "not finite");
    assert_near(value(&f, "a.w"), ((float[]){1, 1}), 2, 0, 0);
    assert_near(zf_optimiser_second_moment(f.optimiser), ((float[]){0, 0}), 2, 0, 0);
    assert_int_equal(zf_optimiser_steps(f.optimiser), 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_have_their_own_rate_and_decay),
        cmocka_unit_test(clips_the_whole_gradient),
        cmocka_unit_test(refuses_a_gradient_that_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
