/* The networks of images and the steps of zero-flow and SimCLR against PyTorch, at the
   paper's sizes of image and others: losses, running statistics, the gradient of every
   parameter; then encoder, decoder and velocity in evaluation. golden_vision.py has the
   rule by which weights and images are made. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "layer.h"
#include "op/ops.h"
#include "vision/step.h"

enum { BATCH = 5, CHANNELS = 4, HIDDEN = 9, DIM = 3, SAMPLES = 200 };
static const int SIZES[] = {16, 32, 48, 64, 96};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

static zf_image_shape shape_of(int size)
{
    return (zf_image_shape){.channels = CHANNELS, .size = size, .hidden = HIDDEN, .dim = DIM};
}

/* Number k of those that belong to a name (with one more letter, or 0). */
static float value_at(const char *name, char letter, size_t k)
{
    int64_t i = (int64_t)k, key = letter;
    for (; *name; name++) key += *name;
    int64_t mixed = (i * 7919 + key * 104729 + (i * i % 10007) * 31) % 10007;
    return (float)((double)mixed / 10007 - 0.5);
}

static void fill(float *values, const char *name, size_t n, float width)
{
    for (size_t k = 0; k < n; k++) values[k] = width * value_at(name, 0, k);
}

static void fill_weights(zf_params *params)
{
    for (int i = 0; i < zf_params_count(params); i++) {
        const zf_param *param = zf_params_at(params, i);
        double by_output = (double)param->size / param->shape.dim[0];
        if (param->trainable)
            fill(zf_params_data(params, i), param->name, param->size, (float)(2 / sqrt(by_output)));
    }
}

/* Evenly spaced elements of n, as many as the file has. */
static void check_sample(golden *file, const char *name, const float *values, size_t n)
{
    size_t every = (n + SAMPLES - 1) / SAMPLES, count = (n + every - 1) / every;
    float sample[SAMPLES];
    assert_int_equal(golden_size(file, name), count);
    for (size_t i = 0; i < count; i++) sample[i] = values[i * every];
    assert_near(sample, golden_array(file, name), count, 2e-5, 1e-6);
}

static void check_gradient(golden *file, const char *form, const zf_program *program, int index)
{
    const zf_param *param = zf_params_at(zf_program_params(program), index);
    char name[96];
    float *sum = calloc(param->size, sizeof *sum);
    double product = 0, bound = 0;
    for (int s = 0; s < zf_program_param_slots(program, index); s++)
        for (size_t k = 0; k < param->size; k++)
            sum[k] += zf_program_slots(program)[s][param->offset + k];
    snprintf(name, sizeof name, "%s.%s", form, param->name);
    check_sample(file, name, sum, param->size);
    for (size_t k = 0; k < param->size; k++) {
        product += (double)sum[k] * (double)value_at(param->name, '\'', k);
        bound += fabs((double)sum[k]);
    }
    snprintf(name, sizeof name, "%s.%s.product", form, param->name);
    assert_close(product, (double)golden_array(file, name)[0], 1e-5 * bound + 1e-6);
    free(sum);
}

static void check_parameters(golden *file, const char *form, const zf_program *program)
{
    zf_params *params = zf_program_params(program);
    for (int i = 0; i < zf_params_count(params); i++) {
        const zf_param *param = zf_params_at(params, i);
        if (param->trainable)
            check_gradient(file, form, program, i);
        else
            assert_near(zf_params_data(params, i), golden_array(file, param->name), param->size,
                        1e-5, 0);
    }
}

typedef struct bench {
    golden *file;
    zf_params *params;
    zf_crew *crew;
    zf_vision_step step;
    size_t floats; /* of all images of a batch */
} bench;

static bench bench_new(zf_vision_method method, int size)
{
    bench b = {.floats = (size_t)(BATCH * CHANNELS * size * size)};
    char name[32];
    zf_vision_step_options options = {.method = method,
                                      .image = shape_of(size),
                                      .batch = BATCH,
                                      .zero_weight = 0.1,
                                      .temperature = 0.1,
                                      .views = zf_view_defaults()};
    snprintf(name, sizeof name, "vision_%d", size);
    b.file = golden_open(name);
    assert_ok(zf_params_new(&b.params, 1));
    assert_ok(zf_crew_new(&b.crew, 2));
    assert_ok(zf_vision_step_new(&b.step, b.params, &options, 2));
    fill_weights(b.params);
    return b;
}

