/* The masked autoencoder (src/net/vit.c) against PyTorch, which computes every token and
   puts them back in order: prediction, loss, every gradient, and features. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "net/vit.h"
#include "op/ops.h"

enum { IMAGES = 5, SIZE = 12, CHANNELS = 4, SEEN = 4, PLACES = 9, VALUES = 64 };

static const zf_image_shape image = {.channels = CHANNELS, .size = SIZE};
static const zf_vit_shape shape = {.patch = 4,
                                   .dim = 24,
                                   .blocks = 2,
                                   .heads = 3,
                                   .decoder_dim = 8,
                                   .decoder_blocks = 2,
                                   .decoder_heads = 2};

typedef struct fixture {
    golden *file;
    zf_params *params;
    zf_program *program;
    zf_crew *crew;
    zf_domain *rows;
} fixture;

/* The encoder is wide enough for products on tiles, exact or quick. */
static fixture fixture_new(int shards, bool quick)
{
    fixture f = {.file = golden_open("mae")};
    assert_ok(zf_params_new(&f.params, 1));
    assert_ok(zf_program_new(&f.program, f.params));
    assert_ok(zf_crew_new(&f.crew, 2));
    if (quick) zf_program_allow_quick_products(f.program);
    f.rows = zf_program_domain(f.program, "images", IMAGES, shards);
    return f;
}

static void fixture_free(fixture *f)
{
    zf_crew_free(f->crew);
    zf_program_free(f->program);
    zf_params_free(f->params);
    golden_close(f->file);
}

static void take_weights(const fixture *f)
{
    for (int i = 0; i < zf_params_count(f->params); i++)
        memcpy(zf_params_data(f->params, i),
               golden_array(f->file, zf_params_at(f->params, i)->name),
               zf_params_at(f->params, i)->size * sizeof(float));
}

static int place_of(const fixture *f, int i, int p)
{
    return (int)golden_array(f->file, "order")[i * PLACES + p];
}

/* Patches first to last of each image's order (or of the image as it is). */
static void put_patches(const fixture *f, zf_node *patches, zf_node *places, int first, bool plain)
{
    int count = zf_node_shape(patches).dim[1];
    for (int i = 0; i < IMAGES; i++)
        for (int p = 0; p < count; p++) {
            int place = plain ? p : place_of(f, i, first + p);
            zf_vit_cut(zf_node_value(patches) + (i * count + p) * VALUES,
                       golden_array(f->file, "pictures") + i * CHANNELS * SIZE * SIZE, place,
                       &shape, &image);
            if (places) zf_node_index(places)[i * count + p] = place;
        }
}

static void check_gradients(const fixture *f, double relative)
{
    for (int i = 0; i < zf_params_count(f->params); i++) {
        const zf_param *param = zf_params_at(f->params, i);
        char name[80];
        snprintf(name, sizeof name, "d_%s", param->name);
        float *sum = calloc(param->size, sizeof *sum);
        for (int s = 0; s < zf_program_param_slots(f->program, i); s++)
            for (size_t k = 0; k < param->size; k++)
                sum[k] += zf_program_slots(f->program)[s][param->offset + k];
        assert_int_equal(param->size, golden_size(f->file, name));
        assert_near(sum, golden_array(f->file, name), param->size, relative, 1e-8);
        free(sum);
    }
}

static void check_prediction(const fixture *f, const zf_node *filled, double relative)
{
    const float *expected = golden_array(f->file, "predicted");
    for (int i = 0; i < IMAGES; i++)
        for (int p = SEEN; p < PLACES; p++)
            assert_near(zf_node_value(filled) + (i * (PLACES - SEEN) + p - SEEN) * VALUES,
                        expected + (i * PLACES + place_of(f, i, p)) * VALUES, VALUES, relative, 0);
}

static void check_step(int shards, bool quick)
{
    fixture f = fixture_new(shards, quick);
    double relative = quick ? 1e-4 : 2e-5;
    zf_node *seen = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(SEEN, VALUES));
    zf_node *hidden = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(PLACES - SEEN, VALUES));
    zf_node *where = zf_input(f.program, f.rows, ZF_I32, zf_shape_of(SEEN));
    zf_node *places = zf_input(f.program, f.rows, ZF_I32, zf_shape_of(PLACES));
    zf_node *encoded = zf_vit_encoder(seen, where, &shape, &image);
    zf_node *filled = zf_vit_decoder(encoded, places, &shape, &image);
    zf_node *loss = zf_squared_error(filled, hidden, NULL, ZF_MEAN);
    assert_ok(zf_program_plan(f.program, loss, &filled, 1, 2));
    take_weights(&f);
    put_patches(&f, seen, where, 0, false);
    put_patches(&f, hidden, NULL, SEEN, false);
    for (int i = 0; i < IMAGES * PLACES; i++)
        zf_node_index(places)[i] = (int)golden_array(f.file, "order")[i];
    zf_program_forward(f.program, f.crew, ZF_TRAIN);
    zf_program_backward(f.program, f.crew);
    float got = zf_node_scalar(loss);
    assert_near(&got, golden_array(f.file, "loss"), 1, relative, 0);
    check_prediction(&f, filled, relative);
    check_gradients(&f, relative);
    fixture_free(&f);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++) {
        check_step(shards, false);
        check_step(shards, true);
    }
}

static void features_agree_with_pytorch(void **state)
{
    (void)state;
    fixture f = fixture_new(2, false);
    zf_node *patches = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(PLACES, VALUES));
    zf_node *places = zf_input(f.program, f.rows, ZF_I32, zf_shape_of(PLACES));
    zf_node *features = zf_vit_features(zf_vit_encoder(patches, places, &shape, &image));
    assert_ok(zf_program_plan(f.program, NULL, &features, 1, 2));
    take_weights(&f);
    put_patches(&f, patches, places, 0, true);
    zf_program_forward(f.program, f.crew, ZF_EVALUATE);
    assert_near(zf_node_value(features), golden_array(f.file, "features"), IMAGES * 24, 1e-5, 0);
    fixture_free(&f);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    zf_vit_shape bad = shape;
    bad.heads = 5;
    assert_fails(zf_vit_check(&bad, &image), ZF_EINVAL, "width 24 and 5 heads");
    bad = shape;
    bad.decoder_blocks = 0;
    assert_fails(zf_vit_check(&bad, &image), ZF_EINVAL, "transformer's decoder");
    bad = shape;
    bad.patch = 5;
    assert_fails(zf_vit_check(&bad, &image), ZF_EINVAL, "patch: expected two or more");
    bad.patch = 12;
    assert_fails(zf_vit_check(&bad, &image), ZF_EINVAL, "patch: expected two or more");
    assert_ok(zf_vit_check(&shape, &image));
    zf_vit_shape paper = zf_vit_defaults();
    assert_ok(zf_vit_check(&paper, &(zf_image_shape){.channels = 3, .size = 32}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pytorch),
        cmocka_unit_test(features_agree_with_pytorch),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
