/* Training steps on images (src/vision/step*.c): the same bits on any number of threads,
   batches that are what they say, losses that fall, and what is refused. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "train/optimiser.h"
#include "vision/step.h"

enum { SIZE = 32, BATCH = 37, MOST_CHANNELS = 5, PIXELS = SIZE * SIZE };

static zf_vision_step_options options_of(zf_vision_method method)
{
    return (zf_vision_step_options){
        .method = method,
        .image = {.channels = 3, .size = SIZE, .hidden = 9, .dim = 7},
        .batch = BATCH,
        .zero_weight = 0.1,
        .temperature = 0.1,
        .vit = {.patch = 8,
                .dim = 12,
                .blocks = 2,
                .heads = 3,
                .decoder_dim = 8,
                .decoder_blocks = 2,
                .decoder_heads = 2},
        .masked = 0.7,
        .views = zf_view_defaults(),
        .seed = 1,
    };
}

typedef struct bench {
    zf_params *params;
    zf_crew *crew;
    zf_optimiser *optimiser;
    zf_vision_step step;
    uint8_t pixels[BATCH][3 * PIXELS];
    const uint8_t *images[BATCH];
    uint32_t which[BATCH];
} bench;

static bench *bench_new(const zf_vision_step_options *options, int threads)
{
    bench *b = calloc(1, sizeof *b);
    zf_optimiser_options adamw = zf_optimiser_defaults();
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < BATCH; i++) {
        b->images[i] = b->pixels[i];
        b->which[i] = (uint32_t)(100 + 3 * i);
        for (int k = 0; k < 3 * PIXELS; k++)
            b->pixels[i][k] = (uint8_t)(zf_random_word(&random) % (uint32_t)(20 + 6 * i));
    }
    assert_ok(zf_params_new(&b->params, 1));
    assert_ok(zf_crew_new(&b->crew, threads));
    assert_ok(zf_vision_step_new(&b->step, b->params, options, threads));
    assert_ok(zf_optimiser_new(&b->optimiser, b->params, &adamw));
    b->step.images = b->images;
    b->step.which = b->which;
    return b;
}

static void bench_free(bench *b)
{
    zf_optimiser_free(b->optimiser);
    zf_vision_step_free(&b->step);
    zf_crew_free(b->crew);
    zf_params_free(b->params);
    free(b);
}

/* The loss of the last of so many steps. */
static double train(bench *b, int steps)
{
    for (int i = 0; i < steps; i++) {
        zf_vision_step_prepare(&b->step, (uint64_t)i, b->crew);
        zf_program_forward(b->step.program, b->crew, ZF_TRAIN);
        zf_program_backward(b->step.program, b->crew);
        assert_ok(zf_optimiser_step(b->optimiser, b->step.program, b->crew, 1e-3));
    }
    return (double)zf_node_scalar(b->step.watches[0].node);
}

static void assert_same_weights(const bench *a, const bench *b)
{
    for (int i = 0; i < zf_params_count(a->params); i++)
        assert_memory_equal(zf_params_data(a->params, i), zf_params_data(b->params, i),
                            zf_params_at(a->params, i)->size * sizeof(float));
}

static void same_bits(zf_vision_method method)
{
    zf_vision_step_options options = options_of(method);
    options.image.channels = MOST_CHANNELS;
    bench *one = bench_new(&options, 1);
    train(one, 3);
    for (int threads = 2; threads <= 3; threads++) {
        bench *more = bench_new(&options, threads);
        train(more, 3);
        assert_same_weights(one, more);
        bench_free(more);
    }
    bench_free(one);
}

static void zeroflow_has_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    same_bits(ZF_VISION_ZEROFLOW);
}

static void simclr_has_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    same_bits(ZF_VISION_SIMCLR);
}

static void mae_has_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    same_bits(ZF_VISION_MAE);
}

static void loss_falls(zf_vision_method method, double share)
{
    zf_vision_step_options options = options_of(method);
    bench *b = bench_new(&options, 2);
    double first = train(b, 1);
    assert_true(train(b, 60) < share * first);
    bench_free(b);
}

static void zeroflow_learns(void **state)
{
    (void)state;
    loss_falls(ZF_VISION_ZEROFLOW, 0.7);
}

static void simclr_learns(void **state)
{
    (void)state;
    loss_falls(ZF_VISION_SIMCLR, 0.7);
}

static void mae_learns(void **state)
{
    (void)state;
    loss_falls(ZF_VISION_MAE, 0.7);
}

/* Every patch of view 0 is there once, seen (from -2 to 2) or hidden, at its place; masks differ
   from image to image and from step to step. */
static void masks_are_what_they_say(void **state)
{
    (void)state;
    enum { PATCH = 8, PLACES = 16, SEEN = 4, VALUES = 3 * PATCH * PATCH };
    zf_vision_step_options options = options_of(ZF_VISION_MAE);
    bench *b = bench_new(&options, 2);
    const zf_mae_step *m = &b->step.mae;
    float x[3 * PIXELS];
    int same = 0;
    int32_t before[BATCH * PLACES];
    zf_vision_step_prepare(&b->step, 3, b->crew);
    memcpy(before, zf_node_index(m->places), sizeof before);
    zf_vision_step_prepare(&b->step, 4, b->crew);
    for (int i = 0; i < BATCH; i++) {
        const int32_t *order = zf_node_index(m->places) + i * PLACES;
        unsigned met = 0;
        zf_view_make(x, b->pixels[i], SIZE, &options.views, b->which[i], 4, 0);
        for (int p = 0; p < PLACES; p++) {
            const float *patch =
                p < SEEN ? zf_node_value(m->seen) + (i * SEEN + p) * VALUES
                         : zf_node_value(m->hidden) + (i * (PLACES - SEEN) + p - SEEN) * VALUES;
            met |= 1u << order[p];
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < PATCH * PATCH; k++) {
                    int row = order[p] / 4 * PATCH + k / PATCH,
                        column = order[p] % 4 * PATCH + k % PATCH;
                    float pixel = x[c * PIXELS + row * SIZE + column];
                    assert_true(patch[c * PATCH * PATCH + k] == (p < SEEN ? 4 * pixel - 2 : pixel));
                }
        }
        assert_int_equal(met, 0xffff);
        assert_memory_equal(zf_node_index(m->where) + i * SEEN, order, SEEN * sizeof *order);
        same += memcmp(order, before + i * PLACES, PLACES * sizeof *order) == 0;
        same += i > 0 && memcmp(order, order - PLACES, PLACES * sizeof *order) == 0;
    }
    assert_int_equal(same, 0);
    bench_free(b);
}