static void bench_free(bench *b)
{
    zf_vision_step_free(&b->step);
    zf_crew_free(b->crew);
    zf_params_free(b->params);
    golden_close(b->file);
}

static void check_step(bench *b, const char *form)
{
    zf_program_forward(b->step.program, b->crew, ZF_TRAIN);
    zf_program_backward(b->step.program, b->crew);
    assert_int_equal(golden_size(b->file, form), b->step.n_watches);
    for (int i = 0; i < b->step.n_watches; i++)
        assert_close((double)zf_node_scalar(b->step.watches[i].node),
                     (double)golden_array(b->file, form)[i],
                     1e-5 * (double)golden_array(b->file, form)[i]);
    check_parameters(b->file, form, b->step.program);
}

/* What a trained model computes of the same images. */
static void check_evaluation(bench *b, int size)
{
    zf_program *program = NULL;
    zf_image_shape shape = shape_of(size);
    assert_ok(zf_program_new(&program, b->params));
    zf_domain *rows = zf_program_domain(program, "images", BATCH, zf_image_shards(BATCH, size));
    zf_node *y = zf_input(program, rows, ZF_F32, zf_shape_of(CHANNELS, size, size));
    zf_node *x = zf_input(program, rows, ZF_F32, zf_shape_of(CHANNELS, size, size));
    zf_node *other = zf_input(program, rows, ZF_I32, ZF_SCALAR);
    zf_node *decoded = zf_image_decoder(zf_image_encoder(y, &shape), "decoder", &shape);
    zf_flow_point middle = {x, y, other, NULL};
    zf_node *velocity = zf_image_velocity(middle, decoded, false, &shape);
    zf_node *outputs[] = {decoded, velocity};
    assert_ok(zf_program_plan(program, NULL, outputs, 2, 2));
    fill(zf_node_value(y), "y", b->floats, 1);
    fill(zf_node_value(x), "x", b->floats, 1);
    memcpy(zf_node_index(other), zf_node_index(b->step.zeroflow.other), BATCH * sizeof(int32_t));
    zf_program_forward(program, b->crew, ZF_EVALUATE);
    check_sample(b->file, "decoded", zf_node_value(decoded), b->floats);
    check_sample(b->file, "velocity", zf_node_value(velocity), b->floats);
    zf_program_free(program);
}

static void zeroflow_agrees_with_pytorch(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES; s++) {
        bench b = bench_new(ZF_VISION_ZEROFLOW, SIZES[s]);
        fill(zf_node_value(b.step.zeroflow.x), "x", b.floats, 1);
        fill(zf_node_value(b.step.zeroflow.y), "y", b.floats, 1);
        for (int i = 0; i < BATCH; i++)
            zf_zeroflow_pair(&b.step, i, (int)golden_array(b.file, "other")[i],
                             golden_array(b.file, "t")[i]);
        check_step(&b, "zeroflow");
        check_evaluation(&b, SIZES[s]);
        bench_free(&b);
    }
}

static void simclr_agrees_with_pytorch(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES; s++) {
        bench b = bench_new(ZF_VISION_SIMCLR, SIZES[s]);
        fill(zf_node_value(b.step.simclr.views), "x", b.floats, 1);
        fill(zf_node_value(b.step.simclr.views) + b.floats, "y", b.floats, 1);
        check_step(&b, "simclr");
        bench_free(&b);
    }
}

static void contrastive_loss_agrees_with_pytorch(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 4; shards++) {
        layer *l = layer_open("contrastive", shards);
        zf_node *rows = zf_normalise_rows(layer_input(l, "input"), 1e-8f);
        layer_check(l, zf_contrastive(rows, 0.1f), 1e-5);
        layer_close(l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contrastive_loss_agrees_with_pytorch),
        cmocka_unit_test(zeroflow_agrees_with_pytorch),
        cmocka_unit_test(simclr_agrees_with_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