/* Row i: view 0 of its image, view 1, and the way to view 0 of the other. */
static void pairs_are_what_they_say(void **state)
{
    (void)state;
    zf_vision_step_options options = options_of(ZF_VISION_ZEROFLOW);
    bench *b = bench_new(&options, 2);
    zf_zeroflow_step *z = &b->step.zeroflow;
    float x[3 * PIXELS], y[3 * PIXELS], there[3 * PIXELS];
    int others = 0;
    zf_vision_step_prepare(&b->step, 4, b->crew);
    for (int i = 0; i < BATCH; i++) {
        int other = zf_node_index(z->other)[i];
        float t = zf_node_value(z->t)[i];
        assert_in_range(other, 0, BATCH - 1);
        assert_true(t > 0 && t < 1);
        others += other != i;
        zf_view_make(x, b->pixels[i], SIZE, &options.views, b->which[i], 4, 0);
        zf_view_make(y, b->pixels[i], SIZE, &options.views, b->which[i], 4, 1);
        zf_view_make(there, b->pixels[other], SIZE, &options.views, b->which[other], 4, 0);
        assert_memory_equal(zf_node_value(z->x) + i * 3 * PIXELS, x, sizeof x);
        assert_memory_equal(zf_node_value(z->y) + i * 3 * PIXELS, y, sizeof y);
        for (int k = 0; k < 3 * PIXELS; k++)
            assert_true(zf_node_value(z->distance)[i * 3 * PIXELS + k] == there[k] - x[k]);
    }
    assert_true(others > BATCH / 2);
    bench_free(b);
}

/* Both views of an image have its bits, and images differ in them. */
static void bits_are_shared_by_views(void **state)
{
    (void)state;
    zf_image_shape shape = {.channels = 3 + 8, .size = SIZE, .hidden = 9, .dim = 7};
    zf_view_options views = zf_view_defaults();
    static float a[11 * PIXELS], b[11 * PIXELS];
    static uint8_t pixels[3 * PIXELS];
    int ones = 0;
    for (uint32_t image = 0; image < 40; image++) {
        zf_vision_show(a, &shape, &views, pixels, image, 5, 0);
        zf_vision_show(b, &shape, &views, pixels, image, -1, 0);
        assert_memory_equal(a + 3 * PIXELS, b + 3 * PIXELS, 8 * PIXELS * sizeof *a);
        assert_true(a[0] != b[0] && b[0] == 0);
        for (int c = 3; c < 11; c++) {
            assert_true(a[c * PIXELS] == 0 || a[c * PIXELS] == 1);
            assert_true(a[(c + 1) * PIXELS - 1] == a[c * PIXELS]);
            ones += a[c * PIXELS] > 0;
        }
    }
    assert_in_range(ones, 120, 200);
}

static void refused(zf_vision_step_options options, const char *text)
{
    zf_params *params = NULL;
    zf_vision_step step;
    assert_ok(zf_params_new(&params, 1));
    assert_fails(zf_vision_step_new(&step, params, &options, 1), ZF_EINVAL, text);
    zf_params_free(params);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    zf_vision_step_options options = options_of(ZF_VISION_ZEROFLOW);
    options.image.size = 18;
    refused(options, "multiple of 4, found 18");
    options.image.size = 12;
    refused(options, "multiple of 4, found 12");
    options = options_of(ZF_VISION_SIMCLR);
    options.batch = 1;
    refused(options, "at least 2 images, found 1");
    options = options_of(ZF_VISION_SIMCLR);
    options.image.channels = 2;
    refused(options, "at least 3 channels");
    options = options_of(ZF_VISION_SIMCLR);
    options.temperature = 0;
    refused(options, "temperature above 0");
    options = options_of(ZF_VISION_SIMCLR);
    options.image.dim = 0;
    refused(options, "at least one channel");
    options = options_of(ZF_VISION_MAE);
    options.vit.heads = 5;
    refused(options, "width 12 and 5 heads");
    options = options_of(ZF_VISION_MAE);
    options.masked = 1;
    refused(options, "share between 0 and 1, found 1");
    refused(options_of((zf_vision_method)9), "found 9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroflow_has_the_same_bits_on_any_threads),
        cmocka_unit_test(simclr_has_the_same_bits_on_any_threads),
        cmocka_unit_test(mae_has_the_same_bits_on_any_threads),
        cmocka_unit_test(zeroflow_learns),
        cmocka_unit_test(simclr_learns),
        cmocka_unit_test(mae_learns),
        cmocka_unit_test(masks_are_what_they_say),
        cmocka_unit_test(pairs_are_what_they_say),
        cmocka_unit_test(bits_are_shared_by_views),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
